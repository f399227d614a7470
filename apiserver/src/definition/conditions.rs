//! Conditions of definitions.

use serde_json::{Value, json};

use crate::protocol::Fields;

/// The finalizer that holds a definition until its objects are gone.
pub(crate) const FINALIZER: &str = "customresourcecleanup.apiextensions.k8s.io";

/// What a condition says besides its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition<'a> {
    pub kind: &'a str,
    pub status: &'a str,
    pub reason: &'a str,
    pub message: &'a str,
}

/// A condition, where the definition has it.
pub(crate) fn condition<'a>(object: &'a Fields, kind: &str) -> Option<&'a Value> {
    let list = object.get("status")?.get("conditions")?.as_array()?;
    list.iter().find(|condition| condition.get("type").and_then(Value::as_str) == Some(kind))
}

/// Whether a definition has a condition that is true.
pub(crate) fn is_true(object: &Fields, kind: &str) -> bool {
    condition(object, kind).and_then(|condition| condition.get("status")).and_then(Value::as_str)
        == Some("True")
}

/// Sets a condition; its time is kept where its status is.
pub(crate) fn set_condition(object: &mut Fields, wanted: Condition<'_>, now: &str) {
    let before = condition(object, wanted.kind);
    let kept = before
        .filter(|before| before.get("status").and_then(Value::as_str) == Some(wanted.status))
        .and_then(|before| before.get("lastTransitionTime"))
        .cloned();
    let new = json!({
        "type": wanted.kind,
        "status": wanted.status,
        "lastTransitionTime": kept.unwrap_or_else(|| now.into()),
        "reason": wanted.reason,
        "message": wanted.message,
    });
    let status = object.entry("status").or_insert_with(|| json!({}));
    let Some(status) = status.as_object_mut() else { return };
    let list = status.entry("conditions").or_insert_with(|| json!([]));
    if !list.is_array() {
        *list = json!([]);
    }
    let Some(list) = list.as_array_mut() else { return };
    let place =
        list.iter_mut().find(|condition| condition.get("type").and_then(Value::as_str) == Some(wanted.kind));
    match place {
        Some(place) => *place = new,
        None => list.push(new),
    }
}
