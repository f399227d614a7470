//! What went wrong in other controllers that run things later.

use std::time::Duration;

use jiff::SignedDuration;
use kube_codegen_apiserver::{
    Kubelet,
    testing::{Reaction, Verb},
};
use kube_codegen_runtime::client::Patch;
use sample_apis::cnat::v1alpha1::{At, AtPhase};
use serde_json::json;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use tokio::time::sleep;

use crate::rig::{Replica, at, ats, clock, pods, reaches, world, world_with};

/// Caches are five seconds behind while twenty more runs are asked for: one pod.
#[tokio::test(start_paused = true)]
async fn c095_stale_caches_make_no_second_pod() {
    let (fake, clock) = (world_with(Kubelet::simulated().run_for(Duration::from_secs(30))), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock);
    ats(&clientset).create(&at("stale", 2)).await.unwrap();
    sleep(Duration::from_secs(1)).await;
    // From here on no watch says anything until it is opened anew, which takes five seconds.
    fake.faults().on(Verb::Any, "*").delay(Duration::ZERO);
    let gates = ["ats", "pods"].map(|kind| fake.faults().on(Verb::Watch, kind).hold());
    fake.faults().cut_watches("*");
    for round in 0..20 {
        let touch = json!({"metadata": {"labels": {"round": round.to_string()}}});
        ats(&clientset).patch("stale", &Patch::Merge(touch)).await.unwrap();
        sleep(Duration::from_millis(250)).await;
    }
    drop(gates);
    fake.faults().clear();
    reaches(&clientset, "stale", AtPhase::Done).await;
    assert_eq!(pods(&fake).await.len(), 1);
    let made = fake.writes().iter().filter(|action| action.to_string().starts_with("create pods")).count();
    assert!(made >= 1);
    replica.stop().await;
}

/// A crash at each request of a life, and a new start: one pod, and the phase moves on.
#[tokio::test(start_paused = true)]
async fn c095_a_crash_between_any_two_requests_makes_no_second_pod() {
    for crash_at in 0..8 {
        for is_answer_lost in [false, true] {
            let (fake, clock) = (world(), clock());
            let clientset = fake.clientset();
            ats(&clientset).create(&at("crash", 1)).await.unwrap();
            let writes = AtomicI64::new(0);
            let (crash, mut crashed) = tokio::sync::mpsc::unbounded_channel();
            fake.react(Verb::Any, "*", move |action| {
                if !action.verb().changes() || writes.fetch_add(1, SeqCst) != crash_at {
                    return Reaction::Continue;
                }
                let _ = crash.send(());
                if is_answer_lost { Reaction::Continue } else { Reaction::later(std::future::pending()) }
            });
            let replica = Replica::start(&clientset, clock.clone());
            let _ = tokio::time::timeout(Duration::from_secs(60), crashed.recv()).await;
            replica.crash().await;
            fake.clear_reactors();

            let replica = Replica::start(&clientset, clock);
            reaches(&clientset, "crash", AtPhase::Done).await;
            assert_eq!(pods(&fake).await.len(), 1, "{crash_at} {is_answer_lost}");
            replica.stop().await;
        }
    }
}

/// The controller was off over the time, by a minute or by decades: it runs, once, at once.
#[tokio::test(start_paused = true)]
async fn c097_a_time_that_was_missed_runs_once() {
    for late in [60, 86400 * 365 * 20] {
        let (fake, clock) = (world(), clock());
        let clientset = fake.clientset();
        ats(&clientset).create(&at("late", -late)).await.unwrap();
        let replica = Replica::start(&clientset, clock);
        reaches(&clientset, "late", AtPhase::Done).await;
        sleep(Duration::from_secs(600)).await;
        assert_eq!(pods(&fake).await.len(), 1);
        replica.stop().await;
    }
}

/// With a deadline that is over, it is marked as missed and never runs.
#[tokio::test(start_paused = true)]
async fn c097_a_deadline_that_is_over_is_a_miss() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let mut late = at("late", -100);
    late.spec.starting_deadline_seconds = Some(30);
    ats(&clientset).create(&late).await.unwrap();
    let replica = Replica::start(&clientset, clock);
    let done = reaches(&clientset, "late", AtPhase::Done).await;
    assert_eq!(crate::rig::conditions(&done), ["Ready=False Missed", "Failed=True Missed"]);
    assert!(pods(&fake).await.is_empty());
    replica.stop().await;
}

/// The clock jumps two hours ahead, then one back: what became due runs, once, and what is due later still does.
#[tokio::test(start_paused = true)]
async fn c097_a_clock_that_jumps_makes_each_run_once() {
    let fake = world();
    let clientset = fake.clientset();
    let clock = clock();
    let replica = Replica::start(&clientset, clock.clone());
    for (name, hours) in [("first", 1), ("second", 2), ("third", 3)] {
        ats(&clientset).create(&at(name, hours * 3600 + 60)).await.unwrap();
    }
    sleep(Duration::from_secs(10)).await;
    clock.jump(SignedDuration::from_hours(2));
    sleep(Duration::from_secs(400)).await;
    for (name, phase) in [("first", AtPhase::Done), ("second", AtPhase::Done), ("third", AtPhase::Pending)] {
        assert_eq!(ats(&clientset).get(name).await.unwrap().phase(), Some(phase), "{name}");
    }
    clock.jump(SignedDuration::from_hours(-1));
    sleep(Duration::from_secs(3 * 3600)).await;
    assert_eq!(ats(&clientset).get("third").await.unwrap().phase(), Some(AtPhase::Done));
    assert_eq!(pods(&fake).await.len(), 3);
    replica.stop().await;
}

#[tokio::test(start_paused = true)]
async fn c097_a_time_in_the_year_9999_is_waited_for() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let mut far = at("far", 0);
    far.spec.schedule = "9999-12-30T22:00:00Z".into();
    ats(&clientset).create(&far).await.unwrap();
    let replica = Replica::start(&clientset, clock);
    reaches(&clientset, "far", AtPhase::Pending).await;
    sleep(Duration::from_secs(3600)).await;
    assert!(pods(&fake).await.is_empty());
    replica.stop().await;
}

/// Somebody else writes labels all the time: the At ends, in few writes of its status, and its phase never goes back.
#[tokio::test(start_paused = true)]
async fn c100_a_second_writer_costs_conflicts_and_nothing_else() {
    let (fake, clock) = (world(), clock());
    let clientset = fake.clientset();
    let replica = Replica::start(&clientset, clock);
    ats(&clientset).create(&at("touched", 1)).await.unwrap();
    let mut seen: Vec<Option<AtPhase>> = Vec::new();
    for round in 0..100 {
        let touch = json!({"metadata": {"labels": {"round": round.to_string()}}});
        let touched: At = ats(&clientset).patch("touched", &Patch::Merge(touch)).await.unwrap();
        seen.push(touched.phase());
        sleep(Duration::from_millis(if round % 2 == 0 { 1 } else { 60 })).await;
    }
    reaches(&clientset, "touched", AtPhase::Done).await;
    assert!(seen.is_sorted(), "{seen:?}");
    let stored =
        fake.actions().iter().filter(|action| **action == "update ats/status default/touched").count();
    let versions = 3 + 20;
    assert!(stored <= versions, "{stored} writes of the status");
    assert_eq!(pods(&fake).await.len(), 1);
    replica.stop().await;
}
