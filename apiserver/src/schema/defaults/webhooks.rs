//! Admission configurations, custom resource definitions, API services.

use serde_json::json;

use super::{Object, existing, set as put, set_absent, text};

pub(super) fn set(kind: &str, members: &mut Object) {
    match kind {
        "MutatingWebhook" | "ValidatingWebhook" => {
            set_absent(members, "failurePolicy", "Fail");
            set_absent(members, "matchPolicy", "Equivalent");
            put(members, "namespaceSelector", json!({}));
            put(members, "objectSelector", json!({}));
            put(members, "timeoutSeconds", 10);
            if kind == "MutatingWebhook" {
                set_absent(members, "reinvocationPolicy", "Never");
            }
        }
        "ServiceReference" => put(members, "port", 443),
        "RuleWithOperations" | "NamedRuleWithOperations" => set_absent(members, "scope", "*"),
        "ValidatingAdmissionPolicySpec" | "MutatingAdmissionPolicySpec" => {
            set_absent(members, "failurePolicy", "Fail");
        }
        "MatchResources" => {
            set_absent(members, "matchPolicy", "Equivalent");
            put(members, "namespaceSelector", json!({}));
            put(members, "objectSelector", json!({}));
        }
        _ => {}
    }
}

/// Types outside of `k8s.io/api`.
pub(super) fn set_extension(name: &str, members: &mut Object) {
    let kind = name.rsplit('.').next().unwrap_or_default();
    match (name.contains(".apiextensions."), kind) {
        (true, "CustomResourceDefinitionSpec") => {
            let names = existing(members, "names");
            if let Some(names) = names {
                let kind = text(names, "kind").to_owned();
                put(names, "singular", kind.to_lowercase());
                if !kind.is_empty() {
                    put(names, "listKind", format!("{kind}List"));
                }
            }
        }
        (true, "ServiceReference") => put(members, "port", 443),
        (false, "ServiceReference") if name.contains(".apiregistration.") => put(members, "port", 443),
        _ => {}
    }
}
