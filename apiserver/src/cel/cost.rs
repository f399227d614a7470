//! What an expression may cost before it has run: every list as long, every text as large as its schema allows.
//!
//! In: a checked expression. Out: the most that a run can cost, in a real server's units, by its rules: definitions whose rules may cost
//! too much are refused, so the sums have to be the same.

use std::{collections::HashMap, sync::Arc};

use super::{
    Decl, Environment, Type,
    ast::{Expr, Fold, Kind, Literal},
    check::qualified,
};

/// What reading a text costs for each of its bytes.
const TEXT: f64 = 0.1;
/// What a regular expression costs for each of its bytes.
const PATTERN: f64 = 0.25;
const LIST: u64 = 10;
const MAP: u64 = 30;
const MESSAGE: u64 = 40;
/// A size of which nothing is known.
const UNKNOWN: u64 = u64::MAX;
/// How long the expressions behind named formats are.
const FORMAT: f64 = 128.0;

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Estimate {
    pub max: u64,
}

/// Reckons an expression.
pub(super) fn estimate(expr: &Expr, types: &[Type], environment: &Environment) -> Estimate {
    let mut coster = Coster { types, environment, locals: Vec::new(), sizes: HashMap::new() };
    Estimate { max: coster.cost(expr) }
}

/// Where a value comes from, which tells how large it may be.
#[derive(Clone, Debug)]
enum Origin {
    /// A part of what was declared.
    Declared(Arc<Decl>),
    /// The keys of a map.
    Keys,
    Elsewhere,
}

struct Local<'e> {
    name: &'e str,
    origin: Origin,
    size: Option<u64>,
}

/// A call that is reckoned.
struct Call<'c> {
    expr: &'c Expr,
    function: &'c str,
    target: Option<&'c Expr>,
    args: &'c [Expr],
}

/// What a call costs, and how large its result may be where that is known.
type Cost = (u64, Option<u64>);

struct Coster<'e> {
    types: &'e [Type],
    environment: &'e Environment,
    locals: Vec<Local<'e>>,
    /// Sizes that were worked out, by node.
    sizes: HashMap<usize, u64>,
}

fn times(size: u64, factor: f64) -> u64 {
    let product = (size as f64 * factor).ceil();
    if product >= u64::MAX as f64 { u64::MAX } else { product as u64 }
}

impl<'e> Coster<'e> {
    fn kind(&self, expr: &Expr) -> &Type {
        self.types.get(expr.id).unwrap_or(&Type::Dyn)
    }

    fn local(&self, name: &str) -> Option<&Local<'e>> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn origin(&self, expr: &Expr) -> Origin {
        match &expr.kind {
            Kind::Ident(name) => match self.local(name) {
                Some(local) => local.origin.clone(),
                // A real server takes the first variable for every name that it does not know, types included.
                None => {
                    match self.environment.variable_decl(name).or_else(|| self.environment.first_decl()) {
                        Some(decl) => Origin::Declared(Arc::clone(decl)),
                        None => Origin::Elsewhere,
                    }
                }
            },
            Kind::Select { operand, field, test: false } => self.field(operand, field),
            Kind::Call { function, target: None, args } => match (function.as_str(), args.as_slice()) {
                ("_[_]", [of, _]) => self.element(of),
                _ => Origin::Elsewhere,
            },
            _ => Origin::Elsewhere,
        }
    }

    fn field(&self, operand: &Expr, field: &str) -> Origin {
        match self.origin(operand) {
            Origin::Declared(decl) => match decl.field(field) {
                Some(field) => Origin::Declared(Arc::clone(&field.decl)),
                None => Origin::Elsewhere,
            },
            other => other,
        }
    }

    fn element(&self, of: &Expr) -> Origin {
        match self.origin(of) {
            Origin::Declared(decl) => {
                decl.element().map_or(Origin::Elsewhere, |decl| Origin::Declared(Arc::clone(decl)))
            }
            _ => Origin::Elsewhere,
        }
    }

    /// The most elements that a value may have.
    fn size(&self, expr: &Expr) -> u64 {
        if let Some(size) = self.sizes.get(&expr.id) {
            return *size;
        }
        let known = match &expr.kind {
            Kind::Literal(Literal::String(text)) => Some(text.chars().count()),
            Kind::Literal(Literal::Bytes(bytes)) => Some(bytes.len()),
            Kind::Literal(_) => Some(1),
            Kind::List { items, .. } => Some(items.len()),
            Kind::Map { entries } => Some(entries.len()),
            _ => None,
        };
        if let Some(size) = known {
            return u64::try_from(size).unwrap_or(UNKNOWN);
        }
        match self.origin(expr) {
            Origin::Declared(decl) => return decl.max_elements.unwrap_or_default(),
            // A real server has no bound for keys, and takes that for none at all.
            Origin::Keys => return 0,
            Origin::Elsewhere => {}
        }
        if is_scalar(self.kind(expr)) {
            return 1;
        }
        match &expr.kind {
            Kind::Ident(name) => self.local(name).and_then(|local| local.size).unwrap_or(UNKNOWN),
            _ => UNKNOWN,
        }
    }

    fn element_size(&self, list: &Expr) -> u64 {
        match self.element(list) {
            Origin::Declared(decl) => decl.max_elements.unwrap_or_default(),
            _ => UNKNOWN,
        }
    }

    fn cost(&mut self, expr: &'e Expr) -> u64 {
        match &expr.kind {
            Kind::Literal(_) => 0,
            Kind::Ident(_) => 1,
            Kind::Select { operand, test, .. } => {
                let below = self.cost(operand);
                let selects = matches!(self.kind(operand), Type::Map(..) | Type::Object(_));
                below.saturating_add(u64::from(selects && !test))
            }
            Kind::Call { function, target, args } => self.call(expr, function, target.as_deref(), args),
            Kind::List { items, .. } => self.sum(items).saturating_add(LIST),
            Kind::Map { entries } => {
                let parts =
                    entries.iter().map(|entry| self.cost(&entry.key).saturating_add(self.cost(&entry.value)));
                parts.fold(MAP, u64::saturating_add)
            }
            Kind::Message { fields, .. } => {
                fields.iter().map(|field| self.cost(&field.value)).fold(MESSAGE, u64::saturating_add)
            }
            Kind::Fold(fold) => self.fold(expr, fold),
        }
    }

    fn sum(&mut self, parts: &'e [Expr]) -> u64 {
        parts.iter().map(|part| self.cost(part)).fold(0, u64::saturating_add)
    }

    fn fold(&mut self, expr: &'e Expr, fold: &'e Fold) -> u64 {
        let before = self.cost(&fold.range).saturating_add(self.cost(&fold.init));
        let outer = self.locals.len();
        let total =
            Local { name: &fold.total, origin: self.origin(&fold.init), size: Some(self.size(&fold.init)) };
        self.locals.push(total);
        let binds = matches!(&fold.range.kind, Kind::List { items, .. } if items.is_empty());
        if binds && fold.total != "@result" {
            let result = self.cost(&fold.result);
            let size = self.size(&fold.result);
            self.sizes.insert(expr.id, size);
            self.locals.truncate(outer);
            return before.saturating_add(result);
        }
        let map = matches!(self.kind(&fold.range), Type::Map(..));
        let element = self.element(&fold.range);
        let (first, second) = match (map, &fold.second) {
            (true, _) => (Origin::Keys, element),
            (false, None) => (element, Origin::Elsewhere),
            (false, Some(_)) => (Origin::Elsewhere, element),
        };
        self.locals.push(Local { name: &fold.first, origin: first, size: None });
        if let Some(name) = &fold.second {
            self.locals.push(Local { name, origin: second, size: None });
        }
        let round = self.cost(&fold.condition).saturating_add(self.cost(&fold.step));
        self.locals.truncate(outer + 1);
        let result = self.cost(&fold.result);
        self.locals.truncate(outer);
        let rounds = self.size(&fold.range);
        let size = match &fold.init.kind {
            Kind::List { .. } | Kind::Map { .. } => rounds,
            _ => self.size(&fold.init),
        };
        self.sizes.insert(expr.id, size);
        before.saturating_add(result).saturating_add(rounds.saturating_mul(round))
    }

    fn call(&mut self, expr: &'e Expr, function: &'e str, target: Option<&'e Expr>, args: &'e [Expr]) -> u64 {
        let whole = target.and_then(qualified).map(|target| format!("{target}.{function}"));
        let namespaced = whole.filter(|name| super::functions::overloads(name).is_some());
        if let Some(name) = namespaced {
            let below = self.sum(args);
            return below.saturating_add(self.own(expr, &name, None, args));
        }
        let below = target.map(|target| self.cost(target)).unwrap_or_default();
        match (function, args) {
            ("_?_:_", [condition, yes, no]) => {
                let condition = self.cost(condition);
                let (costs, sizes) = ((self.cost(yes), self.cost(no)), (self.size(yes), self.size(no)));
                self.sizes.insert(expr.id, sizes.0.max(sizes.1));
                return condition.saturating_add(costs.0.max(costs.1));
            }
            ("_&&_" | "_||_", _) => return self.sum(args),
            ("dyn", [arg]) => {
                let cost = self.cost(arg);
                let size = self.size(arg);
                self.sizes.insert(expr.id, size);
                return cost.saturating_add(1);
            }
            _ => {}
        }
        let below = below.saturating_add(self.sum(args));
        below.saturating_add(self.own(expr, function, target, args))
    }

    /// What a call costs besides its arguments.
    fn own(&mut self, expr: &Expr, function: &str, target: Option<&Expr>, args: &[Expr]) -> u64 {
        let call = Call { expr, function, target, args };
        let found = self.texts(&call).or_else(|| self.network(&call)).or_else(|| self.operators(&call));
        let (cost, size) = found.unwrap_or((1, None));
        if let Some(size) = size {
            self.sizes.insert(expr.id, size);
        }
        cost
    }

    fn arg(&self, call: &Call<'_>, index: usize) -> u64 {
        call.args.get(index).map_or(UNKNOWN, |arg| self.size(arg))
    }

    /// The size of what a function is called on.
    fn receiver(&self, call: &Call<'_>) -> u64 {
        call.target.map_or_else(|| self.arg(call, 0), |target| self.size(target))
    }

    /// Functions that read texts and lists.
    fn texts(&self, call: &Call<'_>) -> Option<Cost> {
        let own = self.receiver(call);
        let first = self.arg(call, 0);
        let pattern = |text: u64, pattern: u64| {
            times(text.saturating_add(1), TEXT).saturating_mul(times(pattern, PATTERN))
        };
        Some(match call.function {
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
                (self.compared(call, own), None)
            }
            "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" => (times(own, TEXT), Some(own)),
            "replace" => {
                let size = replaced(own, (self.least(call.args.first()), self.arg(call, 1)));
                (times(own, 2.0 * TEXT), Some(size))
            }
            "split" => (times(own, 2.0 * TEXT), Some(own)),
            "join" => {
                let element = call.target.map_or(UNKNOWN, |target| self.element_size(target));
                let between = own.saturating_sub(1);
                let separators = if call.args.is_empty() { 0 } else { first.saturating_mul(between) };
                let size = own.saturating_mul(element).saturating_add(separators);
                (times(size, TEXT), Some(size))
            }
            "find" | "findAll" => (pattern(own, first), Some(own)),
            "matches" if call.target.is_some() => (pattern(own, first), None),
            "matches" => (pattern(own, self.arg(call, 1)), None),
            "quantity" | "isQuantity" | "semver" | "isSemver" => (times(first, TEXT), None),
            "validate" => (times(times(first, TEXT), FORMAT * PATTERN), None),
            "format" | "strings.quote" => (times(own, TEXT), None),
            "startsWith" | "endsWith" => (times(first, TEXT), None),
            "contains" => (times(own, TEXT).saturating_mul(times(first, TEXT)), None),
            _ => return None,
        })
    }

    /// Comparing each item of a list, or reading a text.
    fn compared(&self, call: &Call<'_>, own: u64) -> u64 {
        match call.target.map(|target| self.kind(target)) {
            Some(Type::List(items)) => {
                let texts = matches!(**items, Type::String | Type::Bytes);
                let element =
                    call.target.filter(|_| texts).map_or(0, |target| times(self.element_size(target), TEXT));
                own.saturating_mul(element.saturating_add(1))
            }
            _ => times(own, TEXT),
        }
    }

    /// Addresses and networks, of which the longest has 16 bytes.
    fn network(&self, call: &Call<'_>) -> Option<Cost> {
        let first = self.arg(call, 0);
        Some(match call.function {
            "ip" if call.target.is_some() => (1, None),
            "cidr" | "isIP" | "isCIDR" | "ip" => (times(first, TEXT), None),
            "ip.isCanonical" => (times(first, 2.0 * TEXT), None),
            "containsIP" => (self.text_part(call.args).saturating_add(times(32, TEXT)), None),
            "containsCIDR" => {
                let compared = times(32, TEXT) + times(16, TEXT) + 1;
                (self.text_part(call.args).saturating_add(compared), None)
            }
            _ => return None,
        })
    }

    /// Operators, sets and conversions.
    fn operators(&self, call: &Call<'_>) -> Option<Cost> {
        let (first, second) = (self.arg(call, 0), self.arg(call, 1));
        let kind = |index: usize| call.args.get(index).map(|arg| self.kind(arg));
        let of_texts = |index: usize| matches!(kind(index), Some(Type::String | Type::Bytes));
        Some(match call.function {
            "@in" if matches!(kind(1), Some(Type::List(_) | Type::Dyn)) => (second, None),
            "sets.contains" | "sets.intersects" => (first.saturating_mul(second).saturating_add(1), None),
            "sets.equivalent" => (first.saturating_mul(second).saturating_mul(2).saturating_add(1), None),
            "_+_" => {
                let size = first.saturating_add(second);
                match self.kind(call.expr) {
                    Type::String | Type::Bytes => (times(size, TEXT), Some(size)),
                    Type::List(_) | Type::Dyn => (1, Some(size)),
                    _ => (1, None),
                }
            }
            "_==_" | "_!=_" => (times(first.min(second), TEXT), None),
            "_<_" | "_>_" | "_<=_" | "_>=_" if of_texts(0) => (times(first.min(second), TEXT), None),
            "string" | "bytes" if of_texts(0) => {
                let same = kind(0) == Some(self.kind(call.expr));
                (if same { 1 } else { times(first, TEXT) }, Some(first))
            }
            _ => return None,
        })
    }

    /// Reading an argument that is a text rather than an address.
    fn text_part(&self, args: &[Expr]) -> u64 {
        match args.first() {
            Some(arg) if matches!(self.kind(arg), Type::String) => times(self.size(arg), TEXT),
            _ => 0,
        }
    }

    /// The fewest elements that a value has: known only of what stands in the text.
    fn least(&self, expr: Option<&Expr>) -> u64 {
        match expr {
            Some(expr) if matches!(expr.kind, Kind::Literal(_)) => self.size(expr),
            _ => 0,
        }
    }
}

/// How long a text may get when parts of at least `from` letters are replaced by up to `to`.
fn replaced(size: u64, (from, to): (u64, u64)) -> u64 {
    if from == 0 {
        return size.saturating_add(1).saturating_mul(to).saturating_add(size);
    }
    if to <= from {
        return size;
    }
    size.div_ceil(from).saturating_mul(to)
}

fn is_scalar(kind: &Type) -> bool {
    match kind {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::UInt => true,
        Type::Optional(inner) => is_scalar(inner),
        _ => false,
    }
}
