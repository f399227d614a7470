//! Devices: what a server without the features that are off by default leaves out, and since when taints are there.

use serde_json::Value;

use crate::protocol::Fields;

use super::{Strategy, at, child};

/// The strategy of claims.
#[derive(Debug)]
pub(super) struct Claims;

/// The strategy of templates of claims.
#[derive(Debug)]
pub(super) struct ClaimTemplates;

/// The strategy of slices.
#[derive(Debug)]
pub(super) struct Slices;

/// The strategy of taint rules.
#[derive(Debug)]
pub(super) struct TaintRules;

impl Strategy for Claims {
    fn default(&self, object: &mut Fields) {
        if let Some(spec) = object.get_mut("spec") {
            forget_derived(spec);
        }
        let status = object.get_mut("status");
        let results = status.and_then(|status| status.pointer_mut("/allocation/devices/results"));
        each(results, |result| forget(result, &["skipNodeOperations"]));
    }
}

impl Strategy for ClaimTemplates {
    fn default(&self, object: &mut Fields) {
        if let Some(spec) = object.get_mut("spec").and_then(|spec| spec.get_mut("spec")) {
            forget_derived(spec);
        }
    }
}

impl Strategy for Slices {
    fn default(&self, object: &mut Fields) {
        let Some(spec) = object.get_mut("spec") else { return };
        forget(spec, &["partitionTypeAttribute", "skipNodeOperations"]);
        each(spec.get_mut("devices"), |device| {
            forget(device, &["nodeAllocatableResources"]);
            each(device.get_mut("consumesCounters"), |counters| forget(counters, &["compatibilityGroups"]));
            let attributes = device.get_mut("attributes").and_then(Value::as_object_mut);
            for attribute in attributes.into_iter().flat_map(Fields::values_mut) {
                forget(attribute, &["bools", "ints", "strings", "versions"]);
            }
        });
    }

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

fn forget(value: &mut Value, names: &[&str]) {
    if let Some(members) = value.as_object_mut() {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
}

fn forget_derived(spec: &mut Value) {
    const DERIVED: &[&str] = &["derivedAttributes"];
    each(spec.pointer_mut("/devices/requests"), |request| {
        if let Some(exactly) = request.get_mut("exactly") {
            forget(exactly, DERIVED);
        }
        each(request.get_mut("firstAvailable"), |one| forget(one, DERIVED));
    });
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
