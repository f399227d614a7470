//! Who may do what: users, roles, reviews, and what subresources of access answer.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod admission;
mod eviction;
mod roles;
mod system;
mod tokens;

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};
use tower::Service as _;

/// A client that may send any headers.
pub(crate) struct Client {
    server: ApiServer,
    headers: Vec<(String, String)>,
}

impl Client {
    pub(crate) fn new(server: &ApiServer) -> Self {
        Self { server: server.clone(), headers: Vec::new() }
    }

    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        let mut headers = self.headers.clone();
        headers.push((name.to_owned(), value.to_owned()));
        Self { server: self.server.clone(), headers }
    }

    /// The same client as somebody else.
    pub(crate) fn user(&self, name: &str) -> Self {
        self.with("Impersonate-User", name)
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> (u16, Value) {
        let patch = method == Method::PATCH;
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if body.is_some() {
            let kind = if patch { "application/merge-patch+json" } else { "application/json" };
            request = request.header("content-type", kind);
        }
        let bytes = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        let response = self.server.service().call(request.body(Full::new(bytes)).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let value = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes).into_owned()));
        (status, value)
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send(Method::PATCH, path, Some(body)).await
    }

    /// Creates, and takes no for no answer.
    pub(crate) async fn make(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body).await;
        assert_eq!(status, 201, "{answer:#}");
        answer
    }
}

pub(crate) fn message(answer: &Value) -> &str {
    answer["message"].as_str().unwrap_or_default()
}
