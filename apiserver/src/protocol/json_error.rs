//! What Go's JSON reader would say about a text that is no JSON.
//!
//! In: the text and where reading stopped. Out: one sentence, with the beginning of the text as upstream appends it.

use serde_json::Value;

/// Words an error of reading JSON as upstream does.
pub(crate) fn describe(body: &[u8], error: &serde_json::Error) -> String {
    let reason = if error.is_eof() { "unexpected end of JSON input".to_owned() } else { reason(body, error) };
    format!("{reason} ({})", beginning(body))
}

/// The same for a text that is known to be broken, without its beginning.
pub(crate) fn go_syntax_error(body: &[u8]) -> String {
    match serde_json::from_slice::<Value>(body) {
        Ok(_) => String::new(),
        Err(error) if error.is_eof() => "unexpected end of JSON input".to_owned(),
        Err(error) => reason(body, &error),
    }
}

fn reason(body: &[u8], error: &serde_json::Error) -> String {
    let column = error.column().max(1) - 1;
    let start: usize =
        body.split_inclusive(|byte| *byte == b'\n').take(error.line().max(1) - 1).map(<[u8]>::len).sum();
    let at = body
        .get(start + column)
        .or_else(|| body.get(start + column.saturating_sub(1)))
        .copied()
        .unwrap_or_default();
    let told = error.to_string();
    let broken_word = told.contains("expected ident") || told.contains("expected value");
    if let Some(text) = literal(body, start + column).filter(|_| broken_word) {
        return text;
    }
    let place = match told {
        text if text.contains("key must be a string") || text.contains("trailing comma") && at == b'}' => {
            "looking for beginning of object key string"
        }
        text if text.contains("trailing characters") => "after top-level value",
        text if text.contains("expected `:`") => "after object key",
        text if text.contains("expected `,` or `}`") => "after object key:value pair",
        text if text.contains("expected `,` or `]`") => "after array element",
        _ => "looking for beginning of value",
    };
    format!("invalid character '{}' {place}", shown(at))
}

/// A byte as Go quotes it, as if it were a character of Latin-1.
fn shown(byte: u8) -> String {
    match byte {
        b'\'' => "\\'".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        0..0x20 | 0x7f => format!("\\x{byte:02x}"),
        0x80..=0xa0 | 0xad => format!("\\u{:04x}", u32::from(byte)),
        _ => char::from(byte).to_string(),
    }
}

/// What is said of a word that begins like one of JSON's and goes on otherwise.
fn literal(body: &[u8], near: usize) -> Option<String> {
    let from = near.saturating_sub(5);
    let words: [&[u8]; 3] = [b"null", b"true", b"false"];
    (from..=near).find_map(|start| {
        let rest = body.get(start..)?;
        let word = words.into_iter().find(|word| word.first() == rest.first())?;
        let same = word.iter().zip(rest).take_while(|(want, got)| want == got).count();
        let (want, got) = (word.get(same)?, rest.get(same)?);
        let before = start.checked_sub(1).and_then(|at| body.get(at));
        if before.is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        let word = String::from_utf8_lossy(word);
        Some(format!(
            "invalid character '{}' in literal {word} (expecting '{}')",
            char::from(*got),
            char::from(*want)
        ))
    })
}

/// The body as upstream quotes it: text as such, the rest in hex, both cut short.
pub(crate) fn beginning(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok("") => "<empty>".to_owned(),
        Ok(text) if text.starts_with('{') => match text.char_indices().nth(30) {
            Some((end, _)) => format!("{} ...", text.get(..end).unwrap_or_default()),
            None => text.to_owned(),
        },
        _ => {
            let shown: String = body.iter().take(30).map(|byte| format!("{byte:02x}")).collect();
            let more = if body.len() > 30 { " ..." } else { "" };
            format!("{shown}{more}")
        }
    }
}

/// What Go says of a document that is no object.
pub(crate) fn go_no_object(value: &Value) -> String {
    format!(
        "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of type struct {{ APIVersion string \
         \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}",
        go_kind(value)
    )
}

fn go_kind(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::Null | Value::Object(_) => "object",
    }
}
