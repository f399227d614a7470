//! Bounds: markers with one plain value, for numbers, texts, lists and objects.

use super::keyword::number;
use super::{Keyword, Schema};
use crate::model::{Marker, MarkerValue};
use kube_codegen_go_regex::GoRegexError;
use serde_json::Value;

/// A bound: the marker's short name, its keyword, and what it is for.
#[derive(Debug)]
pub(super) struct Bound {
    name: &'static str,
    keyword: Keyword,
    of: Of,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    Numbers,
    Texts,
    Lists,
    Objects,
    Anything,
}

const fn bound(name: &'static str, keyword: Keyword, of: Of) -> Bound {
    Bound { name, keyword, of }
}

const BOUNDS: &[Bound] = &[
    bound("Maximum", Keyword::Maximum, Of::Numbers),
    bound("Minimum", Keyword::Minimum, Of::Numbers),
    bound("k8s:maximum", Keyword::Maximum, Of::Numbers),
    bound("k8s:minimum", Keyword::Minimum, Of::Numbers),
    bound("ExclusiveMaximum", Keyword::ExclusiveMaximum, Of::Numbers),
    bound("ExclusiveMinimum", Keyword::ExclusiveMinimum, Of::Numbers),
    bound("MultipleOf", Keyword::MultipleOf, Of::Numbers),
    bound("MaxLength", Keyword::MaxLength, Of::Texts),
    bound("MinLength", Keyword::MinLength, Of::Texts),
    bound("Pattern", Keyword::Pattern, Of::Texts),
    bound("MaxItems", Keyword::MaxItems, Of::Lists),
    bound("MinItems", Keyword::MinItems, Of::Lists),
    bound("k8s:maxItems", Keyword::MaxItems, Of::Lists),
    bound("UniqueItems", Keyword::UniqueItems, Of::Lists),
    bound("MaxProperties", Keyword::MaxProperties, Of::Objects),
    bound("MinProperties", Keyword::MinProperties, Of::Objects),
    bound("Format", Keyword::Format, Of::Anything),
    bound("Type", Keyword::Type, Of::Anything),
];

/// Why a bound does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Misfit {
    /// It stands on another type.
    Type {
        /// What it is for.
        wanted: &'static str,
        /// What it stands on.
        found: String,
    },
    /// A fraction for a whole number.
    Fraction,
    /// `UniqueItems=true`, which no server takes.
    Unique,
    /// A length or a count below zero.
    Negative,
    /// A pattern that cannot be read, and why.
    Pattern(String),
}

/// The bound of a marker.
pub(super) fn find(name: &str) -> Option<&'static Bound> {
    BOUNDS.iter().find(|bound| bound.name == name)
}

/// Sets a bound.
pub(super) fn apply(schema: &mut Schema, bound: &Bound, marker: &Marker) -> Result<(), Misfit> {
    let wanted = match bound.of {
        Of::Numbers if !matches!(kind(schema), "integer" | "number") => "a number",
        Of::Texts if !is_textual(schema) => "a text",
        Of::Lists if kind(schema) != "array" => "a list",
        Of::Objects if kind(schema) != "object" => "a map or a struct",
        _ => "",
    };
    if !wanted.is_empty() {
        return Err(Misfit::Type { wanted, found: described(schema) });
    }
    let value = match marker.value() {
        Some(MarkerValue::Float(value)) => {
            if value.fract() != 0.0 && kind(schema) == "integer" {
                return Err(Misfit::Fraction);
            }
            number(*value)
        }
        Some(MarkerValue::Integer(value)) if *value < 0 => return Err(Misfit::Negative),
        Some(MarkerValue::Integer(value)) => Value::from(*value),
        Some(MarkerValue::Bool(false)) => {
            // `false` is what a schema means without the keyword.
            schema.keywords.remove(&bound.keyword);
            return Ok(());
        }
        Some(MarkerValue::Bool(true)) if bound.keyword == Keyword::UniqueItems => return Err(Misfit::Unique),
        Some(MarkerValue::Bool(true)) => Value::Bool(true),
        Some(MarkerValue::Text(text)) => {
            if bound.keyword == Keyword::Pattern {
                readable(text)?;
            }
            Value::from(text.as_str())
        }
        _ => return Ok(()),
    };
    if value == "" {
        schema.keywords.remove(&bound.keyword);
    } else {
        schema.set(bound.keyword, value);
    }
    Ok(())
}

/// Why a server cannot read a pattern, in its words.
pub(super) fn unread(error: &GoRegexError) -> String {
    format!("{}: `{}`", error.what(), error.part())
}

/// Whether a server can read a pattern.
fn readable(pattern: &str) -> Result<(), Misfit> {
    kube_codegen_go_regex::read(pattern).map(drop).map_err(|error| Misfit::Pattern(unread(&error)))
}

/// `k8s:required`: the value must be there and not be empty.
pub(super) fn not_empty(schema: &mut Schema) {
    let keyword = match schema.kind() {
        "string" => Keyword::MinLength,
        "array" => Keyword::MinItems,
        "object" => Keyword::MinProperties,
        _ if schema.reference.is_some() => Keyword::MinProperties,
        _ => return,
    };
    schema.keywords.entry(keyword).or_insert(Value::from(1));
}

/// The type of a value: the node's own, else that of the type which it refines.
pub(super) fn kind(schema: &Schema) -> &str {
    match (schema.kind(), &schema.reference) {
        ("", Some(target)) => target.kind(),
        (own, _) => own,
    }
}

fn is_textual(schema: &Schema) -> bool {
    let mixed = |schema: &Schema| schema.is(Keyword::IntOrString);
    kind(schema) == "string" || mixed(schema) || schema.reference.as_deref().is_some_and(mixed)
}

/// What a value is, in words.
pub(super) fn described(schema: &Schema) -> String {
    match kind(schema) {
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" if schema.additional.is_some() => "a map",
        "object" => "a struct",
        _ => "of no single type",
    }
    .to_owned()
}
