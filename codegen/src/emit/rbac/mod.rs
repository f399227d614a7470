//! Roles: permissions to ClusterRoles and Roles, one for each namespace and name.

mod merge;

use crate::model::{Manifests, Permission};
use crate::output::{Generator, Manifest};
use merge::{Rule, merged};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What the generator of roles needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RbacOptions {
    /// The name of the roles whose permissions name none.
    pub role_name: String,
    /// The name of the file.
    pub file_name: String,
}

/// The name of the file when nobody says another.
pub const FILE_NAME: &str = "role.yaml";

/// The file with the roles; `None` when there are no permissions.
pub fn files(manifests: &Manifests, options: &RbacOptions) -> Option<Manifest> {
    let mut roles: BTreeMap<(&str, &str), Vec<&Permission>> = BTreeMap::new();
    for permission in &manifests.permissions {
        let namespace = permission.namespace.as_deref().unwrap_or_default();
        let name = permission.role_name.as_deref().unwrap_or(&options.role_name);
        roles.entry((namespace, name)).or_default().push(permission);
    }
    let documents: Vec<Value> = roles
        .into_iter()
        .map(|((namespace, name), permissions)| role(namespace, name, &merged(&permissions)))
        .collect();
    (!documents.is_empty()).then(|| Manifest {
        name: options.file_name.clone(),
        generator: Generator::Rbac,
        documents,
    })
}

fn role(namespace: &str, name: &str, rules: &[Rule]) -> Value {
    let (kind, metadata) = match namespace {
        "" => ("ClusterRole", json!({ "name": name })),
        _ => ("Role", json!({ "name": name, "namespace": namespace })),
    };
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": kind,
        "metadata": metadata,
        "rules": rules.iter().map(Rule::to_json).collect::<Vec<_>>(),
    })
}
