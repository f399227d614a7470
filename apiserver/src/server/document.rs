//! Documents that hang on nothing stored.
//!
//! In: a target. Out: a fixed answer.

use serde_json::{Value, json};

use crate::protocol::{Target, pick, protobuf};

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

fn version() -> Value {
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

/// The media types of the aggregated form of discovery.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const AGGREGATED_PROTOBUF: &str =
    "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// Whether a client asks for the aggregated form of discovery.
pub(super) fn wants_aggregated(accept: &str) -> bool {
    accept.split(',').any(is_aggregated)
}

fn is_aggregated(clause: &str) -> bool {
    let has = |wanted: &str| clause.split(';').any(|part| part.trim() == wanted);
    has("as=APIGroupDiscoveryList") && has("g=apidiscovery.k8s.io") && has("v=v2")
}

/// The aggregated document, in the encoding that the client likes best.
pub(super) fn aggregated(document: &Value, accept: &str) -> Reply {
    let json = serde_json::to_vec(document).unwrap_or_default();
    let clauses: Vec<&str> = accept.split(',').filter(|clause| is_aggregated(clause)).collect();
    let wants_protobuf = pick(&clauses.join(","), &["application/json", protobuf::MEDIA_TYPE]);
    let content = match wants_protobuf
        .and_then(|media| (media == protobuf::MEDIA_TYPE).then(|| protobuf::encode(&json).ok()).flatten())
    {
        Some(bytes) => Content::Document(AGGREGATED_PROTOBUF, bytes.into()),
        None => Content::Document(AGGREGATED, json.into()),
    };
    Reply::with(200, content)
}
