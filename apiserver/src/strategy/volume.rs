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
        drop_foreign_source(object);
        same_source(object);
        protect(object, "kubernetes.io/pvc-protection");
    }

    fn prepare_update(&self, object: &mut Fields, _old: &Fields) {
        same_source(object);
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

/// A source under the old name is a claim or a snapshot, or it is none.
fn drop_foreign_source(object: &mut Fields) {
    let source = at(object, "spec.dataSource").cloned().unwrap_or_default();
    let text = |name: &str| source.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let known = SOURCES.contains(&(&text("apiGroup"), &text("kind")));
    if source.is_null() || known {
        return;
    }
    if let Some(spec) = child(object, "spec") {
        spec.remove("dataSource");
    }
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
            ("dataSource", reference)
        }
        _ => return,
    };
    if let Some(spec) = child(object, "spec") {
        spec.insert(name.to_owned(), value);
    }
}
