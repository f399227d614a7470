//! Defaults and protection of volumes and their like.
//!
//! In: a claim, a volume, an ingress, and the classes there are. Out: the object with its default class and the finalizer that keeps it
//! as long as it is used.

use serde_json::Value;

use crate::{
    protocol::Fields,
    strategy::{at, child, set, text},
};

use super::{Attempt, Cluster, Operation};

/// Group and plural of classes, and the annotations that mark one as default.
type Classes = (&'static str, &'static str, &'static [&'static str]);

const STORAGE: Classes = (
    "storage.k8s.io",
    "storageclasses",
    &["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"],
);
const INGRESS: Classes =
    ("networking.k8s.io", "ingressclasses", &["ingressclass.kubernetes.io/is-default-class"]);

/// Adds defaults and finalizers to a new object.
pub(super) fn mutate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &mut Fields) {
    if attempt.operation != Operation::Create || !attempt.subresource.is_empty() {
        return;
    }
    let resource = attempt.resource;
    match (resource.group.as_str(), resource.plural.as_str()) {
        ("", "persistentvolumeclaims") => {
            let old_way = "metadata.annotations";
            let named = at(object, old_way).is_some_and(|annotations| {
                annotations.get("volume.beta.kubernetes.io/storage-class").is_some()
            });
            if !named && at(object, "spec.storageClassName").is_none_or(Value::is_null) {
                fill(object, "spec.storageClassName", default(cluster, STORAGE));
            }
            protect(object, "kubernetes.io/pvc-protection");
        }
        ("", "persistentvolumes") => protect(object, "kubernetes.io/pv-protection"),
        ("storage.k8s.io", "volumeattributesclasses") => protect(object, "kubernetes.io/vac-protection"),
        ("networking.k8s.io", "ingresses") => {
            let named = at(object, "metadata.annotations")
                .is_some_and(|annotations| annotations.get("kubernetes.io/ingress.class").is_some());
            if !named && at(object, "spec.ingressClassName").is_none_or(Value::is_null) {
                fill(object, "spec.ingressClassName", default(cluster, INGRESS));
            }
        }
        _ => {}
    }
}

fn fill(object: &mut Fields, path: &str, class: Option<String>) {
    if let Some(class) = class {
        set(object, path, class);
    }
}

/// The newest class that is marked as default; of several as new the first by name.
fn default(cluster: &Cluster<'_>, (group, plural, marks): Classes) -> Option<String> {
    let classes = cluster.list(group, plural, "");
    let marked = classes.iter().filter(|class| {
        let annotations = at(class, "metadata.annotations");
        marks.iter().any(|mark| {
            annotations.and_then(|annotations| annotations.get(*mark)).is_some_and(|value| value == "true")
        })
    });
    let newest = marked.min_by(|a, b| {
        let key = |class: &Fields| text(class, "metadata.creationTimestamp").to_owned();
        key(b).cmp(&key(a)).then_with(|| text(a, "metadata.name").cmp(text(b, "metadata.name")))
    })?;
    Some(text(newest, "metadata.name").to_owned())
}

fn protect(object: &mut Fields, finalizer: &str) {
    let Some(meta) = child(object, "metadata") else { return };
    match meta.get_mut("finalizers").and_then(Value::as_array_mut) {
        Some(list) if list.iter().any(|there| there == finalizer) => {}
        Some(list) => list.push(finalizer.into()),
        None => {
            meta.insert("finalizers".to_owned(), vec![Value::from(finalizer)].into());
        }
    }
}
