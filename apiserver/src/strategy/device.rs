//! Devices: since when their taints are there.

use serde_json::Value;

use crate::protocol::Fields;

use super::{Strategy, at, child};

/// The strategy of slices.
#[derive(Debug)]
pub(super) struct Slices;

/// The strategy of taint rules.
#[derive(Debug)]
pub(super) struct TaintRules;

impl Strategy for Slices {
    fn prepare_create(&self, object: &mut Fields) {
        date_taints(object);
    }

    fn prepare_update(&self, object: &mut Fields, _old: &Fields) {
        date_taints(object);
    }
}

impl Strategy for TaintRules {
    fn prepare_create(&self, object: &mut Fields) {
        let now = created(object);
        date(child(object, "spec").and_then(|spec| spec.get_mut("taint")), &now);
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        let before = at(old, "spec.taint.timeAdded").cloned().unwrap_or_default();
        date(child(object, "spec").and_then(|spec| spec.get_mut("taint")), &before);
    }
}

fn each(list: Option<&mut Value>, change: impl FnMut(&mut Value)) {
    list.and_then(Value::as_array_mut).into_iter().flatten().for_each(change);
}

/// When the object was made: all that is known here of the time.
fn created(object: &Fields) -> Value {
    at(object, "metadata.creationTimestamp").cloned().unwrap_or_default()
}

fn date_taints(object: &mut Fields) {
    let now = created(object);
    let devices = child(object, "spec").and_then(|spec| spec.get_mut("devices"));
    each(devices, |device| each(device.get_mut("taints"), |taint| date(Some(taint), &now)));
}

fn date(taint: Option<&mut Value>, time: &Value) {
    let Some(taint) = taint.and_then(Value::as_object_mut) else { return };
    if taint.get("timeAdded").is_none_or(Value::is_null) && !time.is_null() {
        taint.insert("timeAdded".to_owned(), time.clone());
    }
}
