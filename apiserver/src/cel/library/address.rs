//! Addresses as Go's `net/netip` reads them.
//!
//! In: a text. Out: the address, or what is wrong with it in Go's words.

use std::net::IpAddr;

use crate::protocol::quoted;

/// Reads an address.
pub(super) fn parse(text: &str) -> Result<IpAddr, String> {
    let why = match text.parse() {
        Ok(address) => return Ok(address),
        Err(_) => match text.find(['.', ':', '%']).and_then(|at| text.get(at..at + 1)) {
            Some(".") => four(text),
            Some(":") => six(text),
            Some(_) => Err(("missing IPv6 address", "")),
            None => Err(("unable to parse IP", "")),
        },
    };
    let (words, at) = why.err().unwrap_or(("unable to parse IP", ""));
    let place = if at.is_empty() { String::new() } else { format!(" (at {})", quoted(at)) };
    Err(format!("ParseAddr({}): {words}{place}", quoted(text)))
}

/// What is wrong, and the rest of the text from there on.
type Fault<'a> = (&'static str, &'a str);

fn four(text: &str) -> Result<(), Fault<'_>> {
    let (mut value, mut digits, mut dots) = (0_u32, 0, 0);
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default();
        match letter {
            '0'..='9' => {
                if digits == 1 && value == 0 {
                    return Err(("IPv4 field has octet with leading zero", ""));
                }
                value = value * 10 + letter.to_digit(10).unwrap_or_default();
                digits += 1;
                if value > 255 {
                    return Err(("IPv4 field has value >255", ""));
                }
            }
            '.' if at == 0 || rest == "." || before == '.' => {
                return Err(("IPv4 field must have at least one digit", rest));
            }
            '.' if dots == 3 => return Err(("IPv4 address too long", "")),
            '.' => (value, digits, dots) = (0, 0, dots + 1),
            _ => return Err(("unexpected character", rest)),
        }
        before = letter;
    }
    if dots < 3 { Err(("IPv4 address too short", "")) } else { Ok(()) }
}

fn six(text: &str) -> Result<(), Fault<'_>> {
    let mut rest = text;
    let mut gap = None;
    if let Some(after) = rest.strip_prefix("::") {
        (rest, gap) = (after, Some(0));
        if rest.is_empty() {
            return Ok(());
        }
    }
    let mut read = 0;
    while read < 16 {
        let digits = rest.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(rest.len());
        if digits > 4 {
            return Err(("each group must have 4 or less digits", rest));
        }
        if digits == 0 {
            return Err(("each colon-separated field must have at least one digit", rest));
        }
        let after = rest.get(digits..).unwrap_or_default();
        if after.starts_with('.') {
            if gap.is_none() && read != 12 {
                return Err(("embedded IPv4 address must replace the final 2 fields of the address", rest));
            }
            if read > 12 {
                return Err(("too many hex fields to fit an embedded IPv4 at the end of the address", rest));
            }
            four(rest)?;
            (rest, read) = ("", read + 4);
            break;
        }
        read += 2;
        rest = after;
        if rest.is_empty() {
            break;
        }
        let Some(after) = rest.strip_prefix(':') else {
            return Err(("unexpected character, want colon", rest));
        };
        if after.is_empty() {
            return Err(("colon must be followed by more characters", rest));
        }
        rest = after;
        if let Some(after) = rest.strip_prefix(':') {
            if gap.is_some() {
                return Err(("multiple :: in address", rest));
            }
            (rest, gap) = (after, Some(read));
            if rest.is_empty() {
                break;
            }
        }
    }
    match (rest, read < 16, gap) {
        ("", true, None) => Err(("address string too short", "")),
        ("", false, Some(_)) => Err(("the :: must expand to at least one field of zeros", "")),
        ("", ..) => Ok(()),
        _ => Err(("trailing garbage after address", rest)),
    }
}
