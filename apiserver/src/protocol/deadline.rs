//! The time that a request gives itself in its URL.
//!
//! In: the query of a request that ends by itself. Out: what is wrong with its `timeout`. Nothing here waits: answers take no time.

use super::{Query, Status, quoted};

/// The units of a length of time.
const UNITS: [&str; 8] = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"];

/// 400: the time that a request gives itself is none.
pub(crate) fn timeout_error(query: &Query) -> Option<Status> {
    let why = duration_error(query.text("timeout"))?;
    Some(Status::bad_request(format!("invalid timeout specified in the request URL - time: {why}")))
}

/// What is wrong with a length of time such as `1m30s`, in the words of Go; nothing is wrong with an empty text.
fn duration_error(text: &str) -> Option<String> {
    let shown = quoted(text);
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if text.is_empty() || rest == "0" {
        return None;
    }
    if rest.is_empty() {
        return Some(format!("invalid duration {shown}"));
    }
    while !rest.is_empty() {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(rest);
        let mut length = whole;
        if rest.as_bytes().get(whole) == Some(&b'.') {
            let fraction = digits(rest.get(whole + 1..).unwrap_or_default());
            length += 1 + fraction;
            if whole + fraction == 0 {
                return Some(format!("invalid duration {shown}"));
            }
        } else if whole == 0 {
            return Some(format!("invalid duration {shown}"));
        }
        let after = rest.get(length..).unwrap_or_default();
        let end = after.find(|letter: char| letter == '.' || letter.is_ascii_digit()).unwrap_or(after.len());
        let (unit, next) = after.split_at(end);
        if unit.is_empty() {
            return Some(format!("missing unit in duration {shown}"));
        }
        if !UNITS.contains(&unit) {
            return Some(format!("unknown unit {} in duration {shown}", quoted(unit)));
        }
        rest = next;
    }
    None
}
