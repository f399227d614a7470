//! Documents that hang on nothing stored, and what a client accepts.
//!
//! In: a target or an `Accept` header. Out: a fixed answer, or how much of each object is wanted.

use http::header;
use serde_json::json;

use crate::protocol::{Details, Status, Target};

use super::reply::{Content, Part, Reply, Request};

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

/// Whether a client asks for the aggregated form of discovery.
pub(super) fn wants_aggregated(accept: &str) -> bool {
    accept.split(',').any(|clause| {
        let has = |wanted: &str| clause.split(';').any(|part| part.trim() == wanted);
        has("as=APIGroupDiscoveryList") && has("g=apidiscovery.k8s.io") && has("v=v2")
    })
}

/// How much of each object a client wants, or 406.
pub(super) fn accept(request: &Request) -> Result<Part, Status> {
    let header = request.headers().get(header::ACCEPT);
    let text = header.and_then(|value| value.to_str().ok()).unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(Part::Whole);
    }
    for clause in text.split(',') {
        let mut parts = clause.split(';').map(str::trim);
        let media_type = parts.next().unwrap_or_default();
        if !matches!(media_type, "*/*" | "application/json") {
            continue;
        }
        let view = parts.find_map(|part| part.strip_prefix("as="));
        match view {
            None => return Ok(Part::Whole),
            Some("PartialObjectMetadata" | "PartialObjectMetadataList") => {
                return Ok(Part::Metadata);
            }
            Some(_) => {}
        }
    }
    Err(Status::not_acceptable(
        "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, \
         application/vnd.kubernetes.protobuf",
    )
    .with_details(Details::default()))
}
