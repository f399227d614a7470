//! Documents that hang on nothing stored.
//!
//! In: a target, and the registry where it says what is served. Out: the answer: discovery, the list of paths, the version, and what
//! else a server tells of itself.

use http::{Method, header};
use serde_json::json;

use crate::{
    protocol::{Details, Form, Query, Status, Target, Terms, indented, pick, protobuf},
    registry::{Registry, openapi::hash},
};

use super::{
    dispatch::accept,
    health, openapi,
    reply::{Content, Reply, Request},
};

/// The answer for a target that is no object.
pub(super) fn answer(registry: &Registry, target: &Target, request: &Request) -> Result<Reply, Status> {
    let query = Query::parse(request.uri().query());
    match target {
        Target::Groups { core } if wants_aggregated(accept(request)) => {
            Ok(aggregated(registry, *core, request))
        }
        Target::Groups { core: true } if request.method() != Method::GET => Err(Status::method_not_allowed()),
        Target::Groups { core: true } => {
            routed(request, ROUTED)?;
            discovery(request, registry.core_versions(&address(request)))
        }
        Target::Groups { core: false } => discovery(request, registry.group_list()),
        Target::Group { group } => match registry.group_document(group) {
            Some(document) => discovery(request, document),
            None => Ok(Reply::page_not_found()),
        },
        Target::Resources { group, version } => match registry.resource_list(group, version) {
            Some(_) if request.method() != Method::GET => Err(Status::method_not_allowed()),
            Some(document) => {
                routed(request, ROUTED)?;
                discovery(request, document)
            }
            None if registry.is_elsewhere(group, version) => Ok(Reply::unavailable()),
            None if registry.versions(group).is_empty() || registry.is_custom(group) => {
                Ok(Reply::page_not_found())
            }
            None => Err(Status::no_such_resource()),
        },
        Target::Version if request.method() != Method::GET => Err(Status::method_not_allowed()),
        Target::Version => {
            routed(request, &["application/json"])?;
            Ok(plain(VERSION))
        }
        Target::Index => Ok(plain(&json!({"paths": paths(registry)}).to_string())),
        Target::Health { endpoint, check } => Ok(health::answer(endpoint, check.as_deref(), &query)),
        Target::Metrics => Ok(Reply::with(200, Content::Document(METRICS_TYPE, METRICS.into()))),
        _ => Ok(Reply::page_not_found()),
    }
}

/// A document that is JSON with line breaks, whatever the client likes.
fn plain(document: &str) -> Reply {
    Reply::with(200, Content::Document("application/json", indented(document.as_bytes())))
}

/// What the routes of documents can produce.
const ROUTED: &[&str] = &["application/json", "application/yaml", protobuf::MEDIA_TYPE];

/// Some documents are found by a router, which looks at what the client takes before anybody else does.
fn routed(request: &Request, offers: &[&str]) -> Result<(), Status> {
    let accept = accept(request);
    let fits = |clause: &str| {
        let wanted = clause.split(';').next().unwrap_or_default().trim();
        wanted == "*/*" || offers.contains(&wanted)
    };
    if accept.trim().is_empty() || accept.split(',').any(fits) {
        return Ok(());
    }
    let message = format!("406: Not Acceptable\n\nAvailable representations: {}", offers.join(", "));
    Err(Status::not_acceptable(message).with_details(Details::default()))
}

/// A document of discovery, if the client takes the form in which it is.
fn discovery(request: &Request, document: Vec<u8>) -> Result<Reply, Status> {
    let form = Form::negotiate(accept(request), Terms::PLAIN);
    let form = form.map_err(|_| Status::not_acceptable(ONLY.to_owned()))?;
    Ok(Reply::json(200, document.into()).in_encoding(form.encoding))
}

fn aggregated(registry: &Registry, core: bool, request: &Request) -> Reply {
    let json = registry.aggregated(core);
    let hash = hash(&json);
    let reply = match openapi::has(request, &hash) {
        true => Reply::with(304, Content::Nothing),
        false => Reply::with(200, in_form(json, accept(request))),
    };
    reply
        .header(header::ETAG, &format!("\"{hash}\""))
        .header(header::VARY, "Accept")
        .header(header::CACHE_CONTROL, "public")
}

/// The aggregated document, in the encoding that the client likes best.
fn in_form(json: Vec<u8>, accept: &str) -> Content {
    let clauses: Vec<&str> = accept.split(',').filter(|clause| is_aggregated(clause)).collect();
    let wanted = pick(&clauses.join(","), &["application/json", protobuf::MEDIA_TYPE]);
    let written =
        wanted.filter(|media| *media == protobuf::MEDIA_TYPE).and_then(|_| protobuf::encode(&json).ok());
    match written {
        Some(bytes) => Content::Document(AGGREGATED_PROTOBUF, bytes.into()),
        None => Content::Document(AGGREGATED, json.into()),
    }
}

/// Where the client reached the server.
fn address(request: &Request) -> String {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let authority = request.uri().authority().map(http::uri::Authority::as_str);
    authority.or(host).unwrap_or("127.0.0.1:6443").to_owned()
}

const ONLY: &str = "only the following media types are accepted: application/json, application/yaml, \
                    application/vnd.kubernetes.protobuf";

/// The paths besides those of groups and checks.
const PATHS: [&str; 12] = [
    "/.well-known/openid-configuration",
    "/api",
    "/api/v1",
    "/apis",
    "/apis/",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    "/openid/v1/jwks",
    "/version",
    "/healthz",
];

/// Everything that can be asked for and is no object.
fn paths(registry: &Registry) -> Vec<String> {
    let mut paths: Vec<String> = PATHS.iter().map(|path| (*path).to_owned()).collect();
    for group in registry.groups() {
        paths.push(format!("/apis/{group}"));
        paths.extend(registry.versions(group).into_iter().map(|version| format!("/apis/{group}/{version}")));
    }
    for endpoint in ["healthz", "livez", "readyz"] {
        paths.push(format!("/{endpoint}"));
        paths.extend(health::checks(endpoint).into_iter().map(|check| format!("/{endpoint}/{check}")));
    }
    paths.sort();
    paths.dedup();
    paths
}

/// The version of Kubernetes that this server is like, in the order of a real server; which program it is stands where a commit would.
const VERSION: &str = concat!(
    r#"{"major":"1","minor":"37","emulationMajor":"1","emulationMinor":"37","minCompatibilityMajor":"1","#,
    r#""minCompatibilityMinor":"36","gitVersion":"v1.37.2","gitCommit":"kube-codegen-apiserver-"#,
    env!("CARGO_PKG_VERSION"),
    r#"","gitTreeState":"clean","buildDate":"1970-01-01T00:00:00Z","goVersion":"go1.26.8","compiler":"gc","#,
    r#""platform":"linux/amd64"}"#,
);

const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";
/// Nothing is measured; who scrapes the server still sees that it is there, and what it is.
const METRICS: &str = concat!(
    "# HELP kubernetes_build_info [BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree \
     state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.\n",
    "# TYPE kubernetes_build_info gauge\n",
    "kubernetes_build_info{compiler=\"gc\",git_commit=\"kube-codegen-apiserver-",
    env!("CARGO_PKG_VERSION"),
    "\",git_tree_state=\"clean\",git_version=\"v1.37.2\",major=\"1\",minor=\"37\"} 1\n",
);

/// The media types of the aggregated form of discovery.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const AGGREGATED_PROTOBUF: &str =
    "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// Whether a client asks for the aggregated form of discovery.
fn wants_aggregated(accept: &str) -> bool {
    accept.split(',').any(is_aggregated)
}

fn is_aggregated(clause: &str) -> bool {
    let has = |wanted: &str| clause.split(';').any(|part| part.trim() == wanted);
    has("as=APIGroupDiscoveryList") && has("g=apidiscovery.k8s.io") && has("v=v2")
}
