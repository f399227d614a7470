//! Access to devices that others use, which only some namespaces may ask for.
//!
//! In: a new claim, or a template of claims. Out: what is wrong with it where its namespace does not have the label.

use serde_json::Value;

use crate::{
    protocol::{FieldError, Fields},
    strategy::at,
};

use super::{Context, Core};

const LABEL: &str = "resource.kubernetes.io/admin-access";

impl Core {
    /// Whether a new claim asks for what its namespace may not have.
    pub(super) fn admin_access_errors(&self, context: &Context<'_>, object: &Fields) -> Option<FieldError> {
        let resource = &context.resource;
        let requests = match (resource.group.as_str(), resource.plural.as_str()) {
            ("resource.k8s.io", "resourceclaims") => "spec.devices.requests",
            ("resource.k8s.io", "resourceclaimtemplates") => "spec.spec.devices.requests",
            _ => return None,
        };
        let requests = at(object, requests).and_then(Value::as_array)?;
        let asks = |request: &Value| {
            request.pointer("/exactly/adminAccess").is_some_and(|asks| asks == &Value::Bool(true))
        };
        let index = requests.iter().position(asks)?;
        let namespaces = self.registry.namespaces()?;
        let namespace = self.store.get(namespaces.table, &context.namespace)?.fields();
        let labels = at(&namespace, "metadata.labels");
        if labels.and_then(|labels| labels.get(LABEL)).is_some_and(|value| value == "true") {
            return None;
        }
        // A real server names the place in the claim for templates as well.
        let field = format!("spec.devices.requests[{index}].adminAccess");
        let why =
            format!("admin access to devices requires the `{LABEL}: true` label on the containing namespace");
        Some(FieldError::forbidden(field, why))
    }
}
