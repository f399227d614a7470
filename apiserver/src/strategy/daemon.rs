//! Daemon sets: the count of their templates, in an annotation that old clients look for.

use serde_json::Value;

use crate::protocol::Fields;

use super::{Strategy, at, child};

/// The strategy of daemon sets.
#[derive(Debug)]
pub(super) struct DaemonSets;

const COUNT: &str = "deprecated.daemonset.template.generation";

impl Strategy for DaemonSets {
    fn default(&self, object: &mut Fields) {
        if at(object, "metadata.annotations").and_then(|all| all.get(COUNT)).is_none() {
            put(object, 0);
        }
    }

    fn prepare_create(&self, object: &mut Fields) {
        put(object, 1);
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        let before = count(old);
        let changed = at(object, "spec.template") != at(old, "spec.template");
        put(object, if changed { before + 1 } else { before });
    }
}

fn count(object: &Fields) -> i64 {
    let annotations = at(object, "metadata.annotations");
    let text = annotations.and_then(|all| all.get(COUNT)).and_then(Value::as_str);
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn put(object: &mut Fields, count: i64) {
    let annotations = child(object, "metadata").and_then(|metadata| child(metadata, "annotations"));
    if let Some(annotations) = annotations {
        annotations.insert(COUNT.to_owned(), count.to_string().into());
    }
}
