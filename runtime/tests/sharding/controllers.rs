//! Controllers that share their keys.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams},
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
use tokio::{task::JoinHandle, time::sleep};

use super::support::{SECOND, TAKE_OVER, shards};

const MAPS: usize = 60;

/// Who ran about what, since this was last asked.
#[derive(Clone, Default)]
struct Runs(Arc<Mutex<Vec<(String, String)>>>);

impl Runs {
    fn take(&self) -> BTreeMap<String, Vec<String>> {
        let mut by_key = BTreeMap::<String, Vec<String>>::new();
        for (who, key) in std::mem::take(&mut *self.0.lock()) {
            by_key.entry(key).or_default().push(who);
        }
        by_key
    }
}

struct Process {
    stop: CancellationToken,
    tasks: [JoinHandle<()>; 2],
}

fn start(fake: &Fake, name: &str, runs: &Runs) -> Process {
    let stop = CancellationToken::new();
    let informer =
        SharedInformer::builder(ResourceClient::<ConfigMap>::namespaced(fake.client(), "default")).build();
    informer.start(&CancellationToken::new());
    let shards = shards(fake, &Faults::new(), name);
    let controller =
        Controller::builder("maps", &informer).sharded(&shards).workers(4.try_into().unwrap()).build({
            let (runs, name) = (runs.clone(), name.to_owned());
            move |request: Request| {
                runs.0.lock().push((name.clone(), request.name().to_owned()));
                async { Ok(Action::Done) }
            }
        });
    let tasks = [
        tokio::spawn({
            let stop = stop.clone();
            async move {
                shards.run(stop).await;
            }
        }),
        tokio::spawn({
            let (stop, _informer) = (stop.clone(), informer);
            async move { controller.run(stop).await.unwrap() }
        }),
    ];
    Process { stop, tasks }
}

fn names() -> impl Iterator<Item = String> {
    (0..MAPS).map(|number| format!("m{number:02}"))
}

#[tokio::test(start_paused = true)]
async fn each_key_is_run_by_one_and_taken_over_when_that_one_is_gone() {
    let map = |name: String| -> ConfigMap {
        serde_json::from_value(json!({"metadata": {"name": name, "namespace": "default"}})).unwrap()
    };
    let fake = Fake::new([], names().map(|name| map(name).into()));
    let hand: Api<ConfigMap> = Api::namespaced(fake.server().client(), "default");
    let runs = Runs::default();
    let mut processes: Vec<Process> = ["a", "b", "c"].map(|name| start(&fake, name, &runs)).into();
    sleep(TAKE_OVER).await;
    let seen = runs.take();
    assert_eq!(seen.len(), MAPS, "all were looked at");

    for name in names() {
        let patch = Patch::Merge(json!({"data": {"touched": "once"}}));
        hand.patch(&name, &PatchParams::default(), &patch).await.unwrap();
    }
    sleep(SECOND).await;
    let seen = runs.take();
    assert!(seen.len() == MAPS && seen.values().all(|who| who.len() == 1), "{seen:?}");
    let busy: BTreeSet<&String> = seen.values().flatten().collect();
    assert_eq!(busy.len(), 3, "all have something to do");
    let of = |who: &str, seen: &BTreeMap<String, Vec<String>>| -> BTreeSet<String> {
        seen.iter().filter(|(_, by)| by.contains(&who.to_owned())).map(|(key, _)| key.clone()).collect()
    };
    let orphans = of("a", &seen);

    // Killed; one of its objects goes before anybody takes over.
    processes[0].tasks.iter().for_each(JoinHandle::abort);
    let lost = orphans.first().unwrap().clone();
    hand.delete(&lost, &DeleteParams::default()).await.unwrap();
    sleep(Duration::from_secs(1)).await;
    assert!(runs.take().is_empty());
    sleep(TAKE_OVER).await;
    let seen = runs.take();
    assert!(orphans.iter().all(|key| seen.contains_key(key)), "{orphans:?} {seen:?}");
    assert!(of("a", &seen).is_empty());

    let last = processes.pop().unwrap();
    last.stop.cancel();
    sleep(SECOND * 10).await;
    runs.take();
    for name in names().filter(|name| *name != lost) {
        let patch = Patch::Merge(json!({"data": {"touched": "twice"}}));
        hand.patch(&name, &PatchParams::default(), &patch).await.unwrap();
    }
    sleep(SECOND).await;
    let seen = runs.take();
    assert!(seen.len() == MAPS - 1 && seen.values().all(|who| *who == ["b"]), "{seen:?}");
}
