//! Expressions at work.
//!
//! In: a checked expression and its variables. Out: a value, or why there is none, in the words of a real server; and what it has cost.

use std::rc::Rc;

use super::{
    EvalError, Val,
    apply::{apply, shown, weight},
    ast::{Expr, Fold, Kind, Literal},
    check::qualified,
    functions::overloads,
    message::Message,
    ops::lookup,
    value::Text,
    wellknown,
};

type Result<'v> = std::result::Result<Val<'v>, EvalError>;

/// A run of one expression.
pub(super) struct Run<'v, 'b> {
    /// Variables, the innermost last.
    scopes: Vec<(&'v str, Val<'v>)>,
    /// What may still be spent.
    budget: &'b mut u64,
}

impl<'v, 'b> Run<'v, 'b> {
    pub(super) fn new(variables: &[(&'v str, Val<'v>)], budget: &'b mut u64) -> Self {
        Self { scopes: variables.to_vec(), budget }
    }

    fn spend(&mut self, cost: u64) -> std::result::Result<(), EvalError> {
        match self.budget.checked_sub(cost) {
            Some(left) => {
                *self.budget = left;
                Ok(())
            }
            None => {
                *self.budget = 0;
                Err(EvalError::exhausted())
            }
        }
    }

    pub(super) fn expr(&mut self, expr: &'v Expr) -> Result<'v> {
        match &expr.kind {
            Kind::Literal(value) => Ok(literal(value)),
            Kind::Ident(name) => {
                self.spend(1)?;
                self.ident(name)
            }
            Kind::Select { operand, field, test } => self.select(expr, operand, (field, *test)),
            Kind::Call { function, target, args } => {
                self.call(function, target.as_deref(), args).and_then(sound)
            }
            Kind::List { items, optional } => self.list(items, optional),
            Kind::Map { entries } => {
                self.spend(30)?;
                let mut pairs: Vec<(Val<'v>, Val<'v>)> = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.expr(&entry.key)?;
                    let value = match (self.expr(&entry.value)?, entry.optional) {
                        (Val::Optional(None), true) => continue,
                        (Val::Optional(Some(value)), true) => (*value).clone(),
                        (value, _) => value,
                    };
                    if lookup(&pairs, &key)?.is_some() {
                        return Err(EvalError::new(format!("Failed with repeated key: {}", shown(&key))));
                    }
                    pairs.push((key, value));
                }
                Ok(Val::Map(Rc::new(pairs)))
            }
            Kind::Message { name, fields } => {
                self.spend(40)?;
                let mut made = Vec::with_capacity(fields.len());
                for field in fields {
                    made.push((field.name.as_str(), self.expr(&field.value)?));
                }
                wellknown::made(name, &made)
                    .unwrap_or_else(|| Ok(Val::Message(Rc::new(Message { name, fields: made }))))
            }
            Kind::Fold(fold) => self.fold(fold),
        }
    }

    fn variable(&self, name: &str) -> Option<Val<'v>> {
        self.scopes.iter().rev().find(|(own, _)| *own == name).map(|(_, value)| value.clone())
    }

    /// A variable whose name has a dot in it.
    fn dotted(&self, root: &str, field: &str) -> Option<Val<'v>> {
        let is = |name: &str| name.strip_prefix(root).and_then(|rest| rest.strip_prefix('.')) == Some(field);
        self.scopes.iter().rev().find(|(name, _)| is(name)).map(|(_, value)| value.clone())
    }

    fn ident(&self, name: &'v str) -> Result<'v> {
        match self.variable(name) {
            Some(value) => sound(value),
            None if is_type(name) => Ok(Val::Type(name.into())),
            None => Err(EvalError::new(format!("no such attribute(s): {name}"))),
        }
    }

    fn list(&mut self, items: &'v [Expr], optional: &[usize]) -> Result<'v> {
        self.spend(10)?;
        let mut out = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match (self.expr(item)?, optional.contains(&index)) {
                (Val::Optional(None), true) => {}
                (Val::Optional(Some(value)), true) => out.push((*value).clone()),
                (value, _) => out.push(value),
            }
        }
        Ok(Val::list(out))
    }

    fn select(&mut self, whole: &'v Expr, operand: &'v Expr, (field, test): (&'v str, bool)) -> Result<'v> {
        if !test && let Some(name) = qualified(whole) {
            if is_type(&name) {
                return Ok(Val::Type(name.into()));
            }
            if name == wellknown::NULL_VALUE {
                return Ok(Val::Int(0));
            }
        }
        if let (Kind::Ident(root), false) = (&operand.kind, test)
            && let Some(value) = self.dotted(root, field)
        {
            self.spend(2)?;
            return Ok(value);
        }
        let value = self.expr(operand)?;
        if !test {
            self.spend(1)?;
        }
        match (&value, test) {
            (Val::Optional(inner), false) => match inner {
                None => Ok(Val::Optional(None)),
                Some(inner) => optional_member(inner, field),
            },
            (Val::Optional(inner), true) => {
                let found = inner.as_ref().and_then(|inner| inner.member(field));
                Ok(Val::Bool(found.transpose()?.is_some()))
            }
            (_, true) => Ok(Val::Bool(value.member(field).transpose()?.is_some())),
            (_, false) => match value.member(field) {
                Some(found) => found,
                None if matches!(value, Val::List(_) | Val::Array(..)) => {
                    Err(EvalError::new("unsupported index type 'string' in list"))
                }
                None => Err(EvalError::new(format!("no such key: {field}"))),
            },
        }
    }

    fn call(&mut self, function: &'v str, target: Option<&'v Expr>, args: &'v [Expr]) -> Result<'v> {
        match (function, args) {
            ("_&&_", [left, right]) => return self.logic((left, right), false),
            ("_||_", [left, right]) => return self.logic((left, right), true),
            ("_?_:_", [condition, yes, no]) => {
                return match self.expr(condition)? {
                    Val::Bool(true) => self.expr(yes),
                    Val::Bool(false) => self.expr(no),
                    _ => Err(EvalError::overload()),
                };
            }
            ("@not_strictly_false", [arg]) => {
                let value = self.expr(arg);
                return Ok(Val::Bool(!matches!(value, Ok(Val::Bool(false)))));
            }
            ("_?._", [operand, field]) => {
                let Kind::Literal(Literal::String(name)) = &field.kind else {
                    return Err(EvalError::overload());
                };
                let value = self.expr(operand)?;
                self.spend(1)?;
                return match &value {
                    Val::Optional(None) => Ok(Val::Optional(None)),
                    Val::Optional(Some(inner)) => optional_member(inner, name),
                    other => optional_member(other, name),
                };
            }
            ("or", [other]) => {
                if let Some(target) = target {
                    let value = self.expr(target)?;
                    return match value {
                        Val::Optional(None) => self.expr(other),
                        value => Ok(value),
                    };
                }
            }
            ("orValue", [other]) => {
                if let Some(target) = target {
                    return match self.expr(target)? {
                        Val::Optional(None) => self.expr(other),
                        Val::Optional(Some(value)) => Ok((*value).clone()),
                        _ => Err(EvalError::overload()),
                    };
                }
            }
            _ => {}
        }
        self.spend(1)?;
        self.eager(function, target, args)
    }

    /// A call whose arguments are all worked out first.
    fn eager(&mut self, function: &'v str, target: Option<&'v Expr>, args: &'v [Expr]) -> Result<'v> {
        let mut given = Vec::with_capacity(args.len() + 1);
        let name = target.and_then(qualified).map(|target| format!("{target}.{function}"));
        let namespaced = name.filter(|name| {
            let root = name.split('.').next().unwrap_or_default();
            overloads(name).is_some() && self.variable(root).is_none()
        });
        if let (Some(target), None) = (target, &namespaced) {
            given.push(self.expr(target)?);
        }
        for arg in args {
            given.push(self.expr(arg)?);
        }
        let name = namespaced.as_deref().unwrap_or(function);
        self.spend(weight(name, &given))?;
        apply(name, &given)
    }

    /// `&&` and `||`: an error counts only where the other side does not decide.
    fn logic(&mut self, (left, right): (&'v Expr, &'v Expr), decides: bool) -> Result<'v> {
        let first = self.expr(left);
        match first {
            Ok(Val::Bool(value)) if value == decides => return Ok(Val::Bool(decides)),
            Err(error) if error.is_exhausted() => return Err(error),
            _ => {}
        }
        let second = self.expr(right);
        match (first, second) {
            (_, Ok(Val::Bool(value))) if value == decides => Ok(Val::Bool(decides)),
            (Ok(Val::Bool(_)), Ok(Val::Bool(_))) => Ok(Val::Bool(!decides)),
            (Err(error), _) | (_, Err(error)) => Err(error),
            _ => Err(EvalError::overload()),
        }
    }

    fn fold(&mut self, fold: &'v Fold) -> Result<'v> {
        let range = self.expr(&fold.range)?;
        let total = self.expr(&fold.init)?;
        let outer = self.scopes.len();
        self.scopes.push((&fold.total, total));
        let found = self.rounds(fold, &range, outer);
        let result = match found {
            Ok(()) => {
                self.scopes.truncate(outer + 1);
                self.expr(&fold.result)
            }
            Err(error) => Err(error),
        };
        self.scopes.truncate(outer);
        result
    }

    fn rounds(
        &mut self,
        fold: &'v Fold,
        range: &Val<'v>,
        outer: usize,
    ) -> std::result::Result<(), EvalError> {
        let rounds = rounds_of(range, fold)?;
        let mut pending = None;
        for (first, second) in rounds {
            self.spend(1)?;
            self.scopes.truncate(outer + 1);
            self.scopes.push((&fold.first, first));
            if let (Some(name), Some(second)) = (&fold.second, second) {
                self.scopes.push((name, second));
            }
            match self.expr(&fold.condition) {
                Ok(Val::Bool(false)) => break,
                Ok(_) => {}
                Err(error) => return Err(error),
            }
            match self.step(fold, outer) {
                Ok(()) => {}
                Err(Slip::Condition(error) | Slip::Value(error)) if error.is_exhausted() => {
                    return Err(error);
                }
                // The result of a round is made of that of the one before, and an error stays in it, unless whether it is to be made of it
                // at all cannot be told.
                Err(Slip::Condition(error)) => pending = Some(error),
                Err(Slip::Value(error)) => {
                    pending.get_or_insert(error);
                }
            }
        }
        match pending {
            // An error in one round of `all` or `exists` counts only if no other round decides.
            Some(error) if !(absorbs(fold) && self.is_decided(fold, outer)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether the rounds of `all` or `exists` have led to an answer whatever the others say.
    fn is_decided(&self, fold: &Fold, outer: usize) -> bool {
        let decides = matches!(&fold.step.kind, Kind::Call { function, .. } if function == "_||_");
        matches!(self.scopes.get(outer), Some((_, Val::Bool(value))) if *value == decides)
    }

    /// One round: what is only appended to is not copied.
    fn step(&mut self, fold: &'v Fold, outer: usize) -> std::result::Result<(), Slip> {
        let step = match chosen(&fold.step, &fold.total) {
            None => &fold.step,
            Some((condition, yes, no)) => match self.expr(condition).map_err(Slip::Condition)? {
                Val::Bool(true) => yes,
                Val::Bool(false) if appended(yes, &fold.total).is_some() => return Ok(()),
                Val::Bool(false) => no,
                _ => return Err(Slip::Condition(EvalError::overload())),
            },
        };
        if let Some(item) = appended(step, &fold.total) {
            let value = self.expr(item).map_err(Slip::Value)?;
            if let Some((_, Val::List(items))) = self.scopes.get_mut(outer) {
                Rc::make_mut(items).push(value);
                return Ok(());
            }
            return Err(Slip::Value(EvalError::overload()));
        }
        let value = self.expr(step).map_err(Slip::Value)?;
        if let Some(place) = self.scopes.get_mut(outer) {
            place.1 = value;
        }
        Ok(())
    }
}

/// Where a round went wrong.
enum Slip {
    /// Where it is told whether the value counts.
    Condition(EvalError),
    /// Where the value is made.
    Value(EvalError),
}

/// The parts of a step `condition ? value : total`.
fn chosen<'v>(step: &'v Expr, total: &str) -> Option<(&'v Expr, &'v Expr, &'v Expr)> {
    let Kind::Call { function, target: None, args } = &step.kind else { return None };
    let [condition, yes, no] = args.as_slice() else { return None };
    let keeps = matches!(&no.kind, Kind::Ident(name) if name == total);
    (function == "_?_:_" && keeps).then_some((condition, yes, no))
}

/// The values of the first variable of a fold, and of the second where it has one.
type Round<'v> = (Val<'v>, Option<Val<'v>>);

fn rounds_of<'v>(range: &Val<'v>, fold: &Fold) -> std::result::Result<Vec<Round<'v>>, EvalError> {
    let index = |index: usize| Val::Int(i64::try_from(index).unwrap_or(i64::MAX));
    if let Some(items) = range.items() {
        let items = items?.into_iter();
        return Ok(match fold.second {
            None => items.map(|item| (item, None)).collect(),
            Some(_) => items.enumerate().map(|(at, item)| (index(at), Some(item))).collect(),
        });
    }
    let Some(keys) = range.keys() else {
        let of = range.go_name();
        return Err(EvalError::new(format!("got '{of}', expected iterable type")));
    };
    if fold.second.is_none() {
        return Ok(keys.into_iter().map(|key| (key, None)).collect());
    }
    let pairs = range.pairs().unwrap_or_else(|| Ok(Vec::new()))?;
    Ok(pairs.into_iter().map(|(key, value)| (key, Some(value))).collect())
}

/// Whether a fold joins its rounds by `&&` or `||`.
fn absorbs(fold: &Fold) -> bool {
    matches!(&fold.step.kind, Kind::Call { function, .. } if function == "_&&_" || function == "_||_")
}

/// The item of a step `total + [item]`.
fn appended<'v>(step: &'v Expr, total: &str) -> Option<&'v Expr> {
    let Kind::Call { function, target: None, args } = &step.kind else { return None };
    let [left, right] = args.as_slice() else { return None };
    let Kind::Ident(name) = &left.kind else { return None };
    match &right.kind {
        Kind::List { items, optional } if function == "_+_" && name == total && optional.is_empty() => {
            match items.as_slice() {
                [item] => Some(item),
                _ => None,
            }
        }
        _ => None,
    }
}

fn optional_member<'v>(value: &Val<'v>, name: &str) -> Result<'v> {
    match value {
        Val::Members(..) | Val::Map(_) => Ok(match value.member(name).transpose()? {
            Some(value @ Val::Optional(_)) => value,
            Some(value) => Val::some(value),
            None => Val::Optional(None),
        }),
        _ => Err(EvalError::overload()),
    }
}

fn is_type(name: &str) -> bool {
    [
        "bool",
        "int",
        "uint",
        "double",
        "string",
        "bytes",
        "list",
        "map",
        "null_type",
        "type",
        "optional_type",
        "google.protobuf.Timestamp",
        "google.protobuf.Duration",
        "kubernetes.Quantity",
        "kubernetes.URL",
        "kubernetes.Semver",
        "net.IP",
        "net.CIDR",
    ]
    .contains(&name)
}

/// A value, unless it is one that could not be made.
fn sound<'v>(value: Val<'v>) -> Result<'v> {
    match value {
        Val::Failed(error) => Err((*error).clone()),
        value => Ok(value),
    }
}

pub(super) fn literal<'v>(value: &'v Literal) -> Val<'v> {
    match value {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value),
        Literal::UInt(value) => Val::UInt(*value),
        Literal::Double(value) => Val::Double(*value),
        Literal::String(value) => Val::Text(Text::Borrowed(value)),
        Literal::Bytes(value) => Val::Bytes(value.as_slice().into()),
    }
}
