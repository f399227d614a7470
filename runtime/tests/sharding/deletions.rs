//! Objects that are deleted while shards change hands.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, ListParams, PostParams},
};
use kube_codegen_apiserver::testing::{Fake, Faults};
use kube_codegen_runtime::{
    CancellationToken,
    client::ResourceClient,
    controller::{Action, Controller, Request},
    informer::SharedInformer,
};
use parking_lot::Mutex;
use serde_json::json;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep},
};

use super::support::{SECOND, TAKE_OVER, shards};

/// When the last run about each key began that came to its end.
type Runs = Arc<Mutex<BTreeMap<String, Instant>>>;

fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name, "namespace": "default"}})).unwrap()
}

struct Replica {
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Replica {
    /// One whose runs take a while.
    fn start(fake: &Fake, name: &str, takes: Duration, runs: &Runs) -> Self {
        let stop = CancellationToken::new();
        let client = ResourceClient::<ConfigMap>::namespaced(fake.client(), "default");
        let informer = SharedInformer::builder(client).build();
        informer.start(&CancellationToken::new());
        let shards = shards(fake, &Faults::new(), name);
        let builder = Controller::builder("maps", &informer).sharded(&shards).workers(8.try_into().unwrap());
        let controller = builder.build({
            let runs = Arc::clone(runs);
            move |request: Request| {
                let (runs, began) = (Arc::clone(&runs), Instant::now());
                async move {
                    sleep(takes).await;
                    runs.lock().insert(request.name().to_owned(), began);
                    Ok(Action::Done)
                }
            }
        });
        let sharing = (shards, stop.clone());
        let controlling = (informer, stop.clone());
        let tasks = vec![
            tokio::spawn(async move { sharing.0.run(sharing.1).await }),
            tokio::spawn(async move { controller.run(controlling.1).await.unwrap() }),
        ];
        Self { stop, tasks }
    }

    fn kill(&self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

#[tokio::test(start_paused = true)]
async fn each_deletion_is_run_about_by_one_of_those_who_saw_it() {
    for seed in 0..4 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (fake, runs) = (Fake::new([], []), Runs::default());
        let hand: Api<ConfigMap> = Api::namespaced(fake.server().client(), "default");
        let takes = Duration::from_millis(random.u64(1..8_000));
        // Who was not there when an object went cannot know of it; that is what finalizers are for.
        let mut replicas: Vec<Replica> =
            ["one", "two", "three", "four"].map(|name| Replica::start(&fake, name, takes, &runs)).into();
        sleep(SECOND * random.u32(1..40)).await;
        let mut deleted = BTreeMap::new();
        for round in 0..16 {
            let name = format!("m{round}");
            hand.create(&PostParams::default(), &map(&name)).await.unwrap();
            sleep(Duration::from_millis(random.u64(1..6_000))).await;
            if replicas.len() > 1 && random.usize(..4) == 0 {
                let leaver = replicas.swap_remove(random.usize(..replicas.len()));
                if random.bool() { leaver.kill() } else { leaver.stop.cancel() }
            }
            sleep(Duration::from_millis(random.u64(1..2_000))).await;
            hand.delete(&name, &DeleteParams::default()).await.unwrap();
            deleted.insert(name, Instant::now());
        }
        sleep(TAKE_OVER * 2).await;
        let runs = runs.lock();
        for (name, at) in deleted {
            let began = runs.get(&name);
            assert!(began.is_some_and(|began| *began >= at), "seed {seed}: {name} {at:?} {began:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn of_too_many_deletions_the_last_are_remembered() {
    let many: Vec<ConfigMap> = (0..10_500).map(|number| map(&format!("m{number}"))).collect();
    let (fake, runs) = (Fake::new([], many.into_iter().map(Into::into)), Runs::default());
    let hand: Api<ConfigMap> = Api::namespaced(fake.server().client(), "default");
    let owner = Replica::start(&fake, "owner", Duration::ZERO, &runs);
    sleep(SECOND * 5).await;
    let others = Runs::default();
    // It gets half of the shards; the owner is killed before it can deal with the last deletions.
    let _other = Replica::start(&fake, "other", Duration::ZERO, &others);
    sleep(TAKE_OVER).await;
    hand.delete_collection(&DeleteParams::default(), &ListParams::default()).await.unwrap();
    sleep(SECOND).await;
    owner.kill();
    let last: Vec<String> = (0..20).map(|number| format!("last{number}")).collect();
    for name in &last {
        hand.create(&PostParams::default(), &map(name)).await.unwrap();
    }
    sleep(SECOND).await;
    for name in &last {
        hand.delete(name, &DeleteParams::default()).await.unwrap();
    }
    sleep(TAKE_OVER).await;
    let others = others.lock();
    assert!(last.iter().all(|name| others.contains_key(name)), "{:?}", others.len());
}
