//! Requests of any shape: each gets a proper answer, at once.

use bytes::Bytes;
use futures::FutureExt as _;
use http::{Method, Request, Response, header};
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::{ApiServer, ResponseBody};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::Config};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tower::Service as _;

use crate::http::send;

const NAMESPACE: &str = "/api/v1/namespaces/default";
const WIDGETS: &str = "/apis/example.com/v1/namespaces/default/widgets";

/// A server with something of most sorts in it.
fn server() -> ApiServer {
    let server = ApiServer::builder().seed(11).build();
    let schema = json!({"type": "object", "properties": {"spec": {
        "type": "object", "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-validations": [{"rule": "!has(self.size) || self.size < 5"}],
        "properties": {"size": {"type": "integer"}},
    }}});
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}}}],
        },
    });
    let pod = json!({"metadata": {"name": "a"}, "spec": {"containers": [{"name": "c", "image": "i"}]}});
    for (path, body) in [
        ("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition),
        (&format!("{NAMESPACE}/configmaps"), json!({"metadata": {"name": "a"}, "data": {"k": "v"}})),
        (&format!("{NAMESPACE}/pods"), pod),
        (
            WIDGETS,
            json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 1}}),
        ),
    ] {
        let (code, body) = send(&server, "POST", path, &body);
        assert_eq!(code, 201, "{body}");
    }
    server
}

/// Paths that lead somewhere, and such as lead nowhere.
fn path() -> impl Strategy<Value = String> {
    let known = select(vec![
        "/".to_owned(),
        "/api".to_owned(),
        "/apis".to_owned(),
        "/apis/apps/v1".to_owned(),
        "/openapi/v2".to_owned(),
        "/version".to_owned(),
        "/readyz".to_owned(),
        "/api/v1/watch".to_owned(),
        "/api/v1/nodes".to_owned(),
        NAMESPACE.to_owned(),
        format!("{NAMESPACE}/configmaps"),
        format!("{NAMESPACE}/configmaps/a"),
        format!("{NAMESPACE}/pods/a"),
        format!("{NAMESPACE}/pods/a/log"),
        format!("{NAMESPACE}/pods/a/eviction"),
        format!("{NAMESPACE}/serviceaccounts/a/token"),
        "/apis/apps/v1/namespaces/default/deployments/a/scale".to_owned(),
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews".to_owned(),
        WIDGETS.to_owned(),
        format!("{WIDGETS}/a"),
        format!("{WIDGETS}/a/status"),
    ]);
    let segment = prop_oneof![
        Just(String::new()),
        "[a-z]{1,6}",
        select(vec!["..", ".", "%2F", "%00", "%ff", "%zz", "%25", "status", "namespaces", "watch", "v1"])
            .prop_map(str::to_owned),
    ];
    (known, vec(segment, 0..3)).prop_map(|(known, more)| {
        let mut path = known;
        for segment in more {
            path.push('/');
            path.push_str(&segment);
        }
        path
    })
}

fn query() -> impl Strategy<Value = String> {
    let name = select(vec![
        "watch",
        "limit",
        "continue",
        "resourceVersion",
        "resourceVersionMatch",
        "labelSelector",
        "fieldSelector",
        "timeoutSeconds",
        "dryRun",
        "fieldManager",
        "force",
        "fieldValidation",
        "propagationPolicy",
        "pretty",
        "gracePeriodSeconds",
        "sendInitialEvents",
        "allowWatchBookmarks",
        "verbose",
        "exclude",
        "tailLines",
        "x",
    ]);
    let value = prop_oneof![
        select(vec![
            "",
            "0",
            "1",
            "-1",
            "true",
            "false",
            "All",
            "Exact",
            "NotOlderThan",
            "Strict",
            "Ignore",
            "Orphan",
            "a%3Db",
            "a+in+(b,c)",
            "metadata.name%3Da",
            "e30",
            "99999999999999999999",
            "!",
            "a,,b",
            "%ff",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9=!,().%-]{0,12}",
    ];
    vec((name, value), 0..4).prop_map(|pairs| {
        pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-zA-Z0-9/~ ._-]{0,8}".prop_map(Value::from),
    ];
    let name = select(vec![
        "metadata",
        "name",
        "labels",
        "spec",
        "data",
        "kind",
        "apiVersion",
        "op",
        "path",
        "value",
        "finalizers",
        "ownerReferences",
        "managedFields",
        "$patch",
        "$setElementOrder/containers",
        "containers",
        "size",
        "status",
        "replicas",
        "resourceVersion",
        "uid",
        "namespace",
        "a",
    ]);
    let json = leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((name.clone(), inner), 0..5)
                .prop_map(|pairs| pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    });
    prop_oneof![
        6 => json.prop_map(|value| value.to_string().into_bytes()),
        1 => vec(any::<u8>(), 0..40),
        1 => "[a-z:\\[\\]{}\",\n -]{0,30}".prop_map(String::into_bytes),
        1 => Just(br#"[{"op":"move","from":"/data","path":"/data/k"},{"op":"test","path":"","value":1}]"#.to_vec()),
        1 => Just(br#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"w"}}"#.to_vec()),
    ]
}

fn content_type() -> impl Strategy<Value = &'static str> {
    select(vec![
        "application/json",
        "application/yaml",
        "application/vnd.kubernetes.protobuf",
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
        "application/apply-patch+yaml",
        "text/plain",
        "",
        ";;",
    ])
}

fn accept() -> impl Strategy<Value = &'static str> {
    select(vec![
        "application/json",
        "application/yaml",
        "application/vnd.kubernetes.protobuf",
        "application/json;as=Table;v=v1;g=meta.k8s.io",
        "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
        "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io",
        "*/*",
        "image/png",
        "",
        "q=;,;",
    ])
}

fn method() -> impl Strategy<Value = Method> {
    select(vec![
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
    ])
}

/// The answer to a request, which is there at once; none if there is no such request.
fn answer(
    server: &ApiServer,
    request: http::request::Builder,
    body: Vec<u8>,
) -> Option<Response<ResponseBody>> {
    let request = request.body(Full::new(Bytes::from(body))).ok()?;
    Some(server.service().call(request).now_or_never().unwrap().unwrap())
}

proptest! {
    #![proptest_config(Config { cases: 2000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn every_request_gets_a_proper_answer(
        requests in vec((method(), path(), query(), content_type(), accept(), body()), 1..4),
    ) {
        thread_local!(static SERVER: (Runtime, ApiServer) = (Builder::new_current_thread().enable_time().build().unwrap(), server()));
        SERVER.with(|(runtime, server)| {
            // Watches end by a timer.
            let _timers = runtime.enter();
            for (method, path, query, content_type, accept, body) in requests {
                let head = method == Method::HEAD;
                let request = Request::builder()
                    .method(method)
                    .uri(format!("{path}?{query}"))
                    .header(header::CONTENT_TYPE, content_type)
                    .header(header::ACCEPT, accept);
                let Some(response) = answer(server, request, body) else { continue };
                let code = response.status().as_u16();
                prop_assert!((200..600).contains(&code) && code != 501, "{code}");
                let kind = response.headers().get(header::CONTENT_TYPE).cloned();
                // A watch goes on.
                let Some(collected) = response.into_body().collect().now_or_never() else { continue };
                let bytes = collected.unwrap().to_bytes();
                let json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
                if !json || head || bytes.is_empty() || code < 400 {
                    continue;
                }
                let status: Value = serde_json::from_slice(&bytes).unwrap();
                prop_assert_eq!(&status["kind"], "Status");
                prop_assert_eq!(&status["status"], "Failure");
                prop_assert_eq!(&status["code"], code);
                prop_assert!(status["message"].as_str().is_some_and(|text| !text.is_empty()), "{}", status);
            }
            Ok(())
        })?;
    }
}
