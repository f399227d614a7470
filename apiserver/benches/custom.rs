//! Objects of defined kinds: what a schema and its rules cost on every write.
//!
//! `with twenty rules` is a whole request (a dry run, so that nothing grows); `without rules` is the same without them: the difference is what
//! the rules take.
//!
//! `a change of a definition` is the compilation of its rules; with a hundred other kinds beside it, each with as many, it takes little more:
//! what was compiled for a version of a definition is kept until that definition changes.

#![expect(clippy::unwrap_used, reason = "a benchmark ends when something fails")]

use bytes::Bytes;
use criterion::{Criterion, criterion_group, criterion_main};
use http::{Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tower::Service as _;

const WIDGETS: &str = "/apis/example.com/v1/namespaces/default/widgets";

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

async fn send(server: &ApiServer, path: &str, body: &Bytes) -> u16 {
    ask(server, (Method::POST, "application/json"), path, body).await
}

async fn ask(server: &ApiServer, (method, kind): (Method, &str), path: &str, body: &Bytes) -> u16 {
    let request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, kind);
    let request = request.body(Full::new(body.clone())).unwrap();
    let response = server.service().call(request).await.unwrap();
    let code = response.status().as_u16();
    response.into_body().collect().await.unwrap();
    code
}

fn rules() -> Vec<Value> {
    let rules = [
        "self.replicas <= self.maxReplicas",
        "self.name.startsWith('w') && self.name.size() < 40",
        "self.ports.all(p, p.port > 0 && p.port < 65536)",
        "self.ports.exists(p, p.name == 'http')",
        "self.ports.map(p, p.port).isSorted() || self.ports.size() > 1",
        "!has(self.window) || duration(self.window) > duration('1s')",
        "self.labels.all(k, k.size() < 64)",
        "quantity(self.memory).isLessThan(quantity('10Gi'))",
        "self.image.matches('^[a-z0-9./:-]+$')",
        "self.mode in ['a', 'b', 'c']",
        "self.replicas % 2 == 1 || self.mode == 'a'",
        "self.address == '' || isIP(self.address)",
        "self.ports.filter(p, p.port > 1000).size() <= 8",
        "self.labels.exists_one(k, k == 'label-3')",
        "self.replicas > 0 ? self.maxReplicas > 0 : true",
        "self.name != self.image",
        "self.ports[0].port != 22",
        "self.?window.orValue('1m') != ''",
        "size(self.labels) <= 20",
        "self.steps.all(s, s.command.size() > 0)",
    ];
    rules.iter().map(|rule| json!({"rule": rule})).collect()
}

fn definition(rules: &[Value]) -> Value {
    let text = |most: i64| json!({"type": "string", "maxLength": most});
    let port = json!({"type": "object", "properties": {"name": text(20), "port": {"type": "integer"}}});
    let step = json!({"type": "object", "properties": {"name": text(40), "command": text(200)}});
    let spec = json!({
        "type": "object",
        "x-kubernetes-validations": rules,
        "properties": {
            "name": text(60), "image": text(100), "mode": text(10), "memory": text(10), "window": text(10), "address": text(40),
            "replicas": {"type": "integer"}, "maxReplicas": {"type": "integer"},
            "ports": {"type": "array", "maxItems": 10, "items": port},
            "labels": {"type": "object", "maxProperties": 20, "additionalProperties": text(60)},
            "steps": {"type": "array", "maxItems": 20, "items": step},
        },
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    })
}

/// An object of about two kilobytes.
fn widget() -> Bytes {
    let labels: serde_json::Map<String, Value> =
        (0..12).map(|n| (format!("label-{n}"), format!("a value of label {n}").into())).collect();
    let ports: Vec<Value> = (0..6)
        .map(|n| json!({"name": if n == 0 { "http".into() } else { format!("p{n}") }, "port": 8000 + n}))
        .collect();
    let steps: Vec<Value> = (0..10)
        .map(|n| json!({"name": format!("step-{n}"), "command": format!("do something useful with the input number {n} and stop then")}))
        .collect();
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"},
        "spec": {
            "name": "widget", "image": "registry.example.com/team/image:1.2.3", "mode": "a", "memory": "512Mi", "window": "30s",
            "address": "10.0.0.1", "replicas": 3, "maxReplicas": 10, "ports": ports, "labels": labels, "steps": steps,
        },
    });
    Bytes::from(object.to_string())
}

fn ready(runtime: &Runtime, rules: &[Value]) -> ApiServer {
    let server = ApiServer::builder().seed(1).build();
    let body = Bytes::from(definition(rules).to_string());
    assert_eq!(runtime.block_on(send(&server, DEFINITIONS, &body)), 201);
    server
}

fn writes(c: &mut Criterion) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let widget = widget();
    let path = format!("{WIDGETS}?dryRun=All");
    let mut group = c.benchmark_group(format!("custom object of {} bytes", widget.len()));
    for (name, rules) in [("without rules", Vec::new()), ("with twenty rules", rules())] {
        let server = ready(&runtime, &rules);
        assert_eq!(runtime.block_on(send(&server, &path, &widget)), 201);
        group.bench_function(name, |b| b.iter(|| runtime.block_on(send(&server, &path, &widget))));
    }
    group.finish();
}

fn changes(c: &mut Criterion) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let mut group = c.benchmark_group("a change of a definition with twenty rules");
    for others in [0, 100] {
        let server = ready(&runtime, &rules());
        for number in 0..others {
            let mut other = definition(&rules());
            other["metadata"]["name"] = format!("widgets{number}.example.com").into();
            other["spec"]["names"] =
                json!({"plural": format!("widgets{number}"), "kind": format!("Widget{number}")});
            let body = Bytes::from(other.to_string());
            assert_eq!(runtime.block_on(send(&server, DEFINITIONS, &body)), 201);
        }
        let path = format!("{DEFINITIONS}/widgets.example.com");
        let (mut less, all) = (rules(), definition(&rules()));
        less.pop();
        let bodies = [definition(&less), all]
            .map(|body| Bytes::from(json!({"spec": {"versions": body["spec"]["versions"]}}).to_string()));
        let mut turn = bodies.iter().cycle();
        group.bench_function(format!("beside {others} other kinds"), |b| {
            b.iter(|| {
                let body = turn.next().unwrap();
                let patch = (Method::PATCH, "application/merge-patch+json");
                assert_eq!(runtime.block_on(ask(&server, patch, &path, body)), 200);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, writes, changes);
criterion_main!(benches);
