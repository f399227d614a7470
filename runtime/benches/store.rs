//! The store beside kube-runtime's reflector store: 100,000 pods in 200 namespaces.
//!
//! `beside-a-writer` has a thread that replaces an object every 25 microseconds. `longest-get-in-a-re-list` is the longest
//! time that any of the gets of a busy reader took while everything was replaced; the reader has a thread of its own, so
//! that the figure means little on a machine with fewer than two idle cores.

use std::{
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use criterion::{
    BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime,
};
use k8s_openapi::{
    api::core::v1::{Container, EnvVar, Pod, PodSpec, PodStatus},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use kube_codegen_runtime::{
    object::ObjectKey,
    store::{ResourceVersion, Store, Writer, store},
};
use kube_runtime::{
    reflector::{ObjectRef, Store as KubeStore, store::Writer as KubeWriter},
    watcher::Event,
};

const PODS: usize = 100_000;
const NAMESPACES: usize = 200;

fn pod(number: usize, version: usize) -> Pod {
    let text = |what: &str| format!("{what}-{number:06}");
    let env = (0..4).map(|env| EnvVar {
        name: format!("VARIABLE_{env}"),
        value: Some(text("value")),
        value_from: None,
    });
    let container = Container {
        name: "main".into(),
        image: Some(text("registry.example.com/team/service")),
        env: Some(env.collect()),
        ..Container::default()
    };
    Pod {
        metadata: ObjectMeta {
            name: Some(format!("pod-{number:06}-x7k2p")),
            namespace: Some(format!("namespace-{}", number % NAMESPACES)),
            uid: Some(text("uid")),
            resource_version: Some(version.to_string()),
            labels: Some([("app".to_owned(), text("app")), ("tier".to_owned(), "backend".to_owned())].into()),
            ..ObjectMeta::default()
        },
        spec: Some(PodSpec {
            containers: vec![container],
            node_name: Some(format!("node-{}", number % 500)),
            ..PodSpec::default()
        }),
        status: Some(PodStatus { phase: Some("Running".into()), ..PodStatus::default() }),
    }
}

fn ours() -> (Store<Pod>, Writer<Pod>) {
    let (reader, mut writer) = store();
    relist(&mut writer, 1);
    (reader, writer)
}

fn relist(writer: &mut Writer<Pod>, version: usize) {
    let mut list = writer.replacement();
    for number in 0..PODS {
        let pod = pod(number, version);
        list.put(ObjectKey::of(&pod), pod.into());
    }
    drop(writer.commit(list, ResourceVersion::from("1")));
}

fn kubes() -> (KubeStore<Pod>, KubeWriter<Pod>) {
    let mut writer = KubeWriter::default();
    kube_relist(&mut writer, 1);
    (writer.as_reader(), writer)
}

fn kube_relist(writer: &mut KubeWriter<Pod>, version: usize) {
    writer.apply_watcher_event(&Event::Init);
    for number in 0..PODS {
        writer.apply_watcher_event(&Event::InitApply(pod(number, version)));
    }
    writer.apply_watcher_event(&Event::InitDone);
}

/// Existing keys in a fixed pseudo-random order.
fn order() -> impl FnMut() -> usize {
    let mut random = fastrand::Rng::with_seed(7);
    move || random.usize(..PODS)
}

/// Calls `write` every 25 microseconds while `measure` runs.
fn beside<W: Send>(writer: &mut W, write: impl Fn(&mut W, Pod) + Send + Sync, measure: impl FnOnce()) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let (mut next, mut version) = (order(), 2);
            while !stop.load(Ordering::Relaxed) {
                let due = Instant::now() + Duration::from_micros(25);
                version += 1;
                write(writer, pod(next(), version));
                while Instant::now() < due {
                    std::hint::spin_loop();
                }
            }
        });
        measure();
        stop.store(true, Ordering::Relaxed);
    });
}

/// The longest of the gets made while `relist` runs.
fn longest(get: impl Fn(usize) + Send + Sync, relist: impl FnOnce()) -> Duration {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (mut next, mut longest) = (order(), Duration::ZERO);
            while !stop.load(Ordering::Relaxed) {
                let (number, begin) = (next(), Instant::now());
                get(number);
                longest = longest.max(begin.elapsed());
            }
            longest
        });
        relist();
        stop.store(true, Ordering::Relaxed);
        reader.join().unwrap_or_default()
    })
}

fn bench_get(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, get: impl Fn(usize) -> Option<Arc<Pod>>) {
    let mut next = order();
    group.bench_function(name, |bencher| bencher.iter(|| black_box(get(next()))));
}

fn bench_ours(criterion: &mut Criterion) {
    let (reader, mut writer) = ours();
    let keys: Vec<ObjectKey> = (0..PODS).map(|number| ObjectKey::of(&pod(number, 1))).collect();
    let mut group = criterion.benchmark_group("store/ours");
    bench_get(&mut group, "get", |number| reader.get(&keys[number]));
    bench_get(&mut group, "get-by-two-strings", |number| {
        reader.get_named(keys[number].namespace().unwrap_or_default(), keys[number].name())
    });
    group.bench_function("namespace-500-of-100k", |bencher| {
        let mut next = order();
        bencher.iter(|| reader.list_namespace(&format!("namespace-{}", next() % NAMESPACES)));
    });
    group.bench_function("list-100k", |bencher| bencher.iter(|| reader.list()));
    let mut version = 1;
    let mut next = order();
    group.bench_function("event", |bencher| {
        bencher.iter_batched(
            || {
                version += 1;
                let pod = pod(next(), version);
                (ObjectKey::of(&pod), pod.into())
            },
            // What was there before is dropped elsewhere: events hold it.
            |(key, entry)| writer.put(key, entry, None),
            BatchSize::SmallInput,
        );
    });
    let write = |writer: &mut Writer<Pod>, pod| drop(writer.put_object(pod));
    beside(&mut writer, write, || {
        bench_get(&mut group, "get-beside-a-writer", |number| reader.get(&keys[number]));
    });
    group.bench_function("longest-get-in-a-re-list", |bencher| {
        bencher.iter_custom(|times| {
            let get = |number: usize| drop(black_box(reader.get(&keys[number])));
            (0..times).map(|time| longest(get, || relist(&mut writer, 1_000_000 + time as usize))).sum()
        });
    });
    let by_node =
        reader.add_index("node", |pod: &Pod| pod.spec.as_ref().and_then(|spec| spec.node_name.clone()));
    if let Ok(by_node) = by_node {
        group.bench_function("index-200-of-100k", |bencher| {
            let mut next = order();
            bencher.iter(|| by_node.get(&format!("node-{}", next() % 500)));
        });
    }
    group.bench_function("event-with-an-index", |bencher| {
        bencher.iter_batched(
            || {
                version += 1;
                let pod = pod(next(), version);
                (ObjectKey::of(&pod), pod.into())
            },
            |(key, entry)| writer.put(key, entry, None),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

fn bench_kube(criterion: &mut Criterion) {
    let (reader, mut writer) = kubes();
    let keys: Vec<ObjectRef<Pod>> = (0..PODS).map(|number| ObjectRef::from_obj(&pod(number, 1))).collect();
    let mut group = criterion.benchmark_group("store/kube");
    bench_get(&mut group, "get", |number| reader.get(&keys[number]));
    group.bench_function("namespace-500-of-100k", |bencher| {
        let mut next = order();
        bencher.iter(|| {
            let namespace = format!("namespace-{}", next() % NAMESPACES);
            reader.state_filter(|pod| pod.metadata.namespace.as_ref() == Some(&namespace))
        });
    });
    group.bench_function("list-100k", |bencher| bencher.iter(|| reader.state()));
    let mut version = 1;
    let mut next = order();
    group.bench_function("event", |bencher| {
        bencher.iter_batched(
            || {
                version += 1;
                Event::Apply(pod(next(), version))
            },
            |event| {
                writer.apply_watcher_event(&event);
                event
            },
            BatchSize::SmallInput,
        );
    });
    let write = |writer: &mut KubeWriter<Pod>, pod| writer.apply_watcher_event(&Event::Apply(pod));
    beside(&mut writer, write, || {
        bench_get(&mut group, "get-beside-a-writer", |number| reader.get(&keys[number]));
    });
    group.bench_function("longest-get-in-a-re-list", |bencher| {
        bencher.iter_custom(|times| {
            let get = |number: usize| drop(black_box(reader.get(&keys[number])));
            (0..times).map(|time| longest(get, || kube_relist(&mut writer, 1_000_000 + time as usize))).sum()
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = bench_ours, bench_kube
}
criterion_main!(benches);
