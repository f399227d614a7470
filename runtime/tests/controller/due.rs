//! Controllers that make something at a time of day: once, whatever the cache, the clock and other writers do.
//!
//! Replica sets stand in for a kind of such objects here: an annotation says when one is due, and the number of replicas in the status how
//! far it has come: 0 waits, 1 runs, 2 is done.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use k8s_openapi::api::{apps::v1::ReplicaSet, core::v1::ConfigMap};
use kube::Api;
use kube_codegen_apiserver::testing::{Fake, Verb};
use kube_codegen_runtime::{
    client::ResourceClient,
    clock::WallClock,
    controller::{
        Action, Changed, ChildError, Controller, Failure, Reconciler, Request, child_name, create_child,
    },
    informer::SharedInformer,
    lister::Lister,
};
use serde_json::json;
use tokio::time::sleep;

use super::support::{Hand, Quiet, Running, map, set, settle, started};

const START: &str = "2030-01-01T00:00:00Z";

fn at(name: &str, due: &str) -> ReplicaSet {
    let mut object = set(name);
    object.metadata.annotations = Some([("due".to_owned(), due.to_owned())].into());
    object
}

/// What the field's own controllers of such kinds do.
#[derive(Clone)]
struct Alarm {
    lister: Lister<ReplicaSet>,
    sets: ResourceClient<ReplicaSet>,
    children: ResourceClient<ConfigMap>,
    clock: WallClock,
    /// Stops before the status is written.
    crash: Arc<AtomicBool>,
    made: Arc<AtomicUsize>,
}

impl Alarm {
    fn new(fake: &Fake, informer: &SharedInformer<ReplicaSet>, clock: &WallClock) -> Self {
        Self {
            lister: informer.lister(),
            sets: ResourceClient::namespaced(fake.client(), "default"),
            children: ResourceClient::namespaced(fake.client(), "default"),
            clock: clock.clone(),
            crash: Arc::default(),
            made: Arc::default(),
        }
    }

    async fn advance(&self, object: &ReplicaSet, phase: i32) -> Result<Action, Failure> {
        let mut object = object.clone();
        object.status.get_or_insert_default().replicas = phase;
        self.sets.update_status(&object).await?;
        Ok(Action::Done)
    }
}

impl Reconciler for Alarm {
    async fn reconcile(&self, request: Request) -> Result<Action, Failure> {
        let Some(object) = self.lister.get("default", request.name()) else { return Ok(Action::Done) };
        let due = object.metadata.annotations.as_ref().and_then(|notes| notes.get("due")).cloned();
        let due = due.unwrap_or_default().parse()?;
        match object.status.as_ref().map_or(0, |status| status.replicas) {
            0 if self.clock.now() < due => Ok(Action::at_time(due, &self.clock)),
            0 => {
                let child = map(&child_name(&*object, &due.to_string()));
                let (_, changed) = create_child(&self.children, &*object, child).await?;
                self.made.fetch_add(usize::from(changed == Changed::Created), Ordering::Relaxed);
                if self.crash.swap(false, Ordering::Relaxed) {
                    return std::future::pending().await;
                }
                self.advance(&object, 1).await
            }
            1 => self.advance(&object, 2).await,
            _ => Ok(Action::Done),
        }
    }
}

fn children(fake: &Fake) -> Api<ConfigMap> {
    Api::namespaced(fake.server().client(), "default")
}

async fn count(fake: &Fake) -> usize {
    children(fake).list(&Default::default()).await.unwrap().items.len()
}

async fn phase(fake: &Fake, name: &str) -> i32 {
    Hand::<ReplicaSet>::new(fake).0.get(name).await.unwrap().status.unwrap().replicas
}

/// kuberay 4849: two passes of one tick, the second of which read an old state.
#[tokio::test(start_paused = true)]
async fn c095_one_occasion_makes_one_child_however_old_the_cache_is() {
    let (fake, clock) = (Fake::new([], []), WallClock::starting_at(START.parse().unwrap()));
    let informer = started::<ReplicaSet>(&fake);
    let alarm = Alarm::new(&fake, &informer, &clock);
    let builder = Controller::builder("alarm", &informer).workers(4.try_into().unwrap());
    let controller = builder.build(alarm.clone());
    let queue = controller.queue().clone();
    let running = Running::start(controller);
    Hand::<ReplicaSet>::new(&fake).create(&at("a", START)).await;
    sleep(Duration::from_millis(1)).await;
    // From here on nothing new comes into the cache for five seconds.
    fake.faults().on(Verb::Watch, "replicasets").delay(Duration::from_secs(5));
    fake.faults().on(Verb::List, "replicasets").delay(Duration::from_secs(5));
    fake.faults().cut_watches("replicasets");
    for _ in 0..20 {
        queue.add("default/a".parse().unwrap());
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(count(&fake).await, 1);
    sleep(Duration::from_secs(20)).await;
    assert_eq!((count(&fake).await, phase(&fake, "a").await), (1, 2));
    assert_eq!(alarm.made.load(Ordering::Relaxed), 1);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn c095_a_crash_between_the_child_and_the_status_leaves_one_child_and_no_standstill() {
    let (fake, clock) = (Fake::new([], []), WallClock::starting_at(START.parse().unwrap()));
    let informer = started::<ReplicaSet>(&fake);
    let alarm = Alarm::new(&fake, &informer, &clock);
    alarm.crash.store(true, Ordering::Relaxed);
    let running = Running::start(Controller::builder("alarm", &informer).build(alarm.clone()));
    Hand::<ReplicaSet>::new(&fake).create(&at("a", START)).await;
    settle().await;
    assert_eq!((count(&fake).await, phase(&fake, "a").await), (1, 0));
    running.task.abort();

    let informer = started::<ReplicaSet>(&fake);
    let again = Alarm::new(&fake, &informer, &clock);
    let running = Running::start(Controller::builder("alarm", &informer).build(again.clone()));
    sleep(Duration::from_secs(1)).await;
    assert_eq!((count(&fake).await, phase(&fake, "a").await), (1, 2));
    assert_eq!(again.made.load(Ordering::Relaxed), 0);
    running.stop().await;
}

#[tokio::test]
async fn a_child_that_is_somebody_elses_is_not_taken() {
    let fake = Fake::new([], []);
    let client = ResourceClient::<ConfigMap>::namespaced(fake.client(), "default");
    let hand = Hand::<ReplicaSet>::new(&fake);
    let (one, two) = (hand.create(&set("one")).await, hand.create(&set("two")).await);
    create_child(&client, &one, map("child")).await.unwrap();
    let error = create_child(&client, &two, map("child")).await.unwrap_err();
    assert_eq!(error.to_string(), "ConfigMap child is there already and is not controlled by two");
    assert!(matches!(create_child(&client, &set("new"), map("c")).await.unwrap_err(), ChildError::Owner(_)));
}

#[test]
fn names_of_children_are_functions_of_owner_and_occasion() {
    let mut owner = map("nightly");
    owner.metadata.uid = Some("1".to_owned());
    let name = child_name(&owner, START);
    assert_eq!(name, child_name(&owner, START));
    assert_ne!(name, child_name(&owner, "2031-01-01T00:00:00Z"));
    let mut anew = owner.clone();
    anew.metadata.uid = Some("2".to_owned());
    assert_ne!(name, child_name(&anew, START), "of another owner of that name");
    assert!(name.starts_with("nightly-") && name.len() == "nightly-".len() + 12, "{name}");
    owner.metadata.name = Some(format!("{}.{}", "a".repeat(49), "b".repeat(200)));
    let name = child_name(&owner, START);
    assert!(name.len() <= 63 && name.starts_with(&format!("{}-", "a".repeat(49))), "{name}");
}

/// kubernetes 81557, 36311: schedulers that were off, or whose clock was set, and then never ran again.
#[tokio::test(start_paused = true)]
async fn c097_whatever_the_clock_does_each_occasion_comes_once() {
    let (fake, clock) = (Fake::new([], []), WallClock::starting_at(START.parse().unwrap()));
    let hand = Hand::<ReplicaSet>::new(&fake);
    for (name, due) in [
        ("years-ago", "1999-01-01T00:00:00Z"),
        ("while-off", "2029-12-31T23:59:00Z"),
        ("in-an-hour", "2030-01-01T01:00:00Z"),
        ("in-three-hours", "2030-01-01T03:00:00Z"),
        ("never", "9999-12-31T23:59:59Z"),
    ] {
        hand.create(&at(name, due)).await;
    }
    let informer = started::<ReplicaSet>(&fake);
    let alarm = Alarm::new(&fake, &informer, &clock);
    let running = Running::start(Controller::builder("alarm", &informer).build(alarm.clone()));
    let made = || alarm.made.load(Ordering::Relaxed);
    sleep(Duration::from_secs(1)).await;
    assert_eq!((made(), count(&fake).await), (2, 2), "what has passed is done at once");
    clock.jump("PT2H".parse().unwrap());
    sleep(Duration::from_secs(301)).await;
    assert_eq!(made(), 3, "a clock that is set forward is noticed");
    clock.jump("-PT1H".parse().unwrap());
    sleep(Duration::from_secs(600)).await;
    assert_eq!(made(), 3, "and nothing is done twice when it is set back");
    sleep(Duration::from_secs(2 * 3600)).await;
    assert_eq!((made(), count(&fake).await), (4, 4));
    sleep(Duration::from_secs(3 * 24 * 3600)).await;
    assert_eq!((made(), phase(&fake, "never").await), (4, 0));
    running.stop().await;
}

/// kubernetes 121070: another writer makes nearly every status write a conflict.
#[tokio::test(start_paused = true)]
async fn c100_conflicts_are_met_by_reading_again_without_noise() {
    let (quiet, _guard) = Quiet::listen();
    let (fake, clock) = (Fake::new([], []), WallClock::starting_at(START.parse().unwrap()));
    let informer = started::<ReplicaSet>(&fake);
    let alarm = Alarm::new(&fake, &informer, &clock);
    let phases = Arc::new(parking_lot::Mutex::new(Vec::new()));
    informer.add_event_handler({
        let phases = Arc::clone(&phases);
        move |event| {
            if let Some(object) = event.object() {
                phases.lock().push(object.status.as_ref().map_or(0, |status| status.replicas));
            }
        }
    });
    // Each write of the controller takes its time, so that the other writer is always between its read and its write.
    fake.faults().on(Verb::Update, "replicasets/status").delay(Duration::from_millis(5));
    let running = Running::start(Controller::builder("alarm", &informer).build(alarm.clone()));
    let hand = Hand::<ReplicaSet>::new(&fake);
    hand.create(&at("a", START)).await;
    for round in 0..100 {
        hand.patch("a", json!({"metadata": {"labels": {"round": round.to_string()}}})).await;
        sleep(Duration::from_millis(3)).await;
    }
    sleep(Duration::from_secs(2)).await;
    running.stop().await;
    assert_eq!((phase(&fake, "a").await, count(&fake).await), (2, 1));
    let phases = phases.lock().clone();
    assert!(phases.windows(2).all(|pair| pair[0] <= pair[1]), "{phases:?}");
    let writes = fake.actions().iter().filter(|action| action.subresource() == Some("status")).count();
    let conflicts = quiet.count("met another writer");
    assert!(conflicts > 0, "the test is none without conflicts");
    assert!(writes <= 3 + conflicts, "{writes} writes, {conflicts} conflicts");
    assert_eq!(quiet.loud(), [""; 0]);
}
