//! Many threads at once: never two workers on a key, no request lost, no wake-up lost.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    time::Duration,
};

use kube_codegen_runtime::workqueue::{Exponential, WorkItem, WorkQueue};
use tokio::time::timeout;

const KEYS: usize = 40;
const PRODUCERS: usize = 4;
const WORKERS: usize = 8;

struct Keys {
    busy: [AtomicBool; KEYS],
    /// How often a key was asked for, raised before each add.
    asked: [AtomicU64; KEYS],
    /// The number of the newest request that a run has seen.
    seen: [AtomicU64; KEYS],
}

impl Keys {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            busy: [const { AtomicBool::new(false) }; KEYS],
            asked: [const { AtomicU64::new(0) }; KEYS],
            seen: [const { AtomicU64::new(0) }; KEYS],
        })
    }
}

/// A run of a key: however it ends, the key is marked as free before it goes back.
struct Run {
    keys: Arc<Keys>,
    item: Option<WorkItem<usize>>,
    key: usize,
}

impl Run {
    fn start(keys: &Arc<Keys>, item: WorkItem<usize>) -> Self {
        let key = *item;
        assert!(!keys.busy[key].swap(true, SeqCst), "two workers have key {key}");
        keys.seen[key].store(keys.asked[key].load(SeqCst), SeqCst);
        Self { keys: keys.clone(), item: Some(item), key }
    }

    fn end(mut self) -> Option<WorkItem<usize>> {
        self.keys.busy[self.key].store(false, SeqCst);
        self.item.take()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(item) = self.item.take() {
            self.keys.busy[self.key].store(false, SeqCst);
            drop(item);
        }
    }
}

/// A small generator, so that a failing run can be repeated.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

fn produce(queue: &WorkQueue<usize>, keys: &Keys, mut seed: u64) {
    for _ in 0..5_000 {
        let key = random(&mut seed) % KEYS;
        keys.asked[key].fetch_add(1, SeqCst);
        match random(&mut seed) % 8 {
            0 => queue.add_after(key, Duration::from_micros(500)),
            1 => queue.add_rate_limited(key),
            2 => queue.add_all([key, key]),
            _ => queue.add(key),
        }
    }
}

async fn work(run: Run, seed: &mut u64) {
    let dice = random(seed) % 32;
    if dice == 0 {
        tokio::task::yield_now().await;
    }
    let Some(item) = run.end() else { return };
    match dice {
        1 => item.requeue(),
        2 => item.requeue_after(Duration::from_millis(1)),
        3 => item.requeue_rate_limited(),
        4..=20 => item.forget(),
        _ => drop(item),
    }
}

/// A run that is cancelled, or panics.
async fn doomed(run: Run, seed: &mut u64) {
    let panics = random(seed).is_multiple_of(2);
    let task = tokio::spawn(async move {
        let _run = run;
        tokio::task::yield_now().await;
        if panics {
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        std::future::pending::<()>().await;
    });
    tokio::task::yield_now().await;
    if !panics {
        task.abort();
    }
    assert!(task.await.is_err());
}

/// A worker whose waiting is cut short all the time, and some of whose runs do not end well.
async fn worker(queue: WorkQueue<usize>, keys: Arc<Keys>, mut seed: u64) {
    loop {
        let patience = Duration::from_micros(random(&mut seed) as u64 % 2_000);
        match timeout(patience, queue.get()).await {
            Err(_) => {}
            Ok(None) => return,
            Ok(Some(item)) if random(&mut seed).is_multiple_of(64) => {
                doomed(Run::start(&keys, item), &mut seed).await;
            }
            Ok(Some(item)) => work(Run::start(&keys, item), &mut seed).await,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_workers_never_share_a_key_and_lose_no_request() {
    let queue = WorkQueue::new(Exponential::new(Duration::from_micros(100), Duration::from_millis(2)));
    let keys = Keys::new();
    let workers: Vec<_> =
        (0..WORKERS as u64).map(|seed| tokio::spawn(worker(queue.clone(), keys.clone(), seed))).collect();
    let producers: Vec<_> = (0..PRODUCERS as u64)
        .map(|seed| {
            let (queue, keys) = (queue.clone(), keys.clone());
            tokio::task::spawn_blocking(move || produce(&queue, &keys, seed + 1000))
        })
        .collect();
    for producer in producers {
        producer.await.unwrap();
    }
    // Delays are dropped at the end: let them pass first.
    while queue.stats().delayed > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    timeout(Duration::from_secs(60), queue.shutdown_with_drain()).await.expect("the drain never ended");
    for worker in workers {
        timeout(Duration::from_secs(60), worker).await.expect("a worker never ended").unwrap();
    }
    for key in 0..KEYS {
        assert_eq!(
            keys.seen[key].load(SeqCst),
            keys.asked[key].load(SeqCst),
            "a request of key {key} was lost"
        );
    }
    assert_eq!(queue.stats(), Default::default());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_wake_up_is_lost_between_one_producer_and_idle_workers() {
    let queue = WorkQueue::default();
    let (done, mut finished) = tokio::sync::mpsc::unbounded_channel();
    for _ in 0..WORKERS {
        let (queue, done) = (queue.clone(), done.clone());
        tokio::spawn(async move {
            while let Some(item) = queue.get().await {
                done.send(*item).unwrap();
            }
        });
    }
    for round in 0..5_000_u32 {
        // Each round lets the workers fall asleep, and wakes some of them in one of several ways.
        let keys = 1 + round % 3;
        match round % 4 {
            0 => (0..keys).for_each(|key| queue.add(key)),
            1 => queue.add_all(0..keys),
            2 if round % 64 == 2 => (0..keys).for_each(|key| queue.add_after(key, Duration::from_millis(1))),
            _ => (0..keys).rev().for_each(|key| queue.replace_after(key, Duration::ZERO)),
        }
        for _ in 0..keys {
            timeout(Duration::from_secs(20), finished.recv()).await.expect("a wake-up was lost").unwrap();
        }
    }
    queue.shutdown_with_drain().await;
}
