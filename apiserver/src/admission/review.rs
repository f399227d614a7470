//! What policies and webhooks are told about a write.
//!
//! In: a write, and as which resource it is meant. Out: the admission request as JSON, without the objects; objects in the version that is
//! meant, and back.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value, json};

use crate::{
    protocol::Fields,
    registry::Resource,
    store::{Change, Draft, Stored},
    strategy::text,
};

use super::Attempt;

/// The admission request about a write that is meant as one of `meant`.
pub(crate) fn request(
    attempt: &Attempt<'_>,
    meant: &Resource,
    object: Option<&Fields>,
) -> Map<String, Value> {
    let mut out = Map::new();
    let mut add = |name: &str, value: Value| out.insert(name.to_owned(), value);
    add("kind", kind(attempt, meant));
    add("resource", resource(meant));
    let below = attempt.subresource;
    if !below.is_empty() {
        add("subResource", below.into());
    }
    add("requestKind", kind(attempt, attempt.resource));
    add("requestResource", resource(attempt.resource));
    if !below.is_empty() {
        add("requestSubResource", below.into());
    }
    let created = object.map_or("", |object| text(object, "metadata.name"));
    let name = if attempt.operation == super::Operation::Create { created } else { attempt.name };
    if !name.is_empty() {
        add("name", name.into());
    }
    if !attempt.namespace.is_empty() {
        add("namespace", attempt.namespace.into());
    }
    add("operation", attempt.operation.name().into());
    add("userInfo", attempt.asked.user.to_value());
    add("dryRun", attempt.asked.is_dry_run().into());
    add("options", (attempt.asked.options)());
    out
}

fn resource(resource: &Resource) -> Value {
    json!({"group": resource.group, "version": resource.version, "resource": resource.plural})
}

fn kind(attempt: &Attempt<'_>, resource: &Resource) -> Value {
    let (group, version, kind) = attempt.kind(resource);
    json!({"group": group, "version": version, "kind": kind})
}

/// An object in the version of a kind that is meant.
pub(crate) fn seen_as<'a>(
    attempt: &Attempt<'_>,
    meant: &Arc<Resource>,
    object: &'a Fields,
) -> Cow<'a, Fields> {
    if !attempt.subresource.is_empty() || Arc::ptr_eq(attempt.resource, meant) {
        return Cow::Borrowed(object);
    }
    Cow::Owned(turned(attempt.resource, meant, object))
}

/// The same object in another version of its kind.
pub(crate) fn turned(from: &Resource, to: &Resource, object: &Fields) -> Fields {
    let key = from.key(text(object, "metadata.namespace"), text(object, "metadata.name"));
    let draft = match &from.custom {
        Some(custom) => custom.draft(key, object),
        None => Draft::new(key, Arc::clone(&from.head), object),
    };
    let version = text(object, "metadata.resourceVersion").parse().unwrap_or_default();
    let mut fields = to.see(&Arc::new(Stored::write(draft, version, Change::Modified))).fields();
    if version == 0
        && let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut)
    {
        metadata.remove("resourceVersion");
    }
    fields
}
