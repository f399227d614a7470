//! What is written out in a rule, after all types are known: texts that stand for something else, and lists and maps, whose parts have to be of
//! one type.
//!
//! In: an expression and the types of its parts. Out: the first thing that is wrong.

use super::infer::Types;
use super::parse::{Expr, Kind};
use super::types::Ty;
use super::{Fault, What, written};

/// Whether the parts of a list or map that is written out have to be of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parts {
    Alike,
    /// What is put into a text may be of different types.
    Any,
}

/// Looks at an expression and all below it.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn check(expr: &Expr, types: &Types<'_>) -> Result<(), Fault> {
    walk(expr, types, Parts::Alike)
}

fn walk(expr: &Expr, types: &Types<'_>, parts: Parts) -> Result<(), Fault> {
    let mut below = parts;
    match &expr.kind {
        Kind::Call { of, name, arguments, .. } => {
            written::check(of.as_deref(), name, arguments, types)?;
            if name == "format" {
                below = Parts::Any;
            }
        }
        Kind::List(items) if parts == Parts::Alike => alike(items.iter(), types)?,
        Kind::Map(entries) if parts == Parts::Alike => {
            alike(entries.iter().map(|(key, _)| key), types)?;
            alike(entries.iter().map(|(_, value)| value), types)?;
        }
        _ => {}
    }
    expr.below().into_iter().try_for_each(|inner| walk(inner, types, below))
}

/// Holds the parts of a list or map against the first one.
fn alike<'e>(mut parts: impl Iterator<Item = &'e Expr>, types: &Types<'_>) -> Result<(), Fault> {
    let Some(first) = parts.next().map(|first| types.of(first)) else { return Ok(()) };
    let Some(other) = parts.find(|part| types.of(part) != first) else { return Ok(()) };
    let (left, right) = pair(first, types.of(other));
    Err(Fault { bytes: other.bytes.clone(), what: What::Operator { sign: ",".to_owned(), left, right } })
}

/// Two types in words; what differs may be inside of them.
fn pair(one: &Ty<'_>, other: &Ty<'_>) -> (String, String) {
    match (one, other) {
        (Ty::List(one), Ty::List(other)) => within("a list", pair(one, other)),
        (Ty::Optional(one), Ty::Optional(other)) => within("an optional", pair(one, other)),
        (Ty::Type(one), Ty::Type(other)) => within("a type", pair(one, other)),
        (Ty::Map(keys, values), Ty::Map(other_keys, others)) => {
            within("a map", if keys == other_keys { pair(values, others) } else { pair(keys, other_keys) })
        }
        _ => (one.describe(), other.describe()),
    }
}

fn within(kind: &str, (one, other): (String, String)) -> (String, String) {
    (format!("{kind} with {one}"), format!("{kind} with {other}"))
}
