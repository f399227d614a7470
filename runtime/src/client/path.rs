//! URL paths of a kind's collection, its objects and their subresources.
//!
//! In: names as users give them. Out: a path in which each name is exactly one segment, or a refusal.
//! Never: a name that could step out of its segment.

use std::{borrow::Cow, fmt::Write};

use kube::Resource;

use super::Error;

/// The path of the collection of `K`, under `plural` if given.
pub(super) fn collection<K>(plural: Option<&str>, namespace: Option<&str>) -> String
where
    K: Resource<DynamicType = ()>,
{
    let root = if K::group(&()).is_empty() { "api" } else { "apis" };
    let api_version = K::api_version(&());
    let registered = K::plural(&());
    let plural = plural.unwrap_or(&registered);
    match namespace {
        Some(namespace) => format!("/{root}/{api_version}/namespaces/{}/{plural}", encode(namespace)),
        None => format!("/{root}/{api_version}/{plural}"),
    }
}

/// The text as one path segment.
///
/// # Errors
/// If it cannot be one: Kubernetes forbids `.`, `..`, `/` and `%` in names, as proxies read them as structure.
pub(super) fn segment(text: &str) -> Result<Cow<'_, str>, Error> {
    check(text)?;
    Ok(encode(text))
}

/// Refuses what cannot be a path segment.
pub(super) fn check(text: &str) -> Result<(), Error> {
    let refuse = |reason| Err(Error::InvalidSegment { segment: text.to_owned(), reason });
    match text {
        "." => refuse("may not be \".\""),
        ".." => refuse("may not be \"..\""),
        _ if text.contains('/') => refuse("may not contain \"/\""),
        _ if text.contains('%') => refuse("may not contain \"%\""),
        _ => Ok(()),
    }
}

/// Escapes what is legal in a few kinds' names (roles may be called `a b?`), yet would end the segment.
fn encode(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut encoded = String::with_capacity(text.len() + 8);
    for byte in text.bytes() {
        if is_plain(byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    Cow::Owned(encoded)
}

/// Bytes that stand for themselves in a path segment (RFC 3986, `pchar`).
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte)
}
