//! The objects that a fresh server has of itself: default roles and bindings, priority classes, flow schemas, the service `kubernetes`.
//!
//! In: the data of `data/system.bin` (made by the example `system_data`). Out: these objects in the store, as old as the server.

use std::{io::Read as _, sync::LazyLock};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Core, timestamp};

static DATA: &[u8] = include_bytes!("../../data/system.bin");
static OBJECTS: LazyLock<Vec<Value>> = LazyLock::new(objects);
/// What stands for the time of the start.
const NOW: &str = "@now";
const RBAC: &str = "rbac.authorization.k8s.io/v1";

/// Which of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SystemObjects {
    /// None but the namespaces.
    #[default]
    None,
    /// Roles and bindings.
    Roles,
    /// All.
    All,
}

impl Core {
    /// Stores the objects of the system. What the data and the kinds disagree about is left out.
    pub(super) fn make_system_objects(&mut self, wanted: SystemObjects, now: Timestamp) {
        if wanted == SystemObjects::None {
            return;
        }
        for object in OBJECTS.iter() {
            let is_role = object.get("apiVersion").is_some_and(|version| version == RBAC);
            if is_role || wanted == SystemObjects::All {
                let mut object = object.clone();
                set_times(&mut object, &timestamp(now));
                // A test sees to it that none is refused.
                let _ = self.import(object, now);
            }
        }
        if wanted == SystemObjects::All {
            let since = now.strftime("%Y-%m-%d").to_string();
            let tracking = json!({
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {
                    "name": "kube-apiserver-legacy-service-account-token-tracking",
                    "namespace": "kube-system",
                },
                "data": {"since": since},
            });
            let _ = self.import(tracking, now);
        }
    }
}

fn objects() -> Vec<Value> {
    let mut text = Vec::new();
    match flate2::read::DeflateDecoder::new(DATA).read_to_end(&mut text) {
        Ok(_) => serde_json::from_slice(&text).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

fn set_times(value: &mut Value, now: &str) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|value| set_times(value, now)),
        Value::Array(items) => items.iter_mut().for_each(|item| set_times(item, now)),
        Value::String(text) if text == NOW => now.clone_into(text),
        _ => {}
    }
}
