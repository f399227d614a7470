//! Operators and functions with all their arguments at hand.
//!
//! In: a name and values. Out: a value, or why there is none.

use super::{
    EvalError, Val, library,
    ops::{arithmetic, equal, int, lookup, order, text},
};

type Result<'v> = std::result::Result<Val<'v>, EvalError>;

/// What a call costs beside one: reading long texts and lists is not free.
pub(super) fn weight(function: &str, args: &[Val<'_>]) -> u64 {
    let length = |value: &Val<'_>| match value {
        Val::Text(text) => text.len(),
        value => value.size().unwrap_or(0),
    };
    let total: usize = match function {
        "size" | "_[_]" | "type" | "hasValue" | "value" => 0,
        _ => args.iter().map(length).sum(),
    };
    u64::try_from(total / 10).unwrap_or(u64::MAX)
}

pub(super) fn apply<'v>(function: &str, args: &[Val<'v>]) -> Result<'v> {
    let result = match (operator(function, args), args) {
        (Some(result), _) => result,
        (None, [left, right]) if ["_+_", "_-_", "_*_", "_/_", "_%_"].contains(&function) => {
            arithmetic(function, left.clone(), right.clone())
        }
        _ => return library::call(function, args),
    };
    result.map_err(|error| match args.first() {
        Some(left) if error.is_overload() && !knows(left, function) => EvalError::no_operator(function),
        _ => error,
    })
}

/// Whether values of this type know an operator at all, whatever stands on its other side. Texts and moments say of each that it does not fit.
fn knows(left: &Val<'_>, operator: &str) -> bool {
    match (operator, left) {
        (_, Val::Text(_) | Val::Timestamp(_) | Val::Duration(_)) => true,
        ("_+_", Val::Bytes(_) | Val::List(_) | Val::Array(..)) => true,
        ("_<_" | "_<=_" | "_>_" | "_>=_", Val::Bool(_) | Val::Bytes(_)) => true,
        ("!_", _) | ("-_", Val::Bool(_)) => true,
        ("_%_", Val::Double(_)) => false,
        (_, Val::Int(_) | Val::UInt(_) | Val::Double(_)) => true,
        ("_+_" | "_-_" | "_*_" | "_/_" | "_%_" | "_<_" | "_<=_" | "_>_" | "_>=_" | "-_", _) => false,
        _ => true,
    }
}

fn operator<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let ordered = |accepted: &[std::cmp::Ordering]| match args {
        [left, right] => Some(
            order(left, right).map(|order| Val::Bool(order.is_some_and(|order| accepted.contains(&order)))),
        ),
        _ => None,
    };
    match (function, args) {
        ("_==_", [left, right]) => Some(equal(left, right).map(Val::Bool)),
        // What cannot be compared differs.
        ("_!=_", [left, right]) => Some(Ok(Val::Bool(!equal(left, right).unwrap_or(false)))),
        ("_<_", _) => ordered(&[Less]),
        ("_<=_", _) => ordered(&[Less, Equal]),
        ("_>_", _) => ordered(&[Greater]),
        ("_>=_", _) => ordered(&[Greater, Equal]),
        ("!_", [Val::Bool(value)]) => Some(Ok(Val::Bool(!value))),
        ("!_", _) => Some(Err(EvalError::overload())),
        ("-_", [Val::Int(value)]) => {
            Some(value.checked_neg().map(Val::Int).ok_or_else(|| EvalError::new("integer overflow")))
        }
        ("-_", [Val::Double(value)]) => Some(Ok(Val::Double(-value))),
        ("_[_]", [of, key]) => Some(index(of, key)),
        ("_[?_]", [of, key]) => Some(match index(of, key) {
            Ok(value @ Val::Optional(_)) => Ok(value),
            Ok(value) => Ok(Val::some(value)),
            Err(error) if error.is_missing() => Ok(Val::Optional(None)),
            Err(error) => Err(error),
        }),
        ("@in", [item, of]) => Some(within(item, of)),
        _ => None,
    }
}

fn index<'v>(of: &Val<'v>, key: &Val<'v>) -> Result<'v> {
    if let Val::Optional(inner) = of {
        return match inner {
            None => Ok(Val::Optional(None)),
            Some(inner) => match index(inner, key) {
                Ok(value) => Ok(Val::some(value)),
                Err(error) if error.is_missing() => Ok(Val::Optional(None)),
                Err(error) => Err(error),
            },
        };
    }
    if let Val::Members(..) = of {
        let Val::Text(name) = key else { return Err(EvalError::overload()) };
        return of
            .member(name)
            .unwrap_or_else(|| Err(EvalError::missing(format!("no such key: {}", &**name))));
    }
    if matches!(of, Val::List(_) | Val::Array(..)) {
        let at = int(key)
            .map_err(|_| EvalError::new(format!("unsupported index type '{}' in list", key.type_name())))?;
        let found = usize::try_from(at).ok().and_then(|at| of.item(at));
        return found.unwrap_or_else(|| Err(EvalError::missing(format!("index out of bounds: {at}"))));
    }
    match of.pairs() {
        Some(pairs) => {
            let found = lookup(&pairs?, key)?;
            found.ok_or_else(|| EvalError::missing(format!("no such key: {}", shown(key))))
        }
        None => Err(EvalError::new(format!("no such key: {}", shown(key)))),
    }
}

fn within<'v>(item: &Val<'v>, of: &Val<'v>) -> Result<'v> {
    if let (Val::List(_), Some(items)) = (of, of.items()) {
        return Ok(Val::Bool(items?.iter().any(|other| equal(item, other).unwrap_or_default())));
    }
    if let Some(items) = of.items() {
        return within_list(&items?, item);
    }
    if let (Val::Members(..), Val::Text(name)) = (of, item) {
        return Ok(Val::Bool(of.member(name).transpose()?.is_some()));
    }
    match of.pairs() {
        Some(pairs) => Ok(Val::Bool(lookup(&pairs?, item)?.is_some())),
        None => Err(EvalError::overload()),
    }
}

/// What cannot be compared matters where nothing else is equal.
fn within_list<'v>(items: &[Val<'v>], wanted: &Val<'v>) -> Result<'v> {
    let mut failed = None;
    for item in items {
        // What has a schema and parts is compared with its like alone.
        let apart = matches!((item, wanted), (Val::Array(_, Some(_)) | Val::Members(_, Some(_)), Val::Null));
        match if apart { Err(EvalError::overload()) } else { equal(item, wanted) } {
            Ok(true) => return Ok(Val::Bool(true)),
            Ok(false) => {}
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(Val::Bool(false)), Err)
}

/// A key as errors show it.
pub(super) fn shown(key: &Val<'_>) -> String {
    match key {
        Val::Int(value) => value.to_string(),
        Val::Bool(value) => value.to_string(),
        other => text(other).unwrap_or_default().to_owned(),
    }
}
