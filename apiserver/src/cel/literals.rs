//! Texts that stand for something else must be right, and the parts of a literal of one type.
//!
//! In: an expression whose types are known. Out: what is wrong with the patterns, moments, lengths of time and formats that it spells out,
//! and the literals whose parts differ.

use super::{
    Type,
    ast::{Expr, Kind, Literal},
    check::Fault,
    go_regex, parse_duration,
};

/// Whether the parts of literals have to be of one type here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    Alike,
    Any,
}

/// What is wrong in an expression and below it. `types` says the type of a node.
pub(super) fn literals(expr: &Expr, types: &dyn Fn(&Expr) -> Type, faults: &mut Vec<Fault>) {
    walk(expr, types, Parts::Alike, faults);
}

fn walk(expr: &Expr, types: &dyn Fn(&Expr) -> Type, parts: Parts, faults: &mut Vec<Fault>) {
    let mut below = parts;
    match &expr.kind {
        Kind::Call { function, target, args } => {
            // The first argument is looked at, also where it is not what the function is about.
            match (function.as_str(), args.first()) {
                ("matches", Some(arg)) => check(arg, "matches", |text| go_regex(text).is_ok(), faults),
                ("duration", Some(arg)) => {
                    check(arg, "duration", |text| parse_duration(text).is_some(), faults);
                }
                ("timestamp", Some(arg)) => {
                    check(
                        arg,
                        "timestamp",
                        |text| super::Moment::read(text).and_then(super::Moment::in_range).is_some(),
                        faults,
                    );
                }
                ("format", Some(arg)) => {
                    below = Parts::Any;
                    if let Some(Kind::Literal(Literal::String(text))) = target.as_deref().map(|of| &of.kind)
                        && let Kind::List { items, .. } = &arg.kind
                        && let Err(fault) = format(text, items, types)
                    {
                        faults.push((fault.0.unwrap_or(expr.at), fault.1));
                    }
                }
                _ => {}
            }
        }
        Kind::List { items, optional } if parts == Parts::Alike => {
            let of = items.iter().enumerate().map(|(index, item)| {
                (item, part(types(item), if optional.contains(&index) { Part::Optional } else { Part::Sure }))
            });
            if let Some(fault) = first_unlike(of) {
                faults.push(fault);
            }
        }
        Kind::Map { entries } if parts == Parts::Alike => {
            let keys = entries.iter().map(|entry| (&entry.key, types(&entry.key)));
            let values = entries.iter().map(|entry| {
                let is = if entry.optional { Part::Optional } else { Part::Sure };
                (&entry.value, part(types(&entry.value), is))
            });
            faults.extend(first_unlike(keys));
            faults.extend(first_unlike(values));
        }
        _ => {}
    }
    for inner in expr.below() {
        walk(inner, types, below, faults);
    }
}

/// Whether a part of a literal is left out where it is an empty optional.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Sure,
    Optional,
}

fn part(of: Type, is: Part) -> Type {
    match (of, is) {
        (Type::Optional(inner), Part::Optional) => (*inner).clone(),
        (of, _) => of,
    }
}

/// The first part that is of another type than the one at the start.
fn first_unlike<'e>(mut parts: impl Iterator<Item = (&'e Expr, Type)>) -> Option<Fault> {
    let (_, wanted) = parts.next()?;
    let (part, found) = parts.find(|(_, found)| *found != wanted)?;
    Some((part.at, format!("expected type '{wanted}' but found '{found}'")))
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
            let mut digits = 0;
            while letters.next_if(char::is_ascii_digit).is_some() {
                digits += 1;
            }
            precise(digits, letters.peek().is_some())?;
        }
        let clause = letters.next().unwrap_or(' ');
        let Some((takes, words)) = clause_of(clause) else {
            let why =
                format!("could not parse formatting clause: unrecognized formatting clause \"{clause}\"");
            return Err((None, why));
        };
        suits(item, types, (takes, words))?;
    }
    if used < items.len() {
        let given = items.len();
        let why = format!("too many arguments supplied to string.format (expected {used}, got {given})");
        return Err((None, why));
    }
    Ok(())
}

/// Holds the digits after a dot against what a number needs.
fn precise(digits: usize, goes_on: bool) -> Result<(), Misfit> {
    let why = match (goes_on, digits) {
        (false, _) => "could not find end of precision specifier",
        (true, 0) => {
            "error while converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax"
        }
        (true, _) => return Ok(()),
    };
    Err((None, format!("could not parse formatting clause: error while parsing precision: {why}")))
}

/// Whether a clause takes a value, and what stands in it where it is written out.
fn suits(item: &Expr, types: &dyn Fn(&Expr) -> Type, (takes, words): Clause) -> Result<(), Misfit> {
    let of = types(item);
    if of != Type::Dyn && !takes(&of) {
        let name = name_of(&of);
        return Err((Some(item.at), format!("error during formatting: {words}, was given {name}")));
    }
    match &item.kind {
        Kind::List { items, .. } => items.iter().try_for_each(|item| suits(item, types, (takes, words))),
        Kind::Map { entries } => {
            let parts = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
            parts.into_iter().try_for_each(|part| suits(part, types, (takes, words)))
        }
        _ => Ok(()),
    }
}

/// A type without the types in it.
fn name_of(of: &Type) -> String {
    match of {
        Type::List(_) => "list".to_owned(),
        Type::Map(..) => "map".to_owned(),
        Type::Optional(_) => "optional_type".to_owned(),
        Type::Null => "null_type".to_owned(),
        other => other.to_string(),
    }
}

/// Which types a clause takes, and how a real server says so.
type Clause = (fn(&Type) -> bool, &'static str);

fn clause_of(clause: char) -> Option<Clause> {
    Some(match clause {
        's' => (
            |of| !matches!(of, Type::Optional(_) | Type::Opaque(_) | Type::Object(_) | Type::Message(_)),
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
