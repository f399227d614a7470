//! In: keys from any thread. Out: [`WorkItem`]s for workers. The handle around the state: its one lock, who
//! sleeps on it and who is woken. It spawns nothing.

use std::{
    fmt,
    hash::{BuildHasher, Hash},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use hashbrown::DefaultHashBuilder;
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::{
    AddOptions, DefaultLimiter, Metrics, Priority, RateLimiter, Stats, WorkItem,
    state::{Hashed, Signals, State},
};

/// How many keys [`WorkQueue::add_all`] takes in under one lock.
const BATCH: usize = 128;

/// What all handles and items of a queue share.
pub(super) struct Shared<K> {
    pub(super) state: Mutex<State<K>>,
    /// Workers sleep here until a key is ready.
    pub(super) ready: Notify,
    /// The one worker that watches the delays sleeps here as well.
    pub(super) alarm: Notify,
    /// Those who wait for the end of a drain.
    pub(super) drained: Notify,
    /// How many workers sleep; raised under the lock.
    pub(super) sleepers: AtomicUsize,
    pub(super) metrics: Option<Box<dyn Metrics>>,
    hasher: DefaultHashBuilder,
}

impl<K> Shared<K> {
    /// Runs one call on the state and tells others about it when the lock is free again.
    pub(super) fn run<R>(&self, call: impl FnOnce(&mut State<K>) -> R) -> R {
        let mut state = self.state.lock();
        let result = call(&mut state);
        let signals = std::mem::take(&mut state.signals);
        let (watched, ended, drained) = (state.watched, state.ended(), state.drained());
        drop(state);
        self.wake(signals, watched);
        if ended {
            self.ready.notify_waiters();
        }
        if drained {
            self.drained.notify_waiters();
        }
        if let Some(metrics) = &self.metrics {
            report(metrics.as_ref(), signals);
        }
        result
    }

    fn wake(&self, signals: Signals, watched: bool) {
        let mut wanted = signals.ready;
        if signals.alarm && watched {
            self.alarm.notify_one();
        } else if signals.alarm {
            // Somebody has to start watching the delays.
            wanted += 1;
        }
        if wanted > 0 {
            for _ in 0..wanted.min(self.sleepers.load(Ordering::Relaxed)) {
                self.ready.notify_one();
            }
        }
    }
}

fn report(metrics: &dyn Metrics, signals: Signals) {
    if signals.added > 0 {
        metrics.added(signals.added);
    }
    if signals.retried > 0 {
        metrics.retried(signals.retried);
    }
}

/// A queue of keys to work on. A handle: clones are the same queue. See the [module](super) for the contract.
pub struct WorkQueue<K> {
    pub(super) shared: Arc<Shared<K>>,
}

impl<K> Clone for WorkQueue<K> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<K> fmt::Debug for WorkQueue<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkQueue").field("stats", &self.stats()).finish_non_exhaustive()
    }
}

impl<K: Clone + Eq + Hash + Send + 'static> Default for WorkQueue<K> {
    fn default() -> Self {
        Self::new(DefaultLimiter::default())
    }
}

impl<K> WorkQueue<K> {
    /// An empty queue whose rate limited keys wait for `limiter`.
    pub fn new(limiter: impl RateLimiter<K> + Send + 'static) -> Self {
        Self::build(Box::new(limiter), None)
    }

    /// [`new`](Self::new), with hooks that hear of what the queue does.
    pub fn with_metrics(
        limiter: impl RateLimiter<K> + Send + 'static,
        metrics: impl Metrics + 'static,
    ) -> Self {
        Self::build(Box::new(limiter), Some(Box::new(metrics)))
    }

    fn build(limiter: Box<dyn RateLimiter<K> + Send>, metrics: Option<Box<dyn Metrics>>) -> Self {
        let shared = Shared {
            state: Mutex::new(State::new(limiter, metrics.is_some())),
            ready: Notify::new(),
            alarm: Notify::new(),
            drained: Notify::new(),
            sleepers: AtomicUsize::new(0),
            metrics,
            hasher: DefaultHashBuilder::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// How many keys are ready and wait for a worker. Neither delayed keys count nor those being worked on.
    pub fn len(&self) -> usize {
        self.shared.run(State::ready)
    }

    /// Whether no key is ready.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The gauges of this moment. With metrics it looks at every key that is ready or in flight: for a scrape, not for
    /// each run.
    pub fn stats(&self) -> Stats {
        self.shared.run(State::stats)
    }

    /// How many keys of each priority are ready, as [`stats`](Self::stats) counts them together; [`Priority::NORMAL`] comes first and is
    /// always there.
    pub fn depths(&self) -> Vec<(Priority, usize)> {
        self.shared.run(State::depths)
    }

    /// Clears the failures of `key`, as after a success.
    pub fn forget(&self, key: &K) {
        self.shared.run(|state| state.forget(key));
    }

    /// How often the limiter was charged for `key` since it was last forgotten.
    pub fn num_requeues(&self, key: &K) -> u32 {
        self.shared.state.lock().num_requeues(key)
    }

    /// Ends the queue: adds are dropped from now on, delayed keys are dropped at once. Workers still get what is
    /// ready, and what was asked for again while in their hands; then [`get`](Self::get) returns `None`.
    pub fn shutdown(&self) {
        let removed = self.shared.run(State::close);
        drop(removed);
    }

    /// [`shutdown`](Self::shutdown) at once, and a future of the moment when all work is done:
    /// see [`drained`](Self::drained).
    pub fn shutdown_with_drain(&self) -> impl Future<Output = ()> + Send + '_
    where
        K: Send,
    {
        self.shutdown();
        self.drained()
    }

    /// Waits until the queue is shut down, nothing is ready and nothing is in a worker's hands. Any number of
    /// tasks may wait; dropping the future is harmless.
    pub async fn drained(&self) {
        loop {
            let mut woken = std::pin::pin!(self.shared.drained.notified());
            // From here on no wake-up is missed.
            woken.as_mut().enable();
            if self.shared.state.lock().drained() {
                return;
            }
            woken.await;
        }
    }

    /// Whether [`shutdown`](Self::shutdown) was called.
    pub fn is_shutting_down(&self) -> bool {
        self.shared.state.lock().closed
    }
}

impl<K: Eq + Hash> WorkQueue<K> {
    fn hashed(&self, key: K) -> Hashed<K> {
        Hashed { hash: self.shared.hasher.hash_one(&key), key }
    }

    /// Asks for a run of `key`, unless it is ready already. A key in a worker's hands runs once more when it comes
    /// back. A delayed run of the key stays as it is: [`cancel_delayed`](Self::cancel_delayed) takes it away.
    pub fn add(&self, key: K) {
        self.add_with(key, AddOptions::default());
    }

    /// [`add`](Self::add), later or with a priority.
    pub fn add_with(&self, key: K, options: AddOptions) {
        let key = self.hashed(key);
        self.shared.run(|state| state.add(key, options));
    }

    /// [`add`](Self::add) for many keys, which takes the lock once for some hundred of them.
    pub fn add_all(&self, keys: impl IntoIterator<Item = K>) {
        self.add_all_with(keys, AddOptions::default());
    }

    /// [`add_all`](Self::add_all), later or with a priority.
    pub fn add_all_with(&self, keys: impl IntoIterator<Item = K>, options: AddOptions) {
        let mut keys = keys.into_iter().fuse();
        let mut batch = Vec::with_capacity(keys.size_hint().0.clamp(1, BATCH));
        loop {
            batch.extend(keys.by_ref().take(BATCH).map(|key| self.hashed(key)));
            if batch.is_empty() {
                return;
            }
            self.shared.run(|state| batch.drain(..).for_each(|key| state.add(key, options)));
        }
    }

    /// Asks for a run of `key` after `delay`, or at once if that is zero. If it waits for an earlier time already,
    /// that stays; if for a later one, that is replaced.
    pub fn add_after(&self, key: K, delay: Duration) {
        self.add_with(key, AddOptions::default().after(delay));
    }

    /// Asks for a run of `key` after `delay`, in place of whatever time it waited for.
    pub fn replace_after(&self, key: K, delay: Duration) {
        let key = self.hashed(key);
        self.shared.run(|state| state.replace_after(key, delay));
    }

    /// Asks for a run of `key` after the time that the limiter says. A key that is ready, or that waits for the
    /// limiter already, is not charged again.
    pub fn add_rate_limited(&self, key: K) {
        self.add_with(key, AddOptions::default().rate_limited());
    }

    /// Takes back a delayed run of `key`, and says whether there was one.
    pub fn cancel_delayed(&self, key: &K) -> bool {
        let hash = self.shared.hasher.hash_one(key);
        self.shared.run(|state| state.cancel(hash, key)).is_some()
    }
}

impl<K: Clone> WorkQueue<K> {
    /// Takes the next ready key, if there is one.
    pub fn try_get(&self) -> Option<WorkItem<K>> {
        let taken = self.shared.run(State::take)?;
        Some(WorkItem::new(self.clone(), taken))
    }
}
