//! CEL rules: whether their brackets and texts are closed, and whether the fields that they name are there.
//!
//! This is no compiler: what a rule does with a field is the server's to check. It looks at chains that begin with `self` or
//! `oldSelf` and are followed by names.

use super::{Additional, Keyword, Schema};

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// A bracket or a text is not closed, or closed twice.
    Unbalanced(char),
    /// A field that is not there, and those that are.
    NoField {
        /// Its name, as a schema has it.
        name: String,
        /// The fields that are there.
        known: Vec<String>,
    },
}

/// Checks an expression over a node.
///
/// # Errors
/// The first thing that is wrong.
pub(super) fn check(expression: &str, schema: &Schema) -> Result<(), Fault> {
    let code = without_texts(expression)?;
    balanced(&code)?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    for start in ["self", "oldSelf"] {
        for (at, _) in code.match_indices(start) {
            let before = code.get(..at).and_then(|before| before.chars().next_back());
            let rest = code.get(at + start.len()..).unwrap_or_default();
            if before.is_some_and(|letter| is_name(letter) || letter == '.') || rest.starts_with(is_name) {
                continue;
            }
            chain(rest, schema)?;
        }
    }
    Ok(())
}

/// Follows `.name.name` until something else comes: a call, an index, an operator.
fn chain(mut rest: &str, schema: &Schema) -> Result<(), Fault> {
    let mut node = schema;
    while let Some(after) = rest.strip_prefix('.') {
        let after = after.strip_prefix('?').unwrap_or(after);
        let end = after
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .unwrap_or(after.len());
        let name = unescaped(after.get(..end).unwrap_or_default());
        rest = after.get(end..).unwrap_or_default();
        let is_open = node.is(Keyword::PreserveUnknownFields) || node.is(Keyword::EmbeddedResource);
        if rest.starts_with('(') || name.is_empty() || is_open || node.properties.is_empty() {
            return Ok(());
        }
        match (node.properties.get(&name), &node.additional) {
            (Some(member), _) => node = member,
            (None, Some(Additional::Schema(member))) => node = member,
            (None, Some(Additional::Any)) => return Ok(()),
            (None, None) => {
                return Err(Fault::NoField { name, known: node.properties.keys().cloned().collect() });
            }
        }
    }
    Ok(())
}

/// A name as a schema has it.
fn unescaped(name: &str) -> String {
    let keyword = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    if let Some(keyword) = keyword.filter(|keyword| !keyword.is_empty() && !keyword.contains("__")) {
        return keyword.to_owned();
    }
    let mut name = name.to_owned();
    for (word, letter) in [("__dot__", "."), ("__dash__", "-"), ("__slash__", "/"), ("__underscores__", "__")]
    {
        name = name.replace(word, letter);
    }
    name
}

/// The expression with its texts and comments left out.
fn without_texts(expression: &str) -> Result<String, Fault> {
    let mut code = String::with_capacity(expression.len());
    let mut letters = expression.chars().peekable();
    let mut before = None;
    while let Some(letter) = letters.next() {
        if !matches!(letter, '\'' | '"') {
            code.push(letter);
            before = Some(letter);
            continue;
        }
        // Raw texts have no escapes.
        let is_raw = matches!(before, Some('r' | 'R'));
        let mut closed = false;
        while let Some(inner) = letters.next() {
            if inner == '\\' && !is_raw {
                letters.next();
            } else if inner == letter {
                closed = true;
                break;
            }
        }
        if !closed {
            return Err(Fault::Unbalanced(letter));
        }
        code.push(' ');
        before = Some(' ');
    }
    Ok(code)
}

fn balanced(code: &str) -> Result<(), Fault> {
    let mut open = Vec::new();
    for letter in code.chars() {
        let opening = match letter {
            '(' | '[' | '{' => {
                open.push(letter);
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        if open.pop() != Some(opening) {
            return Err(Fault::Unbalanced(letter));
        }
    }
    match open.pop() {
        Some(letter) => Err(Fault::Unbalanced(letter)),
        None => Ok(()),
    }
}
