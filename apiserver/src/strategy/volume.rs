//! Persistent volumes and claims: protected while they are used, pending until they are bound.

use serde_json::{Value, json};

use crate::protocol::Fields;

use super::{Strategy, at, child, set};

/// The strategy of persistent volume claims.
#[derive(Debug)]
pub(super) struct Claims;

/// The strategy of persistent volumes.
#[derive(Debug)]
pub(super) struct Volumes;

impl Strategy for Claims {
    fn prepare_create(&self, object: &mut Fields) {
        object.insert("status".to_owned(), json!({"phase": "Pending"}));
        complete_sources(object, None);
        protect(object, "kubernetes.io/pvc-protection");
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        complete_sources(object, Some(old));
    }
}

impl Strategy for Volumes {
    fn prepare_create(&self, object: &mut Fields) {
        let now = at(object, "metadata.creationTimestamp").cloned().unwrap_or_default();
        object.insert("status".to_owned(), json!({"phase": "Pending", "lastPhaseTransitionTime": now}));
        protect(object, "kubernetes.io/pv-protection");
    }
}

/// What admission adds: the object stays as long as it is used.
fn protect(object: &mut Fields, finalizer: &str) {
    let mut all = at(object, "metadata.finalizers").and_then(Value::as_array).cloned().unwrap_or_default();
    if !all.iter().any(|known| known == finalizer) {
        all.push(finalizer.into());
    }
    set(object, "metadata.finalizers", all);
}

/// Where a claim takes its content from: what is not known is left out, unless the claim has had a source before.
fn complete_sources(object: &mut Fields, old: Option<&Fields>) {
    let had = |name: &str| old.is_some_and(|old| at(old, name).is_some_and(|source| !source.is_null()));
    let Some(spec) = child(object, "spec") else { return };
    let elsewhere =
        spec.get("dataSourceRef").and_then(|source| source.get("namespace")).and_then(Value::as_str);
    if elsewhere.is_some_and(|namespace| !namespace.is_empty()) && !had("spec.dataSourceRef") {
        // Sources in other namespaces are a feature that is off.
        spec.remove("dataSourceRef");
    }
    let known = |source: &Value| {
        let text = |name: &str| source.get(name).and_then(Value::as_str).unwrap_or_default();
        SOURCES.contains(&(text("apiGroup"), text("kind")))
    };
    let is_new = !had("spec.dataSource") && !had("spec.dataSourceRef") && !spec.contains_key("dataSourceRef");
    if is_new && !spec.get("dataSource").is_some_and(known) {
        spec.remove("dataSource");
    }
    same_source(object);
}

/// What a claim may take its content from under the old name.
const SOURCES: [(&str, &str); 2] =
    [("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot")];

/// The source of a claim has an old name and a new one; who gives one of them means both.
fn same_source(object: &mut Fields) {
    let Some(spec) = object.get("spec").and_then(Value::as_object) else { return };
    let (plain, reference) = (spec.get("dataSource").cloned(), spec.get("dataSourceRef").cloned());
    let (name, value) = match (plain, reference) {
        (Some(plain), None) => ("dataSourceRef", plain),
        (None, Some(reference)) => {
            if reference["namespace"].as_str().is_some_and(|namespace| !namespace.is_empty()) {
                return;
            }
            let mut plain = reference;
            if let Some(members) = plain.as_object_mut() {
                members.remove("namespace");
            }
            ("dataSource", plain)
        }
        _ => return,
    };
    if let Some(spec) = child(object, "spec") {
        spec.insert(name.to_owned(), value);
    }
}
