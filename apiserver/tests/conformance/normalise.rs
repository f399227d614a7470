//! Takes out of an exchange what differs from run to run; what is equal within a scenario stays equal.
//!
//! In: answers, one after the other. Out: the same with `<ns>`, `<uid-1>`, `<rv-1>`, `<time>` and their like, numbered as they come.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::ordered::Ordered;

/// The names given so far in one scenario.
#[derive(Default)]
pub(crate) struct Normaliser {
    namespace: Option<String>,
    uids: HashMap<String, usize>,
    versions: HashMap<String, usize>,
    pub(crate) keeps_times: bool,
    /// Whether cells of tables that are durations are told apart.
    pub(crate) hides_ages: bool,
}

impl Normaliser {
    pub(crate) fn new(namespace: Option<String>) -> Self {
        Self { namespace, ..Self::default() }
    }

    pub(crate) fn text(&mut self, value: &str) -> String {
        let value = match &self.namespace {
            Some(namespace) => value.replace(namespace, "<ns>"),
            None => value.to_owned(),
        };
        let mut out = String::new();
        let mut rest = value.as_str();
        while let Some(first) = rest.chars().next() {
            if is_uuid(rest) {
                let (uid, tail) = rest.split_at(36);
                let count = self.uids.len() + 1;
                let number = *self.uids.entry(uid.to_owned()).or_insert(count);
                out.push_str(&format!("<uid-{number}>"));
                rest = tail;
            } else if let Some(length) = time_length(rest).filter(|_| !self.keeps_times) {
                out.push_str("<time>");
                rest = &rest[length..];
            } else {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        out
    }

    fn version(&mut self, value: &str) -> String {
        let count = self.versions.len() + 1;
        let number = *self.versions.entry(value.to_owned()).or_insert(count);
        format!("<rv-{number}>")
    }

    pub(crate) fn value(&mut self, value: &Ordered) -> Value {
        self.inner(value, Of::Object)
    }

    fn inner(&mut self, value: &Ordered, of: Of) -> Value {
        match value {
            Ordered::Object(members) => self.object(members, of),
            Ordered::Array(items) => items.iter().map(|item| self.inner(item, Of::Object)).collect(),
            Ordered::Leaf(Value::String(text)) => self.text(text).into(),
            Ordered::Leaf(other) => other.clone(),
        }
    }

    fn object(&mut self, members: &[(String, Ordered)], of: Of) -> Value {
        let mut out = Map::new();
        let is_list = members.iter().any(|(name, _)| matches!(name.as_str(), "items" | "rows"));
        for (name, value) in members {
            let text = match value {
                Ordered::Leaf(Value::String(text)) => Some(text.as_str()),
                _ => None,
            };
            let shown = match (name.as_str(), text) {
                ("resourceVersion", Some(version @ ("" | "0"))) => version.into(),
                ("resourceVersion", Some(_)) if of == Of::List => "<list-rv>".into(),
                ("resourceVersion", Some(version)) => self.version(version).into(),
                ("continue", Some(token)) if !token.is_empty() => "<continue>".into(),
                ("hash" | "storageVersionHash" | "serverRelativeURL", _) => format!("<{name}>").into(),
                ("cells", None) if self.hides_ages => without_ages(self.inner(value, Of::Object)),
                ("metadata", None) if is_list => self.inner(value, Of::List),
                _ => self.inner(value, Of::Object),
            };
            out.insert(self.text(name), shown);
        }
        generated(&mut out);
        out.into()
    }
}

/// What a member is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Object,
    List,
}

fn generated(out: &mut Map<String, Value>) {
    let text = |name: &str| {
        out.get(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let (Some(prefix), Some(name)) = (text("generateName"), text("name")) else {
        return;
    };
    let kept: String = prefix.chars().take(58).collect();
    let Some(tail) = name.strip_prefix(&kept) else {
        return;
    };
    let safe = |c: char| "bcdfghjklmnpqrstvwxz2456789".contains(c);
    if tail.len() == 5 && tail.chars().all(safe) {
        out.insert("name".to_owned(), format!("{prefix}<gen>").into());
    }
}

fn without_ages(cells: Value) -> Value {
    let Value::Array(cells) = cells else { return cells };
    let shown = |cell: Value| if cell.as_str().is_some_and(is_age) { "<age>".into() } else { cell };
    cells.into_iter().map(shown).collect()
}

/// Whether a text is like `5d3h`.
fn is_age(text: &str) -> bool {
    let mut digits = false;
    let parts = text.bytes().all(|byte| {
        let unit = b"ydhms".contains(&byte) && digits;
        digits = byte.is_ascii_digit();
        unit || digits
    });
    parts && !digits && !text.is_empty()
}

fn is_uuid(text: &str) -> bool {
    let Some(text) = text.get(..36) else { return false };
    text.bytes().enumerate().all(|(index, byte)| match index {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
    })
}

/// The length of the time that a text begins with.
fn time_length(text: &str) -> Option<usize> {
    let fits =
        text.get(..19)?.bytes().zip("dddd-dd-ddTdd:dd:dd".bytes()).all(|(byte, pattern)| match pattern {
            b'd' => byte.is_ascii_digit(),
            other => byte == other,
        });
    if !fits {
        return None;
    }
    let rest = &text[19..];
    let fraction = match rest.strip_prefix('.') {
        Some(digits) => 1 + digits.bytes().take_while(u8::is_ascii_digit).count(),
        None => 0,
    };
    rest.get(fraction..)?.starts_with('Z').then_some(20 + fraction)
}
