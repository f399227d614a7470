//! How an object is written: the order of its members, which is that of a real server.
//!
//! In: the fields of an object. Out: JSON.

use serde_json::Value;

use crate::protocol::Fields;

use super::closed::OWNERS;

/// The members of metadata in the order in which a real server writes those of built-in kinds; those of custom kinds it sorts.
const ORDER: [&str; 15] = [
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    VERSION,
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    OWNERS,
];
const VERSION: &str = "resourceVersion";
/// The members of an owner, and of an entry of managed fields.
const OWNER: [&str; 6] = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
const MANAGED: [&str; 7] =
    ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"];

/// Writes `"metadata":{...}` with the version in it and says where its digits begin.
pub(super) fn write_metadata(
    out: &mut Vec<u8>,
    metadata: Option<&Fields>,
    version: u64,
    is_custom: bool,
) -> usize {
    let there = || metadata.into_iter().flatten().map(|(name, _)| name.as_str());
    let mut names: Vec<&str> = match is_custom {
        true => there().filter(|name| *name != VERSION).chain([VERSION]).collect(),
        false => ORDER.into_iter().chain(there().filter(|name| !ORDER.contains(name))).collect(),
    };
    if is_custom {
        names.sort_unstable();
    }
    out.extend_from_slice(b"\"metadata\":{");
    let (mut at, mut first) = (out.len(), true);
    for name in names {
        let value = metadata.and_then(|metadata| metadata.get(name));
        if name != VERSION && value.is_none() {
            continue;
        }
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        if let Some(value) = value.filter(|_| name != VERSION) {
            match name {
                "ownerReferences" if !is_custom => write_items(out, name, value, &OWNER),
                OWNERS => match value {
                    Value::String(closed) => write_raw(out, name, closed),
                    open if is_custom => write_member(out, name, open),
                    open => write_items(out, name, open, &MANAGED),
                },
                _ => write_member(out, name, value),
            }
            continue;
        }
        out.extend_from_slice(b"\"resourceVersion\":\"");
        at = out.len();
        out.extend_from_slice(version.to_string().as_bytes());
        out.push(b'"');
    }
    out.push(b'}');
    at
}

/// Writes a member that is a list of objects, whose own members have this order.
fn write_items(out: &mut Vec<u8>, name: &str, value: &Value, order: &[&str]) {
    let Value::Array(items) = value else { return write_member(out, name, value) };
    let _ = serde_json::to_writer(&mut *out, name);
    out.extend_from_slice(b":[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        let Value::Object(members) = item else {
            let _ = serde_json::to_writer(&mut *out, item);
            continue;
        };
        out.push(b'{');
        let known = order.iter().filter_map(|name| Some((*name, members.get(*name)?)));
        let rest = members.iter().map(|(name, value)| (name.as_str(), value));
        let rest = rest.filter(|(name, _)| !order.contains(name));
        for (index, (name, value)) in known.chain(rest).enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_member(out, name, value);
        }
        out.push(b'}');
    }
    out.push(b']');
}

/// Writes a member whose value is JSON already.
fn write_raw(out: &mut Vec<u8>, name: &str, json: &str) {
    let _ = serde_json::to_writer(&mut *out, name);
    out.push(b':');
    out.extend_from_slice(json.as_bytes());
}

pub(super) fn write_member(out: &mut Vec<u8>, name: &str, value: &Value) {
    // Writing JSON into memory fails for no value that JSON can hold.
    let _ = serde_json::to_writer(&mut *out, name);
    out.push(b':');
    let _ = serde_json::to_writer(out, value);
}
