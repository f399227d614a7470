//! Service accounts: of their secrets they name, and nothing more.

use serde_json::Value;

use crate::protocol::Fields;

use super::Strategy;

/// The strategy of service accounts.
#[derive(Debug)]
pub(super) struct Accounts;

impl Strategy for Accounts {
    fn prepare_create(&self, object: &mut Fields) {
        names_alone(object);
    }

    fn prepare_update(&self, object: &mut Fields, _old: &Fields) {
        names_alone(object);
    }
}

fn names_alone(object: &mut Fields) {
    let secrets = object.get_mut("secrets").and_then(Value::as_array_mut);
    for secret in secrets.into_iter().flatten().filter_map(Value::as_object_mut) {
        secret.retain(|name, _| name == "name");
    }
}
