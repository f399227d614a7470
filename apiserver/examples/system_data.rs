//! Makes `apiserver/data/system.bin` out of the objects that a fresh API server has of itself.
//!
//! `cargo run -p kube-codegen-apiserver --example system_data -- apiserver/data/system.bin LISTS...`. LISTS are lists in JSON, taken from a
//! real server that has just been started with `--authorization-mode=RBAC` (`kubectl get -A --output json clusterroles,clusterrolebindings,
//! roles,rolebindings,flowschemas,prioritylevelconfigurations,priorityclasses,servicecidrs,ipaddresses,apiservices,services,configmaps`).
//! What a server gives to objects itself (uid, version, times, owners of fields) is left out. Needed only when Kubernetes moves on.

use std::{error::Error, fs, io::Write};

use flate2::{Compression, write::DeflateEncoder};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let Some(output) = arguments.next() else { return Err("usage: system_data OUTPUT LISTS...".into()) };
    let mut objects = Vec::new();
    for path in arguments {
        let list: Value = serde_json::from_slice(&fs::read(path)?)?;
        let items = list.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
        objects.extend(items.into_iter().filter(is_of_the_system).map(stripped));
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&serde_json::to_vec(&objects)?)?;
    fs::write(output, encoder.finish()?)?;
    Ok(())
}

/// Leases and maps come and go; what others have made meanwhile is not the system's.
fn is_of_the_system(object: &Value) -> bool {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default();
    match (text("/kind"), text("/metadata/name")) {
        ("Lease" | "ConfigMap", _) => false,
        ("Service", name) => name == "kubernetes",
        _ => true,
    }
}

fn stripped(mut object: Value) -> Value {
    if let Some(meta) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        for name in ["uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"] {
            meta.remove(name);
        }
    }
    forget_times(&mut object);
    object
}

/// Times become a mark, in whose place the server puts the time of its start.
fn forget_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if name == "lastTransitionTime" {
                    *value = "@now".into();
                } else {
                    forget_times(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}
