//! Random calls on the queue and on a model that is as simple as can be.

use std::{collections::BTreeMap, time::Duration};

use kube_codegen_runtime::workqueue::{AddOptions, Exponential, Priority, WorkItem, WorkQueue};
use proptest::prelude::*;

use super::{ms, poll_get};

type Key = u8;

#[derive(Clone, Debug)]
enum Call {
    Add(Key, Priority),
    AddAfter(Key, u64, Priority),
    ReplaceAfter(Key, u64),
    AddRateLimited(Key, Priority),
    Cancel(Key),
    Forget(Key),
    Get,
    Finish { nth: usize, how: How },
    Advance(u64),
    Shutdown,
}

#[derive(Clone, Copy, Debug)]
enum How {
    Drop,
    Forget,
    Requeue,
    RequeueAfter(u64),
    RequeueRateLimited,
}

fn key() -> impl Strategy<Value = Key> {
    0..5_u8
}

fn priority() -> impl Strategy<Value = Priority> {
    prop_oneof![
        4 => Just(Priority::NORMAL),
        3 => Just(Priority::LOW),
        1 => Just(Priority::new(7)),
    ]
}

/// Mostly few distinct delays, so that times meet.
fn delay() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0_u64), Just(10), Just(20), 1..60_u64]
}

fn how() -> impl Strategy<Value = How> {
    prop_oneof![
        Just(How::Drop),
        Just(How::Forget),
        Just(How::Requeue),
        delay().prop_map(How::RequeueAfter),
        Just(How::RequeueRateLimited),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        4 => (key(), priority()).prop_map(|(key, priority)| Call::Add(key, priority)),
        3 => (key(), delay(), priority()).prop_map(|(key, delay, priority)| Call::AddAfter(key, delay, priority)),
        2 => (key(), delay()).prop_map(|(key, delay)| Call::ReplaceAfter(key, delay)),
        2 => (key(), priority()).prop_map(|(key, priority)| Call::AddRateLimited(key, priority)),
        1 => key().prop_map(Call::Cancel),
        1 => key().prop_map(Call::Forget),
        6 => Just(Call::Get),
        5 => (any::<prop::sample::Index>(), how())
            .prop_map(|(nth, how)| Call::Finish { nth: nth.index(8), how }),
        4 => delay().prop_map(Call::Advance),
        1 => Just(Call::Shutdown),
    ]
}

#[derive(Clone, Copy, Debug)]
struct Due {
    at: u64,
    order: u64,
    charged: bool,
    priority: Priority,
}

#[derive(Clone, Copy, Debug)]
struct Ready {
    key: Key,
    priority: Priority,
    order: u64,
}

#[derive(Debug, Default)]
struct Model {
    now: u64,
    order: u64,
    ready: Vec<Ready>,
    /// How often in a row the one that waits longest was not the one to go.
    passed_over: u32,
    due: BTreeMap<Key, Due>,
    /// What is in flight, and whether it runs again, with which priority.
    running: BTreeMap<Key, Option<Priority>>,
    failures: BTreeMap<Key, u32>,
    closed: bool,
}

impl Model {
    fn tick(&mut self) {
        let mut due: Vec<_> =
            self.due.iter().filter(|(_, due)| due.at <= self.now).map(|(k, d)| (*k, *d)).collect();
        due.sort_by_key(|(_, due)| (due.at, due.order));
        for (key, due) in due {
            self.due.remove(&key);
            self.enqueue(key, due.priority);
        }
    }

    fn enqueue(&mut self, key: Key, priority: Priority) {
        if let Some(again) = self.running.get_mut(&key) {
            *again = (*again).max(Some(priority));
        } else if self.ready.iter().all(|ready| ready.key != key || ready.priority < priority) {
            self.ready.retain(|ready| ready.key != key);
            self.order += 1;
            self.ready.push(Ready { key, priority, order: self.order });
        }
    }

    fn add(&mut self, key: Key, priority: Priority) {
        if !self.closed {
            self.enqueue(key, priority);
        }
    }

    fn replace(&mut self, key: Key, delay: u64) {
        let priority = self.due.get(&key).map_or(Priority::NORMAL, |due| due.priority);
        self.schedule(key, delay, (false, priority));
    }

    fn schedule(&mut self, key: Key, delay: u64, (charged, priority): (bool, Priority)) {
        if self.closed {
            return;
        }
        self.due.remove(&key);
        if delay == 0 {
            return self.enqueue(key, priority);
        }
        self.order += 1;
        self.due.insert(key, Due { at: self.now + delay, order: self.order, charged, priority });
    }

    fn add_after(&mut self, key: Key, delay: u64, (charged, priority): (bool, Priority)) {
        let at = self.now + delay;
        match self.due.get_mut(&key) {
            _ if self.closed => {}
            Some(due) if due.at <= at => {
                due.charged |= charged;
                due.priority = due.priority.max(priority);
            }
            Some(due) => {
                let wishes = (due.charged || charged, due.priority.max(priority));
                self.schedule(key, delay, wishes);
            }
            None => self.schedule(key, delay, (charged, priority)),
        }
    }

    fn rate_limited(&mut self, key: Key, priority: Priority) {
        if self.closed {
            return;
        }
        if self.ready.iter().any(|ready| ready.key == key) {
            return self.enqueue(key, priority);
        }
        if let Some(due) = self.due.get_mut(&key).filter(|due| due.charged) {
            due.priority = due.priority.max(priority);
            return;
        }
        let failures = self.failures.entry(key).or_default();
        let delay = (10_u64 << *failures).min(80);
        *failures += 1;
        self.add_after(key, delay, (true, priority));
    }

    fn get(&mut self) -> Option<(Key, Priority)> {
        let first = |level: Option<Priority>| {
            let level = self.ready.iter().filter(|ready| level.is_none_or(|level| ready.priority == level));
            level.min_by_key(|ready| ready.order).copied()
        };
        let longest = first(None)?;
        let highest = first(self.ready.iter().map(|ready| ready.priority).max())?;
        let taken = if highest.priority == longest.priority || self.passed_over == 15 {
            self.passed_over = 0;
            longest
        } else {
            self.passed_over += 1;
            highest
        };
        self.ready.retain(|ready| ready.key != taken.key);
        assert!(self.running.insert(taken.key, None).is_none(), "the model itself is wrong");
        Some((taken.key, taken.priority))
    }

    fn ended(&self) -> bool {
        self.closed && self.ready.is_empty() && !self.running.values().any(Option::is_some)
    }

    fn finish(&mut self, key: Key, priority: Priority, how: How) {
        match how {
            How::Drop => {}
            How::Forget => drop(self.failures.remove(&key)),
            How::Requeue => self.add(key, priority),
            How::RequeueAfter(delay) => self.add_after(key, delay, (false, priority)),
            How::RequeueRateLimited => self.rate_limited(key, priority),
        }
        if let Some(Some(priority)) = self.running.remove(&key) {
            self.enqueue(key, priority);
        }
    }
}

fn finish(item: WorkItem<Key>, how: How) {
    match how {
        How::Drop => drop(item),
        How::Forget => item.forget(),
        How::Requeue => item.requeue(),
        How::RequeueAfter(delay) => item.requeue_after(ms(delay)),
        How::RequeueRateLimited => item.requeue_rate_limited(),
    }
}

async fn step(queue: &WorkQueue<Key>, model: &mut Model, items: &mut Vec<WorkItem<Key>>, call: Call) {
    model.tick();
    match call {
        Call::Add(key, priority) => {
            queue.add_with(key, priority.into());
            model.add(key, priority);
        }
        Call::AddAfter(key, delay, priority) => {
            queue.add_with(key, AddOptions::from(priority).after(ms(delay)));
            model.add_after(key, delay, (false, priority));
        }
        Call::ReplaceAfter(key, delay) => {
            queue.replace_after(key, ms(delay));
            model.replace(key, delay);
        }
        Call::AddRateLimited(key, priority) => {
            queue.add_with(key, AddOptions::from(priority).rate_limited());
            model.rate_limited(key, priority);
        }
        Call::Cancel(key) => assert_eq!(queue.cancel_delayed(&key), model.due.remove(&key).is_some()),
        Call::Forget(key) => {
            queue.forget(&key);
            model.failures.remove(&key);
        }
        Call::Get => {
            let polled = poll_get(queue);
            assert_eq!(polled.is_some(), !model.ready.is_empty() || model.ended(), "whether it has to wait");
            let item = polled.flatten();
            assert_eq!(item.as_ref().map(|item| (**item, item.priority())), model.get());
            items.extend(item);
        }
        Call::Finish { nth, how } if !items.is_empty() => {
            let item = items.swap_remove(nth % items.len());
            model.finish(*item, item.priority(), how);
            finish(item, how);
        }
        Call::Finish { .. } => {}
        Call::Advance(delay) => {
            tokio::time::advance(ms(delay)).await;
            model.now += delay;
            model.tick();
        }
        Call::Shutdown => {
            queue.shutdown();
            model.closed = true;
            model.due.clear();
        }
    }
    let stats = queue.stats();
    assert_eq!(
        (stats.ready, stats.delayed, stats.in_flight),
        (model.ready.len(), model.due.len(), model.running.len())
    );
    for (priority, depth) in queue.depths() {
        assert_eq!(depth, model.ready.iter().filter(|ready| ready.priority == priority).count());
    }
    for key in 0..5 {
        assert_eq!(queue.num_requeues(&key), model.failures.get(&key).copied().unwrap_or(0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_calls_do_what_the_model_does(calls in prop::collection::vec(call(), 1..120)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let queue = WorkQueue::new(Exponential::new(ms(10), ms(80)));
            let (mut model, mut items) = (Model::default(), Vec::new());
            for call in calls {
                step(&queue, &mut model, &mut items, call).await;
            }
            // Whatever happened: it ends, and nothing stays.
            items.clear();
            queue.shutdown();
            while let Some(item) = queue.get().await {
                drop(item);
            }
            let drained = tokio::time::timeout(Duration::from_secs(1), queue.drained()).await;
            prop_assert!(drained.is_ok());
            prop_assert_eq!(queue.stats(), Default::default());
            Ok(())
        })?;
    }
}
