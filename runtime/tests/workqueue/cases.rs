//! Cases that other work queues got wrong, by their number.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use kube_codegen_runtime::workqueue::{Exponential, TokenBucket, WorkQueue};
use parking_lot::Mutex;
use tokio::time::{Instant, advance, sleep};

use super::{ms, next};

#[tokio::test(start_paused = true)]
async fn c012_retry_delays_grow_per_key_and_a_success_clears_them() {
    let queue = WorkQueue::new(Exponential::new(ms(10), ms(100)));
    queue.add("a");
    let mut last = Instant::now();
    let mut gaps = Vec::new();
    for attempt in 0..=6 {
        let item = queue.get().await.unwrap();
        assert_eq!((*item, item.num_requeues()), ("a", attempt));
        gaps.push(last.elapsed().as_millis());
        last = Instant::now();
        if attempt < 6 {
            item.requeue_rate_limited();
            queue.add("b"); // always succeeds, and never waits
            let b = queue.get().await.unwrap();
            assert_eq!((*b, last.elapsed()), ("b", Duration::ZERO));
            b.forget();
        } else {
            item.forget();
        }
    }
    assert_eq!(gaps, [0, 10, 20, 40, 80, 100, 100]);
    queue.add("a");
    queue.get().await.unwrap().requeue_rate_limited();
    let start = Instant::now();
    assert_eq!(queue.get().await.unwrap().num_requeues(), 1);
    assert_eq!(start.elapsed(), ms(10));
}

#[tokio::test(start_paused = true)]
async fn c055_a_drain_ends_after_the_last_run_for_all_who_wait() {
    const KEYS: u32 = 1000;
    const AGAIN: u32 = 100;
    let queue = WorkQueue::default();
    let runs = Arc::new(Mutex::new(BTreeMap::<u32, u32>::new()));
    queue.add_all(0..KEYS);
    for _ in 0..4 {
        let (queue, runs) = (queue.clone(), runs.clone());
        tokio::spawn(async move {
            while let Some(item) = queue.get().await {
                let run = *runs.lock().entry(*item).and_modify(|runs| *runs += 1).or_insert(1);
                if *item < AGAIN && run == 1 {
                    queue.add(*item);
                }
                sleep(ms(3)).await;
                item.forget();
            }
        });
    }
    // All hundred were asked for again while in flight; the last of them still runs.
    sleep(ms(u64::from(AGAIN) / 4 * 3 + 1)).await;
    let waiters: Vec<_> = (0..2)
        .map(|_| {
            let (queue, runs) = (queue.clone(), runs.clone());
            tokio::spawn(async move {
                queue.shutdown_with_drain().await;
                assert_eq!((queue.stats().ready, queue.stats().in_flight), (0, 0));
                runs.lock().values().sum::<u32>()
            })
        })
        .collect();
    tokio::task::yield_now().await;
    queue.add_all(KEYS..KEYS + 10);
    queue.add(500);
    for waiter in waiters {
        assert_eq!(waiter.await.unwrap(), KEYS + AGAIN);
    }
    let runs = runs.lock();
    assert_eq!(runs.len(), KEYS as usize, "an add after the shutdown was taken in");
    assert!(runs.iter().all(|(&key, &runs)| runs == if key < AGAIN { 2 } else { 1 }), "{runs:?}");
}

#[tokio::test(start_paused = true)]
async fn c055_a_drain_of_an_idle_queue_ends_at_once_and_a_dropped_one_harms_nobody() {
    let queue = WorkQueue::default();
    queue.add("a");
    let item = queue.get().await.unwrap();
    let mut dropped = Box::pin(queue.shutdown_with_drain());
    assert!(futures::poll!(&mut dropped).is_pending());
    drop(dropped);
    let waiting = queue.drained();
    drop(item); // the only way to say "done", and it cannot be said twice
    waiting.await;
    queue.drained().await;
}

#[tokio::test(start_paused = true)]
async fn c056_of_repeated_delayed_adds_the_earliest_counts() {
    for delays in [[10, 2], [2, 10]] {
        let queue = WorkQueue::default();
        for delay in delays {
            queue.add_after("a", Duration::from_secs(delay));
        }
        let start = Instant::now();
        drop(queue.get().await);
        assert_eq!(start.elapsed(), Duration::from_secs(2));
        advance(Duration::from_secs(20)).await;
        assert_eq!(next(&queue), None);
    }
}

#[tokio::test(start_paused = true)]
async fn c056_an_add_leaves_the_delayed_run_alone_unless_that_is_cancelled() {
    let queue = WorkQueue::default();
    queue.add_after("a", Duration::from_secs(10));
    queue.add("a");
    let start = Instant::now();
    drop(queue.get().await);
    assert_eq!(start.elapsed(), Duration::ZERO);
    drop(queue.get().await);
    assert_eq!(start.elapsed(), Duration::from_secs(10));

    queue.add_after("a", Duration::from_secs(10));
    assert!(queue.cancel_delayed(&"a"));
    queue.add("a");
    assert_eq!(next(&queue), Some("a"));
    advance(Duration::from_secs(20)).await;
    assert_eq!(next(&queue), None);
}

#[tokio::test(start_paused = true)]
async fn c057_adding_faster_than_the_rate_does_not_push_a_key_out() {
    let queue = WorkQueue::<&str>::new(TokenBucket::new(ms(200), 1));
    let start = Instant::now();
    let hour = Duration::from_secs(3600);
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move {
            let mut runs = Vec::new();
            while let Some(item) = queue.get().await {
                runs.push(start.elapsed());
                item.forget();
            }
            runs
        }
    });
    while start.elapsed() < hour {
        queue.add_rate_limited("a");
        sleep(ms(100)).await;
    }
    queue.shutdown();
    let runs = worker.await.unwrap();
    let widest = runs.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(widest < ms(400), "a gap of {widest:?}");
    assert!(runs.len() > 17_000, "{} runs", runs.len());
}

#[tokio::test(start_paused = true)]
async fn c057_a_key_that_waits_is_charged_once_and_another_key_pays_for_one() {
    let queue = WorkQueue::new(TokenBucket::new(ms(200), 1));
    queue.add_rate_limited("first");
    for _ in 0..50 {
        queue.add_rate_limited("waits");
        queue.add_rate_limited("first"); // ready, so it waits as well
    }
    queue.add_rate_limited("next");
    let start = Instant::now();
    let mut runs = Vec::new();
    for _ in 0..3 {
        runs.push((*queue.get().await.unwrap(), start.elapsed()));
    }
    assert_eq!(runs, [("first", ms(0)), ("waits", ms(200)), ("next", ms(400))]);
}
