//! A manager whose controllers have all hands full, and what is left of it when it has stopped.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use k8s_openapi::api::{core::v1::ConfigMap, events::v1::Event};
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    client::ResourceClient,
    controller::{Action, Request},
    informer::Factory,
    manager::Manager,
};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::support::Process;

/// Each run writes twice; a stop must leave no object between the two.
#[tokio::test(start_paused = true)]
async fn a_stop_at_full_load_is_in_time_and_leaves_nothing_half_done_and_no_task() {
    let map = |number: usize| -> ConfigMap {
        let metadata = json!({"name": format!("m{number:04}"), "namespace": "default"});
        serde_json::from_value(json!({"metadata": metadata})).unwrap()
    };
    let fake = Fake::new([], (0..2_000).map(|number| map(number).into()));
    let alive = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let client = ResourceClient::<ConfigMap>::namespaced(fake.client(), "default");
    let before = alive();
    let manager = Manager::builder().shutdown_limit(Duration::from_secs(10)).events(fake.client()).build();
    let informers = Factory::builder(fake.client()).namespace("default").build();
    let informer = informers.informer::<ConfigMap>();
    let runs = Arc::new(AtomicUsize::new(0));
    let recorder = manager.recorder("maps");
    let controller = manager.controller("maps", &informer).workers(32.try_into().unwrap()).build({
        let (runs, client, lister) = (Arc::clone(&runs), client.clone(), informer.lister());
        move |request: Request| {
            let (runs, client, recorder, lister) =
                (Arc::clone(&runs), client.clone(), recorder.clone(), lister.clone());
            async move {
                runs.fetch_add(1, Ordering::Relaxed);
                for step in ["first", "second"] {
                    let patch = json!({"data": {step: request.run().to_string()}});
                    client.patch(request.name(), &kube_codegen_runtime::client::Patch::Merge(patch)).await?;
                    sleep(Duration::from_millis(700)).await;
                }
                if let Some(object) = lister.get("default", request.name()) {
                    recorder.normal(&*object, "Written", "Writing", "twice");
                }
                Ok(Action::Again)
            }
        }
    });
    manager.add_controller(controller);
    manager.add_informers(&informers);
    let process = Process::start(&manager);
    sleep(Duration::from_millis(5_300)).await;
    let began = Instant::now();
    process.stop().await.unwrap();
    assert!(began.elapsed() <= Duration::from_secs(2), "{:?}", began.elapsed());
    let done = runs.load(Ordering::Relaxed);
    assert!(done >= 96, "{done}");
    let half = |map: &ConfigMap| {
        let data = map.data.clone().unwrap_or_default();
        data.get("first") != data.get("second")
    };
    let all = client.list().await.unwrap().items;
    assert!(!all.iter().any(half));
    let events =
        kube::Api::<Event>::all(fake.server().client()).list(&Default::default()).await.unwrap().items;
    let told: i32 = events.iter().map(|event| event.series.as_ref().map_or(1, |series| series.count)).sum();
    assert_eq!(usize::try_from(told).unwrap(), done, "what the last runs had to tell is written too");
    drop((manager, informers, informer, client));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(alive(), before, "no task survives");
    assert_eq!(runs.load(Ordering::Relaxed), done);
}
