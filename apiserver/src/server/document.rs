//! Documents that hang on nothing stored.
//!
//! In: a target. Out: a fixed answer.

use serde_json::json;

use crate::protocol::Target;

use super::reply::{Content, Reply};

/// The answer for a target that needs no state.
pub(super) fn fixed(target: &Target) -> Reply {
    match target {
        Target::Version => Reply::value(200, &version()),
        Target::Index => Reply::value(200, &json!({"paths": PATHS})),
        Target::Health { check: None, .. } => Reply::with(200, Content::Text("ok")),
        Target::Health { check: Some(check), .. } if CHECKS.contains(&check.as_str()) => {
            Reply::with(200, Content::Text("ok"))
        }
        _ => Reply::page_not_found(),
    }
}

const CHECKS: &[&str] = &["ping", "log", "etcd", "informer-sync"];

const PATHS: &[&str] = &[
    "/api",
    "/api/v1",
    "/apis",
    "/healthz",
    "/healthz/ping",
    "/livez",
    "/livez/ping",
    "/readyz",
    "/readyz/ping",
    "/version",
];

fn version() -> serde_json::Value {
    json!({
        "major": "1",
        "minor": "37",
        "emulationMajor": "1",
        "emulationMinor": "37",
        "minCompatibilityMajor": "1",
        "minCompatibilityMinor": "36",
        "gitVersion": concat!("v1.37.2+kube-codegen-", env!("CARGO_PKG_VERSION")),
        "gitCommit": "",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": "go1.26.8",
        "compiler": "gc",
        "platform": "linux/amd64",
    })
}

/// The media type of the aggregated form of discovery.
pub(super) const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// Whether a client asks for the aggregated form of discovery.
pub(super) fn wants_aggregated(accept: &str) -> bool {
    accept.split(',').any(|clause| {
        let has = |wanted: &str| clause.split(';').any(|part| part.trim() == wanted);
        has("as=APIGroupDiscoveryList") && has("g=apidiscovery.k8s.io") && has("v=v2")
    })
}
