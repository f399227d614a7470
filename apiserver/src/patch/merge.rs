//! Merge patch (RFC 7386), with the deviations of a real server: null members are dropped in whatever the patch brings in, also inside
//! objects in lists, while null list items and nulls that were stored before stay.
//!
//! In: a patch and a document. Out: the document after it. It knows nothing of kinds.

use serde_json::{Map, Value};

use super::{PatchError, json::undecodable};

/// A patch of the shape of the object.
#[derive(Clone, Debug, PartialEq)]
pub struct MergePatch(Map<String, Value>);

impl MergePatch {
    /// Takes a parsed body.
    ///
    /// # Errors
    ///
    /// When it is no object.
    pub fn from_value(body: Value) -> Result<Self, PatchError> {
        match body {
            Value::Object(members) => Ok(Self(members)),
            Value::Null => Err(PatchError::BadRequest("Invalid JSON Patch".into())),
            other => Err(undecodable(&other, "map[string]interface {}")),
        }
    }

    /// The document after the patch.
    #[must_use]
    pub fn apply(self, mut document: Value) -> Value {
        if let Value::Object(members) = &mut document {
            merge_members(members, self.0);
            return document;
        }
        let mut patch = Value::Object(self.0);
        prune(&mut patch);
        patch
    }
}

fn merge_members(members: &mut Map<String, Value>, patch: Map<String, Value>) {
    for (name, mut change) in patch {
        if change.is_null() {
            members.remove(&name);
            continue;
        }
        match (members.get_mut(&name), change) {
            (Some(Value::Object(current)), Value::Object(change)) => merge_members(current, change),
            (Some(current @ Value::Object(_)), other) => *current = other,
            (_, other) => {
                change = other;
                prune(&mut change);
                members.insert(name, change);
            }
        }
    }
}

/// Drops null members at any depth.
fn prune(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(prune);
        }
        Value::Array(items) => items.iter_mut().for_each(prune),
        _ => {}
    }
}
