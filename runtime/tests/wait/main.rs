//! The `wait` module from outside, over the in-memory API server and under paused time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::time::Duration;

use futures::FutureExt;
use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap};
use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams, PostParams},
};
use kube_codegen_apiserver::{
    Status,
    testing::{Fake, Verb},
};
use kube_codegen_runtime::{
    CancellationToken,
    client::ResourceClient,
    informer::SharedInformer,
    wait::{self, Condition, PollError, WaitError, condition},
};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

fn map(name: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name, "namespace": "default"}})).unwrap()
}

fn client(fake: &Fake) -> ResourceClient<ConfigMap> {
    ResourceClient::namespaced(fake.client(), "default")
}

fn hand(fake: &Fake) -> Api<ConfigMap> {
    Api::namespaced(fake.server().client(), "default")
}

async fn write(fake: &Fake, name: &str, value: &str) {
    let patch = json!({"data": {"phase": value}});
    hand(fake).patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
}

fn phase(value: &str) -> Condition<ConfigMap> {
    condition::field("/data/phase", value)
}

#[tokio::test(start_paused = true)]
async fn an_object_is_waited_for_with_one_list_and_one_watch() {
    let fake = Fake::new([], [map("other").into()]);
    let waiting = tokio::spawn({
        let client = client(&fake);
        async move { wait::until(&client, "a", phase("done")).await }
    });
    sleep(Duration::from_secs(1)).await;
    hand(&fake).create(&PostParams::default(), &map("a")).await.unwrap();
    write(&fake, "other", "done").await;
    write(&fake, "a", "half").await;
    sleep(Duration::from_secs(100)).await;
    assert!(!waiting.is_finished());
    write(&fake, "a", "done").await;
    let met = waiting.await.unwrap().unwrap().unwrap();
    assert_eq!(met.metadata.name.as_deref(), Some("a"));
    assert_eq!(fake.actions().len(), 2, "{:?}", fake.actions());
    // What holds already is not waited for.
    assert!(wait::until(&client(&fake), "a", phase("done")).await.unwrap().is_some());
    assert!(wait::until(&client(&fake), "none", condition::exists().not()).await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_wait_gets_over_what_happens_to_connections() {
    let fake = Fake::new([], [map("a").into()]);
    fake.faults().on(Verb::List, "configmaps").times(1).error(Status::service_unavailable("busy"));
    fake.faults().on(Verb::Watch, "configmaps").times(1).error(Status::expired("too old"));
    fake.faults().on(Verb::Watch, "configmaps").times(1).reset_after(0);
    fake.faults().on(Verb::Watch, "configmaps").times(1).disconnect();
    let waiting = tokio::spawn({
        let client = client(&fake);
        async move { wait::until(&client, "a", phase("done")).await }
    });
    sleep(Duration::from_secs(60)).await;
    fake.faults().cut_watches("configmaps");
    write(&fake, "a", "done").await;
    let began = Instant::now();
    assert!(waiting.await.unwrap().unwrap().is_some());
    assert!(began.elapsed() < Duration::from_secs(61), "{:?}", began.elapsed());
    assert!(fake.actions().len() < 20);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_ends_the_wait() {
    let fake = Fake::new([], []);
    fake.faults().on(Verb::List, "configmaps").error(Status::new(403, "Forbidden", "not you"));
    let error = wait::until(&client(&fake), "a", condition::exists()).await.unwrap_err();
    assert!(matches!(error, WaitError::Refused { .. }) && error.to_string() == "cannot watch a", "{error}");
}

#[tokio::test(start_paused = true)]
async fn an_object_in_the_place_of_a_deleted_one_is_another() {
    let fake = Fake::new([], []);
    let first = hand(&fake).create(&PostParams::default(), &map("a")).await.unwrap();
    let gone = condition::deleted(first.metadata.uid.as_deref().unwrap());
    assert!(!gone.holds(Some(&first)));
    let waiting = tokio::spawn({
        let (client, gone) = (client(&fake), gone.clone());
        async move { wait::until(&client, "a", gone).await }
    });
    sleep(Duration::from_secs(1)).await;
    fake.faults().cut_watches("configmaps");
    hand(&fake).delete("a", &DeleteParams::default()).await.unwrap();
    hand(&fake).create(&PostParams::default(), &map("a")).await.unwrap();
    assert!(waiting.await.unwrap().unwrap().is_some(), "the other one");
}

#[tokio::test(start_paused = true)]
async fn a_cache_is_waited_for_without_a_request() {
    let fake = Fake::new([], [map("a").into()]);
    let informer = SharedInformer::builder(client(&fake)).build();
    let stop = CancellationToken::new();
    informer.start(&stop);
    let key = "default/a".parse().unwrap();
    assert!(wait::until_in(&informer, &key, condition::exists()).await.unwrap().is_some());
    let requests = fake.actions().len();
    let waiting = async { wait::until_in(&informer, &key, phase("done")).await };
    assert!(timeout(Duration::from_secs(60), waiting).await.is_err());
    let (met, ()) = tokio::join!(wait::until_in(&informer, &key, phase("done")), async {
        sleep(Duration::from_secs(1)).await;
        write(&fake, "a", "half").await;
        sleep(Duration::from_secs(1)).await;
        write(&fake, "a", "done").await;
    });
    assert!(met.unwrap().is_some());
    assert_eq!(fake.actions().len(), requests);
    sleep(Duration::from_millis(2)).await;
    assert_eq!(informer.backlog().0, 0, "its handlers are gone");
    let waiting = wait::until_in(&informer, &key, phase("never"));
    let (stopped, ()) = tokio::join!(waiting, async { stop.cancel() });
    assert!(matches!(stopped.unwrap_err(), WaitError::Stopped { source: None, .. }));
}

fn deployment(generation: i64, conditions: &Value) -> Deployment {
    let template = json!({"metadata": {"labels": {"a": "b"}}, "spec": {"containers": []}});
    serde_json::from_value(json!({
        "metadata": {"name": "web", "generation": generation},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template},
        "status": {"conditions": conditions, "readyReplicas": 2},
    }))
    .unwrap()
}

#[test]
fn conditions_are_those_that_people_wait_for() {
    let available = condition::status::<Deployment>("Available", "True");
    let is = deployment(
        1,
        &json!([{"type": "Progressing", "status": "True"}, {"type": "Available", "status": "True"}]),
    );
    let not = deployment(1, &json!([{"type": "Available", "status": "False"}]));
    assert!(available.holds(Some(&is)) && !available.holds(Some(&not)) && !available.holds(None));
    assert!(!condition::status("Other", "True").holds(Some(&is)));
    let ready = condition::field::<Deployment>("/status/readyReplicas", 2);
    assert!(ready.holds(Some(&is)) && !condition::field("/status/replicas", 2).holds(Some(&is)));
    let of = condition::of(|deployment: &Deployment| deployment.metadata.generation == Some(1));
    assert!(of.holds(Some(&is)) && !of.holds(None) && of.not().holds(None));
    assert!(available.clone().and(ready.clone()).holds(Some(&is)));
    assert!(available.clone().or(ready.clone()).holds(Some(&not)));
    assert!(!available.and(ready).holds(Some(&not)));
    assert!(!condition::exists::<Deployment>().holds(None));
}

/// A condition that tells of an older generation says nothing of this one.
#[test]
fn a_condition_about_an_older_generation_does_not_count() {
    use k8s_openapi::api::policy::v1::PodDisruptionBudget;
    let budget = |observed: i64| -> PodDisruptionBudget {
        let condition = json!({"type": "Ready", "status": "True", "observedGeneration": observed, "reason": "R",
            "message": "", "lastTransitionTime": "2030-01-01T00:00:00Z"});
        let status = json!({"conditions": [condition], "currentHealthy": 0, "desiredHealthy": 0,
            "disruptionsAllowed": 0, "expectedPods": 0});
        serde_json::from_value(json!({"metadata": {"name": "b", "generation": 3}, "status": status})).unwrap()
    };
    let ready = condition::status("Ready", "true");
    assert!(ready.holds(Some(&budget(3))) && !ready.holds(Some(&budget(2))));
}

#[tokio::test(start_paused = true)]
async fn polls_ask_at_once_and_then_with_pauses() {
    let (began, mut asked) = (Instant::now(), 0);
    let answer = wait::poll(Duration::from_secs(2), Duration::from_secs(60), || {
        asked += 1;
        std::future::ready(Ok::<_, ()>((asked == 4).then_some("there")))
    });
    assert_eq!(answer.await, Ok("there"));
    assert_eq!(began.elapsed().as_secs(), 6);
    let never =
        wait::poll(Duration::from_secs(2), Duration::from_secs(5), || async { Ok::<Option<()>, ()>(None) });
    assert_eq!(never.await, Err(PollError::Timeout { limit: Duration::from_secs(5) }));
    let failed = wait::poll(Duration::ZERO, Duration::MAX, || async { Err::<Option<()>, _>("no") });
    assert_eq!(failed.now_or_never(), Some(Err(PollError::Failed("no"))));
}
