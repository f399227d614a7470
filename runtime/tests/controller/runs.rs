//! What a run's answer leads to, and what a run may do to a controller.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    client::ResourceClient,
    controller::{Action, Failure, Metrics, Outcome, Request},
};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use super::support::{Running, Script, map, maps, settle};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(start_paused = true)]
async fn a_run_says_when_the_next_one_is_due() {
    let fake = Fake::new([], ["done", "after", "at", "again"].map(|name| map(name).into()));
    let (_informer, builder) = maps(&fake);
    let script = Script::new();
    let mut again = 3;
    script.answer("again", move |_| {
        again -= 1;
        Ok(if again > 0 { Action::Again } else { Action::Done })
    });
    script.answer("after", |_| Ok(Action::After(Duration::from_secs(10))));
    let due = Instant::now() + Duration::from_secs(25);
    script.answer("at", move |_| Ok(if Instant::now() < due { Action::At(due) } else { Action::Done }));
    let running = Running::start(builder.build(script.clone()));
    sleep(Duration::from_secs(35)).await;
    running.stop().await;
    assert_eq!(script.times("done").len(), 1);
    assert_eq!(script.times("again").len(), 3);
    let seconds = |name: &str| script.times(name).iter().map(|time| time / 1000).collect::<Vec<_>>();
    assert_eq!(seconds("after"), [0, 10, 20, 30]);
    assert_eq!(seconds("at"), [0, 25]);
}

/// A run answers for the timed run that its key was waiting for: else every event would add one more.
#[tokio::test(start_paused = true)]
async fn an_event_before_its_time_moves_a_timed_run() {
    let fake = Fake::new([], [map("a").into()]);
    let (_informer, builder) = maps(&fake);
    let script = Script::new();
    script.answer("a", |_| Ok(Action::After(MINUTE)));
    let controller = builder.build(script.clone());
    let queue = controller.queue().clone();
    let running = Running::start(controller);
    sleep(MINUTE / 2).await;
    queue.add("default/a".parse().unwrap());
    sleep(MINUTE * 2 + Duration::from_secs(1)).await;
    assert_eq!(script.times("a").iter().map(|time| time / 1000).collect::<Vec<_>>(), [0, 30, 90, 150]);

    script.answer("a", |_| Ok(Action::Done));
    queue.add("default/a".parse().unwrap());
    sleep(MINUTE * 10).await;
    assert_eq!(script.times("a").len(), 5, "what is done takes earlier wishes back");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn c012_the_wait_grows_for_each_key_by_itself_and_a_success_clears_it() {
    let fake = Fake::new([], ["good", "bad"].map(|name| map(name).into()));
    let (_informer, builder) = maps(&fake);
    let script = Script::new();
    let mut failures = 0;
    script.answer("bad", move |request| {
        failures += 1;
        assert_eq!(request.failures(), if failures < 8 { failures - 1 } else { 0 });
        if failures == 7 { Ok(Action::After(MINUTE)) } else { Err(Failure::passing("not yet")) }
    });
    let controller = builder.build(script.clone());
    let queue = controller.queue().clone();
    let running = Running::start(controller);
    settle().await;
    queue.add("default/good".parse().unwrap());
    sleep(MINUTE + Duration::from_secs(2)).await;
    running.stop().await;
    let times = script.times("bad");
    let waits: Vec<u128> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(waits[..6], [5, 10, 20, 40, 80, 160]);
    assert_eq!((waits[6] / 1000, waits[7]), (60, 5), "a success clears the failures");
    assert!(script.times("good").iter().all(|time| *time < 10), "others are not held up");
}

#[tokio::test(start_paused = true)]
async fn a_failure_for_good_rests_until_something_happens() {
    let fake = Fake::new([], [map("a").into()]);
    let (_informer, builder) = maps(&fake);
    let script = Script::new();
    script.answer("a", |_| Err(Failure::terminal("the spec cannot be followed")));
    let controller = builder.build(script.clone());
    let queue = controller.queue().clone();
    let running = Running::start(controller);
    sleep(MINUTE * 60).await;
    assert_eq!(script.count(), 1);
    queue.add("default/a".parse().unwrap());
    settle().await;
    assert_eq!(script.count(), 2);
    running.stop().await;
}

#[derive(Default)]
struct Counts {
    started: AtomicUsize,
    ended: Mutex<Vec<Outcome>>,
}

impl Metrics for Counts {
    fn started(&self) {
        self.started.fetch_add(1, Ordering::Relaxed);
    }

    fn finished(&self, outcome: Outcome, _took: Duration) {
        self.ended.lock().push(outcome);
    }
}

/// A panic, a run without end and a lost race are all tried again, are told apart, and harm no other key.
#[tokio::test(start_paused = true)]
async fn what_a_run_does_to_itself_harms_no_other() {
    let names = ["conflict", "fine", "panic", "stuck"];
    let fake = Fake::new([], names.map(|name| map(name).into()));
    let (_informer, builder) = maps(&fake);
    let counts = Arc::new(Counts::default());
    let client = ResourceClient::namespaced(fake.client(), "default");
    let tried = Arc::new(Mutex::new(std::collections::BTreeMap::<String, u32>::new()));
    let controller =
        builder.run_limit(MINUTE).metrics(Arc::clone(&counts)).workers(4.try_into().unwrap()).build({
            let tried = Arc::clone(&tried);
            move |request: Request| {
                let (client, tried) = (client.clone(), Arc::clone(&tried));
                async move {
                    let run = {
                        let mut tried = tried.lock();
                        let run = tried.entry(request.name().to_owned()).or_default();
                        *run += 1;
                        *run
                    };
                    match (request.name(), run) {
                        ("panic", 1) => panic!("out of {}", "luck"),
                        ("stuck", 1) => std::future::pending().await,
                        ("conflict", 1 | 2) => {
                            let mut stale = map("conflict");
                            stale.metadata.resource_version = Some("1".to_owned());
                            client.update(&stale).await?;
                            Ok(Action::Done)
                        }
                        _ => Ok(Action::Done),
                    }
                }
            }
        });
    let running = Running::start(controller);
    sleep(MINUTE * 2).await;
    running.stop().await;
    let tried: Vec<(String, u32)> = std::mem::take(&mut *tried.lock()).into_iter().collect();
    let expected = [("conflict", 3), ("fine", 1), ("panic", 2), ("stuck", 2)];
    assert_eq!(tried, expected.map(|(name, runs)| (name.to_owned(), runs)));
    let mut ended = counts.ended.lock().clone();
    ended.sort_by_key(|outcome| format!("{outcome:?}"));
    use Outcome::{Conflict, Done, Panicked, TimedOut};
    assert_eq!(ended, [Conflict, Conflict, Done, Done, Done, Done, Panicked, TimedOut]);
    assert_eq!(counts.started.load(Ordering::Relaxed), ended.len());
}

/// Whatever is asked for while a key is being worked on becomes one further run, after this one.
#[tokio::test(start_paused = true)]
async fn a_key_is_never_with_two_workers() {
    let fake = Fake::new([], [map("a").into()]);
    let (_informer, builder) = maps(&fake);
    let script = Script::taking(Duration::from_secs(1));
    let controller = builder.workers(8.try_into().unwrap()).build(script.clone());
    let queue = controller.queue().clone();
    let running = Running::start(controller);
    for _ in 0..50 {
        sleep(Duration::from_millis(100)).await;
        queue.add("default/a".parse().unwrap());
    }
    sleep(Duration::from_secs(3)).await;
    running.stop().await;
    let times = script.times("a");
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= 1000), "{times:?}");
    assert_eq!(times.len(), 6, "{times:?}");
}
