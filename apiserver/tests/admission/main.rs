//! Admission policies and webhooks: what they do to writes, and the words in which they refuse.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

mod mutating;
mod plugins;
mod policies;
mod services;
mod webhooks;

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};
use tower::Service as _;

const GROUP: &str = "/apis/admissionregistration.k8s.io/v1";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

/// What a server answers.
#[derive(Debug)]
struct Answer {
    code: u16,
    body: Value,
    warnings: Vec<String>,
}

impl Answer {
    fn message(&self) -> &str {
        self.body["message"].as_str().unwrap_or_default()
    }

    /// The texts of the causes.
    fn causes(&self) -> Vec<&str> {
        let causes = self.body["details"]["causes"].as_array();
        causes.into_iter().flatten().filter_map(|cause| cause["message"].as_str()).collect()
    }
}

/// A client of a server.
struct Client {
    server: ApiServer,
    user: Option<String>,
}

impl Client {
    fn new() -> Self {
        Self::of(&ApiServer::new())
    }

    fn of(server: &ApiServer) -> Self {
        Self { server: server.clone(), user: None }
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        let kind = if method == Method::PATCH { "application/merge-patch+json" } else { "application/json" };
        let mut request = Request::builder().method(method).uri(path).header("content-type", kind);
        if let Some(user) = &self.user {
            request = request.header("Impersonate-User", user);
        }
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let request = request.body(Full::new(Bytes::from(text))).unwrap();
        let response = self.server.service().call(request).await.unwrap();
        let code = response.status().as_u16();
        let warnings = response.headers().get_all("warning").iter();
        let warnings = warnings.map(|value| value.to_str().unwrap().to_owned()).collect();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Answer { code, body: serde_json::from_slice(&bytes).unwrap_or_default(), warnings }
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, body).await
    }

    async fn make(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body).await;
        assert!(answer.code < 300, "{answer:?}");
        answer.body
    }

    /// A policy about config maps, bound under its own name.
    async fn policy(&self, name: &str, spec: Value, binding: Value) {
        self.make(&format!("{GROUP}/validatingadmissionpolicies"), &policy(name, spec)).await;
        let mut spec = json!({"policyName": name, "validationActions": ["Deny"]});
        merge(&mut spec, binding);
        let binding = json!({"metadata": {"name": name}, "spec": spec});
        self.make(&format!("{GROUP}/validatingadmissionpolicybindings"), &binding).await;
    }

    /// The same for a policy that changes objects.
    async fn changing(&self, name: &str, spec: Value, binding: Value) {
        let mut whole = json!({"reinvocationPolicy": "Never"});
        merge(&mut whole, spec);
        let mut policy = policy(name, whole);
        policy["spec"]["matchConstraints"]["resourceRules"][0]["operations"] = json!(["CREATE", "UPDATE"]);
        self.make(&format!("{GROUP}/mutatingadmissionpolicies"), &policy).await;
        let mut spec = json!({"policyName": name});
        merge(&mut spec, binding);
        let binding = json!({"metadata": {"name": name}, "spec": spec});
        self.make(&format!("{GROUP}/mutatingadmissionpolicybindings"), &binding).await;
    }
}

fn merge(into: &mut Value, from: Value) {
    if let (Some(into), Value::Object(from)) = (into.as_object_mut(), from) {
        into.extend(from);
    }
}

fn policy(name: &str, spec: Value) -> Value {
    let mut whole = json!({"matchConstraints": {"resourceRules": [{
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps", "pods", "pods/*"],
    }]}});
    merge(&mut whole, spec);
    json!({"metadata": {"name": name}, "spec": whole})
}

fn map(name: &str, data: impl Into<Value>) -> Value {
    json!({"metadata": {"name": name}, "data": data.into()})
}
