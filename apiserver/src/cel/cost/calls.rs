//! What functions and operators cost besides their arguments, and how large their results may be.
//!
//! In: one way in which a call can be meant, with what is known of its arguments. Out: its cost in a real server's units.

use super::size::{Origin, Size, Step, scaled};
use crate::cel::{
    Type,
    ast::{Expr, Kind, Literal},
    functions::Overload,
};

/// What reading a text costs for each of its bytes.
const TEXT: f64 = 0.1;
/// What a regular expression costs for each of its bytes.
const PATTERN: f64 = 0.25;
/// How long the expressions behind named formats are.
const FORMAT: f64 = 128.0;
/// How many formats there may be.
const FORMATS: u64 = 64;
const LIST: u64 = 10;
/// What asking an authorizer costs.
const CHECK: u64 = 350_000;
/// What each requirement of a selector costs, and how many letters it has at least.
const REQUIREMENT: (f64, f64) = (50.0, 0.5);
/// The bytes of an address.
const ADDRESS: Size = Size { min: 4, max: 16 };

/// A value that is used by a call.
pub(super) struct Node<'e> {
    pub expr: &'e Expr,
    pub kind: &'e Type,
    pub origin: Origin<'e>,
    pub size: Size,
}

/// One way in which a call can be meant.
pub(super) struct Call<'c, 'e> {
    pub function: &'c str,
    /// None for what has no types of its own, such as optional fields.
    pub overload: Option<&'static Overload>,
    pub target: Option<&'c Node<'e>>,
    pub args: &'c [Node<'e>],
}

/// What a call costs, and how large its result may be where that is known.
pub(super) struct Cost {
    pub max: u64,
    pub result: Option<Size>,
}

impl Cost {
    fn of(max: u64) -> Self {
        Self { max, result: None }
    }

    fn giving(max: u64, result: Size) -> Self {
        Self { max, result: Some(result) }
    }
}

impl Call<'_, '_> {
    /// The type of a parameter, the receiver being the first.
    fn wanted(&self, index: usize) -> Option<&Type> {
        self.overload.and_then(|overload| overload.args.get(index))
    }

    fn wants_text(&self, index: usize) -> bool {
        matches!(self.wanted(index), Some(Type::String | Type::Bytes))
    }

    /// Whether it gives an element of a list or map.
    pub(super) fn indexes(&self) -> bool {
        matches!(self.wanted(0), Some(Type::List(_) | Type::Map(..)))
    }

    /// Whether it joins two lists or texts.
    pub(super) fn joins(&self) -> bool {
        matches!(self.wanted(0), Some(Type::String | Type::Bytes | Type::List(_)))
    }

    fn arg(&self, index: usize) -> Size {
        self.args.get(index).map_or(Size::UNKNOWN, |arg| arg.size)
    }

    /// What it costs.
    pub(super) fn cost(&self) -> Cost {
        let known = self.lists().or_else(|| self.searches()).or_else(|| self.texts());
        let known = known.or_else(|| self.parsed()).or_else(|| self.network());
        known.or_else(|| self.operators()).unwrap_or_else(|| Cost::of(1))
    }

    /// Functions that make lists or compare them.
    fn lists(&self) -> Option<Cost> {
        let made = |factor: f64, size: Size| {
            Cost::giving(size.cost(factor).saturating_add(1).saturating_add(LIST), size)
        };
        let compared = |factor: f64| Cost::of(self.arg(0).times(self.arg(1)).cost(factor).saturating_add(1));
        match self.function {
            "sets.contains" | "sets.intersects" => return Some(compared(1.0)),
            "sets.equivalent" => return Some(compared(2.0)),
            "lists.range" => return Some(made(1.0, Size::fixed(self.number(0, u64::MAX)))),
            _ => {}
        }
        let own = self.target?.size;
        let squared = |size: Size, of: Option<&Type>| {
            let reads = matches!(of, Some(Type::List(items)) if reads_texts(items));
            made(if reads { 2.0 + TEXT } else { 2.0 }, size.times(size))
        };
        Some(match self.function {
            "slice" => {
                let (from, to) = (self.number(0, 0), self.number(1, own.max));
                made(1.0, Size::fixed(to.wrapping_sub(from)))
            }
            "reverse" => made(1.0, own),
            "flatten" => made(if self.args.is_empty() { 1.0 } else { self.number(0, u64::MAX) as f64 }, own),
            "distinct" => made(2.0, own.times(own)),
            "sort" => squared(own, self.target.map(|target| target.kind)),
            "@sortByAssociatedKeys" => squared(self.arg(0), self.args.first().map(|keys| keys.kind)),
            _ => return None,
        })
    }

    /// A number that stands in the text, or another.
    fn number(&self, index: usize, otherwise: u64) -> u64 {
        match self.args.get(index).map(|arg| &arg.expr.kind) {
            Some(Kind::Literal(Literal::Int(number))) => u64::try_from(*number).unwrap_or_default(),
            _ => otherwise,
        }
    }

    /// Functions that go through a list or a text and compare.
    fn searches(&self) -> Option<Cost> {
        let target = self.target?;
        let own = target.size;
        let pattern =
            |pattern: Size| own.plus(Size::fixed(1)).cost(TEXT).saturating_mul(pattern.cost(PATTERN));
        Some(match self.function {
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => Cost::of(match target.kind {
                Type::List(items) => {
                    let texts = if reads_texts(items) { self.element(target).cost(TEXT) } else { 0 };
                    own.max.saturating_mul(texts.saturating_add(1))
                }
                _ => own.cost(TEXT),
            }),
            "find" | "findAll" => Cost::giving(pattern(self.arg(0)), Size::up_to(own.max)),
            "matches" => Cost::of(pattern(self.arg(0))),
            "contains" => Cost::of(own.cost(TEXT).saturating_mul(self.arg(0).cost(TEXT))),
            "startsWith" | "endsWith" => Cost::of(self.arg(0).cost(TEXT)),
            "validate" => Cost::of(scaled(self.arg(0).cost(TEXT), FORMAT * PATTERN)),
            _ => return None,
        })
    }

    /// How large the items of a list are, by what was declared of them.
    fn element(&self, list: &Node<'_>) -> Size {
        match list.origin {
            Origin::Nowhere => Size::UNKNOWN,
            known => known.step(Step::Element, Origin::Lost).size().unwrap_or(Size::UNKNOWN),
        }
    }

    /// Functions that make a text of a text.
    fn texts(&self) -> Option<Cost> {
        let own = self.target?.size;
        Some(match self.function {
            "lowerAscii" | "upperAscii" | "substring" | "trim" => Cost::giving(own.cost(TEXT), own),
            "replace" => Cost::giving(own.cost(2.0 * TEXT), replaced(own, self.arg(0), self.arg(1))),
            "split" => {
                let most = match self.args.get(1).map(|arg| &arg.expr.kind) {
                    Some(Kind::Literal(Literal::Int(number))) => number.cast_unsigned(),
                    _ => own.max,
                };
                Cost::giving(own.cost(2.0 * TEXT), Size::up_to(most))
            }
            "join" => {
                let between = Size { min: own.min.saturating_sub(1), max: own.max.saturating_sub(1) };
                let element = self.target.filter(|target| matches!(target.kind, Type::List(_)));
                let items = element.map_or(Size::fixed(0), |target| own.times(self.element(target)));
                let separators = self.args.first().map_or(Size::fixed(0), |arg| arg.size.times(between));
                let size = items.plus(separators);
                Cost::giving(size.cost(TEXT), size)
            }
            "format" => Cost::of(own.cost(TEXT)),
            "check" => Cost::of(CHECK),
            "fieldSelector" | "labelSelector" => {
                let (each, letters) = REQUIREMENT;
                let requirements = scaled(scaled(self.arg(0).max, letters), each);
                Cost::of(self.arg(0).cost(TEXT).saturating_add(requirements).saturating_add(LIST))
            }
            _ => return None,
        })
    }

    /// Functions that read a text.
    fn parsed(&self) -> Option<Cost> {
        let first = self.arg(0);
        Some(match self.function {
            "url" | "jsonpatch.escapeKey" => Cost::giving(first.cost(TEXT), first),
            "quantity" | "isQuantity" | "semver" | "isSemver" | "cidr" | "isIP" | "isCIDR" => {
                Cost::of(first.cost(TEXT))
            }
            "ip" if self.target.is_none() => Cost::of(first.cost(TEXT)),
            "ip.isCanonical" => Cost::of(first.cost(2.0 * TEXT)),
            "strings.quote" => {
                let double = |size: u64| size.wrapping_mul(2).wrapping_add(2);
                let result = Size { min: first.min.wrapping_add(2), max: double(first.max) };
                Cost::giving(first.cost(TEXT), result)
            }
            "matches" if self.target.is_none() => {
                let text = first.plus(Size::fixed(1)).cost(TEXT);
                Cost::of(text.saturating_mul(self.arg(1).cost(PATTERN)))
            }
            "bytes" if matches!(self.wanted(0), Some(Type::String)) => {
                Cost::giving(first.cost(TEXT), Size { max: first.max.wrapping_mul(4), ..first })
            }
            "string" if matches!(self.wanted(0), Some(Type::Bytes)) => {
                Cost::giving(first.cost(TEXT), Size { min: first.min / 4, ..first })
            }
            _ => return None,
        })
    }

    /// Addresses and networks.
    fn network(&self) -> Option<Cost> {
        let both = ADDRESS.plus(ADDRESS).cost(TEXT);
        let text = if self.wants_text(1) { self.arg(0).cost(TEXT) } else { 0 };
        Some(match self.function {
            "containsIP" => Cost::of(both.saturating_add(text)),
            "containsCIDR" => Cost::of(both.saturating_add(ADDRESS.cost(TEXT) + 1).saturating_add(text)),
            _ => return None,
        })
    }

    fn operators(&self) -> Option<Cost> {
        let (first, second) = (self.arg(0), self.arg(1));
        let read = || Cost::of(scaled(first.max.min(second.max), TEXT));
        Some(match self.function {
            "@in" if matches!(self.wanted(1), Some(Type::List(_))) => Cost::of(second.max),
            "_+_" if self.joins() => {
                let size = first.plus(second);
                let copies = if self.wants_text(0) { size.cost(TEXT) } else { 1 };
                Cost::giving(copies, size)
            }
            "_==_" if self.same_kind() => self.same_opaque().unwrap_or_else(read),
            "_==_" | "_!=_" => read(),
            "_<_" | "_>_" | "_<=_" | "_>=_" if self.wants_text(0) => read(),
            _ => return None,
        })
    }

    fn same_kind(&self) -> bool {
        match self.args {
            [left, right] => left.kind == right.kind,
            _ => false,
        }
    }

    /// Whether two values of a library's type are the same.
    fn same_opaque(&self) -> Option<Cost> {
        let Some(Type::Opaque(name)) = self.args.first().map(|arg| arg.kind) else { return None };
        Some(Cost::of(match *name {
            "kubernetes.NamedFormat" => scaled(FORMATS, TEXT),
            "kubernetes.URL" => scaled(self.arg(1).max, TEXT),
            _ => 1,
        }))
    }
}

fn reads_texts(items: &Type) -> bool {
    matches!(items, Type::String | Type::Bytes)
}

/// How long a text gets when parts of it are replaced.
fn replaced(text: Size, part: Size, by: Size) -> Size {
    let longest = if part.min == 0 {
        text.max.saturating_add(1).saturating_mul(by.max).saturating_add(text.max)
    } else if by.max <= part.min {
        text.max
    } else {
        text.max.div_ceil(part.min).saturating_mul(by.max)
    };
    let shortest = if part.max == 0 {
        text.min.saturating_add(1).saturating_mul(by.min).saturating_add(text.min)
    } else if part.max <= by.min {
        text.min
    } else {
        text.min.div_ceil(part.max).saturating_mul(by.min)
    };
    Size { min: shortest, max: longest }
}
