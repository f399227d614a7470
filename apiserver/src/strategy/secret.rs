//! Secrets and config maps: plain text on the way in, and the promise not to change.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::protocol::{FieldError, Fields};

use super::{Strategy, child};

/// The strategy of secrets.
#[derive(Debug)]
pub(super) struct Secrets;

/// The strategy of config maps.
#[derive(Debug)]
pub(super) struct ConfigMaps;

impl Strategy for Secrets {
    fn default(&self, object: &mut Fields) {
        encode(object);
        object.entry("type").or_insert_with(|| "Opaque".into());
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        if object.get("type").is_none_or(|value| value == "")
            && let Some(kind) = old.get("type")
        {
            object.insert("type".to_owned(), kind.clone());
        }
    }

    fn validate_update(&self, object: &Fields, old: &Fields) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if object.get("type") != old.get("type") {
            let value = object.get("type").cloned().unwrap_or_default();
            errors.push(FieldError::invalid("type", &value, "field is immutable"));
        }
        errors.extend(kept(object, old, &["data"]));
        errors
    }
}

impl Strategy for ConfigMaps {
    fn validate_update(&self, object: &Fields, old: &Fields) -> Vec<FieldError> {
        kept(object, old, &["data", "binaryData"])
    }
}

/// `stringData` becomes `data`.
fn encode(object: &mut Fields) {
    let Some(Value::Object(texts)) = object.remove("stringData") else {
        return;
    };
    let Some(data) = child(object, "data") else {
        return;
    };
    for (key, value) in texts {
        let text = value.as_str().unwrap_or_default();
        data.insert(key, STANDARD.encode(text).into());
    }
}

/// What is marked immutable keeps its mark and these members.
fn kept(object: &Fields, old: &Fields, members: &[&str]) -> Vec<FieldError> {
    const WHY: &str = "field is immutable when `immutable` is set";
    if old.get("immutable") != Some(&Value::Bool(true)) {
        return Vec::new();
    }
    let mut errors = Vec::new();
    if object.get("immutable") != Some(&Value::Bool(true)) {
        errors.push(FieldError::forbidden("immutable", WHY));
    }
    for member in members {
        if object.get(*member) != old.get(*member) {
            errors.push(FieldError::forbidden(*member, WHY));
        }
    }
    errors
}
