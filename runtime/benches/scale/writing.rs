//! In memory: changes to a full store, and a store that is replaced as a whole while it is read.
//!
//! In: pods. Out: figures. Never: decoding within what is measured.

use std::{
    collections::HashMap,
    hint::black_box,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use k8s_openapi::api::core::v1::Pod;
use kube_codegen_runtime::{
    object::ObjectKey,
    store::{Entry, ResourceVersion, Store, Writer, store},
};
use kube_runtime::{
    reflector::{ObjectRef, Store as KubeStore, store as kube_store, store::Writer as KubeWriter},
    watcher::Event,
};

use crate::{
    feed::{Pods, key, shuffled},
    harness::{Case, Given, Goal, Role},
    measure::{Figures, Schedule, best, figures, resident},
};

const EVENT: &str = "one event into the store, decoded already";
const MEMORY: &str = "memory, before and after everything was replaced";
/// The last figure of [`MEMORY`].
const LATER: &str = "two seconds later";
const RELIST: &str = "longest get while everything is replaced";
/// The second figure of [`RELIST`].
const WITH_A_PROCESSOR: &str = "ms, not waiting for a processor";
/// Of the changes.
const PARTS: usize = 5;

pub(crate) fn cases() -> Vec<Case> {
    let case = Case::new;
    vec![
        case(EVENT, "a plain map", Role::Bound, event_plain),
        case(EVENT, "kube-runtime 5", Role::Peer, event_kube),
        case(EVENT, "decoded", Role::Ours("a plain map"), event_decoded)
            .goals(&[Goal { figure: "us CPU/event", at_most: 0.9 }]),
        case(EVENT, "packed", Role::Ours("a plain map"), event_packed),
        case(MEMORY, "kube-runtime 5", Role::Peer, memory_kube),
        // Both states are there for a moment; after that the memory of one is to be the system's again.
        case(MEMORY, "decoded", Role::Ours(""), memory_decoded)
            .goals(&[Goal { figure: LATER, at_most: 40_000.0 }]),
        case(MEMORY, "packed", Role::Ours(""), memory_packed)
            .goals(&[Goal { figure: LATER, at_most: 6_000.0 }]),
        case(RELIST, "kube-runtime 5", Role::Peer, relist_kube),
        case(RELIST, "decoded", Role::Ours(""), relist_ours)
            .goals(&[Goal { figure: WITH_A_PROCESSOR, at_most: 1.0 }]),
    ]
}

pub(crate) fn decoded(count: usize) -> Vec<Pod> {
    let decode = |range: Range<usize>| -> Vec<Pod> {
        let pods = Pods::new();
        range.map(|pod| serde_json::from_str(&pods.json(pod)).unwrap()).collect()
    };
    let mut all = Vec::with_capacity(count);
    thread::scope(|scope| {
        let rest = scope.spawn(|| decode(count / 2..count));
        all.extend(decode(0..count / 2));
        all.extend(rest.join().unwrap());
    });
    all
}

pub(crate) fn object_key(pod: usize) -> ObjectKey {
    let (namespace, name) = key(pod);
    ObjectKey::new(&namespace, &name)
}

pub(crate) fn object_ref(pod: usize) -> ObjectRef<Pod> {
    let (namespace, name) = key(pod);
    ObjectRef::new(&name).within(&namespace)
}

pub(crate) fn fill(writer: &mut Writer<Pod>, entries: impl IntoIterator<Item = (ObjectKey, Entry<Pod>)>) {
    let mut list = writer.replacement();
    for (key, entry) in entries {
        list.put(key, entry);
    }
    drop(writer.commit(list, ResourceVersion::from("1")));
}

pub(crate) fn kube_fill(writer: &mut KubeWriter<Pod>, pods: Vec<Pod>) {
    writer.apply_watcher_event(&Event::Init);
    for pod in pods {
        writer.apply_watcher_event(&Event::InitApply(pod));
    }
    writer.apply_watcher_event(&Event::InitDone);
}

fn entry(pod: Pod) -> (ObjectKey, Entry<Pod>) {
    (ObjectKey::of(&pod), pod.into())
}

fn packed_entry(pod: usize) -> (ObjectKey, Entry<Pod>) {
    let json = Pods::new().json(pod);
    let version = ResourceVersion::from(&*(pod + 1).to_string());
    (object_key(pod), Entry::packed(json.as_bytes(), "0d5b2c0e-9d3c-4c7e-a111-0123456789ab", Some(version)))
}

pub(crate) fn ours(count: usize) -> (Store<Pod>, Writer<Pod>) {
    let (reader, mut writer) = store();
    fill(&mut writer, decoded(count).into_iter().map(entry));
    (reader, writer)
}

pub(crate) fn kubes(count: usize) -> (KubeStore<Pod>, KubeWriter<Pod>) {
    let (reader, mut writer) = kube_store();
    kube_fill(&mut writer, decoded(count));
    (reader, writer)
}

/// Microseconds of this thread for each of the changes, in the best of some parts. What they replace is dropped afterwards, as events hold
/// it.
fn each<C, R>(changes: Vec<C>, mut make: impl FnMut(C) -> R) -> Figures {
    let (part, mut replaced) = ((changes.len() / PARTS).max(1), Vec::with_capacity(changes.len()));
    let mut changes = changes.into_iter();
    let each = best(PARTS, part, || replaced.extend(changes.by_ref().take(part).map(&mut make)));
    black_box(replaced);
    figures([("us CPU/event", each / 1e3)])
}

/// A quarter of the objects, in no order.
fn changed(given: Given) -> impl Iterator<Item = usize> {
    (0..given.objects / 4).map(move |change| shuffled(change, given.objects))
}

fn changes(given: Given) -> Vec<Pod> {
    let pods = Pods::new();
    changed(given).map(|pod| serde_json::from_str(&pods.json(pod)).unwrap()).collect()
}

fn event_plain(given: Given) -> Figures {
    let mut map: HashMap<ObjectKey, Arc<Pod>> =
        decoded(given.objects).into_iter().map(|pod| (ObjectKey::of(&pod), Arc::new(pod))).collect();
    let changes = changes(given).into_iter().map(|pod| (ObjectKey::of(&pod), Arc::new(pod))).collect();
    each(changes, |(key, pod)| map.insert(key, pod))
}

fn event_kube(given: Given) -> Figures {
    let (_reader, mut writer) = kubes(given.objects);
    let events = changes(given).into_iter().map(Event::Apply).collect();
    each(events, |event| {
        writer.apply_watcher_event(&event);
        event
    })
}

fn event_decoded(given: Given) -> Figures {
    let (_reader, mut writer) = ours(given.objects);
    let changes = changes(given).into_iter().map(entry).collect();
    each(changes, |(key, entry)| writer.put(key, entry, None))
}

fn event_packed(given: Given) -> Figures {
    let (_reader, mut writer) = store::<Pod>();
    fill(&mut writer, (0..given.objects).map(packed_entry));
    let changes = changed(given).map(packed_entry).collect();
    each(changes, |(key, entry)| writer.put(key, entry, None))
}

/// Gets that took longer than this are looked at.
const NOTABLE: Duration = Duration::from_micros(10);

/// The longest of the gets made while `replace` runs: in time that passed, and the same without what the reader waited for a processor. That
/// is the scheduler's doing, while whatever the store makes a reader wait for, a lock or memory, stays counted.
fn longest(get: impl Fn() + Send + Sync, replace: impl FnOnce()) -> Figures {
    let stop = AtomicBool::new(false);
    let (wall, store) = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let (mut wall, mut store) = (Duration::ZERO, Duration::ZERO);
            let schedule = Schedule::new();
            let (mut began, mut waited) = (Instant::now(), schedule.waited());
            while !stop.load(Ordering::Relaxed) {
                get();
                let ended = Instant::now();
                let took = ended - began;
                let mut elsewhere = Duration::ZERO;
                began = ended;
                if took > NOTABLE {
                    // What happens from here to the reading counts against the next get.
                    began = Instant::now();
                    let now = schedule.waited();
                    elsewhere = now - waited;
                    waited = now;
                }
                wall = wall.max(took);
                store = store.max(took.saturating_sub(elsewhere));
            }
            (wall, store)
        });
        replace();
        stop.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    figures([("ms", wall.as_secs_f64() * 1e3), (WITH_A_PROCESSOR, store.as_secs_f64() * 1e3)])
}

fn relist_ours(given: Given) -> Figures {
    let (reader, mut writer) = ours(given.objects);
    let (fresh, key) = (decoded(given.objects), object_key(7));
    longest(|| drop(black_box(reader.get(&key))), || fill(&mut writer, fresh.into_iter().map(entry)))
}

fn relist_kube(given: Given) -> Figures {
    let (reader, mut writer) = kubes(given.objects);
    let (fresh, key) = (decoded(given.objects), object_ref(7));
    longest(|| drop(black_box(reader.get(&key))), || kube_fill(&mut writer, fresh))
}

/// Resident bytes an object: when a store is full, when all in it was replaced, once and again, and a while after that in which little
/// happened.
fn memory<W>(given: Given, mut writer: W, fill: impl Fn(&mut W)) -> Figures {
    let before = resident();
    let each = || (resident() - before) / given.objects as f64;
    let mut filled = || {
        fill(&mut writer);
        each()
    };
    let (full, once, twice) = (filled(), filled(), filled());
    for _ in 0..20 {
        thread::sleep(Duration::from_millis(100));
        black_box(decoded(100));
    }
    let names = ["bytes/object", "replaced", "replaced again", LATER];
    let values = [full, once, twice, each()];
    names.into_iter().map(str::to_owned).zip(values).collect()
}

fn memory_kube(given: Given) -> Figures {
    let (_reader, writer) = kube_store::<Pod>();
    memory(given, writer, |writer| {
        let pods = Pods::new();
        let decode = |pod| serde_json::from_str(&pods.json(pod)).unwrap();
        writer.apply_watcher_event(&Event::Init);
        (0..given.objects).for_each(|pod| writer.apply_watcher_event(&Event::InitApply(decode(pod))));
        writer.apply_watcher_event(&Event::InitDone);
    })
}

fn memory_decoded(given: Given) -> Figures {
    let (_reader, writer) = store();
    memory(given, writer, |writer| {
        let pods = Pods::new();
        fill(writer, (0..given.objects).map(|pod| entry(serde_json::from_str(&pods.json(pod)).unwrap())));
    })
}

fn memory_packed(given: Given) -> Figures {
    let (_reader, writer) = store();
    memory(given, writer, |writer| fill(writer, (0..given.objects).map(packed_entry)))
}
