//! Takes out of an exchange what differs from run to run; what is equal within a scenario stays equal.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

/// The names given so far in one scenario.
#[derive(Default)]
pub(crate) struct Normaliser {
    namespace: Option<String>,
    uids: HashMap<String, usize>,
    versions: HashMap<String, usize>,
    pub(crate) keeps_times: bool,
}

/// The order in which a real server writes members: what comes first is numbered first.
const ORDER: &[&str] = &[
    "type",
    "object",
    "kind",
    "apiVersion",
    "metadata",
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
    "spec",
    "status",
    "message",
    "reason",
    "details",
];

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

    pub(crate) fn value(&mut self, value: &Value) -> Value {
        self.inner(value, false)
    }

    /// `of_list`: whether this is the metadata of a list.
    fn inner(&mut self, value: &Value, of_list: bool) -> Value {
        match value {
            Value::Object(members) => self.object(members, of_list),
            Value::Array(items) => items.iter().map(|item| self.inner(item, false)).collect(),
            Value::String(text) => self.text(text).into(),
            other => other.clone(),
        }
    }

    fn object(&mut self, members: &Map<String, Value>, of_list: bool) -> Value {
        let mut names: Vec<&String> = members.keys().collect();
        names.sort_by_key(|name| ORDER.iter().position(|known| known == name).unwrap_or(ORDER.len()));
        let mut out = Map::new();
        let is_list = members.contains_key("items") || members.contains_key("rows");
        for name in names {
            let value = &members[name];
            let text = value.as_str();
            let shown = match (name.as_str(), text) {
                ("resourceVersion", Some("" | "0")) => value.clone(),
                ("resourceVersion", Some(_)) if of_list => "<list-rv>".into(),
                ("resourceVersion", Some(version)) => self.version(version).into(),
                ("continue", Some(token)) if !token.is_empty() => "<continue>".into(),
                ("hash" | "storageVersionHash" | "serverRelativeURL", _) => format!("<{name}>").into(),
                _ => self.inner(value, is_list && name == "metadata"),
            };
            let name = match name.as_str() {
                "resourceVersion" | "continue" | "hash" | "storageVersionHash" | "serverRelativeURL" => {
                    name.clone()
                }
                name => self.text(name),
            };
            out.insert(name, shown);
        }
        generated(&mut out);
        out.into()
    }
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

/// Removes a dotted path, in every item of the lists on the way.
pub(crate) fn drop(value: &mut Value, path: &[&str]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| drop(item, path)),
        Value::Object(members) => match path {
            [last] => {
                members.remove(*last);
            }
            [first, rest @ ..] => {
                if let Some(value) = members.get_mut(*first) {
                    drop(value, rest);
                }
            }
            [] => {}
        },
        _ => {}
    }
}

/// The value at a path such as `a.b[0].c`.
pub(crate) fn at(value: &Value, path: &str) -> Value {
    let mut value = value.clone();
    for part in path.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
        value = match &value {
            Value::Array(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)).cloned(),
            Value::Object(members) => members.get(part).cloned(),
            _ => None,
        }
        .unwrap_or_default();
    }
    value
}

/// The value without the texts of failures.
pub(crate) fn shape(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(members) => {
            let mut out: Map<String, Value> =
                members.iter().map(|(name, value)| (name.clone(), shape(value))).collect();
            if out.get("kind") == Some(&json!("Status")) && out.get("status") == Some(&json!("Failure")) {
                out.remove("message");
                let causes = out.get_mut("details").and_then(|details| details.get_mut("causes"));
                for cause in causes.and_then(Value::as_array_mut).into_iter().flatten() {
                    if let Some(cause) = cause.as_object_mut() {
                        cause.remove("message");
                    }
                }
            }
            out.into()
        }
        other => other.clone(),
    }
}

/// What differs, one line each.
pub(crate) fn differences(want: &Value, got: &Value) -> Vec<String> {
    let mut out = Vec::new();
    compare(want, got, "", &mut out);
    out
}

fn compare(want: &Value, got: &Value, path: &str, out: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(a), Value::Object(b)) => {
            for (name, value) in a {
                match b.get(name) {
                    Some(other) => compare(value, other, &format!("{path}.{name}"), out),
                    None => out.push(format!("{path}.{name}: missing, want {}", cut(value))),
                }
            }
            for (name, value) in b.iter().filter(|(name, _)| !a.contains_key(*name)) {
                out.push(format!("{path}.{name}: unexpected {}", cut(value)));
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                out.push(format!("{path}: want {} items, got {}", a.len(), b.len()));
            }
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(a, b, &format!("{path}[{index}]"), out);
            }
        }
        (want, got) if want == got => {}
        (want, got) => out.push(format!("{path}: want {} got {}", cut(want), cut(got))),
    }
}

fn cut(value: &Value) -> String {
    value.to_string().chars().take(360).collect()
}
