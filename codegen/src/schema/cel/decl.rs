//! How large values may get: what the costs of rules are reckoned from.
//!
//! In: a schema. Out: bounds as a server takes them: the most elements that a value can have, and the fewest bytes that it takes.

use super::names::unescaped;
use crate::schema::{Additional, Keyword, Schema};
use serde_json::Value;

/// The largest request that a server reads, in bytes: what bounds everything that has no bound of its own.
pub(in crate::schema) const MAX_REQUEST: u64 = 3 * 1024 * 1024;

/// Which object a schema is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) enum Root {
    /// A whole object: apiVersion, kind and the names in its metadata are there whatever the schema says.
    Whole,
    /// A part of one.
    Part,
}

impl Root {
    /// Whether the value of a schema below is a whole object.
    pub(in crate::schema) fn of(schema: &Schema) -> Self {
        if schema.is(Keyword::EmbeddedResource) { Self::Whole } else { Self::Part }
    }
}

/// What is known of a value.
#[derive(Debug, Clone, Copy)]
pub(in crate::schema) enum Decl<'s> {
    /// A value with a schema.
    Node(&'s Schema, Root),
    /// The metadata of a whole object, with what its schema says of the names.
    Metadata(Option<&'s Schema>),
    /// A text of so many bytes at most.
    Text(u64),
}

/// How long names of objects may be.
const NAME: u64 = 253;

impl<'s> Decl<'s> {
    /// A value of a schema below another; none where rules see nothing of it.
    pub(in crate::schema) fn of(schema: &'s Schema, root: Root) -> Option<Self> {
        is_seen(schema, root).then_some(Self::Node(schema, root))
    }

    /// The most elements that it can have: characters, items or members; 0 where it has none.
    pub(super) fn most(&self) -> u64 {
        let (schema, root) = match self {
            Self::Node(schema, root) => (*schema, *root),
            Self::Metadata(_) => return 0,
            Self::Text(most) => return *most,
        };
        let filled = |below: Self, between: u64| (MAX_REQUEST - 2) / (below.least_bytes() + between);
        match schema.kind() {
            _ if schema.is(Keyword::IntOrString) => longest(schema),
            "array" => {
                let below = self.element().map(|below| filled(below, 1));
                limit(schema, Keyword::MaxItems).or(below).unwrap_or_default()
            }
            "object" if root == Root::Part && values(schema).is_some() => {
                let below = self.element().map(|below| filled(below, 6));
                limit(schema, Keyword::MaxProperties).or(below).unwrap_or_default()
            }
            "string" => match schema.text(Keyword::Format) {
                Some("byte") => limit(schema, Keyword::MaxLength).unwrap_or(MAX_REQUEST - 2),
                Some("date") => 12,
                Some("duration" | "date-time") => 32,
                _ => longest(schema),
            },
            _ => 0,
        }
    }

    /// The fewest bytes that it takes in JSON.
    pub(in crate::schema) fn least_bytes(&self) -> u64 {
        let Self::Node(schema, root) = self else { return 2 };
        match schema.kind() {
            _ if schema.is(Keyword::IntOrString) => 1,
            "boolean" => 4,
            "string" => match schema.text(Keyword::Format) {
                Some("duration") => 4,
                Some("date") => 12,
                Some("date-time") => 22,
                _ => 2,
            },
            "object" if *root == Root::Whole || values(schema).is_none() => least_bytes(schema, *root),
            "array" | "object" => 2,
            _ => 1,
        }
    }

    /// A field, by the name that rules use.
    pub(super) fn field(&self, name: &str) -> Option<Self> {
        let name = unescaped(name);
        match self {
            Self::Node(schema, Root::Whole) if name == "metadata" => {
                Some(Self::Metadata(schema.properties.get("metadata")))
            }
            Self::Node(_, Root::Whole) if matches!(name.as_str(), "apiVersion" | "kind") => {
                Some(Self::Text(MAX_REQUEST - 2))
            }
            Self::Node(schema, root) => {
                let is_map = *root == Root::Part && values(schema).is_some();
                let field = schema.properties.get(&name).filter(|_| schema.kind() == "object" && !is_map)?;
                Self::of(field, Root::of(field))
            }
            Self::Metadata(own) if matches!(name.as_str(), "name" | "generateName") => {
                let own = own.and_then(|own| limit(own.properties.get(&name)?, Keyword::MaxLength));
                // A letter at least follows what names are generated from.
                let most = if name == "name" { NAME } else { NAME - 1 };
                Some(Self::Text(own.map_or(most, |own| own.min(most)).saturating_mul(4)))
            }
            Self::Metadata(_) | Self::Text(_) => None,
        }
    }

    /// What items of a list or values of a map are.
    pub(super) fn element(&self) -> Option<Self> {
        let Self::Node(schema, root) = self else { return None };
        let below = match schema.kind() {
            "array" => schema.items.as_deref()?,
            "object" if *root == Root::Part => values(schema)?,
            _ => return None,
        };
        Self::of(below, Root::of(below))
    }
}

/// The values of a map.
pub(in crate::schema) fn values(schema: &Schema) -> Option<&Schema> {
    match &schema.additional {
        Some(Additional::Schema(values)) => Some(values),
        _ => None,
    }
}

/// A bound that a schema says.
pub(in crate::schema) fn limit(schema: &Schema, keyword: Keyword) -> Option<u64> {
    schema.get(keyword).and_then(Value::as_u64)
}

/// Whether rules see anything of a value.
fn is_seen(schema: &Schema, root: Root) -> bool {
    let below = |below: &Schema| is_seen(below, Root::of(below));
    match schema.kind() {
        _ if schema.is(Keyword::IntOrString) => true,
        "array" => schema.items.as_deref().is_some_and(below),
        "object" => root == Root::Whole || values(schema).is_none_or(below),
        kind => matches!(kind, "string" | "boolean" | "number" | "integer"),
    }
}

/// The fewest bytes of an object: with the fields that have to be sent.
fn least_bytes(schema: &Schema, root: Root) -> u64 {
    let is_sent = |name: &&String| match root {
        Root::Whole => !matches!(name.as_str(), "apiVersion" | "kind" | "metadata"),
        Root::Part => true,
    };
    let required = schema.required.iter().filter(is_sent).filter_map(|name| {
        let field = schema.properties.get(name).filter(|field| field.get(Keyword::Default).is_none())?;
        let decl = Decl::of(field, Root::of(field))?;
        Some(u64::try_from(name.len()).unwrap_or_default() + decl.least_bytes() + 4)
    });
    2 + required.sum::<u64>()
}

/// The most bytes that a text can have.
fn longest(schema: &Schema) -> u64 {
    if let Some(most) = limit(schema, Keyword::MaxLength) {
        return most.saturating_mul(4);
    }
    let words =
        schema.get(Keyword::Enum).and_then(Value::as_array).filter(|_| !schema.is(Keyword::IntOrString));
    let longest = words.and_then(|words| words.iter().filter_map(Value::as_str).map(str::len).max());
    longest.map_or(MAX_REQUEST - 2, |longest| u64::try_from(longest).unwrap_or(u64::MAX))
}
