//! Parts that fail, and parts that do not end.

use std::time::Duration;

use kube_codegen_apiserver::testing::Verb;
use kube_codegen_runtime::manager::{Manager, ManagerError};
use tokio::time::{Instant, sleep};

use super::support::{Diary, Process, add_maps, cluster, electing, task};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn a_task_that_fails_ends_the_others_and_is_named() {
    for panics in [Some("out of luck"), None] {
        let (manager, diary) = (Manager::builder().build(), Diary::default());
        manager.add_task("webhooks", {
            let diary = diary.clone();
            |stop| task("webhooks", diary, stop)
        });
        manager.add_leader_task("sweeper", move |_stop| async move {
            sleep(SECOND).await;
            if let Some(words) = panics {
                std::panic::panic_any(words);
            }
            Err("no broom".into())
        });
        let error = Process::start(&manager).task.await.unwrap().unwrap_err();
        let text = anyhow_text(&error);
        let expected = if panics.is_some() {
            "sweeper has panicked: out of luck"
        } else {
            "sweeper has failed: no broom"
        };
        assert_eq!(text, expected);
        assert_eq!(diary.take(), ["webhooks begins", "webhooks ends"]);
    }
}

/// The error with its causes.
fn anyhow_text(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[tokio::test(start_paused = true)]
async fn what_does_not_end_in_time_is_dropped_and_named() {
    let fake = cluster();
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let manager = Manager::builder().shutdown_limit(SECOND * 5).build();
    let diary = Diary::default();
    let informers = add_maps(&manager, &fake, "slow", SECOND * 3600, &diary);
    manager.add_task("deaf", |_stop| std::future::pending());
    let process = Process::start(&manager);
    sleep(SECOND).await;
    let began = Instant::now();
    let error = process.stop().await.unwrap_err();
    assert_eq!(began.elapsed().as_secs(), 5);
    assert_eq!(
        error.to_string(),
        "not everything ended within 5s of the stop; dropped: deaf, the controller slow"
    );
    drop((manager, informers));
    sleep(SECOND).await;
    assert_eq!(tasks(), before, "no task survives");
    assert_eq!(diary.take(), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_lost_lease_ends_the_manager() {
    let (fake, diary) = (cluster(), Diary::default());
    let manager = electing(&fake, "one").build();
    manager.add_leader_task("leading", {
        let diary = diary.clone();
        |stop| task("leading", diary, stop)
    });
    manager.add_task("plain", {
        let diary = diary.clone();
        |stop| task("plain", diary, stop)
    });
    let process = Process::start(&manager);
    sleep(SECOND).await;
    fake.faults().on(Verb::Any, "leases").hang();
    let error = process.task.await.unwrap().unwrap_err();
    assert!(matches!(error, ManagerError::LeadershipLost(_)), "{error}");
    let mut seen = diary.take();
    seen.sort();
    assert_eq!(seen, ["leading begins", "leading ends", "plain begins", "plain ends"]);
}

#[tokio::test(start_paused = true)]
async fn a_stop_before_the_caches_are_filled_is_no_failure() {
    let fake = cluster();
    fake.faults().on(Verb::List, "configmaps").hang();
    fake.faults().on(Verb::Watch, "configmaps").hang();
    let manager = Manager::builder().build();
    add_maps(&manager, &fake, "maps", Duration::ZERO, &Diary::default());
    let process = Process::start(&manager);
    sleep(SECOND * 10).await;
    process.stop().await.unwrap();
}

#[tokio::test]
async fn an_address_that_is_taken_is_told_before_anything_starts() {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    let manager = Manager::builder().metrics_address(address).build();
    let diary = Diary::default();
    manager.add_task("plain", {
        let diary = diary.clone();
        |stop| task("plain", diary, stop)
    });
    let error = Process::start(&manager).task.await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), format!("cannot listen on {address} for metrics"));
    assert_eq!(diary.take(), [""; 0]);
}
