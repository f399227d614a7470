//! In memory: the work queue, beside kube-runtime's scheduler, which is what kube's `Controller` keeps its keys in.
//!
//! In: keys. Out: figures. Never: a key made within what is measured.
//!
//! All requests are made, then each key is taken and finished once. `x10` means ten requests a key.

use std::{
    collections::{HashSet, VecDeque},
    hint::black_box,
    time::Duration,
};

use futures::{StreamExt, stream};
use k8s_openapi::api::core::v1::Pod;
use kube_codegen_runtime::workqueue::{Exponential, WorkQueue};
use kube_runtime::{
    reflector::ObjectRef,
    scheduler::{ScheduleRequest, scheduler},
};
use tokio::time::Instant;

use crate::{
    feed::shuffled,
    harness::{Case, Goal, Role},
    measure::{Figures, best, figures},
    writing::{object_key, object_ref},
};

const KEYS: usize = 10_000;
const ONCE: &str = "queue, 10k keys once";
const OFTEN: &str = "queue, 10k keys ten times each";
const BOUND: &str = "a set and a list";
/// Short ones, of which the best counts.
const SAMPLES: usize = 40;
const FIGURE: &str = "ns/request";

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::new(ONCE, BOUND, Role::Bound, |_| plain(1)),
        Case::new(ONCE, "kube-runtime 5", Role::Peer, |_| kube(1)),
        Case::new(ONCE, "ours", Role::Ours(BOUND), |_| ours(1))
            .goals(&[Goal { figure: FIGURE, at_most: 200.0 }]),
        Case::new(OFTEN, BOUND, Role::Bound, |_| plain(10)),
        Case::new(OFTEN, "kube-runtime 5", Role::Peer, |_| kube(10)),
        Case::new(OFTEN, "ours", Role::Ours(BOUND), |_| ours(10))
            .goals(&[Goal { figure: FIGURE, at_most: 40.0 }]),
    ]
}

/// First every key once, then any of them.
fn requests<K: Clone>(key: fn(usize) -> K, copies: usize) -> Vec<K> {
    let keys: Vec<K> = (0..KEYS).map(key).collect();
    let more = (0..KEYS * (copies - 1)).map(|number| shuffled(number, KEYS));
    (0..KEYS).chain(more).map(|number| keys[number].clone()).collect()
}

/// Measures `work` on requests that are there beforehand and dropped afterwards.
fn measured<K: Clone, R>(key: fn(usize) -> K, copies: usize, mut work: impl FnMut(Vec<K>) -> R) -> Figures {
    let requests = requests(key, copies);
    let mut samples: Vec<Vec<K>> = (0..SAMPLES).map(|_| requests.clone()).collect();
    let mut done = Vec::new();
    let each = best(SAMPLES, requests.len(), || done.extend(samples.pop().map(&mut work)));
    black_box(done);
    figures([(FIGURE, each)])
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn plain(copies: usize) -> Figures {
    measured(object_key, copies, |mut requests| {
        let (mut set, mut list) = (HashSet::new(), VecDeque::new());
        for key in requests.drain(..) {
            if set.insert(key.clone()) {
                list.push_back(key);
            }
        }
        while let Some(key) = list.pop_front() {
            set.remove(black_box(&key));
        }
        requests
    })
}

fn ours(copies: usize) -> Figures {
    let runtime = runtime();
    measured(object_key, copies, |mut requests| {
        let queue = WorkQueue::new(Exponential::new(Duration::from_millis(5), Duration::from_secs(1000)));
        runtime.block_on(async {
            queue.add_all(requests.drain(..));
            for _ in 0..KEYS {
                let item = queue.get().await.unwrap();
                black_box(item.key());
                item.forget();
            }
        });
        (queue, requests)
    })
}

fn kube(copies: usize) -> Figures {
    let runtime = runtime();
    measured(object_ref, copies, |requests: Vec<ObjectRef<Pod>>| {
        runtime.block_on(async {
            let run_at = Instant::now();
            let requests = requests.into_iter().map(move |message| ScheduleRequest { message, run_at });
            let scheduler = scheduler(stream::iter(requests).chain(stream::pending()));
            scheduler.take(KEYS).for_each(async |key| drop(black_box(key))).await;
        });
    })
}
