//! In: one call after the other. Out: what changed, and in [`Signals`] who has to be told.
//! Plain data under somebody else's lock: it never waits and never wakes.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    AddOptions, Priority,
    delays::{Delays, Later, after},
    limiter::RateLimiter,
    metrics::Stats,
    order::Order,
    priority::Wait,
    slots::{Phase, Slot, Slots},
    times::Times,
};

/// A key together with its hash, which is computed outside the lock.
pub(super) struct Hashed<K> {
    pub(super) hash: u64,
    pub(super) key: K,
}

/// What happens to a key when its worker gives it back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Outcome {
    #[default]
    Done,
    /// Done, and its failures are forgotten.
    Forget,
    Requeue,
    RequeueAfter(Duration),
    RequeueRateLimited,
}

/// What others have to hear of after a call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signals {
    /// That many keys became ready: as many sleepers can go on.
    pub(super) ready: usize,
    /// The earliest delay has changed, or nobody watches it any more.
    pub(super) alarm: bool,
    /// That many keys were taken in that did not wait already.
    pub(super) added: u64,
    /// That many keys were taken in for a later time.
    pub(super) retried: u64,
}

/// A key on its way to a worker.
pub(super) struct Taken<K> {
    pub(super) slot: usize,
    pub(super) key: K,
    pub(super) priority: Priority,
    pub(super) waited: Option<Duration>,
}

/// A key that came back from its worker.
pub(super) struct Finished<K> {
    pub(super) ran: Option<Duration>,
    /// What nothing needs any more; it is dropped outside the lock.
    pub(super) removed: Option<Slot<K>>,
}

/// The whole queue but for its lock and its sleepers.
pub(super) struct State<K> {
    slots: Slots<K>,
    ready: Order,
    delays: Delays,
    times: Times,
    limiter: Box<dyn RateLimiter<K> + Send>,
    in_flight: usize,
    /// How many of those in flight run once more.
    again: usize,
    /// Somebody wants to know how long things take.
    timed: bool,
    pub(super) closed: bool,
    /// A sleeping worker wakes up at the earliest delay.
    pub(super) watched: bool,
    pub(super) signals: Signals,
}

impl<K> State<K> {
    pub(super) fn new(limiter: Box<dyn RateLimiter<K> + Send>, timed: bool) -> Self {
        Self {
            slots: Slots::default(),
            ready: Order::default(),
            delays: Delays::default(),
            times: Times::default(),
            limiter,
            in_flight: 0,
            again: 0,
            timed,
            closed: false,
            watched: false,
            signals: Signals::default(),
        }
    }

    /// Moves what is due to the ready ones; the first step of every call, so that keys become ready in the order
    /// of their times. Reads the clock only where somebody needs it, and returns it for metrics.
    fn tick(&mut self) -> Option<Instant> {
        let now = (self.timed || !self.delays.is_empty()).then(Instant::now)?;
        while let Some((slot, due)) = self.delays.pop_due(now) {
            if let Some(entry) = self.slots.get_mut(slot) {
                entry.delayed = false;
            }
            self.enqueue(slot, due.priority, self.timed.then_some(due.at));
        }
        self.timed.then_some(now)
    }

    /// Makes a slot ready: now, or when its worker is done.
    fn enqueue(&mut self, slot: usize, priority: Priority, now: Option<Instant>) {
        let Some(entry) = self.slots.get_mut(slot) else { return };
        match entry.phase {
            Phase::Idle => {
                entry.priority = priority;
                self.push(slot, now);
            }
            Phase::Running => {
                entry.phase = Phase::RunningAgain;
                entry.priority = priority;
                self.again += 1;
            }
            Phase::Ready if priority > entry.priority => return self.raise(slot, priority),
            Phase::Ready => return,
            Phase::RunningAgain => {
                entry.priority = entry.priority.max(priority);
                return;
            }
        }
        self.signals.added += 1;
    }

    fn push(&mut self, slot: usize, now: Option<Instant>) {
        if let Some(entry) = self.slots.get_mut(slot) {
            entry.phase = Phase::Ready;
            entry.turn = self.ready.push(slot, entry.priority);
            self.times.begin(slot, now);
            self.signals.ready += 1;
        }
    }

    /// Makes a ready slot more urgent.
    fn raise(&mut self, slot: usize, priority: Priority) {
        let Self { slots, ready, .. } = self;
        if let Some(entry) = slots.get_mut(slot) {
            let before = std::mem::replace(&mut entry.priority, priority);
            entry.turn = ready.push(slot, priority);
            ready.leave(before, |slot, turn| slots.is_current(slot, turn));
        }
    }

    /// Sets the time a slot waits for, whatever it waited for before.
    fn schedule(&mut self, slot: usize, now: Instant, later: Later) {
        if later.at <= now {
            self.unschedule(slot);
            self.enqueue(slot, later.priority, self.timed.then_some(now));
            return;
        }
        self.signals.alarm |= self.delays.earliest().is_none_or(|earliest| later.at < earliest);
        if let Some(entry) = self.slots.get_mut(slot) {
            entry.delayed = true;
            self.delays.set(slot, later);
            self.signals.retried += 1;
        }
    }

    /// Sets the time a slot waits for, unless that would make it later.
    fn schedule_earliest(&mut self, slot: usize, now: Instant, later: Later) {
        match self.delays.get(slot) {
            Some(before) if before.at <= later.at => self.delays.note(slot, later),
            Some(before) => {
                let charged = later.charged || before.charged;
                let priority = later.priority.max(before.priority);
                self.schedule(slot, now, Later { charged, priority, ..later });
            }
            None => self.schedule(slot, now, later),
        }
    }

    /// Lets a slot wait for no time any more, and says whether it did.
    fn unschedule(&mut self, slot: usize) -> bool {
        if let Some(entry) = self.slots.get_mut(slot) {
            entry.delayed = false;
        }
        self.delays.remove(slot).is_some()
    }

    /// Charges the limiter for one more run of a slot, unless it waits already: because it is ready, or because
    /// of an earlier charge. A higher priority counts all the same.
    fn charge(&mut self, slot: usize, priority: Priority) {
        let now = Instant::now();
        let Some(entry) = self.slots.get(slot) else { return };
        if entry.phase == Phase::Ready {
            return self.enqueue(slot, priority, None);
        }
        if let Some(before) = self.delays.get(slot).filter(|before| before.charged) {
            return self.delays.note(slot, Later { priority, ..before });
        }
        let at = after(now, self.limiter.when(&entry.key, now));
        self.schedule_earliest(slot, now, Later { at, charged: true, priority });
    }

    /// Asks for a run of a slot.
    fn request(&mut self, slot: usize, AddOptions { priority, wait }: AddOptions, now: Option<Instant>) {
        match wait {
            Wait::Not => self.enqueue(slot, priority, now),
            Wait::For(delay) => {
                let now = Instant::now();
                self.schedule_earliest(slot, now, Later { at: after(now, delay), charged: false, priority });
            }
            Wait::Limited => self.charge(slot, priority),
        }
    }

    /// Hands the next key to a worker.
    pub(super) fn take(&mut self) -> Option<Taken<K>>
    where
        K: Clone,
    {
        let now = self.tick();
        let Self { slots, ready, .. } = self;
        let slot = ready.pop(|slot, turn| slots.is_current(slot, turn))?;
        let entry = self.slots.get_mut(slot)?;
        entry.phase = Phase::Running;
        let waited = self.times.begin(slot, now);
        self.in_flight += 1;
        Some(Taken { slot, key: entry.key.clone(), priority: entry.priority, waited })
    }

    /// Takes a key back from its worker.
    pub(super) fn finish(&mut self, slot: usize, outcome: Outcome, priority: Priority) -> Finished<K> {
        let now = self.tick();
        self.settle(slot, outcome, priority);
        self.in_flight = self.in_flight.saturating_sub(1);
        let ran = self.times.end(slot, now);
        if let Some(entry) = self.slots.get_mut(slot) {
            let before = std::mem::replace(&mut entry.phase, Phase::Idle);
            if before == Phase::RunningAgain {
                self.again = self.again.saturating_sub(1);
                self.push(slot, now);
            }
        }
        Finished { ran, removed: self.slots.remove_idle(slot) }
    }

    fn settle(&mut self, slot: usize, outcome: Outcome, priority: Priority) {
        let options = AddOptions::default().priority(priority);
        match outcome {
            Outcome::Forget => {
                if let Some(entry) = self.slots.get(slot) {
                    self.limiter.forget(&entry.key);
                }
            }
            Outcome::Done => {}
            _ if self.closed => {}
            Outcome::Requeue => self.request(slot, options, None),
            Outcome::RequeueAfter(delay) => self.request(slot, options.after(delay), None),
            Outcome::RequeueRateLimited => self.request(slot, options.rate_limited(), None),
        }
    }

    /// Drops what waits for a time, and takes nothing in any more.
    pub(super) fn close(&mut self) -> Vec<Slot<K>> {
        self.tick();
        self.closed = true;
        let waiting = self.delays.drain();
        waiting.filter_map(|slot| self.remove_due(slot)).collect()
    }

    fn remove_due(&mut self, slot: usize) -> Option<Slot<K>> {
        self.slots.get_mut(slot)?.delayed = false;
        self.slots.remove_idle(slot)
    }

    /// Whether no worker can ever get a key again.
    pub(super) fn ended(&self) -> bool {
        self.closed && self.ready.is_empty() && self.again == 0
    }

    /// Whether all work is done.
    pub(super) fn drained(&self) -> bool {
        self.ended() && self.in_flight == 0
    }

    pub(super) fn earliest(&self) -> Option<Instant> {
        self.delays.earliest()
    }

    /// How many keys are ready.
    pub(super) fn ready(&mut self) -> usize {
        self.tick();
        self.ready.len()
    }

    /// How many keys of each priority are ready.
    pub(super) fn depths(&mut self) -> Vec<(Priority, usize)> {
        self.tick();
        self.ready.depths().collect()
    }

    pub(super) fn stats(&mut self) -> Stats {
        let now = self.tick();
        let mut stats = Stats {
            ready: self.ready.len(),
            delayed: self.delays.len(),
            in_flight: self.in_flight,
            ..Stats::default()
        };
        if let Some(now) = now {
            for (slot, since) in self.times.iter() {
                let phase = self.slots.get(slot).map(|slot| slot.phase);
                if !matches!(phase, Some(Phase::Running | Phase::RunningAgain)) {
                    continue;
                }
                let running = now.saturating_duration_since(since);
                stats.unfinished += running;
                stats.longest_running = stats.longest_running.max(running);
            }
        }
        stats
    }

    pub(super) fn forget(&mut self, key: &K) {
        self.limiter.forget(key);
    }

    pub(super) fn num_requeues(&self, key: &K) -> u32 {
        self.limiter.num_requeues(key)
    }
}

impl<K: Eq> State<K> {
    pub(super) fn add(&mut self, Hashed { hash, key }: Hashed<K>, options: AddOptions) {
        if !self.closed {
            let now = self.tick();
            let slot = self.slots.find_or_insert(hash, key);
            self.request(slot, options, now);
        }
    }

    pub(super) fn replace_after(&mut self, Hashed { hash, key }: Hashed<K>, delay: Duration) {
        if !self.closed {
            self.tick();
            let slot = self.slots.find_or_insert(hash, key);
            let priority = self.delays.get(slot).map(|before| before.priority).unwrap_or_default();
            let now = Instant::now();
            self.schedule(slot, now, Later { at: after(now, delay), charged: false, priority });
        }
    }

    /// Cancels a delayed run: `None` if there was none, else the slot if nothing needs it any more.
    pub(super) fn cancel(&mut self, hash: u64, key: &K) -> Option<Option<Slot<K>>> {
        self.tick();
        let slot = self.slots.find(hash, key)?;
        self.unschedule(slot).then(|| self.slots.remove_idle(slot))
    }
}
