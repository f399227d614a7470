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

/// Why Go's `net/url` cannot read a URL, which may be relative.
pub(crate) fn url_fault(text: &str) -> Option<String> {
    let text = text.split_once('#').map_or(text, |(text, _)| text);
    // Only a request has to say where it goes.
    let why =
        Url::parse(text).err().filter(|why| !["empty url", "invalid URI for request"].contains(&&**why))?;
    Some(format!("parse {}: {why}", quoted(text)))
}

impl Url {
    /// Reads an absolute URL or a path that begins with a slash.
    ///
    /// # Errors
    ///
    /// What is wrong, in the words of Go's `net/url`.
    fn parse(text: &str) -> std::result::Result<Self, String> {
        if text.contains(|letter: char| letter.is_ascii_control()) {
            return Err("net/url: invalid control character in URL".to_owned());
        }
        if text.is_empty() {
            return Err("empty url".to_owned());
        }
        let (scheme, rest) = scheme(text)?;
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let scheme = scheme.to_ascii_lowercase();
        let mut url = Self { whole: text.to_owned(), scheme, query: query.to_owned(), ..Self::default() };
        if url.scheme.is_empty() && !rest.starts_with('/') && text != "*" {
            return Err("invalid URI for request".to_owned());
        }
        let authority = rest.strip_prefix("//").filter(|_| !url.scheme.is_empty());
        let path = match authority {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
                check_host(host)?;
                if user.contains(|letter: char| !letter.is_ascii_alphanumeric() && !USER.contains(letter)) {
                    return Err("net/url: invalid userinfo".to_owned());
                }
                host.clone_into(&mut url.host);
                path
            }
            None => rest,
        };
        if rest.starts_with('/') {
            check_escapes(path)?;
        }
        path.clone_into(&mut url.path);
        Ok(url)
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

/// What may stand in the user part besides letters and digits.
const USER: &str = "-._:~!$&'()*+,;=%@";
/// What may not stand in a host.
const NO_HOST: &str = " #\\^`{|}";

/// The scheme, if there is one, and what follows it.
fn scheme(text: &str) -> std::result::Result<(&str, &str), String> {
    let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter));
    match end.map(|end| text.split_at(end)) {
        Some(("", rest)) if rest.starts_with(':') => Err("missing protocol scheme".to_owned()),
        Some((scheme, rest)) if scheme.starts_with(|first: char| first.is_ascii_alphabetic()) => {
            Ok(rest.strip_prefix(':').map_or(("", text), |rest| (scheme, rest)))
        }
        _ => Ok(("", text)),
    }
}

fn check_host(host: &str) -> std::result::Result<(), String> {
    let port = match (host.rfind('['), host.rfind(']')) {
        (Some(_), None) => return Err("missing ']' in host".to_owned()),
        (Some(_), Some(close)) => host.get(close + 1..).unwrap_or_default(),
        (None, _) => host.rfind(':').and_then(|colon| host.get(colon..)).unwrap_or_default(),
    };
    let digits = port.strip_prefix(':').unwrap_or(port);
    if (digits.len() == port.len() && !port.is_empty()) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("invalid port {} after host", quoted(port)));
    }
    match host.chars().find(|letter| NO_HOST.contains(*letter)) {
        Some(letter) => Err(format!("invalid character {} in host name", quoted(&letter.to_string()))),
        None => check_escapes(host),
    }
}

/// Refuses a percent sign that two hexadecimal digits do not follow.
fn check_escapes(text: &str) -> std::result::Result<(), String> {
    for (at, _) in text.match_indices('%') {
        let digits = text.as_bytes().get(at + 1..at + 3).unwrap_or_default();
        if digits.len() < 2 || !digits.iter().all(u8::is_ascii_hexdigit) {
            let shown: String = text.get(at..).unwrap_or_default().chars().take(3).collect();
            return Err(format!("invalid URL escape {}", quoted(&shown)));
        }
    }
    Ok(())
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
            Url::parse(text).map(|url| Val::opaque(Opaque::Url(url))).map_err(|why| {
                let text = quoted(text);
                EvalError::new(format!("URL parse error during conversion from string: parse {text}: {why}"))
            })
        })),
        ("isURL", [value]) => Some(text(value).map(|text| Val::Bool(Url::parse(text).is_ok()))),
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
