//! The server through `kube::Api`, beside a service that returns the same bytes without work.
//!
//! What the second takes is kube's own share: building requests, polling services, decoding answers. `fan-out` is one change seen by a
//! hundred watches. `sizes` is one operation on servers with a thousand and with ten thousand objects: what touches one object must cost
//! the same on both, what touches all ten times as much.
//!
//! glibc gives the memory of a decoded list back to the system after some answers and not after others, by what else lies beside it: lists
//! are compared with `--features mimalloc`, or with `MALLOC_TRIM_THRESHOLD_=268435456`.

#![expect(clippy::unwrap_used, reason = "a benchmark ends when something fails")]

use std::{convert::Infallible, hint::black_box};

use bytes::Bytes;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use futures::{StreamExt as _, future::join_all};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use k8s_openapi::api::core::v1::{ConfigMap, Container, Pod, PodSpec};
use kube::{
    Client,
    api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchParams},
    client::Body,
};
use kube_codegen_apiserver::ApiServer;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tower::Service as _;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn pod(name: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = Some(name.to_owned());
    pod.metadata.labels = Some((0..8).map(|n| (format!("label-{n}"), format!("value-{n}"))).collect());
    let containers = (0..3).map(|n| Container {
        name: format!("container-{n}"),
        image: Some("registry.example.com/team/image:1.2.3".to_owned()),
        ..Container::default()
    });
    pod.spec = Some(PodSpec { containers: containers.collect(), ..PodSpec::default() });
    pod
}

/// A client whose every request is answered with these bytes.
fn echo(bytes: Bytes) -> Client {
    let service = tower::service_fn(move |_: Request<Body>| {
        let response = Response::new(Full::new(bytes.clone()));
        async move { Ok::<_, Infallible>(response) }
    });
    Client::new(service, "default")
}

/// What the server answers to a path.
async fn answer(server: &ApiServer, path: &str) -> Bytes {
    let request = Request::get(path).body(Full::new(Bytes::new())).unwrap();
    let response = server.service().call(request).await.unwrap();
    response.into_body().collect().await.unwrap().to_bytes()
}

async fn filled(count: usize) -> ApiServer {
    let server = ApiServer::builder().seed(1).build();
    let pods: Api<Pod> = Api::default_namespaced(server.client());
    for n in 0..count {
        pods.create(&PostParams::default(), &pod(&format!("pod-{n:05}"))).await.unwrap();
    }
    server
}

fn reads(c: &mut Criterion) {
    let runtime = runtime();
    let server = runtime.block_on(filled(1_000));
    let path = "/api/v1/namespaces/default/pods";
    let one = runtime.block_on(answer(&server, &format!("{path}/pod-00500")));
    let all = runtime.block_on(answer(&server, path));
    let _guard = runtime.enter();
    let ours: Api<Pod> = Api::default_namespaced(server.client());
    for (name, api) in [("server", ours.clone()), ("same bytes", Api::default_namespaced(echo(one)))] {
        c.bench_function(&format!("get/{name}"), |b| {
            b.iter(|| black_box(runtime.block_on(api.get("pod-00500")).unwrap()));
        });
    }
    for (name, api) in [("server", ours), ("same bytes", Api::default_namespaced(echo(all)))] {
        c.bench_function(&format!("list 1000/{name}"), |b| {
            b.iter(|| black_box(runtime.block_on(api.list(&ListParams::default())).unwrap()));
        });
    }
}

fn writes(c: &mut Criterion) {
    let runtime = runtime();
    let server = runtime.block_on(filled(1_000));
    let one = runtime.block_on(answer(&server, "/api/v1/namespaces/default/pods/pod-00500"));
    let _guard = runtime.enter();
    let ours: Api<Pod> = Api::default_namespaced(server.client());
    let mut count = 0;
    for (name, api) in [("server", ours), ("same bytes", Api::default_namespaced(echo(one)))] {
        let mut next = || {
            count += 1;
            count
        };
        c.bench_function(&format!("create/{name}"), |b| {
            b.iter_batched(
                || pod(&format!("{}-{}", name.replace(' ', "-"), next())),
                |pod| runtime.block_on(api.create(&PostParams::default(), &pod)).unwrap(),
                BatchSize::SmallInput,
            );
        });
        c.bench_function(&format!("update/{name}"), |b| {
            b.iter_batched(
                || {
                    let mut pod = pod("pod-00500");
                    pod.metadata.annotations = Some([("n".to_owned(), next().to_string())].into());
                    pod
                },
                |pod| runtime.block_on(api.replace("pod-00500", &PostParams::default(), &pod)).unwrap(),
                BatchSize::SmallInput,
            );
        });
        let owner = PatchParams::apply("bench").force();
        let kinds = [("merge patch", PatchParams::default()), ("apply", owner)];
        for (kind, params) in kinds {
            c.bench_function(&format!("{kind}/{name}"), |b| {
                b.iter_batched(
                    || {
                        let annotations = json!({"annotations": {"n": next().to_string()}});
                        match kind {
                            "apply" => Patch::Apply(
                                json!({"apiVersion": "v1", "kind": "Pod", "metadata": annotations}),
                            ),
                            _ => Patch::Merge(json!({"metadata": annotations})),
                        }
                    },
                    |patch| runtime.block_on(api.patch("pod-00500", &params, &patch)).unwrap(),
                    BatchSize::SmallInput,
                );
            });
        }
    }
}

fn fan_out(c: &mut Criterion) {
    let runtime = runtime();
    let server = ApiServer::builder().seed(1).build();
    let _guard = runtime.enter();
    let maps: Api<ConfigMap> = Api::default_namespaced(server.client());
    let mut map = ConfigMap::default();
    map.metadata.name = Some("a".to_owned());
    runtime.block_on(maps.create(&PostParams::default(), &map)).unwrap();
    let mut watches = runtime.block_on(join_all((0..100).map(|_| async {
        let mut watch = Box::pin(maps.watch(&WatchParams::default(), "0").await.unwrap());
        watch.next().await.unwrap().unwrap();
        watch
    })));
    let mut count = 0;
    c.bench_function("fan-out to 100/server", |b| {
        b.iter(|| {
            count += 1;
            let patch = Patch::Merge(json!({"data": {"n": count.to_string()}}));
            runtime.block_on(async {
                maps.patch("a", &PatchParams::default(), &patch).await.unwrap();
                for event in join_all(watches.iter_mut().map(futures::StreamExt::next)).await {
                    black_box(event.unwrap().unwrap());
                }
            });
        });
    });
}

fn sizes(c: &mut Criterion) {
    let runtime = runtime();
    let mut group = c.benchmark_group("sizes");
    group.sample_size(20);
    for count in [1_000, 10_000] {
        let server = runtime.block_on(filled(count));
        let _guard = runtime.enter();
        let pods: Api<Pod> = Api::default_namespaced(server.client());
        let mut value = 0;
        group.bench_function(format!("get of {count}"), |b| {
            b.iter(|| black_box(runtime.block_on(pods.get("pod-00500")).unwrap()));
        });
        group.bench_function(format!("merge patch of {count}"), |b| {
            b.iter(|| {
                value += 1;
                let patch = Patch::Merge(json!({"metadata": {"annotations": {"n": value.to_string()}}}));
                runtime.block_on(pods.patch("pod-00500", &PatchParams::default(), &patch)).unwrap()
            });
        });
        group.bench_function(format!("create and delete of {count}"), |b| {
            b.iter(|| {
                runtime.block_on(pods.create(&PostParams::default(), &pod("one-more"))).unwrap();
                runtime.block_on(pods.delete("one-more", &DeleteParams::default())).unwrap()
            });
        });
        group.bench_function(format!("list of {count}"), |b| {
            b.iter(|| black_box(runtime.block_on(pods.list(&ListParams::default())).unwrap()));
        });
        group.bench_function(format!("first events of {count}"), |b| {
            b.iter(|| {
                runtime.block_on(async {
                    let watch = pods.watch(&WatchParams::default(), "0").await.unwrap();
                    assert_eq!(watch.take(count).count().await, count);
                });
            });
        });
    }
    group.finish();
}

criterion_group!(benches, reads, writes, fan_out, sizes);
criterion_main!(benches);
