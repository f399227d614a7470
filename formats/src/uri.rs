//! Addresses of resources, as Go's `url.ParseRequestURI` takes them.

use super::addresses::is_ipv6;

/// An address with a scheme, or a path from the root.
pub(super) fn is_uri(text: &str) -> bool {
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    if text == "*" {
        return true;
    }
    let Some((scheme, rest)) = scheme(text) else { return false };
    let rest = rest.split('?').next().unwrap_or_default();
    match (scheme, rest.strip_prefix("//")) {
        ("", _) => rest.starts_with('/') && is_escaped(rest),
        (scheme, Some(rest)) => {
            let (authority, path) =
                rest.split_at_checked(rest.find('/').unwrap_or(rest.len())).unwrap_or((rest, ""));
            is_authority(scheme, authority) && is_escaped(path)
        }
        // What does not start at a root is taken as it is.
        (_, None) => !rest.starts_with('/') || is_escaped(rest),
    }
}

/// The scheme and what stands behind its colon; none where nothing stands before the colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let is_inner = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.');
    let end = text.find(|letter| !is_inner(letter)).unwrap_or(text.len());
    let (scheme, rest) = text.split_at_checked(end)?;
    match rest.strip_prefix(':') {
        Some(_) if scheme.is_empty() => None,
        Some(rest) if scheme.starts_with(|first: char| first.is_ascii_alphabetic()) => Some((scheme, rest)),
        _ => Some(("", text)),
    }
}

/// Each `%` is followed by two digits.
fn is_escaped(text: &str) -> bool {
    codes(text).all(|code| code.is_some())
}

/// The bytes that stand behind `%`; none where they do not.
fn codes(text: &str) -> impl Iterator<Item = Option<u8>> {
    text.split('%').skip(1).map(|rest| {
        let code = rest.get(..2).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u8::from_str_radix(code, 16).ok()
    })
}

fn is_authority(scheme: &str, text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').map_or(("", text), |(user, host)| (user, host));
    let is_of_user = |letter: char| letter.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(letter);
    user.chars().all(is_of_user) && is_escaped(user) && is_host(scheme, host)
}

fn is_host(scheme: &str, text: &str) -> bool {
    if let Some(rest) = text.strip_prefix('[') {
        let Some((address, port)) = rest.rsplit_once(']') else { return false };
        return !address.contains('[') && !port.contains('[') && is_port(port) && is_literal(address);
    }
    let port = match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => text.find(':'),
        _ => text.rfind(':'),
    };
    let port = port.and_then(|at| text.get(at..)).unwrap_or_default();
    !text.contains('[') && is_port(port) && is_named(text)
}

fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Letters that a host may have; `%` stands for those that are not ASCII.
fn is_named(text: &str) -> bool {
    text.chars().all(is_of_host)
        && codes(text).all(|code| code.is_some_and(|code| code >= 0x80 || code == b'%'))
}

fn is_of_host(letter: char) -> bool {
    !letter.is_ascii() || letter.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:[]<>\"%".contains(letter)
}

/// An address between brackets, with a zone behind `%25`.
fn is_literal(text: &str) -> bool {
    let Some((address, zone)) = text.split_once("%25") else { return is_named(text) && is_ipv6(text) };
    let is_code = |code: Option<u8>| {
        code.is_some_and(|code| matches!(code, b'%' | b' ' | 0x80..) || is_of_host(code.into()))
    };
    !zone.is_empty() && is_ipv6(address) && zone.chars().all(is_of_host) && codes(zone).all(is_code)
}
