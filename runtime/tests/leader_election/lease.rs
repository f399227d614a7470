//! One candidate and the Lease: what stands in it, and what happens to the work.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use kube::{
    Api,
    api::{Patch, PatchParams, PostParams},
};
use kube_codegen_apiserver::testing::{Fake, Verb};
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::support::{Book, Candidate, LEASE, spec};

const NOTHING: Duration = Duration::ZERO;

fn api(fake: &Fake) -> Api<Lease> {
    Api::namespaced(fake.server().client(), "default")
}

#[tokio::test(start_paused = true)]
async fn the_first_comes_to_hold_a_new_lease_and_gives_it_back() {
    let (fake, book) = (Fake::new([], []), Book::new());
    let candidate = Candidate::start(&fake, &book, "one", NOTHING);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(book.leader().as_deref(), Some("one"));
    let held = spec(&fake).await;
    assert_eq!(held.holder_identity.as_deref(), Some("one"));
    assert_eq!((held.lease_duration_seconds, held.lease_transitions), (Some(15), Some(0)));
    assert_eq!(held.acquire_time, held.renew_time);
    assert!(candidate.status.borrow().is_leading);
    let version = api(&fake).get(LEASE).await.unwrap().metadata.resource_version;
    sleep(Duration::from_secs(5)).await;
    assert_ne!(api(&fake).get(LEASE).await.unwrap().metadata.resource_version, version, "it is renewed");

    candidate.stop.cancel();
    candidate.task.await.unwrap().unwrap();
    let free = spec(&fake).await;
    assert_eq!(free.holder_identity.as_deref(), Some(""));
    assert_eq!((free.lease_duration_seconds, free.lease_transitions), (Some(1), Some(0)));
    assert!(!candidate.status.borrow().is_leading);
}

/// What client-go writes, and what is beyond both.
#[tokio::test(start_paused = true)]
async fn a_lease_of_another_program_is_taken_over_as_it_is() {
    let (fake, book) = (Fake::new([], []), Book::new());
    let lease = json!({
        "metadata": {"name": LEASE, "namespace": "default", "labels": {"app": "go"}},
        "spec": {
            "holderIdentity": "go_5c1a", "leaseDurationSeconds": 15, "leaseTransitions": 7,
            "acquireTime": "2020-01-01T00:00:00.000000Z", "renewTime": "2020-01-01T00:00:02.000000Z",
        },
    });
    api(&fake).create(&PostParams::default(), &serde_json::from_value(lease).unwrap()).await.unwrap();
    let candidate = Candidate::start(&fake, &book, "one", NOTHING);
    sleep(Duration::from_secs(14)).await;
    assert_eq!(
        book.leader(),
        None,
        "by this process' own clock it has not seen the Lease unchanged for 15 s"
    );
    assert_eq!(candidate.status.borrow().leader.as_deref(), Some("go_5c1a"));
    sleep(Duration::from_secs(6)).await;
    assert_eq!(book.leader().as_deref(), Some("one"));
    assert_eq!(spec(&fake).await.lease_transitions, Some(8));
    assert_eq!(book.reigns.lock()[0].token, 8);
    let labels = api(&fake).get(LEASE).await.unwrap().metadata.labels.unwrap();
    assert_eq!(labels["app"], "go");
    candidate.stop.cancel();
    candidate.task.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_renewed_until_the_work_has_ended_and_released_after_it() {
    let (fake, book) = (Fake::new([], []), Book::new());
    let first = Candidate::start(&fake, &book, "one", Duration::from_secs(60));
    sleep(Duration::from_secs(1)).await;
    let second = Candidate::start(&fake, &book, "two", NOTHING);
    first.stop.cancel();
    let stopped = book.now();
    first.task.await.unwrap().unwrap();
    assert!(book.now() - stopped >= 60_000);
    sleep(Duration::from_secs(6)).await;
    assert_eq!(book.leader().as_deref(), Some("two"), "a released lease needs not expire");
    let reigns = book.reigns.lock().clone();
    assert!(reigns[1].from >= reigns[0].to.unwrap() && reigns[1].token > reigns[0].token);
    second.stop.cancel();
    second.task.await.unwrap().unwrap();
}

/// The server cannot be reached: the work is told after ten seconds and gone after fifteen, when others may begin.
#[tokio::test(start_paused = true)]
async fn a_leader_that_cannot_renew_stops_in_time() {
    for (last_words, ends) in [(NOTHING, 10), (Duration::from_secs(3), 13), (Duration::from_secs(100), 15)] {
        let (fake, book) = (Fake::new([], []), Book::new());
        let candidate = Candidate::start(&fake, &book, "one", last_words);
        sleep(Duration::from_millis(10)).await;
        candidate.faults.on(Verb::Any, "leases").hang();
        let began = Instant::now();
        let lost = candidate.task.await.unwrap().unwrap_err();
        assert_eq!(lost.to_string(), "one has lost the lease operator");
        assert_eq!(began.elapsed().as_secs_f64().round() as u64, ends);
        assert!(!candidate.status.borrow().is_leading);
        assert_eq!(book.leader(), None);
    }
}

#[tokio::test(start_paused = true)]
async fn one_failure_is_no_loss() {
    let (fake, book) = (Fake::new([], []), Book::new());
    let candidate = Candidate::start(&fake, &book, "one", NOTHING);
    sleep(Duration::from_millis(10)).await;
    candidate.faults.on(Verb::Any, "leases").times(3).disconnect();
    // Somebody labels the Lease in between: a conflict.
    sleep(Duration::from_secs(9)).await;
    let label = json!({"metadata": {"labels": {"seen": "yes"}}});
    api(&fake).patch(LEASE, &PatchParams::default(), &Patch::Merge(label)).await.unwrap();
    sleep(Duration::from_secs(60)).await;
    assert_eq!(book.leader().as_deref(), Some("one"));
    assert_eq!(book.reigns.lock().len(), 1);
    candidate.stop.cancel();
    candidate.task.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_another_has_taken_is_lost_at_once() {
    let (fake, book) = (Fake::new([], []), Book::new());
    let candidate = Candidate::start(&fake, &book, "one", NOTHING);
    sleep(Duration::from_secs(1)).await;
    let theft = json!({"spec": {"holderIdentity": "thief"}});
    api(&fake).patch(LEASE, &PatchParams::default(), &Patch::Merge(theft)).await.unwrap();
    let began = Instant::now();
    candidate.task.await.unwrap().unwrap_err();
    assert!(began.elapsed() <= Duration::from_secs(2));
    assert_eq!(spec(&fake).await.holder_identity.as_deref(), Some("thief"), "and is not released for them");
}

#[tokio::test(start_paused = true)]
async fn work_that_ends_by_itself_frees_the_lease() {
    let fake = Fake::new([], []);
    let elector = super::support::builder(fake.client(), "one").build().unwrap();
    elector.run(kube_codegen_runtime::CancellationToken::new(), async |_| ()).await.unwrap();
    assert_eq!(spec(&fake).await.holder_identity.as_deref(), Some(""));
    let elector = super::support::builder(fake.client(), "two").keep_at_stop().build().unwrap();
    elector.run(kube_codegen_runtime::CancellationToken::new(), async |_| ()).await.unwrap();
    assert_eq!(spec(&fake).await.holder_identity.as_deref(), Some("two"));
}

/// What client-go 0.37 has written into a Lease, and what this candidate writes after it: the same fields in the same forms. The exchange
/// itself is tested with a candidate in Go, in the workspace's `tests/tests/election.rs`.
#[tokio::test(start_paused = true)]
async fn what_is_written_has_the_form_of_client_gos() {
    const GO: &str = r#"{"acquireTime":"2026-11-30T14:34:59.029034Z","holderIdentity":"go-1","leaseDurationSeconds":15,
        "leaseTransitions":0,"renewTime":"2026-11-30T14:34:59.110358Z"}"#;
    let go: serde_json::Value = serde_json::from_str(GO).unwrap();
    let (fake, book) = (Fake::new([], []), Book::new());
    let lease = json!({"metadata": {"name": LEASE, "namespace": "default"}, "spec": go});
    api(&fake).create(&PostParams::default(), &serde_json::from_value(lease).unwrap()).await.unwrap();
    let candidate = Candidate::start(&fake, &book, "one", NOTHING);
    sleep(Duration::from_secs(20)).await;
    let form = |spec: &serde_json::Value| -> Vec<(String, String)> {
        let fields = spec.as_object().unwrap().iter();
        let shape = |text: &str| {
            text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect()
        };
        fields
            .map(|(name, value)| match value {
                serde_json::Value::String(text) if name.ends_with("Time") => (name.clone(), shape(text)),
                serde_json::Value::String(_) => (name.clone(), "text".to_owned()),
                other => (name.clone(), if other.is_i64() { "number" } else { "?" }.to_owned()),
            })
            .collect()
    };
    for when in ["taken", "given back"] {
        let ours = serde_json::to_value(spec(&fake).await).unwrap();
        assert_eq!(form(&ours), form(&go), "{when}: {ours}");
        assert_eq!(ours["leaseTransitions"], 1, "{when}");
        candidate.stop.cancel();
        sleep(Duration::from_secs(1)).await;
    }
}
