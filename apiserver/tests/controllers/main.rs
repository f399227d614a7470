//! The controllers of a server: stepped by the test, or running by themselves.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod accounts;
mod collection;
#[path = "../server/http.rs"]
mod http;
mod interleavings;
mod kubelet;
mod namespaces;
mod quotas;
mod running;

use kube_codegen_apiserver::{ApiServer, Controllers};
use serde_json::{Value, json};

use crate::http::{get, send};

pub(crate) const MAPS: &str = "/api/v1/namespaces/default/configmaps";

pub(crate) fn stepped() -> ApiServer {
    ApiServer::builder().controllers(Controllers::Stepped).build()
}

/// A reference to a config map.
pub(crate) fn reference(name: &str, uid: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": uid})
}

/// The same reference, blocking.
pub(crate) fn blocking(name: &str, uid: &str) -> Value {
    let mut reference = reference(name, uid);
    reference["blockOwnerDeletion"] = true.into();
    reference
}

/// Creates a config map with these owners, and says its uid.
pub(crate) fn create(server: &ApiServer, name: &str, owners: &[Value]) -> String {
    create_held(server, name, owners, &[])
}

/// The same with finalizers.
pub(crate) fn create_held(server: &ApiServer, name: &str, owners: &[Value], finalizers: &[&str]) -> String {
    let body = json!({"metadata": {"name": name, "ownerReferences": owners, "finalizers": finalizers}});
    let (code, object) = send(server, "POST", MAPS, &body);
    assert_eq!(code, 201, "{object}");
    object["metadata"]["uid"].as_str().unwrap().to_owned()
}

pub(crate) fn delete(server: &ApiServer, name: &str, policy: &str) -> Value {
    let (code, answer) =
        send(server, "DELETE", &format!("{MAPS}/{name}"), &json!({"propagationPolicy": policy}));
    assert_eq!(code, 200, "{answer}");
    answer
}

pub(crate) fn exists(server: &ApiServer, name: &str) -> bool {
    get(server, &format!("{MAPS}/{name}")).0 == 200
}

pub(crate) fn metadata(server: &ApiServer, name: &str) -> Value {
    get(server, &format!("{MAPS}/{name}")).1["metadata"].clone()
}
