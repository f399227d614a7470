//! What an expression may cost before it has run: every list as long, every text as large as its schema allows.
//!
//! In: a checked expression. Out: the most that a run can cost, in a real server's units, by its rules: definitions whose rules may cost
//! too much are refused, so the sums have to be the same.

mod calls;
mod size;

use std::collections::HashMap;

use super::{
    Environment, Type,
    ast::{Entry, Expr, Fold, Kind, Literal},
    check::qualified,
    functions::{Overload, overloads},
    types::Bindings,
};
use calls::{Call, Node};
use size::{Container, Entries, Origin, Size, Step, is_scalar};

const LIST: u64 = 10;
const MAP: u64 = 30;
const MESSAGE: u64 = 40;

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Estimate {
    pub max: u64,
}

/// Reckons an expression.
pub(super) fn estimate(expr: &Expr, types: &[Type], environment: &Environment) -> Estimate {
    let mut coster = Coster {
        types,
        root: Origin::root(environment.first_decl().map(AsRef::as_ref)),
        locals: Vec::new(),
        origins: HashMap::new(),
        sizes: HashMap::new(),
        entries: HashMap::new(),
    };
    Estimate { max: coster.cost(expr) }
}

/// A variable of a loop or a binding.
struct Local<'e> {
    name: &'e str,
    origin: Origin<'e>,
    size: Option<Size>,
    entries: Option<Entries>,
}

struct Coster<'e> {
    types: &'e [Type],
    /// What `self` is.
    root: Origin<'e>,
    locals: Vec<Local<'e>>,
    /// What was found out, by node.
    origins: HashMap<usize, Origin<'e>>,
    sizes: HashMap<usize, Size>,
    entries: HashMap<usize, Entries>,
}

impl<'e> Coster<'e> {
    fn kind(&self, expr: &Expr) -> &'e Type {
        self.types.get(expr.id).unwrap_or(&Type::Dyn)
    }

    fn local(&self, expr: &Expr) -> Option<&Local<'e>> {
        let Kind::Ident(name) = &expr.kind else { return None };
        self.locals.iter().rev().find(|local| local.name == name)
    }

    fn origin(&self, expr: &Expr) -> Origin<'e> {
        match self.local(expr) {
            Some(local) => local.origin,
            None => self.origins.get(&expr.id).copied().unwrap_or(Origin::Nowhere),
        }
    }

    /// How many elements a value has, as far as that is known.
    fn size(&mut self, expr: &Expr) -> Option<Size> {
        if let Some(size) = self.sizes.get(&expr.id) {
            return Some(*size);
        }
        if let Some(size) = written(expr) {
            return Some(Size::fixed(size));
        }
        if let Some(size) = self.origin(expr).size() {
            self.sizes.insert(expr.id, size);
            return Some(size);
        }
        if is_scalar(self.kind(expr)) {
            return Some(Size::fixed(1));
        }
        self.local(expr)?.size
    }

    fn size_or_unknown(&mut self, expr: &Expr) -> Size {
        self.size(expr).unwrap_or(Size::UNKNOWN)
    }

    fn entries(&self, expr: &Expr) -> Option<Entries> {
        let known = self.entries.get(&expr.id).copied();
        known.or_else(|| self.local(expr).and_then(|local| local.entries))
    }

    fn set_size(&mut self, expr: &Expr, size: Option<Size>) {
        if let Some(size) = size {
            self.sizes.insert(expr.id, size);
        }
    }

    fn set_entries(&mut self, expr: &Expr, entries: Option<Entries>) {
        if let Some(entries) = entries {
            self.entries.insert(expr.id, entries);
        }
    }

    /// What is known of one holds for the other.
    fn same(&mut self, expr: &Expr, as_this: &Expr) {
        let (size, entries) = (self.size(as_this), self.entries(as_this));
        self.set_size(expr, size);
        self.set_entries(expr, entries);
    }

    fn cost(&mut self, expr: &'e Expr) -> u64 {
        match &expr.kind {
            Kind::Literal(_) => 0,
            Kind::Ident(_) => {
                // Every name that is no variable of the expression's own is the first step of a path, types included.
                let origin = self.local(expr).map_or(self.root, |local| local.origin);
                self.origins.insert(expr.id, origin);
                1
            }
            Kind::Select { operand, field, test } => {
                let below = self.cost(operand);
                if *test {
                    return below;
                }
                let selects =
                    matches!(self.kind(operand), Type::Map(..) | Type::Object(_) | Type::Message(_));
                let origin = self.origin(operand).step(Step::Name(field), self.root);
                self.origins.insert(expr.id, origin);
                below.saturating_add(u64::from(selects))
            }
            Kind::Call { function, target, args } => self.call(expr, function, target.as_deref(), args),
            Kind::List { items, .. } => self.list(expr, items),
            Kind::Map { entries } => self.map(expr, entries),
            Kind::Message { fields, .. } => {
                fields.iter().map(|field| self.cost(&field.value)).fold(MESSAGE, u64::saturating_add)
            }
            Kind::Fold(fold) => self.fold(expr, fold),
        }
    }

    fn list(&mut self, expr: &Expr, items: &'e [Expr]) -> u64 {
        let mut cost = LIST;
        let mut values = if items.is_empty() { Size::fixed(0) } else { Size::NONE };
        for item in items {
            cost = cost.saturating_add(self.cost(item));
            values = values.union(self.size_or_unknown(item));
        }
        let entries = Entries { container: Container::List, keys: Size::fixed(1), values };
        self.entries.insert(expr.id, entries);
        cost
    }

    fn map(&mut self, expr: &Expr, members: &'e [Entry]) -> u64 {
        let mut cost = MAP;
        let start = if members.is_empty() { Size::fixed(0) } else { Size::NONE };
        let (mut keys, mut values) = (start, start);
        for Entry { key, value, .. } in members {
            cost = cost.saturating_add(self.cost(key)).saturating_add(self.cost(value));
            keys = keys.union(self.size_or_unknown(key));
            values = values.union(self.size_or_unknown(value));
        }
        self.entries.insert(expr.id, Entries { container: Container::Map, keys, values });
        cost
    }

    /// The variable that a loop or binding fills.
    fn total(&mut self, fold: &'e Fold) -> Local<'e> {
        Local {
            name: &fold.total,
            origin: self.origin(&fold.init),
            size: self.size(&fold.init),
            entries: self.entries(&fold.init),
        }
    }

    fn fold(&mut self, expr: &'e Expr, fold: &'e Fold) -> u64 {
        let before = self.cost(&fold.range).saturating_add(self.cost(&fold.init));
        let outer = self.locals.len();
        let total = self.total(fold);
        self.locals.push(total);
        if is_binding(fold) {
            let result = self.cost(&fold.result);
            self.locals.truncate(outer);
            self.same(expr, &fold.result);
            return before.saturating_add(result);
        }
        self.push_variables(fold);
        let round = self.cost(&fold.condition).saturating_add(self.cost(&fold.step));
        self.locals.truncate(outer + 1);
        let result = self.cost(&fold.result);
        self.locals.truncate(outer);
        let rounds = self.size_or_unknown(&fold.range);
        match &fold.init.kind {
            Kind::Literal(_) => {
                let size = self.size(&fold.init);
                self.set_size(expr, size);
            }
            Kind::List { .. } | Kind::Map { .. } => {
                self.set_size(expr, Some(rounds));
                let entries = self.entries(&fold.step);
                self.set_entries(expr, entries);
            }
            _ => {}
        }
        before.saturating_add(result).saturating_add(rounds.max.saturating_mul(round))
    }

    fn push_variables(&mut self, fold: &'e Fold) {
        let entries = self.entries(&fold.range);
        let (keys, values) = (entries.map(|entries| entries.keys), entries.map(|entries| entries.values));
        let is_list = match entries {
            Some(entries) => entries.container == Container::List,
            None => matches!(self.kind(&fold.range), Type::List(_)),
        };
        let (range, root) = (self.origin(&fold.range), self.root);
        let mut push = |name, step, size| {
            let origin = range.step(step, root);
            self.locals.push(Local { name, origin, size, entries: None });
        };
        match (&fold.second, is_list) {
            (Some(second), _) => {
                push(&fold.first, if is_list { Step::Index } else { Step::Key }, keys);
                push(second, Step::Element, values);
            }
            (None, true) => push(&fold.first, Step::Element, values),
            (None, false) => push(&fold.first, Step::Key, keys),
        }
    }

    fn call(&mut self, expr: &'e Expr, function: &'e str, target: Option<&'e Expr>, args: &'e [Expr]) -> u64 {
        let whole = target.and_then(qualified).map(|target| format!("{target}.{function}"));
        if let Some(name) = whole.filter(|name| overloads(name).is_some()) {
            return self.calls(expr, &name, None, args);
        }
        match (function, args) {
            ("dyn", [arg]) => {
                let cost = self.cost(arg);
                self.same(expr, arg);
                cost.saturating_add(1)
            }
            ("_?_:_", [condition, yes, no]) => {
                let condition = self.cost(condition);
                let dearer = self.cost(yes).max(self.cost(no));
                let size = self.size_or_unknown(yes).union(self.size_or_unknown(no));
                let entries = Entries::union(self.entries(yes), self.entries(no));
                self.set_entries(expr, entries);
                self.set_size(expr, Some(size));
                condition.saturating_add(dearer)
            }
            ("_&&_" | "_||_", _) => args.iter().map(|arg| self.cost(arg)).fold(0, u64::saturating_add),
            _ => self.calls(expr, function, target, args),
        }
    }

    fn node(&mut self, expr: &'e Expr) -> Node<'e> {
        Node { expr, kind: self.kind(expr), origin: self.origin(expr), size: self.size_or_unknown(expr) }
    }

    /// A call: the dearest of the ways in which it can be meant.
    fn calls(&mut self, expr: &'e Expr, function: &str, target: Option<&'e Expr>, args: &'e [Expr]) -> u64 {
        let mut below: u64 = 0;
        let mut nodes = Vec::with_capacity(args.len());
        for arg in args {
            below = below.saturating_add(self.cost(arg));
            nodes.push(self.node(arg));
        }
        let target = target.map(|target| {
            below = below.saturating_add(self.cost(target));
            self.node(target)
        });
        let mut meant = meant(function, target.as_ref(), &nodes);
        if meant.is_empty() {
            meant.push(None);
        }
        let (mut dearest, mut size) = (0, None::<Size>);
        for overload in meant {
            let call = Call { function, overload, target: target.as_ref(), args: &nodes };
            let cost = call.cost();
            dearest = dearest.max(cost.max);
            size = match (size, cost.result) {
                (Some(one), Some(other)) => Some(one.union(other)),
                (one, other) => one.or(other),
            };
            self.follow(expr, &call, args, &mut size);
            size = size.or_else(|| self.size(expr));
        }
        self.set_size(expr, size);
        below.saturating_add(dearest)
    }

    /// An element is where its list or map is; and what is joined has the parts of both.
    fn follow(&mut self, expr: &Expr, call: &Call<'_, 'e>, args: &'e [Expr], size: &mut Option<Size>) {
        match (call.function, args) {
            ("_[_]", [of, _]) if call.indexes() => {
                *size = self.entries(of).map(|entries| entries.values);
                let origin = self.origin(of).step(Step::Element, self.root);
                self.origins.insert(expr.id, origin);
            }
            ("_+_", [left, right]) if call.joins() => {
                let entries = Entries::union(self.entries(left), self.entries(right));
                self.set_entries(expr, entries);
            }
            _ => {}
        }
    }
}

/// The ways in which a call can be meant: more than one where types are not known.
fn meant(function: &str, target: Option<&Node<'_>>, args: &[Node<'_>]) -> Vec<Option<&'static Overload>> {
    let given: Vec<&Type> = target.into_iter().chain(args).map(|node| node.kind).collect();
    let fits = |overload: &&Overload| {
        let mut bindings = Bindings::default();
        let (wanted, _) = overload.instance(&mut bindings);
        overload.member == target.is_some()
            && wanted.len() == given.len()
            && wanted.iter().zip(&given).all(|(wanted, given)| bindings.fits(wanted, given))
    };
    overloads(function).unwrap_or_default().iter().filter(fits).map(Some).collect()
}

/// How many elements a value has that stands in the text.
fn written(expr: &Expr) -> Option<u64> {
    let size = match &expr.kind {
        Kind::Literal(Literal::String(text)) => text.chars().count(),
        Kind::Literal(Literal::Bytes(bytes)) => bytes.len(),
        Kind::Literal(_) => 1,
        Kind::List { items, .. } => items.len(),
        Kind::Map { entries } => entries.len(),
        _ => return None,
    };
    u64::try_from(size).ok()
}

/// A value with a name is a loop of no rounds.
fn is_binding(fold: &Fold) -> bool {
    let empty = matches!(&fold.range.kind, Kind::List { items, .. } if items.is_empty());
    empty && matches!(fold.condition.kind, Kind::Literal(Literal::Bool(false)))
}
