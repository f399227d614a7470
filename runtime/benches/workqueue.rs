//! The work queue beside kube-runtime's scheduler, which is what kube's `Controller` keeps its keys in.
//!
//! All requests are made, then each key is taken and finished once. `x10` means ten requests a key, in a fixed
//! pseudo-random order. Both get keys of the size and kind that their users have.

use std::{hint::black_box, time::Duration};

use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use futures::{StreamExt, stream};
use k8s_openapi::api::core::v1::Pod;
use kube_codegen_runtime::{
    object::ObjectKey,
    workqueue::{Exponential, WorkQueue},
};
use kube_runtime::{
    reflector::ObjectRef,
    scheduler::{ScheduleRequest, scheduler},
};
use tokio::{
    runtime::{Builder, Runtime},
    time::Instant,
};

const KEYS: usize = 10_000;

fn names() -> impl Iterator<Item = (String, String)> {
    (0..KEYS).map(|n| (format!("namespace-{}", n % 200), format!("pod-{n:06}-x7k2p")))
}

/// `copies` requests for each key: first every key once, then any of them.
fn requests<K: Clone>(keys: &[K], copies: usize) -> Vec<K> {
    let mut random = fastrand::Rng::with_seed(7);
    let more = (0..keys.len() * (copies - 1)).map(|_| keys[random.usize(..keys.len())].clone());
    keys.iter().cloned().chain(more).collect()
}

fn object_keys() -> Vec<ObjectKey> {
    names().map(|(namespace, name)| ObjectKey::new(&namespace, &name)).collect()
}

fn queue() -> WorkQueue<ObjectKey> {
    WorkQueue::new(Exponential::new(Duration::from_millis(5), Duration::from_secs(1000)))
}

/// Takes and finishes every key, as one worker does that always succeeds.
async fn work(queue: &WorkQueue<ObjectKey>) {
    for _ in 0..KEYS {
        if let Some(item) = queue.get().await {
            black_box(item.key());
            item.forget();
        }
    }
}

fn ours(group: &mut BenchmarkGroup<'_, WallTime>, runtime: &Runtime, copies: usize) {
    let keys = object_keys();
    group.bench_function(format!("ours/add/x{copies}"), |bencher| {
        bencher.to_async(runtime).iter_batched(
            || (queue(), requests(&keys, copies)),
            |(queue, mut requests)| async move {
                requests.drain(..).for_each(|key| queue.add(key));
                work(&queue).await;
                (queue, requests)
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function(format!("ours/add_all/x{copies}"), |bencher| {
        bencher.to_async(runtime).iter_batched(
            || (queue(), requests(&keys, copies)),
            |(queue, mut requests)| async move {
                queue.add_all(requests.drain(..));
                work(&queue).await;
                (queue, requests)
            },
            BatchSize::PerIteration,
        );
    });
}

fn peer(group: &mut BenchmarkGroup<'_, WallTime>, runtime: &Runtime, copies: usize) {
    let keys: Vec<ObjectRef<Pod>> =
        names().map(|(namespace, name)| ObjectRef::new(&name).within(&namespace)).collect();
    group.bench_function(format!("kube-runtime/scheduler/x{copies}"), |bencher| {
        bencher.to_async(runtime).iter_batched(
            || requests(&keys, copies),
            |requests| async move {
                let run_at = Instant::now();
                let requests = requests.into_iter().map(move |message| ScheduleRequest { message, run_at });
                let scheduler = scheduler(stream::iter(requests).chain(stream::pending()));
                scheduler.take(KEYS).for_each(async |key| drop(black_box(key))).await;
            },
            BatchSize::PerIteration,
        );
    });
}

fn queues(criterion: &mut Criterion) {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
    for copies in [1, 10] {
        let mut group = criterion.benchmark_group("queue/10k-keys");
        group.throughput(Throughput::Elements((KEYS * copies) as u64));
        ours(&mut group, &runtime, copies);
        peer(&mut group, &runtime, copies);
        group.finish();
    }
}

criterion_group! { name = benches; config = Criterion::default().sample_size(60); targets = queues }
criterion_main!(benches);
