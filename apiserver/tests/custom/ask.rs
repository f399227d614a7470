//! Requests and their answers, as JSON.

use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};
use tower::Service as _;

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub code: u16,
    pub body: Value,
    pub warnings: Vec<String>,
}

impl Answer {
    /// The fields and messages of what is wrong.
    pub(crate) fn causes(&self) -> Vec<String> {
        let causes = self.body.pointer("/details/causes").and_then(Value::as_array);
        let text = |cause: &Value| {
            let of = |name: &str| cause.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            format!("{}: {}", of("field"), of("message"))
        };
        causes.into_iter().flatten().map(text).collect()
    }
}

pub(crate) async fn ask(server: &ApiServer, method: Method, path: &str, body: &Value) -> Answer {
    let kind = match method {
        Method::PATCH => "application/merge-patch+json",
        _ => "application/json",
    };
    ask_in(server, (method, kind), path, body).await
}

/// Applies an object.
pub(crate) async fn patch(server: &ApiServer, path: &str, body: &Value) -> Answer {
    ask_in(server, (Method::PATCH, "application/merge-patch+json"), path, body).await
}

pub(crate) async fn apply(server: &ApiServer, path: &str, body: &Value) -> Answer {
    ask_in(server, (Method::PATCH, "application/apply-patch+yaml"), path, body).await
}

async fn ask_in(server: &ApiServer, (method, kind): (Method, &str), path: &str, body: &Value) -> Answer {
    let bytes = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    let request =
        Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, kind).body(Full::new(bytes));
    let response = server.service().call(request.unwrap()).await.unwrap();
    let code = response.status().as_u16();
    let warnings = response.headers().get_all(header::WARNING).iter();
    let warnings = warnings.map(|value| value.to_str().unwrap().to_owned()).collect();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into());
    Answer { code, body, warnings }
}

pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
pub(crate) const WIDGETS: &str = "/apis/example.com/v1/namespaces/default/widgets";

/// The definition of `Widget` with this schema of its `spec`.
pub(crate) fn definition(spec: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    })
}

/// A server with the kind `Widget`.
pub(crate) async fn server(spec: &Value) -> ApiServer {
    let server = ApiServer::builder().seed(5).build();
    let answer = ask(&server, Method::POST, DEFINITIONS, &definition(spec)).await;
    assert_eq!(answer.code, 201, "{spec}: {:?}", answer.body);
    server
}

pub(crate) fn widget(name: &str, spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name}, "spec": spec})
}
