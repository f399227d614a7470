//! What the hooks hear and what the gauges show.

use std::{sync::Arc, time::Duration};

use kube_codegen_runtime::workqueue::{Exponential, Metrics, WorkQueue};
use parking_lot::Mutex;
use tokio::time::advance;

use super::ms;

#[derive(Debug, Default)]
struct Heard(Mutex<(u64, u64, Vec<Duration>, Vec<Duration>)>);

impl Metrics for Heard {
    fn added(&self, keys: u64) {
        self.0.lock().0 += keys;
    }
    fn retried(&self, keys: u64) {
        self.0.lock().1 += keys;
    }
    fn taken(&self, waited: Duration) {
        self.0.lock().2.push(waited);
    }
    fn finished(&self, ran: Duration) {
        self.0.lock().3.push(ran);
    }
}

#[tokio::test(start_paused = true)]
async fn hooks_hear_of_adds_retries_latency_and_work() {
    let heard = Arc::new(Heard::default());
    let queue = WorkQueue::with_metrics(Exponential::new(ms(5), ms(100)), heard.clone());
    queue.add_all(["a", "b", "a"]);
    advance(ms(10)).await;
    let a = queue.get().await.unwrap();
    queue.add("a");
    queue.add("a");
    advance(ms(20)).await;
    drop(a);
    queue.get().await.unwrap().requeue_rate_limited();
    advance(ms(7)).await; // due after 5, seen after 7: it has waited for 2
    drop(queue.get().await.unwrap());
    drop(queue.get().await.unwrap());
    let (added, retried, waited, ran) = std::mem::take(&mut *heard.0.lock());
    assert_eq!((added, retried), (4, 1));
    assert_eq!(waited, [ms(10), ms(30), ms(7), ms(2)]);
    assert_eq!(ran, [ms(20), ms(0), ms(0), ms(0)]);
}

#[tokio::test(start_paused = true)]
async fn gauges_show_what_is_unfinished() {
    let queue = WorkQueue::with_metrics(Exponential::new(ms(5), ms(100)), ());
    queue.add_all(["a", "b", "c"]);
    queue.add_after("d", ms(1000));
    let _a = queue.get().await;
    advance(ms(30)).await;
    let b = queue.get().await.unwrap();
    advance(ms(10)).await;
    queue.add("b");
    let stats = queue.stats();
    assert_eq!((stats.ready, stats.delayed, stats.in_flight), (1, 1, 2));
    assert_eq!((stats.unfinished, stats.longest_running), (ms(50), ms(40)));
    drop(b);
    assert_eq!((queue.stats().ready, queue.stats().unfinished), (2, ms(40)));
    assert_eq!(format!("{queue:?}").matches("in_flight: 1").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_hook_may_call_the_queue() {
    struct Calls(Mutex<Option<WorkQueue<&'static str>>>);
    impl Metrics for Calls {
        fn finished(&self, _ran: Duration) {
            if let Some(queue) = self.0.lock().take() {
                queue.add("from the hook");
            }
        }
    }
    let calls = Arc::new(Calls(Mutex::new(None)));
    let queue = WorkQueue::with_metrics(Exponential::new(ms(5), ms(100)), calls.clone());
    *calls.0.lock() = Some(queue.clone());
    queue.add("a");
    drop(queue.get().await);
    assert_eq!(super::next(&queue), Some("from the hook"));
}
