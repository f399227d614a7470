//! What schemas say to expressions.
//!
//! In: a structural schema. Out: its declaration: the types that rules see, and the bounds from which their costs are reckoned.

use super::{Additional, Structural};
use crate::cel::{Decl, DeclKind, ListForm, MAX_REQUEST, Type};

/// Which object a schema is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// A whole object: apiVersion, kind and the names in its metadata are there whatever the schema says.
    Whole,
    Part,
}

impl Root {
    /// Whether the value of a schema below is a whole object.
    pub(crate) fn of(schema: &Structural) -> Self {
        if schema.embedded { Self::Whole } else { Self::Part }
    }
}

/// How long names of objects may be.
const LONGEST_NAME: u64 = 253;

fn bound(limit: Option<i64>) -> Option<u64> {
    limit.map(|limit| u64::try_from(limit).unwrap_or_default())
}

/// The declaration of a schema; none where rules cannot see its values.
pub(crate) fn declare(schema: &Structural, root: Root) -> Option<Decl> {
    if schema.int_or_string {
        let mut decl = Decl::plain(Type::Dyn);
        decl.max_elements = Some(text_bound(schema));
        return Some(decl);
    }
    match schema.kind.as_str() {
        "array" => {
            let items = schema.items.as_deref()?;
            let below = declare(items, Root::of(items))?;
            let most = bound(schema.limits.max_items).unwrap_or((MAX_REQUEST - 2) / (below.min_size + 1));
            let form = match schema.list_type.as_deref() {
                Some("set") => ListForm::Set,
                Some("map") => ListForm::Map(schema.list_map_keys.clone()),
                _ => ListForm::Atomic,
            };
            Some(Decl::list(below, form, most))
        }
        "object" => {
            if root == Root::Part
                && let Some(values) = schema.additional.as_ref().and_then(Additional::schema)
            {
                let below = declare(values, Root::of(values))?;
                let most =
                    bound(schema.limits.max_properties).unwrap_or((MAX_REQUEST - 2) / (below.min_size + 6));
                return Some(Decl::map(below, most));
            }
            Some(object(schema, root))
        }
        "string" => Some(text(schema)),
        "boolean" => Some(Decl::plain(Type::Bool)),
        "number" => Some(Decl::plain(Type::Double)),
        "integer" => Some(Decl::plain(Type::Int)),
        _ => None,
    }
}

fn object(schema: &Structural, root: Root) -> Decl {
    let plain_text = || Decl::text(MAX_REQUEST - 2);
    let mut min_size = 2;
    let (mut fields, mut hidden) = (Vec::new(), Vec::new());
    for (name, property) in &schema.properties {
        if root == Root::Whole && ["apiVersion", "kind", "metadata"].contains(&name.as_str()) {
            continue;
        }
        let Some(decl) = declare(property, Root::of(property)) else {
            hidden.push(name.clone());
            continue;
        };
        if schema.required.contains(name) && property.default.is_none() {
            min_size += u64::try_from(name.len()).unwrap_or_default() + decl.min_size + 4;
        }
        fields.push((name.clone(), decl));
    }
    if root == Root::Whole {
        for name in ["apiVersion", "kind"] {
            fields.push((name.to_owned(), plain_text()));
        }
        let named = |name: &str, longest: u64| {
            let own = schema.properties.get("metadata").and_then(|metadata| metadata.properties.get(name));
            let most =
                own.and_then(|own| bound(own.limits.max_length)).map_or(longest, |own| own.min(longest));
            (name.to_owned(), Decl::text(most.saturating_mul(4)))
        };
        // A letter at least follows what names are generated from.
        let names = [named("name", LONGEST_NAME), named("generateName", LONGEST_NAME - 1)];
        fields.push(("metadata".to_owned(), Decl::object(names)));
    }
    Decl { min_size, ..Decl::object(fields).hiding(hidden) }
}

fn text(schema: &Structural) -> Decl {
    let plain = |kind: Type, min_size: u64, most: u64| Decl {
        kind: DeclKind::Plain(kind),
        max_elements: Some(most),
        min_size,
    };
    match schema.format.as_str() {
        "byte" => plain(Type::Bytes, 2, bound(schema.limits.max_length).unwrap_or(MAX_REQUEST - 2)),
        "duration" => plain(Type::Duration, 4, 32),
        "date" => plain(Type::Timestamp, 12, 12),
        "date-time" => plain(Type::Timestamp, 22, 32),
        _ => plain(Type::String, 2, text_bound(schema)),
    }
}

/// The most bytes that a text can have.
fn text_bound(schema: &Structural) -> u64 {
    if let Some(most) = bound(schema.limits.max_length) {
        return most.saturating_mul(4);
    }
    let longest = schema.enums.iter().filter_map(|value| value.as_str()).map(str::len).max();
    match longest {
        Some(longest) if !schema.int_or_string => u64::try_from(longest).unwrap_or(u64::MAX),
        _ => MAX_REQUEST - 2,
    }
}
