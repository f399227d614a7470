//! Which part of an object a write may change, by the door it comes through.
//!
//! In: an object as somebody wants it, and as it is stored. Out: the stored object with that part changed, and nothing else.

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    protocol::Fields,
    registry::Resource,
    strategy::{at, child},
};

use super::{
    certificates,
    dispatch::Side,
    pod_parts,
    write::{Replacement, take_metadata},
};

/// Restores the part of the object that this write is not about, and leaves out what belongs to features that are off.
pub(super) fn keep_other_side(write: &Replacement<'_>, new: &mut Fields) {
    let resource = &write.context.resource;
    let old = &write.old_fields;
    write.options.left_out.drop_gated(new);
    match write.side {
        Side::Main => keep_status(resource, new, old),
        Side::EphemeralContainers => *new = with_part(new, old, pod_parts::with_ephemeral_containers),
        Side::Sizes => *new = with_part(new, old, pod_parts::with_sizes),
        Side::Status | Side::Approval if certificates::is_request(resource) => {
            *new = with_decision(write.side, new, old, write.context.now);
        }
        Side::Finalizers => *new = with_finalizers(resource, new, old),
        Side::Status | Side::Approval => *new = with_status(resource, std::mem::take(new), old),
    }
}

fn keep_status(resource: &Resource, new: &mut Fields, old: &Fields) {
    // What a signing request asks for is not changed by anybody.
    let parts: &[&str] = match certificates::is_request(resource) {
        true => &["spec", "status"],
        false if resource.has_status() => &["status"],
        false => &[],
    };
    for part in parts {
        match old.get(*part) {
            Some(value) => new.insert((*part).to_owned(), value.clone()),
            None => new.remove(*part),
        };
    }
}

fn with_decision(side: Side, new: &Fields, old: &Fields, now: Timestamp) -> Fields {
    let mut kept = with_part(new, old, |old, new| certificates::kept(side, new, &old, now));
    let mut metadata = take_metadata(&mut kept);
    take_over(&mut metadata, new, &["annotations", "finalizers", "labels", "ownerReferences"]);
    kept.insert("metadata".to_owned(), metadata.into());
    kept
}

fn with_finalizers(resource: &Resource, new: &Fields, old: &Fields) -> Fields {
    let given = at(new, "spec.finalizers").cloned();
    let mut kept = old.clone();
    let mut metadata = take_metadata(&mut kept);
    take_over(&mut metadata, new, &["labels", "managedFields"]);
    kept.insert("metadata".to_owned(), metadata.into());
    let given = given.filter(|list| list.as_array().is_some_and(|list| !list.is_empty()));
    match (given, child(&mut kept, "spec")) {
        (Some(finalizers), Some(spec)) => spec.insert("finalizers".to_owned(), finalizers),
        (None, Some(spec)) => spec.remove("finalizers"),
        (_, None) => None,
    };
    resource.rules.strategy.default(&mut kept);
    kept
}

fn with_status(resource: &Resource, mut new: Fields, old: &Fields) -> Fields {
    let mut kept = old.clone();
    match new.remove("status") {
        Some(status) if !status.is_null() => kept.insert("status".to_owned(), status),
        _ => kept.remove("status"),
    };
    let mut metadata = take_metadata(&mut kept);
    take_over(&mut metadata, &new, resource.rules.status_metadata);
    take_over(&mut metadata, &new, &["managedFields"]);
    keep_names(&mut metadata, &new);
    kept.insert("metadata".to_owned(), metadata.into());
    kept
}

/// The stored object with a part of another; of metadata only what names the object, and its owners.
fn with_part(new: &Fields, old: &Fields, part: impl FnOnce(Fields, &Fields) -> Fields) -> Fields {
    let mut kept = part(old.clone(), new);
    let mut metadata = take_metadata(&mut kept);
    take_over(&mut metadata, new, &["managedFields"]);
    keep_names(&mut metadata, new);
    kept.insert("metadata".to_owned(), metadata.into());
    kept
}

/// Takes members of metadata from another object, also that they are not there.
fn take_over(metadata: &mut Fields, from: &Fields, names: &[&str]) {
    for name in names {
        match at(from, &format!("metadata.{name}")) {
            Some(value) => metadata.insert((*name).to_owned(), value.clone()),
            None => metadata.remove(*name),
        };
    }
}

/// What names the object is taken along, so that it can be compared.
fn keep_names(metadata: &mut Fields, from: &Fields) {
    for name in ["uid", "name", "namespace"] {
        if let Some(value) = at(from, &format!("metadata.{name}")) {
            metadata.insert(name.to_owned(), Value::clone(value));
        }
    }
}
