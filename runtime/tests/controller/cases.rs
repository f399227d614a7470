//! What went wrong in other controllers, by number.

use std::time::Duration;

use k8s_openapi::api::{
    apps::v1::ReplicaSet,
    core::v1::{ConfigMap, Secret},
};
use kube_codegen_apiserver::testing::Fake;
use kube_codegen_runtime::{
    controller::{Action, Controller, filter, set_controller_reference},
    informer::SharedInformer,
};
use serde_json::json;
use tokio::time::sleep;

use super::support::{Hand, Running, Script, map, set, settle, started};

/// kube-rs 925: requeues from within runs must not block the loop that makes room for them.
#[tokio::test(start_paused = true)]
async fn c008_ten_thousand_parents_that_requeue_themselves_are_all_run_twice() {
    const PARENTS: usize = 10_000;
    let parents = (0..PARENTS).map(|number| {
        let mut parent = map(&format!("p{number:05}"));
        parent.metadata.uid = Some(format!("uid-{number}"));
        parent
    });
    let child = |parent: &ConfigMap, number: usize| {
        let mut child = Secret::default();
        child.metadata.name = parent.metadata.name.as_ref().map(|name| format!("{name}-{number}"));
        child.metadata.namespace = parent.metadata.namespace.clone();
        set_controller_reference(parent, &mut child).unwrap();
        child
    };
    let children = parents.clone().flat_map(|parent| (0..10).map(move |number| child(&parent, number)));
    let seeds = parents.clone().map(Into::into).chain(children.map(Into::into));
    let fake = Fake::new([], seeds);
    let (informer, owned) = (started::<ConfigMap>(&fake), started::<Secret>(&fake));
    let script = Script::new();
    for parent in parents {
        let mut first = true;
        script.answer(parent.metadata.name.as_deref().unwrap(), move |_| {
            Ok(if std::mem::take(&mut first) { Action::Again } else { Action::Done })
        });
    }
    let controller = Controller::builder("parents", &informer).owns(&owned).build(script.clone());
    let running = Running::start(controller);
    sleep(Duration::from_secs(5)).await;
    running.stop().await;
    let mut runs = std::collections::HashMap::<String, usize>::new();
    script.take().into_iter().for_each(|name| *runs.entry(name).or_default() += 1);
    assert_eq!(runs.len(), PARENTS);
    assert!(runs.values().all(|count| *count == 2), "once each for the list and the wish");
}

fn counted(fake: &Fake) -> (SharedInformer<ReplicaSet>, Script, Running) {
    let informer = started::<ReplicaSet>(fake);
    let script = Script::new();
    let builder = Controller::builder("sets", &informer).filter(filter::generation());
    let running = Running::start(builder.build(script.clone()));
    (informer, script, running)
}

#[tokio::test(start_paused = true)]
async fn c010_an_object_made_anew_under_its_name_is_another_object() {
    let fake = Fake::new([], []);
    let hand = Hand::<ReplicaSet>::new(&fake);
    let (_informer, script, running) = counted(&fake);
    settle().await;
    hand.create(&set("a")).await;
    settle().await;
    hand.delete("a").await;
    settle().await;
    hand.create(&set("a")).await;
    settle().await;
    assert_eq!(script.take(), ["a", "a", "a"]);
    // Quicker than anybody looks.
    hand.delete("a").await;
    hand.create(&set("a")).await;
    settle().await;
    assert!((1..=2).contains(&script.take().len()));
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn c090_a_filter_on_the_generation_does_not_hide_the_beginning_of_a_deletion() {
    let fake = Fake::new([], []);
    let hand = Hand::<ReplicaSet>::new(&fake);
    let mut object = set("a");
    object.metadata.finalizers = Some(vec!["example.com/hold".to_owned()]);
    hand.create(&object).await;
    let (_informer, script, running) = counted(&fake);
    settle().await;
    assert_eq!(script.take(), ["a"]);
    hand.patch_status("a", json!({"status": {"replicas": 2}})).await;
    settle().await;
    assert_eq!(script.take(), [""; 0], "a status is no news");
    hand.delete("a").await;
    settle().await;
    assert_eq!(script.take(), ["a"]);
    hand.patch("a", json!({"metadata": {"finalizers": null}})).await;
    settle().await;
    assert_eq!(script.take(), ["a"]);
    running.stop().await;
}
