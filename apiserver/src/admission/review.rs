//! What policies and webhooks are told about a write.
//!
//! In: a write, and as which resource it is meant. Out: the admission request as JSON, without the objects; objects in the version that is
//! meant, and back; changed objects in the form of their kind.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value, json};

use crate::{
    protocol::{Fields, Status},
    registry::{Nulls, Resource, decode_custom},
    schema::{TypeSchema, builtin, normalize, set_builtin_defaults},
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
    if let Some(custom) = from.custom.as_ref().filter(|custom| custom.asks()) {
        // What cannot be converted is told when the object is stored.
        let turned = custom.turn(object, &to.api_version());
        return turned.ok().map_or_else(|| object.clone(), |(fields, _)| fields);
    }
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

/// What becomes of fields that nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    Dropped,
    Refused,
}

/// The type of what is written.
pub(super) fn schema(attempt: &Attempt<'_>, meant: &Resource) -> TypeSchema {
    if attempt.subresource.is_empty() || !meant.builtin {
        return meant.schema();
    }
    let (group, version, kind) = attempt.kind(meant);
    let api_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    builtin::object(&api_version, kind).unwrap_or_else(|| TypeSchema::deduced().clone())
}

/// A changed object in the form of its kind, with its defaults.
pub(super) fn settled(
    attempt: &Attempt<'_>,
    meant: &Resource,
    new: Value,
    unknown: Unknown,
) -> Result<Fields, Status> {
    let failed = |why: &str| Status::internal(why);
    let Value::Object(fields) = new else { return Err(failed("the changed object is no object")) };
    if !meant.builtin {
        let custom = meant.custom.as_deref().filter(|_| attempt.subresource.is_empty());
        return decode_custom(fields, custom, Nulls::Dropped)
            .map(|(fields, _)| fields)
            .map_err(|why| failed(&why));
    }
    let schema = schema(attempt, meant);
    let normal = normalize(Value::Object(fields), &schema).map_err(|why| failed(&why))?;
    if let (Unknown::Refused, [first, ..]) = (unknown, normal.unknown.as_slice()) {
        return Err(failed(&format!("strict decoding error: {first}")));
    }
    let mut value = normal.value;
    set_builtin_defaults(&mut value, &schema);
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Err(failed("the changed object is no object")),
    }
}

/// An object in the version of the request, from the version that is meant.
pub(super) fn back(attempt: &Attempt<'_>, meant: &Arc<Resource>, object: Fields) -> Fields {
    if !attempt.subresource.is_empty() || Arc::ptr_eq(attempt.resource, meant) {
        return object;
    }
    turned(meant, attempt.resource, &object)
}
