//! What the server warns of: deprecated versions, unknown fields, odd combinations.
//!
//! In: `Warning` headers. Out: their texts, to whoever wants to hear them. Never: a warning of a cache on the way.

use std::{borrow::Cow, collections::HashSet};

use http::{Response, header};
use parking_lot::Mutex;
use tracing::warn;

/// How many texts are remembered; after that many they are forgotten, and told anew.
const REMEMBERED: usize = 4096;

/// One warning of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Who warns; `-` as a rule.
    pub agent: String,
    /// The words.
    pub text: String,
}

/// Says that a response's warnings have been told to somebody.
#[derive(Clone, Copy, Debug)]
pub(in crate::client) struct Handled;

/// Hears of the server's warnings.
pub trait WarningHandler: Send + Sync {
    /// The server warns. Calls may overlap.
    fn handle(&self, warning: &Warning);
}

impl<F: Fn(&Warning) + Send + Sync> WarningHandler for F {
    fn handle(&self, warning: &Warning) {
        self(warning);
    }
}

/// Writes them into the log.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogWarnings;

impl WarningHandler for LogWarnings {
    fn handle(&self, warning: &Warning) {
        warn!(warning = warning.text, "the API server warns");
    }
}

/// Keeps them to itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct IgnoreWarnings;

impl WarningHandler for IgnoreWarnings {
    fn handle(&self, _warning: &Warning) {}
}

/// Passes each text on once.
#[derive(Debug, Default)]
pub struct Deduplicated<H> {
    handler: H,
    seen: Mutex<HashSet<String>>,
}

impl<H> Deduplicated<H> {
    /// Passes them on to this.
    pub fn new(handler: H) -> Self {
        Self { handler, seen: Mutex::default() }
    }
}

impl<H: WarningHandler> WarningHandler for Deduplicated<H> {
    fn handle(&self, warning: &Warning) {
        let is_new = {
            let mut seen = self.seen.lock();
            if seen.len() >= REMEMBERED {
                seen.clear();
            }
            seen.insert(warning.text.clone())
        };
        if is_new {
            self.handler.handle(warning);
        }
    }
}

/// The warnings with code 299, the only one that API servers send; others are about caches.
pub(in crate::client) fn warnings_of<B>(response: &Response<B>) -> Vec<Warning> {
    let headers = response.headers().get_all(header::WARNING).into_iter();
    headers.flat_map(|value| parse(&String::from_utf8_lossy(value.as_bytes()))).collect()
}

/// A header can hold several: `299 agent "text" "date", 299 - "text"`, with `\` before quotes within a text.
fn parse(header: &str) -> Vec<Warning> {
    let (mut warnings, mut rest) = (Vec::new(), header);
    while let Some((head, quoted)) = rest.split_once('"') {
        let Some((text, after)) = unquote(quoted) else { break };
        let mut words = head.trim_start_matches([',', ' ']).split(' ').filter(|word| !word.is_empty());
        if let (Some("299"), Some(agent)) = (words.next(), words.next()) {
            warnings.push(Warning { agent: agent.to_owned(), text: text.into_owned() });
        }
        rest = after;
    }
    warnings
}

/// The text up to its closing quote, and what is behind that.
fn unquote(quoted: &str) -> Option<(Cow<'_, str>, &str)> {
    let (mut text, mut escaped) = (String::new(), false);
    for (at, letter) in quoted.char_indices() {
        match letter {
            _ if escaped => {
                text.push(letter);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Some((Cow::Owned(text), quoted.get(at + 1..)?)),
            _ => text.push(letter),
        }
    }
    None
}
