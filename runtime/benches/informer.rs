//! One informer over the in-memory server with 10,000 objects, beside kube-runtime's reflector over the same server.
//!
//! `sync` is from nothing to a store that holds everything; `updates` are 1,000 changes, from the first request to the
//! last event handled. Both include what the server does, which is the same for both.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use futures::{StreamExt, future::ready};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{Patch, PatchParams, PostParams},
};
use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{ListStrategy, SharedInformer},
    store::Storage,
};
use kube_runtime::{WatchStreamExt, reflector, watcher};
use tokio::{
    runtime::{Builder, Runtime},
    sync::mpsc,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

const OBJECTS: usize = 10_000;
const UPDATES: usize = 1_000;

fn name(number: usize) -> String {
    format!("object-{number:06}")
}

async fn filled() -> ApiServer {
    let server = ApiServer::default();
    let api: Api<ConfigMap> = Api::namespaced(server.client(), "default");
    for number in 0..OBJECTS {
        let mut object = ConfigMap::default();
        object.metadata.name = Some(name(number));
        object.data = Some((0..8).map(|key| (format!("key-{key}"), "some value ".repeat(8))).collect());
        let _ = api.create(&PostParams::default(), &object).await;
    }
    server
}

async fn update_all(server: &ApiServer, round: u64) {
    let api: Api<ConfigMap> = Api::namespaced(server.client(), "default");
    for number in 0..UPDATES {
        let patch = serde_json::json!({ "data": { "round": round.to_string() } });
        let _ = api.patch(&name(number), &PatchParams::default(), &Patch::Merge(patch)).await;
    }
}

fn informer(server: &ApiServer, strategy: ListStrategy, storage: Storage) -> SharedInformer<ConfigMap> {
    let client = ResourceClient::namespaced(server.client(), "default");
    SharedInformer::builder(client).list_strategy(strategy).storage(storage).build()
}

async fn sync(server: &ApiServer, strategy: ListStrategy, storage: Storage) {
    let informer = informer(server, strategy, storage);
    informer.start(&CancellationToken::new());
    let _ = informer.wait_for_sync().await;
}

fn watcher_config(strategy: ListStrategy) -> watcher::Config {
    match strategy {
        ListStrategy::Streaming => watcher::Config::default().streaming_lists(),
        _ => watcher::Config::default(),
    }
}

async fn kube_sync(
    server: &ApiServer,
    strategy: ListStrategy,
) -> (JoinHandle<()>, mpsc::UnboundedReceiver<()>) {
    let api: Api<ConfigMap> = Api::namespaced(server.client(), "default");
    let (store, writer) = reflector::store();
    let (sender, events) = mpsc::unbounded_channel();
    let stream = watcher(api, watcher_config(strategy)).reflect(writer).applied_objects();
    let task = tokio::spawn(stream.for_each(move |_| {
        let _ = sender.send(());
        ready(())
    }));
    let _ = store.wait_until_ready().await;
    (task, events)
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

fn bench_sync(criterion: &mut Criterion) {
    let Ok(runtime) = runtime() else { return };
    let server = runtime.block_on(filled());
    let mut group = criterion.benchmark_group("informer/sync-10k");
    group.throughput(Throughput::Elements(OBJECTS as u64));
    for strategy in [ListStrategy::Paged, ListStrategy::Streaming] {
        for storage in [Storage::Decoded, Storage::Packed] {
            let name = format!("ours/{strategy:?}/{storage:?}");
            group.bench_function(name, |bencher| {
                bencher.iter(|| runtime.block_on(sync(&server, strategy, storage)));
            });
        }
        group.bench_function(format!("kube/{strategy:?}"), |bencher| {
            bencher.iter(|| {
                runtime.block_on(async { kube_sync(&server, strategy).await.0.abort() });
            });
        });
    }
    group.finish();
}

fn bench_updates(criterion: &mut Criterion) {
    let Ok(runtime) = runtime() else { return };
    // A client begins its work where it is made.
    let _inside = runtime.enter();
    let server = runtime.block_on(filled());
    let mut group = criterion.benchmark_group("informer/updates-1k-of-10k");
    group.throughput(Throughput::Elements(UPDATES as u64));
    let mut round = 0;
    for storage in [Storage::Decoded, Storage::Packed] {
        let informer = informer(&server, ListStrategy::Paged, storage);
        let (sender, mut events) = mpsc::unbounded_channel();
        informer.add_event_handler(move |event| {
            let _ = sender.send(event);
        });
        runtime.block_on(async {
            informer.start(&CancellationToken::new());
            let _ = informer.wait_for_sync().await;
        });
        group.bench_function(format!("ours/{storage:?}"), |bencher| {
            bencher.iter(|| {
                round += 1;
                runtime.block_on(async {
                    while events.try_recv().is_ok() {}
                    update_all(&server, round).await;
                    while informer.store().resource_version().and_then(|version| version.number())
                        < Some(server.resource_version())
                    {
                        events.recv().await;
                    }
                });
            });
        });
    }
    let (_task, mut events) = runtime.block_on(kube_sync(&server, ListStrategy::Paged));
    group.bench_function("kube", |bencher| {
        bencher.iter(|| {
            round += 1;
            runtime.block_on(async {
                while events.try_recv().is_ok() {}
                update_all(&server, round).await;
                for _ in 0..UPDATES {
                    events.recv().await;
                }
            });
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = bench_sync, bench_updates
}
criterion_main!(benches);
