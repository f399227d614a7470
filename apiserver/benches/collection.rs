//! Garbage collection: what it takes until the dependents of a hundred owners have followed them.
//!
//! The time for each dependent (the throughput that is printed) is to be the same for 1,000 and for 10,000. Making them is not measured.

#![expect(clippy::unwrap_used, reason = "a benchmark ends when something fails")]

use std::hint::black_box;

use bytes::Bytes;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use http::{Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use kube_codegen_apiserver::{ApiServer, Controllers};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tower::Service as _;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const OWNERS: usize = 100;

async fn send(server: &ApiServer, method: Method, path: &str, body: &Value) -> Value {
    let request =
        Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
    let request = request.body(Full::new(Bytes::from(body.to_string()))).unwrap();
    let response = server.service().call(request).await.unwrap();
    assert!(response.status().is_success());
    serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap()
}

/// A server whose owners have been deleted this way, and whose collector has not begun.
fn deleted(runtime: &Runtime, policy: &str, dependents: usize) -> ApiServer {
    let server = ApiServer::builder().controllers(Controllers::Stepped).build();
    runtime.block_on(async {
        for owner in 0..OWNERS {
            let name = format!("owner-{owner}");
            let made = send(&server, Method::POST, MAPS, &json!({"metadata": {"name": name}})).await;
            let reference = json!({
                "apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": made["metadata"]["uid"],
                "blockOwnerDeletion": true,
            });
            for child in 0..dependents / OWNERS {
                let meta = json!({"name": format!("{name}-{child}"), "ownerReferences": [reference]});
                send(&server, Method::POST, MAPS, &json!({"metadata": meta})).await;
            }
        }
        server.settle();
        for owner in 0..OWNERS {
            let path = format!("{MAPS}/owner-{owner}");
            send(&server, Method::DELETE, &path, &json!({"propagationPolicy": policy})).await;
        }
    });
    server
}

fn collection(c: &mut Criterion) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    for policy in ["Background", "Foreground", "Orphan"] {
        let mut group = c.benchmark_group(format!("{policy} deletion of {OWNERS} owners"));
        group.sample_size(10);
        for dependents in [1_000, 10_000] {
            group.throughput(Throughput::Elements(u64::try_from(dependents).unwrap()));
            group.bench_with_input(BenchmarkId::from_parameter(dependents), &dependents, |b, dependents| {
                let made = || deleted(&runtime, policy, *dependents);
                b.iter_batched_ref(made, |server| black_box(server.settle()), BatchSize::PerIteration);
            });
        }
        group.finish();
    }
}

criterion_group!(benches, collection);
criterion_main!(benches);
