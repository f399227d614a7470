//! Whole stories: server, kubelet, informers, queue and controllers, under paused time.

use std::time::Duration;

use kube_codegen_apiserver::testing::Verb;
use kube_codegen_runtime::client::{DeleteParams, Patch};
use sample_apis::cnat::v1alpha1::AtPhase;
use sample_client::fake;
use sample_controller::at::pod;
use serde_json::json;
use tokio::time::sleep;

use crate::rig::{Replica, at, ats, clock, conditions, pods, reaches, world};

#[tokio::test(start_paused = true)]
async fn an_at_waits_runs_once_and_is_done() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock.clone());
    let made = ats(&clientset).create(&at("nightly", 3600)).await.unwrap();

    let pending = reaches(&clientset, "nightly", AtPhase::Pending).await;
    assert_eq!(conditions(&pending), ["Ready=True Scheduled"]);
    sleep(Duration::from_secs(3590)).await;
    assert_eq!(ats(&clientset).get("nightly").await.unwrap(), pending);
    assert!(pods(&fake).await.is_empty());

    reaches(&clientset, "nightly", AtPhase::Running).await;
    let done = reaches(&clientset, "nightly", AtPhase::Done).await;
    assert_eq!(conditions(&done), ["Ready=True Completed", "Complete=True Completed"]);
    let status = done.status.unwrap();
    assert_eq!(status.pod_name, Some(pod::name(&made)));
    assert_eq!(status.observed_generation, Some(1));

    sleep(Duration::from_secs(60)).await;
    let name = pod::name(&made);
    assert_eq!(pods(&fake).await, [&*name]);
    let pod = clientset.core_v1().pods("default").get(&name).await.unwrap();
    assert!(!pod::is_held(&pod), "{:?}", pod.metadata);
    assert_eq!(pod.spec.unwrap().containers[0].command.as_deref().unwrap(), ["echo", "hello world!"]);
    let writes: Vec<String> = fake.writes().iter().map(ToString::to_string).collect();
    let (events, writes): (Vec<_>, Vec<_>) =
        writes.into_iter().partition(|write| write.starts_with("create events"));
    assert_eq!(events.len(), 3, "{events:?}");
    // A run that comes before the cache has the pod makes it again in vain, and one that comes before it is seen to be let go as well.
    let mut once: Vec<String> = Vec::new();
    for write in writes {
        let is_pod = write.contains("pods");
        if !is_pod || !once.contains(&write) {
            once.push(write);
        }
    }
    let expected = [
        "create ats default/nightly".to_owned(),
        "update ats/status default/nightly".to_owned(),
        "update ats/status default/nightly".to_owned(),
        format!("create pods default/{name}"),
        "update ats/status default/nightly".to_owned(),
        format!("patch pods default/{name}"),
    ];
    assert_eq!(once, expected);
    replica.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_command_that_fails_is_said_so() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock);
    ats(&clientset).create(&at("bad", 0)).await.unwrap();
    let running = reaches(&clientset, "bad", AtPhase::Running).await;
    sleep(Duration::from_millis(100)).await;
    let fail = json!({"metadata": {"annotations": {"kubelet.kube-codegen/exit-code": "3"}}});
    clientset.core_v1().pods("default").patch(&pod::name(&running), &Patch::Merge(fail)).await.unwrap();
    let done = reaches(&clientset, "bad", AtPhase::Done).await;
    assert_eq!(conditions(&done), ["Ready=False PodFailed", "Failed=True PodFailed"]);
    let message = &done.status.unwrap().conditions[1].message;
    assert!(message.contains("exit code 3"), "{message}");
    replica.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_bad_schedule_is_not_tried_again_until_it_changes() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock);
    let mut wrong = at("wrong", 0);
    wrong.spec.schedule = "tomorrow".into();
    ats(&clientset).create(&wrong).await.unwrap();
    let pending = reaches(&clientset, "wrong", AtPhase::Pending).await;
    assert_eq!(conditions(&pending), ["Ready=False InvalidSchedule"]);
    fake.clear_actions();
    sleep(Duration::from_secs(3600)).await;
    let writes: Vec<_> = fake.writes().into_iter().filter(|write| write.resource() != "events").collect();
    assert!(writes.is_empty(), "{writes:?}");

    let mend = json!({"spec": {"schedule": "2030-01-31T12:00:00Z"}});
    ats(&clientset).patch("wrong", &Patch::Merge(mend)).await.unwrap();
    let done = reaches(&clientset, "wrong", AtPhase::Done).await;
    assert_eq!(conditions(&done), ["Ready=True Completed", "Complete=True Completed"]);
    assert_eq!(done.status.unwrap().observed_generation, Some(2));
    replica.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_changed_schedule_is_followed() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock);
    ats(&clientset).create(&at("later", 600)).await.unwrap();
    reaches(&clientset, "later", AtPhase::Pending).await;
    let sooner = json!({"spec": {"schedule": "2030-01-31T12:01:00Z"}});
    ats(&clientset).patch("later", &Patch::Merge(sooner)).await.unwrap();
    sleep(Duration::from_secs(55)).await;
    assert_eq!(ats(&clientset).get("later").await.unwrap().phase(), Some(AtPhase::Pending));
    sleep(Duration::from_secs(10)).await;
    assert_eq!(ats(&clientset).get("later").await.unwrap().phase(), Some(AtPhase::Done));
    replica.stop().await;
}

/// The pod is deleted while it runs: it stays until that is written down, and no other takes its place.
#[tokio::test(start_paused = true)]
async fn a_pod_that_is_deleted_is_not_made_again() {
    // Without a kubelet, so that nobody runs the pod to its end.
    let (fake, clock) = (fake::Clientset::new([]), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock.clone());
    ats(&clientset).create(&at("cut", 0)).await.unwrap();
    let running = reaches(&clientset, "cut", AtPhase::Running).await;
    sleep(Duration::from_millis(100)).await;
    replica.crash().await;
    let client = clientset.core_v1().pods("default");
    client.delete_with(&pod::name(&running), &DeleteParams::default().grace_period(0)).await.unwrap();
    sleep(Duration::from_secs(60)).await;
    assert_eq!(pods(&fake).await.len(), 1, "the finalizer keeps it");

    let replica = Replica::start(&clientset, clock);
    let done = reaches(&clientset, "cut", AtPhase::Done).await;
    assert_eq!(conditions(&done), ["Ready=False PodDeleted", "Failed=True PodDeleted"]);
    sleep(Duration::from_secs(60)).await;
    assert!(pods(&fake).await.is_empty());
    replica.stop().await;
}

/// The At is deleted while its pod runs: both go, and nothing is held.
#[tokio::test(start_paused = true)]
async fn an_at_that_is_deleted_takes_its_pod_along() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock);
    ats(&clientset).create(&at("gone", 0)).await.unwrap();
    reaches(&clientset, "gone", AtPhase::Running).await;
    sleep(Duration::from_millis(100)).await;
    ats(&clientset).delete("gone").await.unwrap();
    sleep(Duration::from_secs(60)).await;
    assert!(pods(&fake).await.is_empty());
    replica.stop().await;
}

/// Answers are lost: what was done is found done.
#[tokio::test(start_paused = true)]
async fn lost_answers_change_nothing() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    fake.faults().on(Verb::Update, "ats/status").times(2).lose_answer();
    fake.faults().on(Verb::Create, "pods").times(2).lose_answer();
    fake.faults().on(Verb::Patch, "pods").times(1).lose_answer();
    let replica = Replica::start(&clientset, clock);
    ats(&fake.clientset()).create(&at("lost", 0)).await.unwrap();
    reaches(&clientset, "lost", AtPhase::Done).await;
    assert_eq!(pods(&fake).await.len(), 1);
    replica.stop().await;
}
