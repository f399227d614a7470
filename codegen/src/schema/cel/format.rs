//! Formats: `'%d of %s'.format([self.n, self.name])`.
//!
//! In: a format that is written out and what is put into it. Out: the first thing in which they do not fit together.

use super::infer::Types;
use super::parse::{Expr, Kind};
use super::types::Ty;
use super::{Fault, What};
use std::ops::Range;

/// Holds a format against what is put into it.
pub(super) fn check(
    (text, bytes): (&str, &Range<usize>),
    items: &[Expr],
    types: &Types<'_>,
) -> Result<(), Fault> {
    let wrong = |bytes: &Range<usize>, reason: String| {
        Err(Fault { bytes: bytes.clone(), what: What::Literal { name: "format".to_owned(), reason } })
    };
    let mut letters = text.chars().peekable();
    let mut items = items.iter();
    while let Some(letter) = letters.next() {
        if letter != '%' || letters.next_if_eq(&'%').is_some() {
            continue;
        }
        let is_precise = letters.next_if_eq(&'.').is_some();
        let mut digits = 0;
        while is_precise && letters.next_if(char::is_ascii_digit).is_some() {
            digits += 1;
        }
        let Some(clause) = letters.next().filter(|_| !is_precise || digits > 0) else {
            return wrong(
                bytes,
                "a `%` is not followed by `s`, `d`, `f`, `e`, `b`, `x`, `X` or `o`".to_owned(),
            );
        };
        let Some(item) = items.next() else {
            return wrong(bytes, format!("nothing is there for `%{clause}`"));
        };
        let Some(takes) = takes(clause) else {
            return wrong(bytes, format!("there is no `%{clause}`"));
        };
        suits(item, (clause, takes), types).or_else(|(bytes, reason)| wrong(&bytes, reason))?;
    }
    match items.next() {
        Some(item) => wrong(&item.bytes, "nothing in the text is there for it".to_owned()),
        None => Ok(()),
    }
}

type Takes = fn(&Ty<'_>) -> bool;

/// What a clause takes.
fn takes(clause: char) -> Option<Takes> {
    Some(match clause {
        's' => |of| !matches!(of, Ty::Optional(_) | Ty::Library(_) | Ty::Object(_)),
        'd' | 'o' => |of| matches!(of, Ty::Int | Ty::Uint),
        'f' | 'e' => |of| matches!(of, Ty::Double | Ty::Text),
        'b' => |of| matches!(of, Ty::Int | Ty::Uint | Ty::Bool),
        'x' | 'X' => |of| matches!(of, Ty::Int | Ty::Uint | Ty::Text | Ty::Bytes),
        _ => return None,
    })
}

/// Whether a clause takes a value, and what stands in it where it is written out.
fn suits(
    item: &Expr,
    (clause, takes): (char, Takes),
    types: &Types<'_>,
) -> Result<(), (Range<usize>, String)> {
    let of = types.of(item);
    if *of != Ty::Dyn && !takes(of) {
        return Err((item.bytes.clone(), format!("`%{clause}` does not take {}", of.describe())));
    }
    match &item.kind {
        Kind::List(items) => items.iter().try_for_each(|item| suits(item, (clause, takes), types)),
        Kind::Map(entries) => {
            let mut parts = entries.iter().flat_map(|(key, value)| [key, value]);
            parts.try_for_each(|part| suits(part, (clause, takes), types))
        }
        _ => Ok(()),
    }
}
