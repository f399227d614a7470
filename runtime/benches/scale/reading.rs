//! In memory: gets by key, alone and beside a writer, and the objects of a namespace.
//!
//! In: full stores. Out: figures, in time that a thread was working, so that what else runs on the machine counts little.
//! Never: a key made within what is measured.

use std::{
    collections::HashMap,
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use k8s_openapi::api::core::v1::Pod;
use kube_codegen_runtime::{object::ObjectKey, store::Store};
use kube_runtime::watcher::Event;

use crate::{
    feed::{NAMESPACES, namespace, shuffled},
    harness::{Case, Given, Goal, Role},
    measure::{Figures, best, figures},
    writing::{decoded, kubes, object_key, object_ref, ours},
};

const GET: &str = "get by key";
const BESIDE: &str = "get by key beside a writer that replaces an object every 25 us";
const LIST: &str = "list of a namespace, one of 200";

const GET_FIGURE: &str = "ns of work";
/// All keys at least once, and so often.
const GETS: usize = 200_000;
const LISTS: usize = 200;
const SAMPLES: usize = 8;
const EVERY: Duration = Duration::from_micros(25);

pub(crate) fn cases() -> Vec<Case> {
    let case = Case::new;
    vec![
        case(GET, "a plain map", Role::Bound, get_plain),
        case(GET, "kube-runtime 5", Role::Peer, get_kube),
        case(GET, "decoded", Role::Ours("a plain map"), get_ours)
            .goals(&[Goal { figure: GET_FIGURE, at_most: 120.0 }]),
        // As client-go hands out a pointer: the object itself is not touched.
        case(GET, "decoded, in place", Role::Ours("a plain map"), get_in_place)
            .goals(&[Goal { figure: GET_FIGURE, at_most: 120.0 }]),
        case(BESIDE, "a plain map, alone", Role::Bound, get_plain),
        case(BESIDE, "kube-runtime 5", Role::Peer, get_kube_beside),
        case(BESIDE, "decoded", Role::Ours("a plain map, alone"), get_ours_beside)
            .goals(&[Goal { figure: GET_FIGURE, at_most: 200.0 }]),
        case(BESIDE, "decoded, in place", Role::Ours("a plain map, alone"), get_in_place_beside)
            .goals(&[Goal { figure: GET_FIGURE, at_most: 200.0 }]),
        case(LIST, "a vector that is there, cloned", Role::Bound, list_plain),
        case(LIST, "kube-runtime 5", Role::Peer, list_kube),
        case(LIST, "decoded", Role::Ours("a vector that is there, cloned"), list_ours)
            .goals(&[Goal { figure: "us of work", at_most: 30.0 }]),
    ]
}

/// The keys of all objects in no order, to be asked for again and again.
fn keys<R>(given: Given, key: fn(usize) -> R) -> Vec<R> {
    (0..given.objects).map(|number| key(shuffled(number, given.objects))).collect()
}

fn gets<R, T>(keys: &[R], get: impl Fn(&R) -> Option<T>) -> Figures {
    let mut keys = keys.iter().cycle();
    let each = best(SAMPLES, GETS, || {
        for key in keys.by_ref().take(GETS) {
            assert!(black_box(get(key)).is_some());
        }
    });
    figures([(GET_FIGURE, each)])
}

fn get_plain(given: Given) -> Figures {
    let map: HashMap<ObjectKey, Arc<Pod>> =
        decoded(given.objects).into_iter().map(|pod| (ObjectKey::of(&pod), Arc::new(pod))).collect();
    gets(&keys(given, object_key), |key| map.get(key).cloned())
}

fn get_kube(given: Given) -> Figures {
    let (reader, _writer) = kubes(given.objects);
    gets(&keys(given, object_ref), |key| reader.get(key))
}

fn get_ours(given: Given) -> Figures {
    let (reader, _writer) = ours(given.objects);
    gets(&keys(given, object_key), |key| reader.get(key))
}

fn in_place<'r>(reader: &'r Store<Pod>) -> impl Fn(&ObjectKey) -> Option<bool> + 'r {
    |key| reader.with(key, |pod| black_box(std::ptr::from_ref(pod)).is_null())
}

fn get_in_place(given: Given) -> Figures {
    let (reader, _writer) = ours(given.objects);
    gets(&keys(given, object_key), in_place(&reader))
}

/// Calls `write` again and again while `measure` runs.
fn beside<R>(mut write: impl FnMut() + Send, measure: impl FnOnce() -> R) -> R {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let due = Instant::now() + EVERY;
                write();
                while Instant::now() < due {
                    std::hint::spin_loop();
                }
            }
        });
        let result = measure();
        stop.store(true, Ordering::Relaxed);
        result
    })
}

fn get_kube_beside(given: Given) -> Figures {
    let (reader, mut writer) = kubes(given.objects);
    let keys = keys(given, object_ref);
    let events: Vec<_> = decoded(given.objects / 10).into_iter().map(Event::Apply).collect();
    let mut events = events.iter().cycle();
    beside(
        || events.next().into_iter().for_each(|event| writer.apply_watcher_event(event)),
        || gets(&keys, |key| reader.get(key)),
    )
}

fn ours_beside(given: Given, measure: impl FnOnce(&Store<Pod>, &[ObjectKey]) -> Figures) -> Figures {
    let (reader, mut writer) = ours(given.objects);
    let keys = keys(given, object_key);
    let pods = decoded(given.objects / 10);
    let mut pods = pods.iter().cycle();
    beside(
        || pods.next().into_iter().for_each(|pod| drop(writer.put_object(pod.clone()))),
        || measure(&reader, &keys),
    )
}

fn get_ours_beside(given: Given) -> Figures {
    ours_beside(given, |reader, keys| gets(keys, |key| reader.get(key)))
}

fn get_in_place_beside(given: Given) -> Figures {
    ours_beside(given, |reader, keys| gets(keys, in_place(reader)))
}

fn lists<R>(list: impl Fn(usize) -> Vec<R>) -> Figures {
    let mut found = 0;
    let each = best(SAMPLES, LISTS, || {
        for number in 0..LISTS {
            found += black_box(list(shuffled(number, NAMESPACES))).len();
        }
    });
    assert!(found > 0);
    figures([("us of work", each / 1e3)])
}

fn list_plain(given: Given) -> Figures {
    let mut namespaces: Vec<Vec<Arc<Pod>>> = (0..NAMESPACES).map(|_| Vec::new()).collect();
    for (number, pod) in decoded(given.objects).into_iter().enumerate() {
        namespaces[number % NAMESPACES].push(Arc::new(pod));
    }
    lists(|number| namespaces[number].clone())
}

fn list_kube(given: Given) -> Figures {
    let (reader, _writer) = kubes(given.objects);
    let names: Vec<String> = (0..NAMESPACES).map(namespace).collect();
    lists(|number| reader.state_filter(|pod| pod.metadata.namespace.as_deref() == Some(&names[number])))
}

fn list_ours(given: Given) -> Figures {
    let (reader, _writer) = ours(given.objects);
    let names: Vec<String> = (0..NAMESPACES).map(namespace).collect();
    lists(|number| reader.list_namespace(&names[number]))
}
