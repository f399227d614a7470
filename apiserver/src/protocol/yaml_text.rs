//! JSON as a reader of YAML reads it: a real server makes YAML of an answer by reading its JSON as YAML.
//!
//! In: the text of a JSON value. Out: the value, or the reader's complaint. It writes nothing.

use serde_json::{Map, Value};

/// What the reader says of letters that no text of YAML may have.
pub(crate) const CONTROL: &str = "yaml: control characters are not allowed";

/// To YAML a line break, to JSON a letter like others.
const NEXT_LINE: char = '\u{85}';

/// The value of a text, as far as YAML can hold it.
///
/// # Errors
///
/// [`CONTROL`], where a letter stands in it that may not.
pub(crate) fn read_as_yaml(json: &[u8]) -> Result<Value, &'static str> {
    // Few answers have letters beyond ASCII, and of those below none but one is forbidden that JSON does not escape.
    let plain = json.iter().all(|byte| byte.is_ascii() && *byte != 0x7f);
    let text = if plain { "" } else { std::str::from_utf8(json).unwrap_or_default() };
    if text.chars().any(is_forbidden) {
        return Err(CONTROL);
    }
    let value = serde_json::from_slice(json).unwrap_or_default();
    Ok(if text.contains(NEXT_LINE) { folded(value) } else { value })
}

fn is_forbidden(letter: char) -> bool {
    matches!(letter, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}')
}

fn folded(value: Value) -> Value {
    match value {
        Value::String(text) => fold(&text).into(),
        Value::Array(items) => items.into_iter().map(folded).collect(),
        Value::Object(members) => Value::Object(
            members.into_iter().map(|(name, value)| (fold(&name), folded(value))).collect::<Map<_, _>>(),
        ),
        other => other,
    }
}

/// A line break with the spaces around it is one space; of several breaks one is lost.
fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find([' ', NEXT_LINE]) {
        let (before, run) = rest.split_at(at);
        let after = run.trim_start_matches([' ', NEXT_LINE]);
        let run = run.strip_suffix(after).unwrap_or_default();
        out.push_str(before);
        match run.matches(NEXT_LINE).count() {
            0 => out.push_str(run),
            1 => out.push(' '),
            breaks => out.extend(std::iter::repeat_n('\n', breaks - 1)),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
