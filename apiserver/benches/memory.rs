//! What a server takes: to give its first answer, and for 100,000 pods beside their JSON (on Linux).
//!
//! Prints milliseconds to the first answer in a fresh process; the resident bytes an object, the bytes of its JSON as a client reads it, and
//! how many times as much that is.

#![expect(clippy::unwrap_used, reason = "a benchmark ends when something fails")]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it has found")]

use std::{fs, time::Instant};

use http::Request;
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};
use tower::Service as _;

const PODS: usize = 100_000;

fn pod(number: usize) -> Value {
    let labels: serde_json::Map<String, Value> =
        (0..8).map(|n| (format!("label-{n}"), format!("value-{number}-{n}").into())).collect();
    let env: Vec<Value> = (0..10)
        .map(|n| json!({"name": format!("VARIABLE_{n}"), "value": format!("{number}-{}", "x".repeat(40))}))
        .collect();
    let containers: Vec<Value> = (0..3)
        .map(|n| {
            json!({
                "name": format!("container-{n}"), "image": "registry.example.com/team/image:1.2.3", "env": env,
                "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
            })
        })
        .collect();
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": format!("pod-{number:06}"), "namespace": format!("ns-{}", number % 200), "labels": labels},
        "spec": {"containers": containers, "nodeName": format!("node-{}", number % 500)},
    })
}

/// The resident bytes of this process.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").trim().parse::<usize>().unwrap_or_default() * 1024
}

async fn length(server: &ApiServer, path: &str) -> usize {
    let request = Request::get(path).body(Full::new(bytes::Bytes::new())).unwrap();
    let response = server.service().call(request).await.unwrap();
    response.into_body().collect().await.unwrap().to_bytes().len()
}

fn main() {
    // Criterion's own flags, such as `--test`, ask for less than the whole.
    let pods = if std::env::args().any(|flag| flag == "--test") { 1_000 } else { PODS };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let start = Instant::now();
    let server = ApiServer::builder().seed(1).create_namespaces().build();
    runtime.block_on(length(&server, "/api/v1/namespaces/default"));
    println!("the first answer after {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    server.import(pod(PODS)).unwrap();
    let before = resident();
    for number in 0..pods {
        server.import(pod(number)).unwrap();
    }
    let held = (resident() - before) as f64 / pods as f64;
    let path = "/api/v1/namespaces/ns-0/pods/pod-000000";
    let json = runtime.block_on(length(&server, path)) as f64;
    println!("{pods} pods: {held:.0} resident bytes each, {json:.0} bytes of JSON, {:.2} times", held / json);
}
