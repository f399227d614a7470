//! Handlers that fail, for a while or for good.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use sample_controller::my_resource::MAX_RETRIES;

use crate::rig::{Rig, my_resource};

#[tokio::test(start_paused = true)]
async fn a_failure_that_passes_is_tried_again_and_told_once() {
    let rig = Rig::my_resources();
    let mut failures = 3;
    rig.recorder.fail_if(move |_| {
        failures -= 1;
        failures >= 0
    });
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");
    my_resources.create(&my_resource("a", "hello")).await.unwrap();
    assert_eq!(rig.recorder.wait_for(1).await, ["+a:hello"]);
    rig.stop().await.0.unwrap();
}

/// One object that cannot be handled is given up; it holds no other up, and its next change is a new chance.
#[tokio::test(start_paused = true)]
async fn a_failure_that_stays_is_given_up() {
    let rig = Rig::my_resources();
    let attempts = Arc::new(AtomicU32::new(0));
    rig.recorder.fail_if({
        let attempts = Arc::clone(&attempts);
        move |line| {
            let bad = line.ends_with("a:bad");
            attempts.fetch_add(u32::from(bad), Relaxed);
            bad
        }
    });
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");
    let mut object = my_resources.create(&my_resource("a", "bad")).await.unwrap();
    my_resources.create(&my_resource("b", "good")).await.unwrap();
    rig.recorder.wait_for(1).await;
    tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
    assert_eq!(attempts.load(Relaxed), 1 + MAX_RETRIES);

    object.spec.message = "mended".into();
    my_resources.update(&object).await.unwrap();
    assert_eq!(rig.recorder.wait_for(2).await, ["+b:good", "+a:mended"]);
    rig.stop().await.0.unwrap();
}

/// The delete itself failed; what is told later is still the last state.
#[tokio::test(start_paused = true)]
async fn a_failed_delete_keeps_its_last_state() {
    let rig = Rig::my_resources();
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");
    my_resources.create(&my_resource("a", "hello")).await.unwrap();
    rig.recorder.wait_for(1).await;
    let mut failures = 2;
    rig.recorder.fail_if(move |_| {
        failures -= 1;
        failures >= 0
    });
    my_resources.delete("a").await.unwrap();
    assert_eq!(rig.recorder.wait_for(2).await, ["+a:hello", "-a:hello"]);
    rig.stop().await.0.unwrap();
}

/// A panic is a failure like any other: it is tried again, and in the end given up.
#[tokio::test(start_paused = true)]
async fn a_handler_that_panics_is_tried_again_and_given_up() {
    let rig = Rig::my_resources();
    let attempts = Arc::new(AtomicU32::new(0));
    rig.recorder.fail_if({
        let attempts = Arc::clone(&attempts);
        move |line| {
            if line.ends_with("a:bad") {
                attempts.fetch_add(1, Relaxed);
                panic!("{line}");
            }
            false
        }
    });
    let my_resources = rig.clientset.trstringer_v1().my_resources("default");
    my_resources.create(&my_resource("a", "bad")).await.unwrap();
    my_resources.create(&my_resource("b", "good")).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
    assert_eq!(attempts.load(Relaxed), 1 + MAX_RETRIES);
    let (result, lines) = rig.stop().await;
    result.unwrap();
    assert_eq!(lines, ["+b:good"]);
}
