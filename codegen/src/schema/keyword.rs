//! The keywords of a schema that have a plain value.

use serde_json::Value;

/// A keyword with a plain value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the variants are the keywords of JSON schema and of Kubernetes")]
pub enum Keyword {
    Type,
    Format,
    Nullable,
    Default,
    Enum,
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
    MultipleOf,
    MinLength,
    MaxLength,
    Pattern,
    MinItems,
    MaxItems,
    UniqueItems,
    MinProperties,
    MaxProperties,
    EmbeddedResource,
    IntOrString,
    PreserveUnknownFields,
    ListType,
    MapType,
}

/// What becomes of a keyword that two schemas for one value both have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clash {
    /// The first stays; another one is a contradiction.
    Contradiction,
    /// The first stays.
    First,
    /// The second wins.
    Second,
    /// Both hold, side by side in `allOf`, unless they are the same.
    SideBySide,
    /// Both hold, side by side in `allOf`, be they the same or not.
    Repeated,
}

impl Keyword {
    /// All of them.
    pub const ALL: [Self; 23] = [
        Self::Type,
        Self::Format,
        Self::Nullable,
        Self::Default,
        Self::Enum,
        Self::Minimum,
        Self::Maximum,
        Self::ExclusiveMinimum,
        Self::ExclusiveMaximum,
        Self::MultipleOf,
        Self::MinLength,
        Self::MaxLength,
        Self::Pattern,
        Self::MinItems,
        Self::MaxItems,
        Self::UniqueItems,
        Self::MinProperties,
        Self::MaxProperties,
        Self::EmbeddedResource,
        Self::IntOrString,
        Self::PreserveUnknownFields,
        Self::ListType,
        Self::MapType,
    ];

    /// The name in a schema.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Format => "format",
            Self::Nullable => "nullable",
            Self::Default => "default",
            Self::Enum => "enum",
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::ExclusiveMinimum => "exclusiveMinimum",
            Self::ExclusiveMaximum => "exclusiveMaximum",
            Self::MultipleOf => "multipleOf",
            Self::MinLength => "minLength",
            Self::MaxLength => "maxLength",
            Self::Pattern => "pattern",
            Self::MinItems => "minItems",
            Self::MaxItems => "maxItems",
            Self::UniqueItems => "uniqueItems",
            Self::MinProperties => "minProperties",
            Self::MaxProperties => "maxProperties",
            Self::EmbeddedResource => "x-kubernetes-embedded-resource",
            Self::IntOrString => "x-kubernetes-int-or-string",
            Self::PreserveUnknownFields => "x-kubernetes-preserve-unknown-fields",
            Self::ListType => "x-kubernetes-list-type",
            Self::MapType => "x-kubernetes-map-type",
        }
    }

    /// What becomes of it when two schemas for one value both have it. The rules are controller-gen's, so that
    /// definitions stay the same when types move from Go to Rust.
    pub(super) const fn clash(self) -> Clash {
        match self {
            Self::Type => Clash::Contradiction,
            Self::Enum | Self::Nullable => Clash::First,
            Self::PreserveUnknownFields | Self::ListType | Self::MapType => Clash::Second,
            Self::Minimum
            | Self::Maximum
            | Self::MultipleOf
            | Self::MinLength
            | Self::MaxLength
            | Self::MinItems
            | Self::MaxItems
            | Self::Default => Clash::Repeated,
            _ => Clash::SideBySide,
        }
    }
}

/// A number as JSON writes it: whole numbers without a fraction.
pub(super) fn number(value: f64) -> Value {
    let text = format!("{value}");
    match text.parse::<i64>() {
        Ok(whole) => Value::from(whole),
        Err(_) => Value::from(value),
    }
}
