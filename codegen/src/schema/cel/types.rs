//! The types of values, as far as a schema says them.

use crate::schema::{Additional, Keyword, Schema};

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ty<'s> {
    /// Any; what it is shows when the rule runs.
    Dyn,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Timestamp,
    Duration,
    /// The type of a type.
    Type,
    List(Box<Ty<'s>>),
    /// A map from texts.
    Map(Box<Ty<'s>>),
    /// An object with the fields of a schema.
    Object(&'s Schema),
    Optional(Box<Ty<'s>>),
    /// A type of a library: `quantity`, `url`, `ip`, `cidr`, `semver`, `format`.
    Library(&'static str),
}

impl<'s> Ty<'s> {
    /// The type of a value with this schema.
    pub(super) fn of(schema: &'s Schema) -> Self {
        match schema.kind() {
            "boolean" => Self::Bool,
            "integer" => Self::Int,
            "number" => Self::Double,
            "string" => match schema.text(Keyword::Format) {
                Some("date" | "date-time" | "datetime") => Self::Timestamp,
                Some("duration") => Self::Duration,
                Some("byte") => Self::Bytes,
                _ => Self::Text,
            },
            "array" => Self::List(Box::new(schema.items.as_deref().map_or(Self::Dyn, Self::of))),
            "object" => match &schema.additional {
                Some(Additional::Schema(values)) => Self::Map(Box::new(Self::of(values))),
                Some(Additional::Any) => Self::Map(Box::new(Self::Dyn)),
                None => Self::Object(schema),
            },
            _ => Self::Dyn,
        }
    }

    /// In words.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Dyn => "any value",
            Self::Null => "`null`",
            Self::Bool => "true or false",
            Self::Int => "a whole number",
            Self::Uint => "an unsigned number",
            Self::Double => "a number with a fraction",
            Self::Text => "a text",
            Self::Bytes => "bytes",
            Self::Timestamp => "a point in time",
            Self::Duration => "a duration",
            Self::Type => "a type",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Object(_) => "an object",
            Self::Optional(_) => "an optional",
            Self::Library("ip") => "an IP address",
            Self::Library("cidr") => "a range of addresses",
            Self::Library("url") => "a URL",
            Self::Library("metadata") => "the metadata",
            Self::Library(name) => return format!("a {name}"),
        }
        .to_owned()
    }

    /// Whether two values of these types can be compared, or stand for each other.
    pub(super) fn goes_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn, _) | (_, Self::Dyn) => true,
            (Self::Null, other) | (other, Self::Null) => other.can_be_null(),
            (Self::List(left), Self::List(right))
            | (Self::Map(left), Self::Map(right))
            | (Self::Optional(left), Self::Optional(right)) => left.goes_with(right),
            (Self::Object(_), Self::Object(_) | Self::Map(_)) | (Self::Map(_), Self::Object(_)) => true,
            (left, right) => left == right,
        }
    }

    /// Whether a value of this type may be `null`. A field that may be is no such value: it is absent then.
    fn can_be_null(&self) -> bool {
        let is_plain =
            matches!(self, Self::Bool | Self::Int | Self::Uint | Self::Double | Self::Text | Self::Bytes);
        !is_plain && !matches!(self, Self::List(_) | Self::Map(_))
    }

    /// Whether it is a number.
    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Uint | Self::Double)
    }
}
