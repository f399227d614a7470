//! Random calls on the queue and on a model that is as simple as can be.

use std::{collections::BTreeMap, time::Duration};

use kube_codegen_runtime::workqueue::{Exponential, WorkItem, WorkQueue};
use proptest::prelude::*;

use super::{ms, poll_get};

type Key = u8;

#[derive(Clone, Debug)]
enum Call {
    Add(Key),
    AddAfter(Key, u64),
    ReplaceAfter(Key, u64),
    AddRateLimited(Key),
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
        4 => key().prop_map(Call::Add),
        3 => (key(), delay()).prop_map(|(key, delay)| Call::AddAfter(key, delay)),
        2 => (key(), delay()).prop_map(|(key, delay)| Call::ReplaceAfter(key, delay)),
        2 => key().prop_map(Call::AddRateLimited),
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
}

#[derive(Debug, Default)]
struct Model {
    now: u64,
    order: u64,
    ready: Vec<Key>,
    due: BTreeMap<Key, Due>,
    /// What is in flight, and whether it runs again.
    running: BTreeMap<Key, bool>,
    failures: BTreeMap<Key, u32>,
    closed: bool,
}

impl Model {
    fn tick(&mut self) {
        let mut due: Vec<_> =
            self.due.iter().filter(|(_, due)| due.at <= self.now).map(|(k, d)| (*k, *d)).collect();
        due.sort_by_key(|(_, due)| (due.at, due.order));
        for (key, _) in due {
            self.due.remove(&key);
            self.enqueue(key);
        }
    }

    fn enqueue(&mut self, key: Key) {
        if let Some(again) = self.running.get_mut(&key) {
            *again = true;
        } else if !self.ready.contains(&key) {
            self.ready.push(key);
        }
    }

    fn add(&mut self, key: Key) {
        if !self.closed {
            self.enqueue(key);
        }
    }

    fn replace(&mut self, key: Key, delay: u64, charged: bool) {
        if self.closed {
            return;
        }
        self.due.remove(&key);
        if delay == 0 {
            return self.enqueue(key);
        }
        self.order += 1;
        self.due.insert(key, Due { at: self.now + delay, order: self.order, charged });
    }

    fn add_after(&mut self, key: Key, delay: u64, charged: bool) {
        let at = self.now + delay;
        match self.due.get_mut(&key) {
            Some(due) if due.at <= at => due.charged |= charged && !self.closed,
            Some(due) => {
                let charged = due.charged || charged;
                self.replace(key, delay, charged);
            }
            None => self.replace(key, delay, charged),
        }
    }

    fn rate_limited(&mut self, key: Key) {
        if self.closed || self.ready.contains(&key) || self.due.get(&key).is_some_and(|due| due.charged) {
            return;
        }
        let failures = self.failures.entry(key).or_default();
        let delay = (10_u64 << *failures).min(80);
        *failures += 1;
        self.add_after(key, delay, true);
    }

    fn get(&mut self) -> Option<Key> {
        if self.ready.is_empty() {
            return None;
        }
        let key = self.ready.remove(0);
        assert!(self.running.insert(key, false).is_none(), "the model itself is wrong");
        Some(key)
    }

    fn ended(&self) -> bool {
        self.closed && self.ready.is_empty() && !self.running.values().any(|again| *again)
    }

    fn finish(&mut self, key: Key, how: How) {
        match how {
            How::Drop => {}
            How::Forget => drop(self.failures.remove(&key)),
            How::Requeue => self.add(key),
            How::RequeueAfter(delay) if !self.closed => self.add_after(key, delay, false),
            How::RequeueAfter(_) => {}
            How::RequeueRateLimited => self.rate_limited(key),
        }
        if self.running.remove(&key) == Some(true) {
            self.ready.push(key);
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
        Call::Add(key) => {
            queue.add(key);
            model.add(key);
        }
        Call::AddAfter(key, delay) => {
            queue.add_after(key, ms(delay));
            model.add_after(key, delay, false);
        }
        Call::ReplaceAfter(key, delay) => {
            queue.replace_after(key, ms(delay));
            model.replace(key, delay, false);
        }
        Call::AddRateLimited(key) => {
            queue.add_rate_limited(key);
            model.rate_limited(key);
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
            assert_eq!(item.as_deref().copied(), model.get());
            items.extend(item);
        }
        Call::Finish { nth, how } if !items.is_empty() => {
            let item = items.swap_remove(nth % items.len());
            model.finish(*item, how);
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
