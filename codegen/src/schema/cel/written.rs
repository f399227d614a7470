//! What is written out in a rule: texts and numbers that a server works out before the rule ever runs.
//!
//! In: a call and the types of its arguments. Out: what is wrong with the pattern, the point in time, the duration, the format or the number
//! that it spells out.

use super::infer::Types;
use super::lex::Token;
use super::parse::{Expr, Kind};
use super::{Fault, What, format};
use crate::schema::bounds::unread;
use kube_codegen_formats::{is_duration, is_moment};

/// What is wrong with the literals of a call; `of` is what it is called on.
pub(super) fn check(
    of: Option<&Expr>,
    name: &str,
    arguments: &[Expr],
    types: &Types<'_>,
) -> Result<(), Fault> {
    if let (Some(Expr { kind: Kind::Literal(Token::Text(text)), bytes }), "format", [items]) =
        (of, name, arguments)
        && let Kind::List(items) = &items.kind
    {
        return format::check((text, bytes), items, types);
    }
    readable(name, arguments)?;
    let ([argument], None) = (arguments, of) else { return Ok(()) };
    let wrong = |reason: &str| {
        let what = What::Literal { name: name.to_owned(), reason: reason.to_owned() };
        Err(Fault { bytes: argument.bytes.clone(), what })
    };
    match &argument.kind {
        Kind::Literal(Token::Text(text)) => match text_fault(name, text) {
            Some(reason) => wrong(reason),
            None => Ok(()),
        },
        Kind::Literal(Token::Bytes(bytes)) if name == "string" && std::str::from_utf8(bytes).is_err() => {
            wrong("these bytes are no text")
        }
        Kind::Literal(Token::Ident(word)) if name == "string" && word == "null" => {
            wrong("`null` has no text")
        }
        _ => match value(argument) {
            Some(value) if !holds(name, value) => wrong("the number does not fit"),
            _ => Ok(()),
        },
    }
}

/// Patterns that are written out can be read. A server asks it of the first argument of `matches` even where that is the text.
fn readable(name: &str, arguments: &[Expr]) -> Result<(), Fault> {
    let patterns = match (name, arguments) {
        ("matches", all) => all,
        ("find" | "findAll", [pattern, ..]) => std::slice::from_ref(pattern),
        _ => return Ok(()),
    };
    for argument in patterns {
        if let Kind::Literal(Token::Text(pattern)) = &argument.kind
            && let Err(error) = kube_codegen_go_regex::read(pattern)
        {
            return Err(Fault { bytes: argument.bytes.clone(), what: What::Pattern(unread(&error)) });
        }
    }
    Ok(())
}

/// Why a text cannot be converted.
fn text_fault(name: &str, text: &str) -> Option<&'static str> {
    match name {
        "duration" => (!is_duration(text)).then_some("it is no duration; write `1h30m`, `1.5s` or `250ms`"),
        "timestamp" => (!is_moment(text)).then_some("it is no point in time; write `2024-12-31T23:59:59Z`"),
        "int" => text.parse::<i64>().is_err().then_some("it is no whole number"),
        "uint" => text.parse::<u64>().is_err().then_some("it is no whole number of 0 or more"),
        "double" => text.parse::<f64>().is_err().then_some("it is no number"),
        "bool" => {
            let known = ["1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"];
            (!known.contains(&text)).then_some("it is neither true nor false")
        }
        _ => None,
    }
}

/// A number that is written out, with its sign.
fn value(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        Kind::Literal(Token::Int(value) | Token::Uint(value)) => Some(*value as f64),
        Kind::Literal(Token::Double(value)) => Some(*value),
        Kind::Unary("-", inner) => Some(-value(inner)?),
        _ => None,
    }
}

/// Whether a conversion can hold a number.
fn holds(name: &str, value: f64) -> bool {
    const WHOLE: f64 = 9_223_372_036_854_775_808.0;
    match name {
        "int" => (-WHOLE..WHOLE).contains(&value),
        "uint" => (0.0..2.0 * WHOLE).contains(&value),
        _ => true,
    }
}
