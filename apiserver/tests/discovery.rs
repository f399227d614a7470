//! Discovery and what else a server tells of itself, beside what a real server says.
//!
//! `data/discovery.json.gz` holds the documents of a kube-apiserver 1.37 that has no definitions, by path.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::{collections::BTreeMap, io::Read as _};

use bytes::Bytes;
use flate2::read::GzDecoder;
use http::{HeaderMap, Request, header};
use http_body_util::{BodyExt as _, Full};
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_apiserver::{ApiServer, Registration};
use serde_json::{Value, json};
use tower::ServiceExt as _;

const AGGREGATED: &str = "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io";

async fn send(
    server: &ApiServer,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> (u16, HeaderMap, Bytes) {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::<Bytes>::default()).unwrap();
    let (parts, body) = server.service().oneshot(request).await.unwrap().into_parts();
    (parts.status.as_u16(), parts.headers, body.collect().await.unwrap().to_bytes())
}

async fn text(server: &ApiServer, path: &str, accept: &str) -> String {
    let (_, _, body) = send(server, "GET", path, &[("accept", accept)]).await;
    String::from_utf8(body.to_vec()).unwrap().trim_end().to_owned()
}

fn recorded() -> BTreeMap<String, String> {
    let mut text = String::new();
    GzDecoder::new(&include_bytes!("data/discovery.json.gz")[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn every_document_is_that_of_a_real_server() {
    let server = ApiServer::default();
    let mut recorded = recorded();
    let paths: Value = serde_json::from_str(&recorded.remove("/").unwrap()).unwrap();
    assert_eq!(recorded.len(), 48);
    for (name, want) in recorded {
        let got = match name.strip_prefix("aggregated ") {
            Some(path) => text(&server, path, AGGREGATED).await,
            None => text(&server, &name, "application/json").await,
        };
        assert_eq!(got, want, "{name}");
    }
    // What a real server has besides tells about its own insides.
    let own = ["/flagz", "/statusz", "/metrics/slis"];
    let got: Value = serde_json::from_str(&text(&server, "/", "*/*").await).unwrap();
    let want =
        paths["paths"].as_array().unwrap().iter().filter(|path| !own.contains(&path.as_str().unwrap()));
    assert_eq!(got["paths"].as_array().unwrap().iter().collect::<Vec<_>>(), want.collect::<Vec<_>>());
}

#[tokio::test]
async fn aggregated_discovery_can_be_kept() {
    let server = ApiServer::default();
    let (status, headers, body) = send(&server, "GET", "/apis", &[("accept", AGGREGATED)]).await;
    assert_eq!(status, 200);
    assert_eq!(headers[header::CACHE_CONTROL], "public");
    assert_eq!(headers[header::VARY], "Accept");
    assert!(headers[header::CONTENT_TYPE].to_str().unwrap().contains("as=APIGroupDiscoveryList"));
    assert!(!body.is_empty());
    let tag = headers[header::ETAG].to_str().unwrap();
    let again = [("accept", AGGREGATED), ("if-none-match", tag)];
    let (status, _, body) = send(&server, "GET", "/apis", &again).await;
    assert_eq!((status, body.len()), (304, 0));
}

#[tokio::test]
async fn custom_kinds_stand_in_their_own_way() {
    let registration = Registration::of::<ConfigMap>().resource_name("settings").status();
    let server = ApiServer::builder().register(registration).build();
    let core: Value = serde_json::from_str(&text(&server, "/api/v1", "*/*").await).unwrap();
    let own = core["resources"].as_array().unwrap().iter().find(|one| one["name"] == "settings").unwrap();
    let verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
    assert_eq!(own["verbs"], json!(verbs));
    assert_eq!(own["storageVersionHash"].as_str().unwrap().len(), 12);
}

#[tokio::test]
async fn health_is_told_as_a_whole_in_a_list_and_one_by_one() {
    let server = ApiServer::default();
    for path in ["/healthz", "/livez", "/readyz", "/readyz/etcd", "/livez/poststarthook/rbac/bootstrap-roles"]
    {
        assert_eq!(text(&server, path, "*/*").await, "ok", "{path}");
    }
    for path in ["/healthz/", "/healthz/nope", "/healthz/informer-sync"] {
        assert_eq!(text(&server, path, "*/*").await, "404 page not found", "{path}");
    }
    let list = text(&server, "/readyz?verbose&exclude=etcd&exclude=x&exclude=w", "*/*").await;
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines[..4], ["[+]ping ok", "[+]log ok", "[+]etcd excluded: ok", "[+]etcd-readiness ok"]);
    assert_eq!(
        lines[lines.len() - 3..],
        [
            "[+]shutdown ok",
            r#"warn: some health checks cannot be excluded: no matches for "w","x""#,
            "readyz check passed"
        ]
    );
}

#[tokio::test]
async fn methods_and_forms_that_do_not_fit_are_refused() {
    let server = ApiServer::default();
    for (method, path, accept, status) in [
        ("POST", "/version", "*/*", 405),
        ("DELETE", "/apis/apps/v1", "*/*", 405),
        ("POST", "/apis", "*/*", 200),
        ("OPTIONS", "/api/v1/namespaces/default/pods", "*/*", 405),
        ("HEAD", "/api/v1/namespaces/default/pods", "*/*", 405),
        ("GET", "/apis/apps", "application/xml", 406),
        ("GET", "/apis/nope/v1", "*/*", 404),
        ("GET", "/metrics", "*/*", 200),
    ] {
        let (got, _, _) = send(&server, method, path, &[("accept", accept)]).await;
        assert_eq!(got, status, "{method} {path}");
    }
    let yaml = text(&server, "/apis/apps", "application/yaml").await;
    assert!(yaml.contains("kind: APIGroup"), "{yaml}");
}

#[tokio::test]
async fn people_get_line_breaks_and_large_answers_are_compressed() {
    let server = ApiServer::default();
    let path = "/api/v1/namespaces/default";
    for (path, agent, pretty) in [
        (path.to_owned(), "curl/8", true),
        (path.to_owned(), "kubectl", false),
        (format!("{path}?pretty=true"), "kubectl", true),
        (format!("{path}?pretty=false"), "curl/8", false),
    ] {
        let (_, _, body) = send(&server, "GET", &path, &[("user-agent", agent)]).await;
        assert_eq!(body.starts_with(b"{\n  \"kind\": \"Namespace\",\n"), pretty, "{path} {agent}");
        assert!(serde_json::from_slice::<Value>(&body).is_ok());
    }
    let gzip = [("accept-encoding", "gzip")];
    let (_, headers, body) = send(&server, "GET", "/openapi/v2", &gzip).await;
    assert_eq!(headers[header::CONTENT_ENCODING], "gzip");
    let mut whole = Vec::new();
    GzDecoder::new(&body[..]).read_to_end(&mut whole).unwrap();
    assert!(whole.len() > 2_000_000);
    let (_, headers, _) = send(&server, "GET", path, &gzip).await;
    assert!(!headers.contains_key(header::CONTENT_ENCODING));
}
