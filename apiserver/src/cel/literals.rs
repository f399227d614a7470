//! Texts that stand for something else must be right.
//!
//! In: an expression whose types are known. Out: what is wrong with the patterns, moments, lengths of time and formats that it spells out.

use super::{
    Type,
    ast::{Expr, Kind, Literal},
    check::Fault,
    go_regex, parse_duration,
};

/// What is wrong in an expression and below it. `types` says the type of a node.
pub(super) fn literals(expr: &Expr, types: &dyn Fn(&Expr) -> Type, faults: &mut Vec<Fault>) {
    if let Kind::Call { function, target, args } = &expr.kind {
        match (function.as_str(), target.as_deref(), args.as_slice()) {
            ("matches", Some(_), [arg]) | ("matches", None, [_, arg]) => {
                check(arg, "matches", |text| go_regex(text).is_ok(), faults);
            }
            ("duration", None, [arg]) => {
                check(arg, "duration", |text| parse_duration(text).is_some(), faults);
            }
            ("timestamp", None, [arg]) => {
                check(arg, "timestamp", |text| super::moment(text).is_some(), faults);
            }
            ("format", Some(target), [arg]) => {
                if let (Kind::Literal(Literal::String(text)), Kind::List { items, .. }) =
                    (&target.kind, &arg.kind)
                    && let Err(fault) = format(text, items, types)
                {
                    faults.push((fault.0.unwrap_or(expr.at), fault.1));
                }
            }
            _ => {}
        }
    }
    for below in expr.below() {
        literals(below, types, faults);
    }
}

fn check(arg: &Expr, function: &str, fits: impl Fn(&str) -> bool, faults: &mut Vec<Fault>) {
    if let Kind::Literal(Literal::String(text)) = &arg.kind
        && !fits(text)
    {
        faults.push((arg.at, format!("invalid {function} argument")));
    }
}

/// What is wrong with a format; of one argument with its place.
type Misfit = (Option<usize>, String);

/// Holds a format against the types of what is put into it.
fn format(text: &str, items: &[Expr], types: &dyn Fn(&Expr) -> Type) -> Result<(), Misfit> {
    let mut letters = text.chars().peekable();
    let mut used = 0;
    while let Some(letter) = letters.next() {
        if letter != '%' || letters.next_if_eq(&'%').is_some() {
            continue;
        }
        if letters.peek().is_none() {
            return Err((None, "unexpected end of string".to_owned()));
        }
        let Some(item) = items.get(used) else { return Err((None, format!("index {used} out of range"))) };
        used += 1;
        if letters.next_if_eq(&'.').is_some() {
            while letters.next_if(char::is_ascii_digit).is_some() {}
        }
        let clause = letters.next().unwrap_or(' ');
        let Some((takes, words)) = clause_of(clause) else {
            let why =
                format!("could not parse formatting clause: unrecognized formatting clause \"{clause}\"");
            return Err((None, why));
        };
        let of = types(item);
        if !matches!(of, Type::Dyn | Type::Object(_)) && !takes(&of) {
            let name = name_of(&of);
            return Err((Some(item.at), format!("error during formatting: {words}, was given {name}")));
        }
    }
    if used < items.len() {
        let given = items.len();
        let why = format!("too many arguments supplied to string.format (expected {used}, got {given})");
        return Err((None, why));
    }
    Ok(())
}

/// A type without the types in it.
fn name_of(of: &Type) -> String {
    match of {
        Type::List(_) => "list".to_owned(),
        Type::Map(..) => "map".to_owned(),
        Type::Optional(_) => "optional_type".to_owned(),
        other => other.to_string(),
    }
}

/// Which types a clause takes, and how a real server says so.
type Clause = (fn(&Type) -> bool, &'static str);

fn clause_of(clause: char) -> Option<Clause> {
    Some(match clause {
        's' => (
            |of| !matches!(of, Type::Optional(_) | Type::Opaque(_) | Type::Message(_)),
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
        ),
        'd' => (|of| matches!(of, Type::Int | Type::UInt), "decimal clause can only be used on integers"),
        'f' => {
            (|of| matches!(of, Type::Double | Type::String), "fixed-point clause can only be used on doubles")
        }
        'e' => {
            (|of| matches!(of, Type::Double | Type::String), "scientific clause can only be used on doubles")
        }
        'b' => (
            |of| matches!(of, Type::Int | Type::UInt | Type::Bool),
            "only integers and bools can be formatted as binary",
        ),
        'x' | 'X' => (
            |of| matches!(of, Type::Int | Type::UInt | Type::String | Type::Bytes),
            "only integers, byte buffers, and strings can be formatted as hex",
        ),
        'o' => (|of| matches!(of, Type::Int | Type::UInt), "octal clause can only be used on integers"),
        _ => return None,
    })
}
