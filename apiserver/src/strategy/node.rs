//! Nodes: their ranges of addresses under two names, and the taint of a node that nobody has seen ready.

use serde_json::{Value, json};

use crate::protocol::Fields;

use super::{Strategy, child};

/// The strategy of nodes.
#[derive(Debug)]
pub(super) struct Nodes;

impl Strategy for Nodes {
    fn default(&self, object: &mut Fields) {
        let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) else { return };
        let first = spec.get("podCIDRs").and_then(|all| all.get(0)).cloned();
        match (spec.get("podCIDR").cloned().filter(|range| range != ""), first) {
            (Some(range), None) => spec.insert("podCIDRs".to_owned(), json!([range])),
            (Some(range), Some(first)) if range != first => {
                spec.insert("podCIDRs".to_owned(), json!([range]))
            }
            (None, Some(first)) => spec.insert("podCIDR".to_owned(), first),
            _ => None,
        };
    }

    fn prepare_create(&self, object: &mut Fields) {
        let Some(spec) = child(object, "spec") else { return };
        let taint = json!({"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"});
        let taints = spec.entry("taints").or_insert_with(|| json!([]));
        if taints.is_null() {
            *taints = json!([]);
        }
        if let Some(list) = taints.as_array_mut()
            && !list.iter().any(|known| known["key"] == taint["key"] && known["effect"] == taint["effect"])
        {
            list.push(taint);
        }
    }
}
