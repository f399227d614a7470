//! What has become of the owners that an object names.
//!
//! In: an object's references. Out: for each whether its owner is there, is gone, or waits for its dependents to go; and the events about
//! owners that were looked for in the wrong namespace.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    protocol::{Fields, quoted},
    registry::Resource,
    server::{Core, timestamp},
    store::Stored,
};

use super::super::agent::Agent;

/// What has become of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// It is there.
    Solid,
    /// It is not there, or is another than the one that was meant.
    Dangling,
    /// It goes as soon as its dependents have gone.
    Waiting,
}

/// A reference as it stands in the metadata.
pub(super) struct OwnerReference<'a> {
    pub api_version: &'a str,
    pub kind: &'a str,
    pub name: &'a str,
    pub uid: &'a str,
}

/// The references of an object.
pub(super) fn references(fields: &Fields) -> Vec<OwnerReference<'_>> {
    let list = fields.get("metadata").and_then(|metadata| metadata.get("ownerReferences"));
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.map(|reference| {
        let text = |name: &str| reference.get(name).and_then(Value::as_str).unwrap_or_default();
        OwnerReference {
            api_version: text("apiVersion"),
            kind: text("kind"),
            name: text("name"),
            uid: text("uid"),
        }
    })
    .collect()
}

/// What has become of each owner. Nothing where a kind is not served; nothing inside where the object is outside all namespaces and
/// names an owner that is inside one, which no owner can be found by.
pub(super) fn all(
    core: &Core,
    resource: &Resource,
    object: &Stored,
    references: &[OwnerReference<'_>],
) -> Option<Option<Vec<Reference>>> {
    let mut classes = Vec::new();
    for reference in references {
        let kind = core.registry().of_kind(reference.api_version, reference.kind)?;
        if kind.namespaced && !resource.namespaced {
            return Some(None);
        }
        let owner = owner(core, kind, object, reference);
        classes.push(match owner {
            None => Reference::Dangling,
            Some(owner) if owner.ending.awaits_dependents() => Reference::Waiting,
            Some(_) => Reference::Solid,
        });
    }
    Some(Some(classes))
}

fn owner<'a>(
    core: &'a Core,
    kind: &Resource,
    object: &Stored,
    reference: &OwnerReference<'_>,
) -> Option<&'a Arc<Stored>> {
    let namespace = if kind.namespaced { object.namespace() } else { "" };
    let owner = core.stored(kind.table, &kind.key(namespace, reference.name))?;
    (*owner.uid == *reference.uid).then_some(owner)
}

/// Says in an event that an owner is there, but in another namespace than the object that names it.
pub(super) fn report_strangers(
    agent: &mut Agent<'_>,
    resource: &Resource,
    object: &Stored,
    references: &[OwnerReference<'_>],
    classes: &[Reference],
) {
    for (reference, class) in references.iter().zip(classes) {
        if *class != Reference::Dangling {
            continue;
        }
        let core = &agent.core;
        let Some(kind) = core.registry().of_kind(reference.api_version, reference.kind).cloned() else {
            continue;
        };
        let elsewhere = kind.namespaced
            && core
                .objects_under(kind.table, "")
                .any(|owner| *owner.uid == *reference.uid && owner.namespace() != object.namespace());
        if elsewhere {
            report(agent, resource, object, reference);
        }
    }
}

fn report(agent: &mut Agent<'_>, resource: &Resource, object: &Stored, reference: &OwnerReference<'_>) {
    let Some(events) = agent.core.registry().of_kind("v1", "Event").cloned() else { return };
    let OwnerReference { api_version, kind, name, uid } = reference;
    let namespace = object.namespace();
    let message = format!(
        "ownerRef [{api_version}/{kind}, namespace: {namespace}, name: {name}, uid: {uid}] does not exist in namespace {}",
        quoted(namespace)
    );
    let now = timestamp(agent.now);
    let event = json!({
        "metadata": {"name": format!("{}.{:x}", object.name(), object.version), "namespace": namespace},
        "involvedObject": {
            "kind": resource.kind, "namespace": namespace, "name": object.name(), "uid": &*object.uid,
            "apiVersion": resource.api_version(),
        },
        "reason": "OwnerRefInvalidNamespace",
        "message": message,
        "source": {"component": "garbage-collector-controller"},
        "firstTimestamp": now,
        "lastTimestamp": now,
        "count": 1,
        "type": "Warning",
        "reportingComponent": "garbage-collector-controller",
    });
    agent.create(&events, namespace, &event);
}
