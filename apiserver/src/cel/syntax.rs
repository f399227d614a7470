//! What is wrong with the syntax of an expression, in the words of a real server's parser.
//!
//! In: what the `cel` crate complains about. Out: the same as a real server tells it: after a whole operand that parser names the one sign that
//! would close what is open, and it says nothing of expressions that it could not make because of a fault that is told already.

use cel::parser::ParseError;

use super::Issue;

/// What would follow the dot of a field that may be absent.
const FIELD: &str = "expecting {IDENTIFIER, ESC_IDENTIFIER}";

/// The faults of an expression, in their order.
pub(super) fn issues(source: &str, errors: Vec<ParseError>) -> Vec<Issue> {
    let mut issues: Vec<Issue> = Vec::with_capacity(errors.len());
    let mut without_field = false;
    for error in errors {
        if error.msg.starts_with("Incomplete `") {
            continue;
        }
        if error.msg == "unsupported ident kind" {
            without_field = true;
            continue;
        }
        let (line, column) = error.pos;
        let place = |number: isize| usize::try_from(number).unwrap_or_default();
        let (line, column) = (place(line).max(1), place(column - 1));
        let names_field = error.msg.ends_with(FIELD);
        issues.push(Issue { line, column, text: words(error.msg, before(source, line, column)) });
        if names_field && std::mem::take(&mut without_field) {
            issues.push(Issue { line, column, text: "unsupported ident kind".to_owned() });
        }
    }
    issues
}

/// The text before a place.
fn before(source: &str, line: usize, column: usize) -> &str {
    let start: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = source.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at);
    source.get(..start + end).unwrap_or(source)
}

fn words(text: String, before: &str) -> String {
    for word in ["true", "false", "null"] {
        if text == format!("Syntax error: no viable alternative at input '.{word}'") {
            return format!("Syntax error: mismatched input '{word}' expecting IDENTIFIER");
        }
    }
    if text.starts_with("invalid string literal: InvalidUnicode") {
        return "invalid unicode code point".to_owned();
    }
    match text.split_once(" expecting {") {
        Some((found, wanted))
            if found.starts_with("Syntax error: mismatched input") && wanted.contains("'=='") =>
        {
            let closing = if wanted.contains("':'") { "':'" } else { closing(before) };
            format!("{found} expecting {closing}")
        }
        _ => text,
    }
}

/// What closes the innermost bracket that is open.
fn closing(before: &str) -> &'static str {
    let mut open = Vec::new();
    let mut quote = None;
    let mut letters = before.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => {
                letters.next();
            }
            (Some(end), letter) if letter == end => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => open.push("')'"),
            (None, '[') => open.push("']'"),
            (None, '{') => open.push("'}'"),
            (None, ')' | ']' | '}') => {
                open.pop();
            }
            (None, _) => {}
        }
    }
    open.pop().unwrap_or("<EOF>")
}
