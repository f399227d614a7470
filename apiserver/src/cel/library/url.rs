//! URLs.

use std::fmt;

use super::{EvalError, Opaque, Result, Val};
use crate::{
    cel::ops::{opaque, text},
    protocol::quoted,
};

/// A URL in its parts, as Go takes it apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Url {
    whole: String,
    scheme: String,
    host: String,
    path: String,
    query: String,
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.whole)
    }
}

impl Url {
    /// Reads an absolute URL or a path that begins with a slash.
    fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text.contains(|letter: char| letter.is_ascii_control()) {
            return None;
        }
        let mut url = Self { whole: text.to_owned(), ..Self::default() };
        let (before, query) = text.split_once('?').unwrap_or((text, ""));
        query.clone_into(&mut url.query);
        if before.starts_with('/') && !before.starts_with("//") {
            before.clone_into(&mut url.path);
            return Some(url);
        }
        let (scheme, rest) = before.split_once(':')?;
        let known = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
        if !scheme.starts_with(|letter: char| letter.is_ascii_alphabetic()) || !scheme.chars().all(known) {
            return None;
        }
        url.scheme = scheme.to_ascii_lowercase();
        if let Some(rest) = rest.strip_prefix("//") {
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at(end);
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            let port = host.rsplit_once(']').map_or_else(
                || host.split_once(':').map_or("", |(_, port)| port),
                |(_, tail)| tail.trim_start_matches(':'),
            );
            let odd = host.contains(|letter: char| letter == ' ' || "<>\"\\^`{|}".contains(letter));
            if odd
                || (host.starts_with('[') && !host.contains(']'))
                || !port.bytes().all(|byte| byte.is_ascii_digit())
            {
                return None;
            }
            host.clone_into(&mut url.host);
            path.clone_into(&mut url.path);
        } else {
            rest.clone_into(&mut url.path);
        }
        Some(url)
    }

    fn hostname(&self) -> &str {
        match self.host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((inner, _)) => inner,
            None => self.host.split_once(':').map_or(self.host.as_str(), |(name, _)| name),
        }
    }

    fn port(&self) -> &str {
        let after = self.host.rsplit_once(']').map_or(self.host.as_str(), |(_, after)| after);
        after.split_once(':').map(|(_, port)| port).unwrap_or_default()
    }

    fn query<'v>(&self) -> Val<'v> {
        let mut pairs: Vec<(String, Vec<Val<'v>>)> = Vec::new();
        for part in self.query.split('&').filter(|part| !part.is_empty() && !part.contains(';')) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (decoded(name), decoded(value));
            match pairs.iter_mut().find(|(known, _)| *known == name) {
                Some((_, values)) => values.push(Val::text(value)),
                None => pairs.push((name, vec![Val::text(value)])),
            }
        }
        Val::Map(std::rc::Rc::new(
            pairs.into_iter().map(|(name, values)| (Val::text(name), Val::list(values))).collect(),
        ))
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let code = |code: &[u8]| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok();
        match (first, after) {
            (b'%', [high, low, tail @ ..]) => match code(&[*high, *low]) {
                Some(byte) => {
                    bytes.push(byte);
                    rest = tail;
                }
                None => bytes.push(b'%'),
            },
            (b'+', _) => bytes.push(b' '),
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A path with the letters escaped that must be.
fn escaped(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@!'()*%[]".contains(&byte);
        if plain { out.push(char::from(byte)) } else { out.push_str(&format!("%{byte:02X}")) }
    }
    out
}

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    match (function, args) {
        ("url", [value]) => Some(text(value).and_then(|text| {
            Url::parse(text).map(|url| Val::opaque(Opaque::Url(url))).ok_or_else(|| {
                EvalError::new(format!(
                    "URL parse error during conversion from string: parse {}: invalid URI for request",
                    quoted(text)
                ))
            })
        })),
        ("isURL", [value]) => Some(text(value).map(|text| Val::Bool(Url::parse(text).is_some()))),
        (_, [first]) => {
            let Ok(Opaque::Url(url)) = opaque(first) else { return None };
            Some(Ok(match function {
                "getScheme" => Val::text(url.scheme.as_str()),
                "getHost" => Val::text(url.host.as_str()),
                "getHostname" => Val::text(url.hostname()),
                "getPort" => Val::text(url.port()),
                "getEscapedPath" => Val::text(escaped(&url.path)),
                "getQuery" => url.query(),
                _ => return None,
            }))
        }
        _ => None,
    }
}
