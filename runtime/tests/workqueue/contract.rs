//! Each bullet of the contract.

use std::sync::{Arc, atomic::AtomicUsize, atomic::Ordering};

use kube_codegen_runtime::workqueue::{Exponential, WorkQueue};
use tokio::time::{Instant, advance};

use super::{ms, next, poll_get};

#[tokio::test(start_paused = true)]
async fn keys_come_in_the_order_of_their_adds_and_once_each() {
    let queue = WorkQueue::default();
    queue.add_all(["b", "a", "b", "c"]);
    queue.add("a");
    assert_eq!(queue.len(), 3);
    assert_eq!([next(&queue), next(&queue), next(&queue)], [Some("b"), Some("a"), Some("c")]);
    assert_eq!(next(&queue), None);
}

#[tokio::test(start_paused = true)]
async fn a_key_in_a_workers_hands_is_kept_back_and_runs_once_more() {
    let queue = WorkQueue::default();
    queue.add("a");
    let item = queue.get().await.unwrap();
    queue.add("a");
    queue.add("a");
    assert_eq!((queue.len(), next(&queue)), (0, None));
    drop(item);
    assert_eq!([next(&queue), next(&queue)], [Some("a"), None]);
}

#[tokio::test(start_paused = true)]
async fn add_all_takes_many_keys_in_their_order() {
    let queue = WorkQueue::default();
    queue.add_all(0..1000);
    for key in 0..1000 {
        assert_eq!(next(&queue), Some(key));
    }
    queue.add_all([]);
    assert!(queue.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_panicking_worker_gives_its_key_back() {
    let queue = WorkQueue::default();
    queue.add("a");
    let item = queue.get().await.unwrap();
    queue.add("a");
    let worker = tokio::spawn(async move {
        let _item = item;
        panic!("in the middle of the work");
    });
    assert!(worker.await.unwrap_err().is_panic());
    assert_eq!([next(&queue), next(&queue)], [Some("a"), None]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_worker_gives_its_key_back() {
    let queue = WorkQueue::default();
    queue.add("a");
    let item = queue.get().await.unwrap();
    let worker = tokio::spawn(async move {
        let _item = item;
        std::future::pending::<()>().await;
    });
    tokio::task::yield_now().await;
    worker.abort();
    assert!(worker.await.unwrap_err().is_cancelled());
    assert_eq!(queue.stats().in_flight, 0);
    queue.add("a");
    assert_eq!(next(&queue), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn a_sleeping_worker_wakes_exactly_when_a_key_is_due() {
    let queue = WorkQueue::default();
    let start = Instant::now();
    queue.add_after("later", ms(7_000));
    queue.add_after("sooner", ms(3));
    assert_eq!(**queue.get().await.as_ref().unwrap(), "sooner");
    assert_eq!(start.elapsed(), ms(3));
    assert_eq!(**queue.get().await.as_ref().unwrap(), "later");
    assert_eq!(start.elapsed(), ms(7_000));
}

#[tokio::test(start_paused = true)]
async fn an_earlier_delay_reaches_a_worker_that_sleeps_already() {
    let queue = WorkQueue::default();
    let start = Instant::now();
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move { (*queue.get().await.unwrap(), start.elapsed()) }
    });
    for (key, delay) in [("first", 50), ("later", 90), ("sooner", 20)] {
        tokio::task::yield_now().await;
        queue.add_after(key, ms(delay));
    }
    assert_eq!(worker.await.unwrap(), ("sooner", ms(20)));
}

#[tokio::test(start_paused = true)]
async fn keys_become_ready_in_the_order_of_their_times_even_if_nobody_looks() {
    let queue = WorkQueue::default();
    queue.add_after("at 5", ms(5));
    queue.add_after("at 4", ms(4));
    queue.add_after("at 5, asked for later", ms(5));
    advance(ms(6)).await;
    queue.add("at 6");
    for key in ["at 4", "at 5", "at 5, asked for later", "at 6"] {
        assert_eq!(next(&queue), Some(key));
    }
}

#[tokio::test(start_paused = true)]
async fn when_the_watching_worker_is_cancelled_another_one_watches() {
    let queue = WorkQueue::default();
    queue.add_after("a", ms(10));
    let spawn = || {
        let queue = queue.clone();
        tokio::spawn(async move { queue.get().await.map(|item| *item) })
    };
    let (watching, other) = (spawn(), spawn());
    tokio::task::yield_now().await;
    watching.abort();
    let start = Instant::now();
    assert_eq!(other.await.unwrap(), Some("a"));
    assert_eq!(start.elapsed(), ms(10));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_get_passes_its_wake_up_on() {
    let queue = WorkQueue::default();
    let mut woken = Box::pin(queue.get());
    assert!(futures::poll!(&mut woken).is_pending());
    let other = tokio::spawn({
        let queue = queue.clone();
        async move { queue.get().await.map(|item| *item) }
    });
    tokio::task::yield_now().await;
    queue.add("a"); // wakes the first, which never looks
    drop(woken);
    assert_eq!(other.await.unwrap(), Some("a"));
}

#[tokio::test(start_paused = true)]
async fn every_sleeping_worker_is_woken_for_a_batch() {
    let queue = WorkQueue::default();
    let busy = Arc::new(AtomicUsize::new(0));
    for _ in 0..4 {
        let (queue, busy) = (queue.clone(), busy.clone());
        tokio::spawn(async move {
            let _item = queue.get().await;
            busy.fetch_add(1, Ordering::Relaxed);
            std::future::pending::<()>().await;
        });
    }
    tokio::task::yield_now().await;
    queue.add_all(0..4);
    tokio::task::yield_now().await;
    assert_eq!(busy.load(Ordering::Relaxed), 4);
}

#[tokio::test(start_paused = true)]
async fn several_keys_due_at_once_reach_several_workers() {
    let queue = WorkQueue::default();
    let start = Instant::now();
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move {
                let item = queue.get().await.unwrap();
                let at = start.elapsed();
                tokio::time::sleep(ms(100)).await;
                (*item, at)
            })
        })
        .collect();
    tokio::task::yield_now().await;
    for key in 0..3 {
        queue.add_after(key, ms(10));
    }
    for worker in workers {
        assert_eq!(worker.await.unwrap().1, ms(10));
    }
}

#[tokio::test(start_paused = true)]
async fn replacing_a_delay_can_make_it_later() {
    let queue = WorkQueue::default();
    queue.add_after("a", ms(10));
    queue.replace_after("a", ms(30));
    queue.add_after("a", ms(40));
    advance(ms(29)).await;
    assert_eq!(next(&queue), None);
    advance(ms(1)).await;
    assert_eq!([next(&queue), next(&queue)], [Some("a"), None]);
    queue.add_after("a", ms(10));
    queue.replace_after("a", ms(0));
    assert_eq!([next(&queue), next(&queue)], [Some("a"), None]);
    assert_eq!(queue.stats(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn a_delay_that_ends_during_the_run_leads_to_one_more() {
    let queue = WorkQueue::default();
    queue.add("a");
    queue.add_after("a", ms(5));
    let item = queue.get().await.unwrap();
    advance(ms(10)).await;
    assert_eq!(next(&queue), None);
    drop(item);
    assert_eq!([next(&queue), next(&queue)], [Some("a"), None]);
}

#[tokio::test(start_paused = true)]
async fn an_endless_delay_is_no_error() {
    let queue = WorkQueue::default();
    queue.add_after("a", std::time::Duration::MAX);
    advance(ms(1_000_000_000)).await;
    assert_eq!(next(&queue), None);
    assert!(queue.cancel_delayed(&"a"));
}

#[tokio::test(start_paused = true)]
async fn a_worker_says_how_its_key_goes_on() {
    let queue = WorkQueue::new(Exponential::new(ms(5), ms(100)));
    queue.add("a");
    queue.get().await.unwrap().requeue();
    queue.get().await.unwrap().requeue_after(ms(40));
    let start = Instant::now();
    queue.get().await.unwrap().requeue_rate_limited();
    assert_eq!(start.elapsed(), ms(40));
    let item = queue.get().await.unwrap();
    assert_eq!((start.elapsed(), item.num_requeues(), *item), (ms(45), 1, "a"));
    item.forget();
    assert_eq!((queue.num_requeues(&"a"), next(&queue)), (0, None));
}

#[tokio::test(start_paused = true)]
async fn nothing_stays_behind_when_all_is_done() {
    let queue = WorkQueue::default();
    let key = Arc::new(());
    queue.add(key.clone());
    queue.add(key.clone());
    queue.add_after(key.clone(), ms(5));
    queue.get().await.unwrap().forget();
    assert!(queue.cancel_delayed(&key));
    assert!(!queue.cancel_delayed(&key));
    queue.add_after(key.clone(), ms(5));
    queue.shutdown();
    assert_eq!(Arc::strong_count(&key), 1);
    assert_eq!(queue.stats(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn shutdown_hands_out_what_is_ready_and_drops_the_rest() {
    let queue = WorkQueue::default();
    queue.add("ready");
    queue.add_after("delayed", ms(1));
    assert!(!queue.is_shutting_down());
    queue.shutdown();
    assert!(queue.is_shutting_down());
    queue.add("late");
    queue.add_after("late", ms(1));
    queue.add_rate_limited("late");
    queue.replace_after("late", ms(1));
    let item = queue.get().await.unwrap();
    assert_eq!(*item, "ready");
    item.requeue();
    assert!(queue.get().await.is_none());
    assert_eq!(queue.num_requeues(&"late"), 0);
}

#[tokio::test(start_paused = true)]
async fn shutdown_wakes_every_sleeping_worker() {
    let queue = WorkQueue::<u8>::default();
    let workers: Vec<_> = (0..4)
        .map(|_| {
            let queue = queue.clone();
            tokio::spawn(async move { queue.get().await.is_none() })
        })
        .collect();
    tokio::task::yield_now().await;
    queue.shutdown();
    for worker in workers {
        assert!(worker.await.unwrap());
    }
    queue.drained().await;
}

#[tokio::test(start_paused = true)]
async fn workers_stay_while_a_key_in_flight_may_come_back() {
    let queue = WorkQueue::default();
    queue.add("a");
    let item = queue.get().await.unwrap();
    queue.add("a");
    queue.shutdown();
    assert!(poll_get(&queue).is_none(), "the end was told too early");
    let (first, second) = (queue.clone(), queue.clone());
    let first = tokio::spawn(async move { first.get().await.map(|item| *item) });
    let second = tokio::spawn(async move { second.get().await.map(|item| *item) });
    tokio::task::yield_now().await;
    drop(item);
    assert_eq!((first.await.unwrap(), second.await.unwrap()), (Some("a"), None));
}

#[tokio::test]
async fn a_worker_that_is_never_short_of_keys_lets_others_run() {
    let queue = WorkQueue::default();
    queue.add(0_u64);
    let worker = tokio::spawn({
        let queue = queue.clone();
        async move {
            while let Some(item) = queue.get().await {
                item.requeue();
            }
        }
    });
    tokio::task::yield_now().await;
    queue.shutdown(); // only reached if the worker yields on its single thread
    worker.await.unwrap();
}
