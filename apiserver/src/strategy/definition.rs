//! CustomResourceDefinitions.

use serde_json::{Value, json};

use crate::{
    definition,
    protocol::{FieldError, Fields},
};

use super::{Strategy, set};

/// CustomResourceDefinitions.
#[derive(Debug)]
pub(crate) struct Definitions;

/// Notes the storage version as one that was stored.
fn note_stored(object: &mut Fields) {
    let Some(storage) = definition::storage_version(object) else { return };
    let stored = super::at(object, "status.storedVersions").and_then(Value::as_array);
    let mut stored = stored.cloned().unwrap_or_default();
    if !stored.contains(&storage.clone().into()) {
        stored.push(storage.into());
        set(object, "status.storedVersions", stored);
    }
}

impl Strategy for Definitions {
    fn default(&self, object: &mut Fields) {
        definition::set_defaults(object);
    }

    fn set_aside(&self, object: &mut Fields) -> definition::Aside {
        definition::set_aside(object)
    }

    fn prepare_create(&self, object: &mut Fields) {
        let status =
            json!({"acceptedNames": {"kind": "", "plural": ""}, "conditions": null, "storedVersions": null});
        object.insert("status".to_owned(), status);
        note_stored(object);
    }

    fn prepare_update(&self, object: &mut Fields, _old: &Fields) {
        note_stored(object);
    }

    fn validate_new(&self, object: &Fields) -> Vec<FieldError> {
        definition::check(object, None)
    }

    fn validate_update(&self, object: &Fields, old: &Fields) -> Vec<FieldError> {
        definition::check(object, Some(old))
    }

    fn validate_status(&self, object: &Fields, _old: &Fields) -> Vec<FieldError> {
        definition::check_status(object)
    }
}
