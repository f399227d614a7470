//! What a client is told besides the answer: about what is valid and yet may not do what was meant.
//!
//! In: an object that is about to be stored, and the one that it replaces. Out: sentences, in the order in which a real server tells
//! them. Nothing here refuses anything.

mod addresses;
mod labels;
mod network;
mod pod;
mod storage;
mod volumes;
mod workloads;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{definition, protocol::Fields};

use super::{at, text};

/// What is told of an object of one kind, and of the one that it replaces.
pub(crate) type Warnings = fn(&Fields, Option<&Fields>) -> Vec<String>;

/// What is told of the object itself.
pub(super) fn of(group: &str, plural: &str) -> Warnings {
    match (group, plural) {
        ("", "pods") => workloads::pod,
        ("", "podtemplates") => workloads::template,
        ("", "replicationcontrollers") | ("apps", "deployments" | "replicasets") => workloads::named_set,
        ("apps", "daemonsets") => workloads::set,
        ("apps", "statefulsets") => workloads::stateful_set,
        ("batch", "jobs") => workloads::job,
        ("batch", "cronjobs") => workloads::cron_job,
        ("", "services") => network::service,
        ("", "endpoints") => network::endpoints,
        ("discovery.k8s.io", "endpointslices") => network::slice,
        ("networking.k8s.io", "networkpolicies") => network::policy,
        ("networking.k8s.io", "ingresses") => network::ingress,
        ("", "nodes") => network::node,
        ("", "secrets") => secret,
        ("", "resourcequotas") => storage::quota,
        ("", "persistentvolumes") => storage::volume,
        ("", "persistentvolumeclaims") => storage::claim,
        ("storage.k8s.io", "csidrivers") => storage::driver,
        ("storage.k8s.io", "storageclasses") => storage::class,
        ("storage.k8s.io", "csistoragecapacities") => storage::capacity,
        ("node.k8s.io", "runtimeclasses") => labels::runtime_class,
        ("resource.k8s.io", "resourceslices") => slice,
        (
            "admissionregistration.k8s.io",
            "validatingwebhookconfigurations" | "mutatingwebhookconfigurations",
        ) => webhooks,
        ("apiextensions.k8s.io", "customresourcedefinitions") => definition::warnings,
        _ => none,
    }
}

/// What is told of a new status.
pub(super) fn of_status(group: &str, plural: &str) -> Warnings {
    match (group, plural) {
        ("", "services") | ("networking.k8s.io", "ingresses") => network::balancer,
        _ => none,
    }
}

/// Nothing is told.
pub(super) fn none(_: &Fields, _: Option<&Fields>) -> Vec<String> {
    Vec::new()
}

fn items<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
    value[name].as_array().into_iter().flatten().enumerate()
}

fn word<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn listed<'v>(object: &'v Fields, path: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
    at(object, path).and_then(Value::as_array).into_iter().flatten().enumerate()
}

fn annotation<'v>(object: &'v Fields, key: &str) -> Option<&'v str> {
    at(object, "metadata.annotations")?.get(key)?.as_str()
}

/// Whether an amount is one of bytes that are not whole.
fn is_broken(amount: &Value) -> bool {
    let amount = amount.as_str().unwrap_or_default();
    crate::schema::Amount::parse(amount).is_some_and(|amount| !amount.is_whole())
}

fn broken_amount(path: &str, amount: &Value) -> String {
    let shown = crate::protocol::quoted(amount.as_str().unwrap_or_default());
    format!("{path}: fractional byte value {shown} is invalid, must be an integer")
}

fn secret(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    if object.get("type").and_then(Value::as_str) != Some("kubernetes.io/tls") {
        return Vec::new();
    }
    let blank = |name: &str| {
        let text = object.get("data").and_then(|data| data.get(name)).and_then(Value::as_str);
        let bytes = STANDARD.decode(text.unwrap_or_default()).unwrap_or_default();
        !String::from_utf8_lossy(&bytes).contains("-----BEGIN ")
    };
    let what = match (blank("tls.crt"), blank("tls.key")) {
        (true, _) => "certificate",
        (false, true) => "key",
        (false, false) => return Vec::new(),
    };
    vec![format!("tls: failed to find any PEM data in {what} input")]
}

fn slice(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let driver = text(object, "spec.driver");
    if driver == driver.to_lowercase() {
        return Vec::new();
    }
    let shown = crate::protocol::quoted(driver);
    vec![format!("spec.driver: driver names should be lowercase; {shown} contains uppercase characters")]
}

/// Kinds that are only asked about, by group; webhooks are never called for them.
const NEVER_CALLED: [(&str, &str); 6] = [
    ("authentication.k8s.io", "selfsubjectreviews"),
    ("authentication.k8s.io", "tokenreviews"),
    ("authorization.k8s.io", "localsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectaccessreviews"),
    ("authorization.k8s.io", "selfsubjectrulesreviews"),
    ("authorization.k8s.io", "subjectaccessreviews"),
];

fn webhooks(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    for (index, webhook) in listed(object, "webhooks") {
        for (number, rule) in items(webhook, "rules") {
            let texts =
                |name| -> Vec<&str> { items(rule, name).filter_map(|(_, one)| one.as_str()).collect() };
            let (groups, resources) = (texts("apiGroups"), texts("resources"));
            if groups.contains(&"*") || resources.contains(&"*") {
                continue;
            }
            let mut told: Vec<String> = Vec::new();
            for group in groups {
                for resource in resources.iter().filter(|one| NEVER_CALLED.contains(&(group, **one))) {
                    let line = format!(
                        "webhooks[{index}].rules[{number}]: {resource}.{group} is excluded from admission webhooks; this rule will \
                         have no effect"
                    );
                    if !told.contains(&line) {
                        told.push(line);
                    }
                }
            }
            out.extend(told);
        }
    }
    out
}
