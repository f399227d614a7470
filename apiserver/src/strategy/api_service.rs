//! API services: those that this server answers itself are there at once.

use serde_json::{Value, json};

use crate::protocol::Fields;

use super::{Strategy, at};

/// The strategy of API services.
#[derive(Debug)]
pub(super) struct ApiServices;

impl Strategy for ApiServices {
    fn prepare_create(&self, object: &mut Fields) {
        object.insert("status".to_owned(), json!({}));
        if at(object, "spec.service").is_none_or(Value::is_null) {
            let now = at(object, "metadata.creationTimestamp").cloned().unwrap_or_default();
            let there = json!({
                "type": "Available",
                "status": "True",
                "lastTransitionTime": now,
                "reason": "Local",
                "message": "Local APIServices are always available",
            });
            super::set(object, "status.conditions", json!([there]));
        }
    }
}
