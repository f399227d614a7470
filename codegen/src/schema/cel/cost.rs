//! What a rule may cost before it has run: every list as long, every text as large as the schema allows.
//!
//! In: an expression and the types of its parts. Out: the most that a run can cost, in a server's units and by its rules. Definitions
//! whose rules may cost too much are refused, so the sums have to be the same. The API server of this workspace reckons for itself, over the
//! tree of a grammar that takes longer to build than this generator; one list of what a real server says holds both to it. Macros are
//! reckoned as what they stand for.

use super::decl::Decl;
use super::infer::Types;
use super::lex::Token;
use super::parse::{Expr, Kind};
use super::prices::{Compared, sorted};
use super::signatures::is_library;
use super::types::Ty;
use std::collections::HashMap;

/// A size of which nothing is known.
pub(super) const UNKNOWN: u64 = u64::MAX;
/// What making a list costs.
pub(super) const LIST: u64 = 10;
const MAP: u64 = 30;

/// The most that an expression can cost.
///
/// - `variables`: what is known of `self`, and so of `oldSelf`.
pub(super) fn estimate(expr: &Expr, types: &Types<'_>, variables: Decl<'_>) -> u64 {
    let (locals, sizes, items) = (Vec::new(), HashMap::new(), HashMap::new());
    Coster { types, variables, locals, sizes, items }.cost(expr)
}

/// Where a value comes from, which tells how large it may be.
#[derive(Debug, Clone, Copy)]
enum Origin<'s> {
    /// A part of what a schema says.
    Declared(Decl<'s>),
    /// The keys of a map.
    Keys,
    /// A part of what a schema says nothing of.
    Lost,
    /// It is made by the expression.
    Made,
}

#[derive(Debug)]
struct Local<'s> {
    name: String,
    origin: Origin<'s>,
}

/// A call of a function or an operator.
pub(super) struct Call<'c> {
    pub(super) expr: &'c Expr,
    /// The name, with the namespace before it.
    pub(super) name: &'c str,
    pub(super) target: Option<&'c Expr>,
    pub(super) arguments: &'c [&'c Expr],
}

pub(super) struct Coster<'s> {
    types: &'s Types<'s>,
    variables: Decl<'s>,
    locals: Vec<Local<'s>>,
    /// Sizes that were worked out, by the bytes of the part.
    sizes: HashMap<(usize, usize), u64>,
    /// The same of the items of lists and the values of maps that the expression makes.
    items: HashMap<(usize, usize), u64>,
}

fn key(expr: &Expr) -> (usize, usize) {
    (expr.bytes.start, expr.bytes.end)
}

impl<'s> Coster<'s> {
    pub(super) fn ty(&self, expr: &Expr) -> &'s Ty<'s> {
        self.types.of(expr)
    }

    fn origin(&self, expr: &Expr) -> Origin<'s> {
        match &expr.kind {
            Kind::Ident(name) => match self.locals.iter().rev().find(|local| local.name == *name) {
                Some(local) => local.origin,
                // A server takes the first variable for every name that it does not know, types included.
                None => Origin::Declared(self.variables),
            },
            Kind::Select { of, field, optional: false, .. } => match self.origin(of) {
                Origin::Declared(decl) => decl.field(field).map_or(Origin::Lost, Origin::Declared),
                Origin::Keys | Origin::Lost => Origin::Lost,
                Origin::Made => self.whole(),
            },
            Kind::Index { of, optional: false, .. } => self.element(of),
            _ => Origin::Made,
        }
    }

    /// What a server takes for a part of a value that the expression makes: the path to it starts there, and the first step of every path
    /// leads to the first variable.
    fn whole(&self) -> Origin<'s> {
        Origin::Declared(self.variables)
    }

    fn element(&self, of: &Expr) -> Origin<'s> {
        match self.origin(of) {
            Origin::Declared(decl) => decl.element().map_or(Origin::Lost, Origin::Declared),
            Origin::Keys | Origin::Lost => Origin::Lost,
            Origin::Made => self.whole(),
        }
    }

    /// The most elements that a value may have.
    pub(super) fn size(&self, expr: &Expr) -> u64 {
        if let Some(size) = self.sizes.get(&key(expr)) {
            return *size;
        }
        let known = match &expr.kind {
            Kind::Literal(Token::Text(text)) => Some(text.chars().count()),
            Kind::Literal(Token::Bytes(bytes)) => Some(bytes.len()),
            Kind::Literal(_) => Some(1),
            Kind::List(items) => Some(items.len()),
            Kind::Map(entries) => Some(entries.len()),
            _ => None,
        };
        if let Some(size) = known {
            return u64::try_from(size).unwrap_or(UNKNOWN);
        }
        match self.origin(expr) {
            Origin::Declared(decl) => decl.most(),
            // A server has no bound for keys, and takes that for none at all.
            Origin::Keys => 0,
            Origin::Lost | Origin::Made if is_single(self.ty(expr)) => 1,
            Origin::Lost | Origin::Made => UNKNOWN,
        }
    }

    /// The most elements that an item of a list may have.
    pub(super) fn item_size(&self, list: &Expr) -> u64 {
        match (self.origin(list), self.element(list)) {
            (Origin::Declared(_), Origin::Declared(decl)) => decl.most(),
            _ => UNKNOWN,
        }
    }

    pub(super) fn sized(&mut self, expr: &Expr, size: u64) {
        self.sizes.insert(key(expr), size);
    }

    /// Notes how large the items of a list may be: as large as the largest of these, as far as it is known.
    fn filled(&mut self, expr: &Expr, items: impl IntoIterator<Item = Option<u64>>) {
        if let Some(most) = items.into_iter().flatten().max() {
            self.items.insert(key(expr), most);
        }
    }

    fn items_of(&self, expr: &Expr) -> Option<u64> {
        self.items.get(&key(expr)).copied()
    }

    fn cost(&mut self, expr: &Expr) -> u64 {
        match &expr.kind {
            Kind::Literal(_) => 0,
            Kind::Ident(_) => 1,
            Kind::Select { of, optional, .. } => {
                let selects =
                    matches!(self.ty(of), Ty::Map(..) | Ty::Object(_) | Ty::Library("metadata")) || *optional;
                self.cost(of).saturating_add(u64::from(selects))
            }
            Kind::Index { of, index, .. } => {
                let below = self.all([&**of, index]);
                if let Some(size) = self.items_of(of) {
                    self.sized(expr, size);
                }
                below.saturating_add(1)
            }
            Kind::List(items) => {
                let below = self.all(items);
                let sizes: Vec<_> = items.iter().map(|item| Some(self.size(item))).chain([Some(0)]).collect();
                self.filled(expr, sizes);
                below.saturating_add(LIST)
            }
            Kind::Map(entries) => {
                let below = self.all(entries.iter().flat_map(|(key, value)| [key, value]));
                let sizes: Vec<_> =
                    entries.iter().map(|(_, value)| Some(self.size(value))).chain([Some(0)]).collect();
                self.filled(expr, sizes);
                below.saturating_add(MAP)
            }
            // A number with its sign is a number.
            Kind::Unary("-", inner) if matches!(inner.kind, Kind::Literal(_)) => 0,
            Kind::Maybe(inner) => self.cost(inner),
            Kind::Unary(_, inner) => self.cost(inner).saturating_add(1),
            Kind::Binary("&&" | "||", _, left, right) => self.all([&**left, right]),
            Kind::Binary(sign, _, left, right) => {
                let arguments = [&**left, &**right];
                let cost = self.called(&Call { expr, name: sign, target: None, arguments: &arguments });
                if *sign == "+" {
                    self.filled(expr, [self.items_of(left), self.items_of(right)]);
                }
                cost
            }
            Kind::Choice(condition, first, second) => {
                let condition = self.cost(condition);
                let dearer = self.cost(first).max(self.cost(second));
                self.sized(expr, self.size(first).max(self.size(second)));
                self.filled(expr, [self.items_of(first), self.items_of(second)]);
                condition.saturating_add(dearer)
            }
            Kind::Call { of, name, arguments, .. } => self.call(expr, of.as_deref(), name, arguments),
        }
    }

    fn all<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> u64 {
        parts.into_iter().fold(0, |sum: u64, part| sum.saturating_add(self.cost(part)))
    }

    fn call(&mut self, expr: &Expr, of: Option<&Expr>, name: &str, arguments: &[Expr]) -> u64 {
        let each: Vec<&Expr> = arguments.iter().collect();
        let Some(of) = of else {
            // `has` looks at what is before the last point.
            if let ("has", [Expr { kind: Kind::Select { of, .. }, .. }]) = (name, arguments) {
                return self.cost(of);
            }
            let cost = self.called(&Call { expr, name, target: None, arguments: &each });
            if let ("dyn", [argument]) = (name, arguments) {
                self.sized(expr, self.size(argument));
            }
            return cost;
        };
        if let Kind::Ident(namespace) = &of.kind
            && is_library(namespace)
            && !self.locals.iter().any(|local| local.name == *namespace)
        {
            let name = format!("{namespace}.{name}");
            return self.called(&Call { expr, name: &name, target: None, arguments: &each });
        }
        match arguments {
            [Expr { kind: Kind::Ident(first), .. }, rest @ ..]
                if !rest.is_empty() && super::loops::LOOPS.contains(&name) =>
            {
                self.macros(expr, of, (name, first), rest)
            }
            _ => self.called(&Call { expr, name, target: Some(of), arguments: &each }),
        }
    }

    /// A call with what it is called on and with.
    fn called(&mut self, call: &Call<'_>) -> u64 {
        let below = self.all(call.target.into_iter().chain(call.arguments.iter().copied()));
        let (own, size) = self.own(call);
        if let Some(size) = size {
            self.sized(call.expr, size);
        }
        below.saturating_add(own)
    }

    fn macros(&mut self, expr: &Expr, of: &Expr, (name, first): (&str, &str), rest: &[Expr]) -> u64 {
        if matches!(name, "optMap" | "optFlatMap") {
            return self.mapped_optional(of, (name, first), rest);
        }
        let has_one = matches!(name, "map" | "filter" | "sortBy");
        let (second, steps) = match rest {
            [Expr { kind: Kind::Ident(second), .. }, steps @ ..] if !has_one && !steps.is_empty() => {
                (Some(second), steps)
            }
            steps => (None, steps),
        };
        let element = self.element(of);
        let (one, other) = match (self.ty(of), second) {
            (Ty::Map(..), _) => (Origin::Keys, element),
            (_, None) => (element, Origin::Made),
            (_, Some(_)) => (Origin::Lost, element),
        };
        let range = self.cost(of);
        let outer = self.locals.len();
        self.locals.push(Local { name: first.to_owned(), origin: one });
        self.locals.extend(second.map(|name| Local { name: name.clone(), origin: other }));
        let made = match name {
            "map" | "sortBy" | "transformList" => steps.last(),
            _ => None,
        };
        let steps: Vec<u64> = steps.iter().map(|step| self.cost(step)).collect();
        let item = made.map(|made| self.size(made));
        self.locals.truncate(outer);
        let rounds = self.size(of);
        let plan = Plan::of(name, &steps);
        self.sized(expr, if plan.collects { rounds } else { 1 });
        let looped = range.saturating_add(plan.once).saturating_add(rounds.saturating_mul(plan.round));
        if name == "sortBy" {
            // The list gets a name, is looked at twice by it, and is sorted by a list of keys that was made before.
            let by = made.map_or(Compared::Texts, |made| Compared::of(self.ty(made)));
            let (sorting, size) = sorted(rounds, by);
            self.sized(expr, size);
            return looped.saturating_add(LIST + 2).saturating_add(sorting);
        }
        self.filled(expr, [item]);
        looped
    }

    /// `a.optMap(v, f)`: `a.hasValue() ? optional.of(f) : optional.none()`, with the value of `a` as `v`.
    fn mapped_optional(&mut self, of: &Expr, (name, first): (&str, &str), rest: &[Expr]) -> u64 {
        let of = self.cost(of);
        self.locals.push(Local { name: first.to_owned(), origin: Origin::Made });
        let body = self.all(rest);
        self.locals.pop();
        let wrapped = u64::from(name == "optMap");
        let value = of.saturating_add(1 + LIST).saturating_add(body).saturating_add(wrapped);
        of.saturating_add(1).saturating_add(value)
    }
}

/// What a loop costs besides what it goes over.
struct Plan {
    once: u64,
    round: u64,
    /// Whether it gives a list or map with something for each round.
    collects: bool,
}

impl Plan {
    /// - `steps`: what the expressions of the macro cost.
    fn of(name: &str, steps: &[u64]) -> Self {
        let last = steps.last().copied().unwrap_or_default();
        let filter = if steps.len() > 1 { steps.first().copied().unwrap_or_default() } else { 0 };
        let add = |round: u64| last.saturating_add(filter).saturating_add(round);
        match name {
            // Whether to go on, and the verdict so far, are looked at in each round.
            "all" => Self { once: 1, round: add(3), collects: false },
            "exists" => Self { once: 1, round: add(4), collects: false },
            "exists_one" | "existsOne" => Self { once: 2, round: add(2), collects: false },
            "filter" => Self { once: LIST + 1, round: add(3 + LIST), collects: true },
            "transformMap" => Self { once: MAP + 1, round: add(3), collects: true },
            "transformMapEntry" => Self { once: MAP + 1, round: add(2), collects: true },
            _ => Self { once: LIST + 1, round: add(2 + LIST), collects: true },
        }
    }
}

/// Whether a value has no elements.
fn is_single(ty: &Ty<'_>) -> bool {
    match ty {
        Ty::Bool | Ty::Double | Ty::Duration | Ty::Int | Ty::Timestamp | Ty::Uint => true,
        Ty::Optional(inner) => is_single(inner),
        _ => false,
    }
}
