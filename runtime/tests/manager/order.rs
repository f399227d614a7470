//! What starts when, and what ends when.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube_codegen_apiserver::testing::Verb;
use kube_codegen_runtime::manager::Manager;
use tokio::time::{Instant, sleep};

use super::support::{Complaints, Diary, Process, add_controller, add_maps, cluster, electing, task};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn tasks_wait_for_the_caches_and_leaders_for_the_lease() {
    let fake = cluster();
    fake.faults().on(Verb::List, "configmaps").delay(SECOND * 5);
    fake.faults().on(Verb::Watch, "configmaps").delay(SECOND * 5);
    fake.faults().on(Verb::Any, "leases").delay(SECOND);
    let (manager, diary) = (electing(&fake, "one").build(), Diary::default());
    add_maps(&manager, &fake, "maps", Duration::ZERO, &diary);
    manager.add_task("plain", {
        let diary = diary.clone();
        |stop| task("plain", diary, stop)
    });
    manager.add_leader_task("leading", {
        let diary = diary.clone();
        |stop| task("leading", diary, stop)
    });
    let process = Process::start(&manager);
    sleep(SECOND * 4).await;
    assert_eq!(diary.take(), [""; 0]);
    sleep(SECOND * 20).await;
    let mut seen = diary.take();
    assert_eq!(seen.remove(0), "plain begins");
    seen.sort();
    assert_eq!(seen, ["leading begins", "maps a", "maps b", "maps c"]);
    process.stop().await.unwrap();
    let mut seen = diary.take();
    seen.sort();
    assert_eq!(seen, ["leading ends", "plain ends"]);
}

/// controller-runtime 478: a task that is added late must not run without leadership, nor twice.
#[tokio::test(start_paused = true)]
async fn c088_late_tasks_follow_the_rules_of_early_ones_and_start_once() {
    let (fake, diary) = (cluster(), Diary::default());
    let add = |manager: &Manager, leading: &'static str, plain: &'static str| {
        let (one, two) = (diary.clone(), diary.clone());
        manager.add_leader_task(leading, move |stop| task(leading, one, stop));
        manager.add_task(plain, move |stop| task(plain, two, stop));
    };
    let (leader, other) = (electing(&fake, "one").build(), electing(&fake, "two").build());
    add(&leader, "one early", "one plain early");
    let first = Process::start(&leader);
    sleep(SECOND).await;
    assert_eq!(diary.take(), ["one plain early begins", "one early begins"]);
    add(&other, "two early", "two plain early");
    let second = Process::start(&other);
    sleep(SECOND).await;
    add(&leader, "one late", "one plain late");
    add(&other, "two late", "two plain late");
    sleep(SECOND * 60).await;
    let mut seen = diary.take();
    seen.sort();
    assert_eq!(
        seen,
        ["one late begins", "one plain late begins", "two plain early begins", "two plain late begins"]
    );

    first.stop().await.unwrap();
    sleep(SECOND * 10).await;
    let mut seen = diary.take();
    seen.sort();
    let ended = ["one early ends", "one late ends", "one plain early ends", "one plain late ends"];
    assert_eq!(seen, [&ended[..], &["two early begins", "two late begins"]].concat());
    second.stop().await.unwrap();
    diary.take();
    add(&other, "two after", "two plain after");
    sleep(SECOND * 60).await;
    assert_eq!(diary.take(), [""; 0], "nothing begins after the stop");
}

/// controller-runtime 1695, 1786: runs are drained while their caches can be read, the Lease goes last, an idle replica ends without fuss.
#[tokio::test(start_paused = true)]
async fn c089_a_stop_drains_runs_then_frees_the_lease() {
    let (complaints, _listening) = Complaints::listen();
    let (fake, diary) = (cluster(), Diary::default());
    let leader = electing(&fake, "one").build();
    let informers = add_maps(&leader, &fake, "first", SECOND * 10, &diary);
    add_controller(&leader, &informers, "second", SECOND * 8, &diary);
    add_controller(&leader, &informers, "third", SECOND * 6, &diary);
    let idle = electing(&fake, "two").build();
    add_maps(&idle, &fake, "idle", SECOND, &diary);
    let leading = Process::start(&leader);
    sleep(SECOND).await;
    let idling = Process::start(&idle);
    sleep(SECOND).await;
    assert_eq!(diary.take(), [""; 0], "all are in mid-run");

    idling.stop().await.unwrap();
    let began = Instant::now();
    let stopping = tokio::spawn(leading.stop());
    sleep(SECOND * 7).await;
    let leases: Api<Lease> = Api::namespaced(fake.server().client(), "default");
    let holder = async || leases.get("operator").await.unwrap().spec.unwrap().holder_identity.unwrap();
    assert_eq!(holder().await, "one", "runs are going on");
    stopping.await.unwrap().unwrap();
    assert!((8..10).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
    assert_eq!(diary.take(), ["third a", "second a", "first a"]);
    assert_eq!(holder().await, "");
    assert!(!informers.informer::<k8s_openapi::api::core::v1::ConfigMap>().store().is_empty());
    sleep(SECOND * 60).await;
    assert_eq!(diary.take(), [""; 0], "nothing began after the stop");
    assert_eq!(complaints.take(), [""; 0], "a clean stop is no news");
    tracing::warn!(target: "kube_codegen_runtime", "heard");
    assert_eq!(complaints.take(), ["WARN message=heard"]);
}

#[tokio::test(start_paused = true)]
async fn three_processes_have_one_leader_and_another_follows() {
    let (fake, diary) = (cluster(), Diary::default());
    let mut processes: Vec<(String, Process)> = Vec::new();
    for name in ["one", "two", "three"] {
        let manager = electing(&fake, name).build();
        let diary = diary.clone();
        manager.add_leader_task(name, move |stop| task(name, diary, stop));
        processes.push((name.to_owned(), Process::start(&manager)));
        sleep(SECOND).await;
    }
    for _ in 0..3 {
        // The Lease, and twice the longest pause between two attempts.
        sleep(SECOND * 24).await;
        let seen = diary.take();
        assert_eq!(seen.len(), 1, "{seen:?}");
        let leader = seen.first().and_then(|line| line.split_once(' ')).unwrap().0;
        let index = processes.iter().position(|(name, _)| name == leader).unwrap();
        // Killed, not stopped: the Lease has to expire.
        processes.remove(index).1.task.abort();
    }
}
