//! Secrets: plain text on the way in, and a type that stays.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::protocol::Fields;

use super::{Strategy, child};

/// The strategy of secrets.
#[derive(Debug)]
pub(super) struct Secrets;

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
