//! Values of rules, as far as they are known without a server.

use super::names::unescaped;
use crate::schema::{Additional, Keyword, Schema};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Val {
    /// One that only a server sees as a rule does, such as a point in time.
    Unknown,
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    List(Vec<Self>),
    /// Free keys.
    Map(BTreeMap<String, Self>),
    /// The fields of a schema that are there, by their names in JSON.
    Object(BTreeMap<String, Self>),
    Optional(Option<Box<Self>>),
}

/// Why there is no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It would take a server to know.
    Unknown,
    /// A server would say that there is none.
    Failed,
}

pub(super) type Known<T> = Result<T, Stop>;

impl Val {
    /// A value as rules see it through its schema.
    pub(super) fn of(value: &Value, schema: &Schema) -> Self {
        let is_mixed = schema.is(Keyword::IntOrString);
        match (value, schema.kind()) {
            (Value::Bool(flag), "boolean") => Self::Bool(*flag),
            (Value::Number(number), "integer") => number.as_i64().map_or(Self::Unknown, Self::Int),
            (Value::Number(number), _) if is_mixed => number.as_i64().map_or(Self::Unknown, Self::Int),
            (Value::Number(number), "number") => number.as_f64().map_or(Self::Unknown, Self::Double),
            (Value::String(text), _) if is_mixed => Self::Text(text.clone()),
            (Value::String(text), "string") => match schema.text(Keyword::Format) {
                Some("date" | "date-time" | "datetime" | "duration" | "byte") => Self::Unknown,
                _ => Self::Text(text.clone()),
            },
            (Value::Array(items), "array") => match schema.items.as_deref() {
                Some(schema) => Self::List(items.iter().map(|item| Self::of(item, schema)).collect()),
                None => Self::Unknown,
            },
            (Value::Object(members), "object") => Self::members(members, schema),
            _ => Self::Unknown,
        }
    }

    fn members(members: &serde_json::Map<String, Value>, schema: &Schema) -> Self {
        match &schema.additional {
            Some(Additional::Schema(values)) => Self::Map(
                members.iter().map(|(name, value)| (name.clone(), Self::of(value, values))).collect(),
            ),
            Some(Additional::Any) => Self::Unknown,
            None if schema.is(Keyword::EmbeddedResource) => Self::Unknown,
            None => {
                let seen = members.iter().filter_map(|(name, value)| {
                    Some((name.clone(), Self::of(value, schema.properties.get(name)?)))
                });
                Self::Object(seen.collect())
            }
        }
    }

    /// The member with the name that a rule writes, where it is there.
    pub(super) fn member(&self, name: &str) -> Known<Option<&Self>> {
        match self {
            Self::Map(members) => Ok(members.get(name)),
            Self::Object(members) => Ok(members.get(&unescaped(name))),
            _ => Err(Stop::Unknown),
        }
    }

    /// Itself, where it is known.
    pub(super) fn known(self) -> Known<Self> {
        if self == Self::Unknown { Err(Stop::Unknown) } else { Ok(self) }
    }

    pub(super) fn verdict(self) -> Known<bool> {
        match self {
            Self::Bool(flag) => Ok(flag),
            _ => Err(Stop::Unknown),
        }
    }

    /// How many elements it has.
    pub(super) fn size(&self) -> Known<Self> {
        let size = match self {
            Self::Text(text) => text.chars().count(),
            Self::List(items) => items.len(),
            Self::Map(members) => members.len(),
            _ => return Err(Stop::Unknown),
        };
        i64::try_from(size).map(Self::Int).map_err(|_| Stop::Unknown)
    }

    /// Whether two values are the same; numbers are whatever their types.
    pub(super) fn same(&self, other: &Self) -> Known<bool> {
        match (self, other) {
            (Self::Unknown | Self::Optional(_), _) | (_, Self::Unknown | Self::Optional(_)) => {
                Err(Stop::Unknown)
            }
            (Self::Int(_) | Self::Double(_), Self::Int(_) | Self::Double(_)) => {
                Ok(self.order(other)? == Some(Ordering::Equal))
            }
            (Self::List(left), Self::List(right)) => {
                Ok(left.len() == right.len() && all_same(left.iter().zip(right))?)
            }
            (Self::Map(left), Self::Map(right)) | (Self::Object(left), Self::Object(right)) => {
                Ok(left.keys().eq(right.keys()) && all_same(left.values().zip(right.values()))?)
            }
            (left, right) => Ok(left == right),
        }
    }

    /// Which of two values comes first; none where that cannot be said of numbers.
    pub(super) fn order(&self, other: &Self) -> Known<Option<Ordering>> {
        Ok(match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(right)),
            (Self::Double(left), Self::Double(right)) => left.partial_cmp(right),
            (Self::Text(left), Self::Text(right)) => Some(left.cmp(right)),
            (Self::Bool(left), Self::Bool(right)) => Some(left.cmp(right)),
            (Self::Int(left), Self::Double(right)) => exact(*left)?.partial_cmp(right),
            (Self::Double(left), Self::Int(right)) => left.partial_cmp(&exact(*right)?),
            _ => return Err(Stop::Unknown),
        })
    }
}

/// Whether all pairs are the same: one that differs decides, whatever is not known of others.
fn all_same<'v>(pairs: impl Iterator<Item = (&'v Val, &'v Val)>) -> Known<bool> {
    let mut found = Ok(true);
    for (left, right) in pairs {
        match left.same(right) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(stop) => found = Err(stop),
        }
    }
    found
}

/// A whole number as a fraction, where that is the same number.
fn exact(number: i64) -> Known<f64> {
    let small = i32::try_from(number).map_err(|_| Stop::Unknown)?;
    Ok(f64::from(small))
}
