//! Paths into objects, as definitions write them.
//!
//! In: a path and the schema it leads into. Out: the schema at its end, or why it leads nowhere.

use crate::schema::structural::{Additional, Structural};

/// Where a path leads.
pub(super) struct Found<'a> {
    /// The path in one spelling.
    pub path: String,
    /// Its first step.
    pub root: String,
    pub schema: &'a Structural,
}

/// How steps may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Dots,
    DotsAndBrackets,
}

/// What is wrong with a path of columns and scales.
pub(super) fn not_simple(path: &str) -> Option<&'static str> {
    match path.chars().next() {
        None => Some("must not be empty"),
        Some('.') => None,
        Some(_) => Some("must be a simple json path starting with ."),
    }
}

/// The tokens of a path: the delimiters and what is between them; what is quoted is one token.
fn tokens(path: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '.' | '[' | ']' => 1,
            '\'' => {
                let mut last = ' ';
                let close = rest.char_indices().skip(1).find(|(_, letter)| {
                    let closes = *letter == '\'' && last != '\\';
                    last = *letter;
                    closes
                });
                close.map_or(rest.len(), |(at, _)| at + 1)
            }
            _ => rest.find(['.', '[', ']']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end.max(first.len_utf8()));
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// Follows a path.
pub(super) fn resolve<'a>(path: &str, root: &'a Structural, notation: Notation) -> Result<Found<'a>, String> {
    let end = || "unexpected end of JSON path".to_owned();
    let mut tokens = tokens(path).into_iter();
    let mut found = Found { path: String::new(), root: String::new(), schema: root };
    while let Some(token) = tokens.next() {
        match token {
            "[" if notation == Notation::Dots => return Err("array notation is not allowed".to_owned()),
            "[" => {
                let token = tokens.next().ok_or_else(end)?;
                let quoted = token.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
                let quoted =
                    quoted.ok_or_else(|| format!("expected single quoted string but got {token}"))?;
                step(&mut found, &unescaped(quoted)?)?;
                match tokens.next() {
                    None => return Err(end()),
                    Some("]") => {}
                    Some(other) => return Err(format!("expected ] but got {other}")),
                }
            }
            "." => step(&mut found, tokens.next().ok_or_else(end)?)?,
            other => return Err(format!("expected [ or . but got: {other}")),
        }
    }
    Ok(found)
}

fn step(found: &mut Found<'_>, name: &str) -> Result<(), String> {
    let nowhere = || "does not refer to a valid field".to_owned();
    if found.root.is_empty() {
        found.root = name.to_owned();
    }
    if !found.schema.properties.is_empty() {
        found.schema = found.schema.properties.get(name).ok_or_else(nowhere)?;
        if !found.path.is_empty() {
            found.path.push('.');
        }
        found.path.push_str(name);
        return Ok(());
    }
    let below = found.schema.additional.as_ref().and_then(Additional::schema);
    found.schema = below.ok_or_else(nowhere)?;
    found.path.push_str(&format!("[{name}]"));
    Ok(())
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        let escaped = letters.next().unwrap_or('\\');
        out.push(match escaped {
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '\'' | '\\' => escaped,
            other => return Err(format!("invalid string literal: invalid escape char \\{other}")),
        });
    }
    Ok(out)
}

/// A path of a rule in the form that errors name it.
pub(super) fn leads_somewhere(path: &str, schema: &Structural) -> bool {
    resolve(path, schema, Notation::DotsAndBrackets).is_ok()
}
