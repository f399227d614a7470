//! Owners across the scale subresource: `spec.replicas` of a Scale is another field of the object that is scaled.

use serde_json::{Map, Value};

use super::managed::{Entry, ManagedFields};
use crate::patch::fields::{FieldSet, PathElement};

const SCALE_VERSION: &str = "autoscaling/v1";

/// Where a kind keeps its replicas.
#[derive(Clone, Debug)]
pub struct ScaleMapping<'a> {
    /// Version of the scaled object, such as `apps/v1`.
    pub api_version: &'a str,
    /// The path of the replicas, with dots: `spec.replicas`.
    pub replicas: &'a str,
}

impl ScaleMapping<'_> {
    fn path(&self) -> Vec<PathElement> {
        self.replicas.split('.').filter(|name| !name.is_empty()).map(PathElement::field).collect()
    }

    fn scale_set() -> FieldSet {
        FieldSet::of_fields(&["spec.replicas"])
    }

    /// The entries of the Scale that belong to the entries of the object.
    #[must_use]
    pub fn to_scale(&self, object: &Map<String, Value>) -> Vec<Value> {
        let path = self.path();
        let mut scale = ManagedFields::default();
        for (owner, entry) in ManagedFields::of(object).unwrap_or_default().entries {
            if entry.set.has(&path) {
                let entry = Entry { set: Self::scale_set(), version: SCALE_VERSION.into(), time: entry.time };
                scale.entries.insert(owner, entry);
            }
        }
        scale.encode()
    }

    /// The entries of the object after the Scale was written: `object` is the state before, `scale` the entries of the written Scale.
    #[must_use]
    pub fn to_object(&self, object: &Map<String, Value>, scale: &[Value]) -> Vec<Value> {
        let path = self.path();
        let mut own = FieldSet::default();
        own.insert(&path);
        let before = ManagedFields::of(object).unwrap_or_default();
        let mut scale = ManagedFields::decode(scale).unwrap_or_default();
        let mut after = ManagedFields::default();
        for (owner, mut entry) in before.entries {
            // Who updates is another one in another version, and that of the Scale is never that of the object.
            let kept = entry.set.has(&path) && scale.entries.remove(&owner).is_some();
            if entry.set.has(&path) && !kept {
                entry.set = entry.set.difference(&own);
            }
            if !entry.set.is_empty() {
                after.entries.insert(owner, entry);
            }
        }
        for (owner, entry) in scale.entries {
            if entry.set.has(&[PathElement::field("spec"), PathElement::field("replicas")]) {
                // A real server looks for the time under the entry of the object, where there is none; and it may write two entries of one
                // owner, of which the next who reads them sees the last.
                let entry = Entry { version: self.api_version.to_owned(), set: own.clone(), time: None };
                after.entries.insert(owner, entry);
            }
        }
        after.encode()
    }
}
