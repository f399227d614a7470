//! One step of a path: a field, a list item by key, by value or by index.

use std::{
    cmp::Ordering,
    fmt::{self, Write as _},
};

use serde_json::{Map, Value};
use smol_str::SmolStr;

use crate::{patch::error::go_quote, protocol::html_safe};

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathElement {
    /// A member of an object.
    Field(SmolStr),
    /// The list item whose members have these values, sorted by name.
    Key(Vec<(String, KeyValue)>),
    /// The list item with this value.
    Value(KeyValue),
    /// The list item at this place.
    Index(i64),
}

/// A value within a path, with an order: numbers, texts, booleans, lists, objects, null.
#[derive(Clone, Debug)]
pub struct KeyValue(pub Value);

impl PartialEq for KeyValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for KeyValue {}

impl PartialOrd for KeyValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for KeyValue {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}

/// The order of values: by kind, then by what they hold; whole numbers and fractions by their amount.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => match (left.as_i64(), right.as_i64()) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => left.as_f64().unwrap_or_default().total_cmp(&right.as_f64().unwrap_or_default()),
        },
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => {
            let differing =
                left.iter().zip(right).map(|(left, right)| compare(left, right)).find(|order| order.is_ne());
            differing.unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        (Value::Object(left), Value::Object(right)) => compare_objects(left, right),
        _ => rank(left).cmp(&rank(right)),
    }
}

fn compare_objects(left: &Map<String, Value>, right: &Map<String, Value>) -> Ordering {
    let members = |(left, right): ((&String, &Value), (&String, &Value))| {
        left.0.cmp(right.0).then_with(|| compare(left.1, right.1))
    };
    let differing = left.iter().zip(right).map(members).find(|order| order.is_ne());
    differing.unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Bool(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
        Value::Null => 5,
    }
}

/// Whether two objects are equal where `1` and `1.0` are.
pub(crate) fn same_members(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    left == right || compare_objects(left, right).is_eq()
}

/// Whether two values are equal where `1` and `1.0` are.
pub(crate) fn same_value(left: &Value, right: &Value) -> bool {
    left == right || compare(left, right).is_eq()
}

impl fmt::Display for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::String(text) => f.write_str(&go_quote(text)),
            other => other.fmt(f),
        }
    }
}

/// A value as Go writes it: whole numbers without a fraction.
fn written(value: &Value) -> String {
    match value {
        Value::Number(number) => crate::protocol::go_number(number),
        other => other.to_string(),
    }
}

impl PathElement {
    /// A member of an object.
    #[must_use]
    pub fn field(name: &str) -> Self {
        Self::Field(name.into())
    }

    /// The element as a member name in `fieldsV1`, such as `f:spec` or `k:{"name":"c"}`.
    #[must_use]
    pub fn encode(&self) -> String {
        match self {
            Self::Field(name) => ["f:", name].concat(),
            Self::Key(parts) => {
                let mut out = String::from("k:{");
                for (index, (name, value)) in parts.iter().enumerate() {
                    let comma = if index > 0 { "," } else { "" };
                    // Writing into a string does not fail.
                    let _ = write!(out, "{comma}{}:{}", Value::from(name.as_str()), written(&value.0));
                }
                out.push('}');
                html_safe(out)
            }
            Self::Value(value) => html_safe(format!("v:{}", written(&value.0))),
            Self::Index(place) => format!("i:{place}"),
        }
    }

    /// The element of a member name. Kinds that are not known yet are none.
    ///
    /// # Errors
    ///
    /// When the name is no path element, with the reason.
    pub fn decode(text: &str) -> Result<Option<Self>, String> {
        let Some((kind, rest)) = text.split_once(':').filter(|(kind, _)| kind.len() == 1) else {
            return Err(format!("missing colon: {text}"));
        };
        let element = match kind {
            "f" => Self::Field(rest.into()),
            "v" => Self::Value(KeyValue(parse(rest)?)),
            "i" => Self::Index(rest.parse().map_err(|error| format!("{rest}: {error}"))?),
            "k" => match parse(rest)? {
                Value::Object(members) => Self::key(members),
                other => return Err(format!("no key: {other}")),
            },
            _ => return Ok(None),
        };
        Ok(Some(element))
    }

    /// The list item whose members have these values.
    #[must_use]
    pub fn key(members: Map<String, Value>) -> Self {
        Self::keyed(members.into_iter().map(|(name, value)| (name, KeyValue(value))).collect())
    }

    /// The list item with this key, whose members come in any order.
    pub(crate) fn keyed(mut parts: Vec<(String, KeyValue)>) -> Self {
        parts.sort();
        Self::Key(parts)
    }
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))
}

impl fmt::Display for PathElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => write!(f, ".{name}"),
            Self::Key(parts) => {
                let part = |(name, value): &(String, KeyValue)| format!("{name}={value}");
                write!(f, "[{}]", parts.iter().map(part).collect::<Vec<_>>().join(","))
            }
            Self::Value(value) => write!(f, "[={value}]"),
            Self::Index(place) => write!(f, "[{place}]"),
        }
    }
}

/// A whole path as messages print it, such as `.spec.containers[name="c"].image`.
#[must_use]
pub fn path_text(path: &[PathElement]) -> String {
    path.iter().map(ToString::to_string).collect()
}
