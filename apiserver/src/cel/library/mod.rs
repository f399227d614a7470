//! The functions that expressions may call besides operators.
//!
//! In: a name and values. Out: a value, or why there is none. One file a group of functions.

mod address;
mod authz;
mod convert;
mod format;
mod lists;
mod network;
mod quantity;
mod semver;
mod shown;
mod strings;
mod times;
mod url;

pub(crate) use self::url::url_fault;
pub(super) use self::{quantity::Quantity, semver::Semver, shown::shown, url::Url};

use super::{
    EvalError, Opaque, Val, go_regex,
    ops::{equal, text},
};

type Result<'v> = std::result::Result<Val<'v>, EvalError>;

/// Calls a function.
pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Result<'v> {
    let groups = [
        general,
        strings::call,
        lists::call,
        convert::call,
        times::call,
        quantity::call,
        network::call,
        url::call,
        semver::call,
        format::call,
        authz::call,
    ];
    let found = groups.into_iter().find_map(|group| group(function, args));
    match found.unwrap_or_else(|| Err(EvalError::overload())) {
        Err(error) if error.is_overload() && !error.is_of_part() => {
            let types: Vec<&str> = args.iter().map(Val::type_name).collect();
            Err(EvalError::overload_of(function, &types))
        }
        result => result,
    }
}

fn general<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    Some(match (function, args) {
        ("size", [value]) => match value.size() {
            Some(size) => Ok(Val::Int(i64::try_from(size).unwrap_or(i64::MAX))),
            None => Err(EvalError::overload()),
        },
        ("type", [value]) => Ok(Val::Type(value.type_name().into())),
        ("dyn", [value]) => Ok(value.clone()),
        ("matches", [value, pattern]) => matches(value, pattern),
        ("optional.of", [value]) => Ok(Val::some(value.clone())),
        ("optional.none", []) => Ok(Val::Optional(None)),
        ("optional.ofNonZeroValue", [value]) => {
            Ok(if is_zero(value) { Val::Optional(None) } else { Val::some(value.clone()) })
        }
        ("hasValue", [Val::Optional(value)]) => Ok(Val::Bool(value.is_some())),
        ("value", [Val::Optional(value)]) => match value {
            Some(value) => Ok((**value).clone()),
            None => Err(EvalError::new("optional.none() dereference")),
        },
        ("optional.unwrap" | "unwrapOpt", [list]) => match list.items() {
            Some(items) => items.and_then(|items| unwrapped(&items)),
            None => Err(EvalError::overload()),
        },
        ("optFlatten", [Val::Optional(value)]) => Ok(match value {
            Some(value) => (**value).clone(),
            None => Val::Optional(None),
        }),
        ("compareTo" | "isLessThan" | "isGreaterThan", [Val::Opaque(left), Val::Opaque(right)]) => {
            compare(function, left, right)
        }
        ("cel.@mapInsert", [of, key, value]) => insert(of, &[(key.clone(), value.clone())]),
        ("cel.@mapInsert", [of, more]) => match more.pairs() {
            Some(more) => more.and_then(|more| insert(of, &more)),
            None => Err(EvalError::overload()),
        },
        _ => return None,
    })
}

/// The values of those that have one.
fn unwrapped<'v>(items: &[Val<'v>]) -> Result<'v> {
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Val::Optional(value) => values.extend(value.as_deref().cloned()),
            _ => return Err(EvalError::overload()),
        }
    }
    Ok(Val::list(values))
}

fn insert<'v>(of: &Val<'v>, more: &[(Val<'v>, Val<'v>)]) -> Result<'v> {
    let Some(pairs) = of.pairs() else { return Err(EvalError::overload()) };
    let mut pairs = pairs?;
    for (key, value) in more {
        for (known, _) in &pairs {
            if equal(known, key)? {
                let shown = shown(key);
                return Err(EvalError::new(format!("insert failed: key {shown} already exists")));
            }
        }
        pairs.push((key.clone(), value.clone()));
    }
    Ok(Val::Map(pairs.into()))
}

fn matches<'v>(value: &Val<'v>, pattern: &Val<'v>) -> Result<'v> {
    let pattern = compiled(text(pattern)?)?;
    Ok(Val::Bool(pattern.is_match(text(value)?)))
}

std::thread_local! {
    /// Expressions that were compiled lately.
    static PATTERNS: std::cell::RefCell<Vec<(String, regex::Regex)>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// How many compiled expressions are kept.
const KEPT: usize = 64;

/// A regular expression; the last ones are kept compiled.
fn compiled(pattern: &str) -> std::result::Result<regex::Regex, EvalError> {
    PATTERNS.with_borrow_mut(|known| {
        if let Some((_, found)) = known.iter().find(|(text, _)| text == pattern) {
            return Ok(found.clone());
        }
        let found = go_regex(pattern).map_err(|error| EvalError::new(error.to_string()))?;
        if known.len() >= KEPT {
            known.remove(0);
        }
        known.push((pattern.to_owned(), found.clone()));
        Ok(found)
    })
}

fn is_zero(value: &Val<'_>) -> bool {
    match value {
        Val::Null | Val::Optional(None) => true,
        Val::Bool(value) => !value,
        Val::Int(value) | Val::Duration(value) => *value == 0,
        Val::UInt(value) => *value == 0,
        Val::Double(value) => *value == 0.0,
        other => other.size() == Some(0),
    }
}

fn compare<'v>(function: &str, left: &Opaque, right: &Opaque) -> Result<'v> {
    let order = match (left, right) {
        (Opaque::Quantity(left), Opaque::Quantity(right)) => left.order(*right),
        (Opaque::Semver(left), Opaque::Semver(right)) => left.cmp(right),
        _ => return Err(EvalError::overload()),
    };
    Ok(match function {
        "compareTo" => Val::Int(order as i64),
        "isLessThan" => Val::Bool(order.is_lt()),
        _ => Val::Bool(order.is_gt()),
    })
}
