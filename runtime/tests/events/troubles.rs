//! Servers that do not answer, refuse, or forget; and the end.

use std::time::Duration;

use kube_codegen_apiserver::{Status, testing::Verb};

use super::{Desk, map, settle};

#[tokio::test(start_paused = true)]
async fn what_a_server_could_not_take_is_tried_again_in_order_and_not_for_ever() {
    let desk = Desk::open();
    desk.fake.faults().on(Verb::Create, "events").times(3).disconnect();
    desk.fake.faults().on(Verb::Create, "events").times(1).error(Status::service_unavailable("busy"));
    desk.recorder.normal(&map("a"), "First", "Trying", "x");
    desk.recorder.normal(&map("a"), "Second", "Trying", "x");
    tokio::time::sleep(Duration::from_secs(60)).await;
    let reasons: Vec<_> = desk.events().await.into_iter().filter_map(|event| event.reason).collect();
    assert_eq!(reasons, ["First", "Second"]);

    desk.fake.faults().on(Verb::Create, "events").times(12).disconnect();
    desk.recorder.normal(&map("a"), "Lost", "Trying", "x");
    desk.recorder.normal(&map("a"), "Kept", "Trying", "x");
    tokio::time::sleep(Duration::from_secs(200)).await;
    let reasons: Vec<_> = desk.events().await.into_iter().filter_map(|event| event.reason).collect();
    assert_eq!(reasons, ["First", "Second", "Kept"]);
    desk.close().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_server_refuses_is_dropped_at_once() {
    let desk = Desk::open();
    desk.fake.faults().on(Verb::Create, "events").times(1).error(Status::new(403, "Forbidden", "no"));
    desk.recorder.normal(&map("a"), "Refused", "Trying", "x");
    desk.recorder.normal(&map("a"), "Fine", "Trying", "x");
    settle().await;
    assert_eq!(desk.events().await.len(), 1);
    desk.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_series_whose_event_is_forgotten_is_made_anew() {
    let desk = Desk::open();
    desk.recorder.normal(&map("a"), "R", "Trying", "x");
    settle().await;
    let events: kube::Api<k8s_openapi::api::events::v1::Event> =
        kube::Api::namespaced(desk.fake.server().client(), "default");
    let name = desk.events().await[0].metadata.name.clone().unwrap();
    events.delete(&name, &Default::default()).await.unwrap();
    desk.recorder.normal(&map("a"), "R", "Trying", "x");
    settle().await;
    let again = desk.events().await.remove(0);
    assert_eq!((again.metadata.name.unwrap(), again.series.unwrap().count), (name, 2));
    desk.close().await;
}

#[tokio::test(start_paused = true)]
async fn the_end_writes_what_waits_and_what_was_counted() {
    let desk = Desk::open();
    for _ in 0..5 {
        desk.recorder.normal(&map("a"), "R", "Trying", "x");
        settle().await;
    }
    // On its way when the stop comes.
    desk.fake.faults().on(Verb::Create, "events").times(1).delay(Duration::from_secs(3));
    desk.recorder.normal(&map("b"), "R", "Trying", "x");
    desk.recorder.normal(&map("c"), "R", "Trying", "x");
    settle().await;
    let (fake, recorder) = (desk.fake.clone(), desk.recorder.clone());
    let began = tokio::time::Instant::now();
    desk.close().await;
    assert!(began.elapsed() < Duration::from_secs(5));
    let counts = fake.writes().into_iter().map(|action| action.to_string());
    assert_eq!(counts.filter(|line| line.starts_with("patch")).count(), 2, "the series, and its count");
    let events: kube::Api<k8s_openapi::api::events::v1::Event> = kube::Api::all(fake.server().client());
    assert_eq!(events.list(&Default::default()).await.unwrap().items.len(), 3);
    recorder.normal(&map("a"), "R", "Trying", "nobody listens, nobody minds");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_at_the_end_is_not_waited_for() {
    let desk = Desk::open();
    desk.fake.faults().on(Verb::Any, "events").hang();
    for number in 0..2000 {
        desk.recorder.normal(&map("a"), &format!("R{number}"), "Trying", "x");
    }
    settle().await;
    let began = tokio::time::Instant::now();
    desk.close().await;
    assert_eq!(began.elapsed().as_secs(), 5);
}
