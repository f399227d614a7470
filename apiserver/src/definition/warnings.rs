//! What a definition is warned of: formats that nobody checks, sets of things that are no scalars.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    protocol::Fields,
    schema::structural::{Structural, is_recognised},
};

/// The warnings about a definition that those about the old one do not have.
pub(crate) fn warnings(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let (formats, sets) = of(object);
    let (old_formats, old_sets) = old.map(of).unwrap_or_default();
    let formats = formats.into_iter().filter(|format| !old_formats.contains(format));
    formats.chain(sets.into_iter().filter(|text| !old_sets.contains(text))).collect()
}

fn of(object: &Fields) -> (Vec<String>, BTreeSet<String>) {
    let versions = object.get("spec").and_then(|spec| spec.get("versions")).and_then(Value::as_array);
    let schemas: Vec<&Value> = versions
        .into_iter()
        .flatten()
        .filter_map(|version| version.pointer("/schema/openAPIV3Schema"))
        .collect();
    // Versions that share one schema have it once.
    let shared = schemas.windows(2).all(|pair| pair.first() == pair.last());
    let taken = if shared { 1 } else { schemas.len() };
    let mut formats = Vec::new();
    let mut sets = BTreeSet::new();
    for schema in schemas.into_iter().take(taken) {
        walk(&Structural::read(schema), &mut formats, &mut sets);
    }
    (formats, sets)
}

fn walk(schema: &Structural, formats: &mut Vec<String>, sets: &mut BTreeSet<String>) {
    if !schema.format.is_empty() && !is_recognised(&schema.kind, &schema.format) {
        formats.push(format!("unrecognized format \"{}\"", schema.format));
    }
    let items = schema.items.as_deref();
    if let (Some("set"), Some(kind @ ("object" | "array"))) =
        (schema.list_type.as_deref(), items.map(|items| items.kind.as_str()))
    {
        sets.insert(format!(
            "x-kubernetes-list-type: set for items of type \"{kind}\" is not supported by server-side apply or CEL validation rules"
        ));
    }
    let additional = schema.additional.as_ref().and_then(|additional| additional.schema());
    let below = items
        .into_iter()
        .chain(&schema.all_of)
        .chain(&schema.any_of)
        .chain(&schema.one_of)
        .chain(schema.not.as_deref())
        .chain(schema.properties.values())
        .chain(additional);
    for schema in below {
        walk(schema, formats, sets);
    }
}
