//! Operators: between what they stand, and what they give.

use super::types::Ty;

/// What an operator gives; `None` when it does not work on these.
pub(super) fn binary<'s>(sign: &str, left: &Ty<'s>, right: &Ty<'s>) -> Option<Ty<'s>> {
    let either_dyn = *left == Ty::Dyn || *right == Ty::Dyn;
    match sign {
        "&&" | "||" => {
            let is_bool = |ty: &Ty<'_>| matches!(ty, Ty::Bool | Ty::Dyn);
            (is_bool(left) && is_bool(right)).then_some(Ty::Bool)
        }
        "==" | "!=" => left.goes_with(right).then_some(Ty::Bool),
        "<" | "<=" | ">" | ">=" => {
            let in_order = matches!(left, Ty::Text | Ty::Bytes | Ty::Bool | Ty::Timestamp | Ty::Duration);
            let fits = either_dyn || (left.is_number() && right.is_number()) || (in_order && left == right);
            fits.then_some(Ty::Bool)
        }
        "in" => match right {
            Ty::List(items) => left.goes_with(items).then_some(Ty::Bool),
            Ty::Map(_) => matches!(left, Ty::Text | Ty::Dyn).then_some(Ty::Bool),
            Ty::Dyn => Some(Ty::Bool),
            _ => None,
        },
        _ if either_dyn => Some(Ty::Dyn),
        "+" => sum(left, right),
        "-" => match (left, right) {
            (Ty::Timestamp, Ty::Timestamp) => Some(Ty::Duration),
            (Ty::Timestamp | Ty::Duration, Ty::Duration) => Some(left.clone()),
            _ => (left.is_number() && left == right).then(|| left.clone()),
        },
        "%" => (matches!(left, Ty::Int | Ty::Uint) && left == right).then(|| left.clone()),
        _ => (left.is_number() && left == right).then(|| left.clone()),
    }
}

fn sum<'s>(left: &Ty<'s>, right: &Ty<'s>) -> Option<Ty<'s>> {
    match (left, right) {
        (Ty::Timestamp, Ty::Duration) | (Ty::Duration, Ty::Timestamp) => Some(Ty::Timestamp),
        (Ty::Duration, Ty::Duration) | (Ty::Text, Ty::Text) | (Ty::Bytes, Ty::Bytes) => Some(left.clone()),
        (Ty::List(one), Ty::List(other)) => {
            one.goes_with(other).then(|| Ty::List(Box::new(joined(Some(Ty::clone(one)), Ty::clone(other)))))
        }
        _ => (left.is_number() && left == right).then(|| left.clone()),
    }
}

/// One type for both.
pub(super) fn joined<'s>(before: Option<Ty<'s>>, found: Ty<'s>) -> Ty<'s> {
    match before {
        None => found,
        Some(before) if before == found => found,
        Some(_) => Ty::Dyn,
    }
}
