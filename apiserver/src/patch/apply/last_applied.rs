//! The way from `kubectl apply` on the client's side to server-side apply: what the annotation of the former lists, the manager `kubectl`
//! may take over without a conflict.

use serde_json::{Map, Value};

use crate::{
    patch::{
        fields::FieldSet,
        typed::{compare, field_set},
    },
    schema::TypeSchema,
};

/// The manager that may.
pub(crate) const KUBECTL: &str = "kubectl";
const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// All annotations together may be this long, in bytes.
const MOST_ANNOTATIONS: usize = 256 * 1024;

/// The fields of the annotation that still are as they were applied.
pub(crate) fn fields(live: &Map<String, Value>, schema: &TypeSchema, api_version: &str) -> Option<FieldSet> {
    let text = annotation(live)?;
    let applied: Value = serde_json::from_str(text).ok()?;
    if applied.get("apiVersion").and_then(Value::as_str) != Some(api_version) {
        return None;
    }
    let found = compare(applied.as_object()?, live, schema).ok()?;
    let set = field_set(&applied, schema);
    Some(set.difference(&found.modified).difference(&found.added).difference(&found.removed))
}

fn annotation(object: &Map<String, Value>) -> Option<&str> {
    object.get("metadata")?.get("annotations")?.get(ANNOTATION)?.as_str().filter(|text| !text.is_empty())
}

/// Writes what was applied into the annotation, if the object has it and it stays short enough.
pub(crate) fn renew(object: &mut Map<String, Value>, applied: &Value) {
    if annotation(object).is_none() {
        return;
    }
    let mut applied = applied.clone();
    if let Some(Value::Object(annotations)) = applied.pointer_mut("/metadata/annotations") {
        annotations.remove(ANNOTATION);
        if annotations.is_empty()
            && let Some(Value::Object(metadata)) = applied.get_mut("metadata")
        {
            metadata.remove("annotations");
        }
    }
    let text = format!("{applied}\n");
    let annotations = object.get_mut("metadata").and_then(|metadata| metadata.get_mut("annotations"));
    let Some(Value::Object(annotations)) = annotations else { return };
    annotations.remove(ANNOTATION);
    let length = |(name, value): (&String, &Value)| name.len() + value.as_str().map_or(0, str::len);
    let others: usize = annotations.iter().map(length).sum();
    if others + ANNOTATION.len() + text.len() <= MOST_ANNOTATIONS {
        annotations.insert(ANNOTATION.into(), text.into());
    }
}
