//! What Go's JSON reader would say about a text that is no JSON.
//!
//! In: the text and where reading stopped. Out: one sentence, with the beginning of the text as upstream appends it.

/// Words an error of reading JSON as upstream does.
pub(crate) fn describe(body: &[u8], error: &serde_json::Error) -> String {
    let reason = if error.is_eof() { "unexpected end of JSON input".to_owned() } else { reason(body, error) };
    format!("{reason} ({})", beginning(body))
}

/// The same for a text that is known to be broken, without its beginning.
pub(crate) fn go_syntax_error(body: &[u8]) -> String {
    match serde_json::from_slice::<serde_json::Value>(body) {
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
    let place = match error.to_string() {
        text if text.contains("key must be a string") => "looking for beginning of object key string",
        text if text.contains("trailing characters") => "after top-level value",
        text if text.contains("expected `:`") => "after object key",
        text if text.contains("expected `,` or `}`") => "after object key:value pair",
        text if text.contains("expected `,` or `]`") => "after array element",
        _ => "looking for beginning of value",
    };
    format!("invalid character '{}' {place}", char::from(at))
}

/// The body as upstream quotes it: text as such, the rest in hex, both cut short.
pub(super) fn beginning(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok("") => "<empty>".to_owned(),
        Ok(text) if text.starts_with('{') => text.to_owned(),
        _ => {
            let shown: String = body.iter().take(30).map(|byte| format!("{byte:02x}")).collect();
            let more = if body.len() > 30 { " ..." } else { "" };
            format!("{shown}{more}")
        }
    }
}
