//! Probes and scrapes over real sockets.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use kube_codegen_runtime::manager::Manager;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};

use super::support::{Diary, Process, add_maps, cluster, electing};

async fn ask(address: SocketAddr, method: &str, path: &str) -> (u16, String) {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[tokio::test]
async fn probes_are_answered_as_by_kubernetes_own_components() {
    let manager = Manager::builder().health_address("127.0.0.1:0".parse().unwrap()).build();
    let broken = Arc::new(AtomicBool::new(false));
    manager.health().add("disk", {
        let broken = Arc::clone(&broken);
        move || if broken.load(Ordering::Relaxed) { Err("full".to_owned()) } else { Ok(()) }
    });
    let process = Process::start(&manager);
    let at = process.manager.health_address().await.unwrap();
    assert_eq!(ask(at, "GET", "/healthz").await, (200, "ok".to_owned()));
    assert_eq!(ask(at, "GET", "/healthz/").await, (200, "ok".to_owned()));
    assert_eq!(ask(at, "GET", "/healthz/disk").await, (200, "ok".to_owned()));
    let verbose = "[+]disk ok\n[+]ping ok\nhealthz check passed\n";
    assert_eq!(ask(at, "GET", "/healthz?verbose").await, (200, verbose.to_owned()));
    broken.store(true, Ordering::Relaxed);
    let failed = "[-]disk failed: reason withheld\n[+]ping ok\nhealthz check failed\n";
    assert_eq!(ask(at, "GET", "/healthz").await, (500, failed.to_owned()));
    assert_eq!(ask(at, "GET", "/healthz/ping").await, (200, "ok".to_owned()));
    let excluded = "[+]disk excluded: ok\n[+]ping ok\nwarn: some health checks cannot be excluded: no matches for \"desk\"\n\
                    healthz check passed\n";
    assert_eq!(
        ask(at, "GET", "/healthz?exclude=disk&exclude=desk&verbose").await,
        (200, excluded.to_owned())
    );
    assert_eq!(ask(at, "GET", "/readyz").await, (200, "ok".to_owned()), "readiness has checks of its own");
    for (method, path, code) in [("GET", "/healthz/none", 404), ("GET", "/", 404), ("POST", "/healthz", 405)]
    {
        assert_eq!(ask(at, method, path).await.0, code, "{path}");
    }
    process.stop().await.unwrap();
    assert!(TcpStream::connect(at).await.is_err(), "the door is closed");
}

#[tokio::test]
async fn a_process_is_ready_when_its_caches_are_filled() {
    let fake = cluster();
    let gate = fake.faults().on(kube_codegen_apiserver::testing::Verb::Watch, "configmaps").hold();
    let manager = Manager::builder().health_address("127.0.0.1:0".parse().unwrap()).build();
    add_maps(&manager, &fake, "maps", Duration::ZERO, &Diary::default());
    let process = Process::start(&manager);
    let at = process.manager.health_address().await.unwrap();
    let waiting = "[-]informers failed: reason withheld\n[+]ping ok\nreadyz check failed\n";
    assert_eq!(ask(at, "GET", "/readyz").await, (500, waiting.to_owned()));
    assert_eq!(ask(at, "GET", "/healthz").await.0, 200);
    gate.open();
    for _ in 0..200 {
        if ask(at, "GET", "/readyz").await.0 == 200 {
            return process.stop().await.unwrap();
        }
        sleep(Duration::from_millis(10)).await;
    }
    unreachable!("it never becomes ready");
}

#[tokio::test]
async fn metrics_have_the_names_that_dashboards_ask_for() {
    let fake = cluster();
    let manager = electing(&fake, "one").metrics_address("127.0.0.1:0".parse().unwrap()).build();
    let diary = Diary::default();
    add_maps(&manager, &fake, "maps", Duration::ZERO, &diary);
    let process = Process::start(&manager);
    let at = process.manager.metrics_address().await.unwrap();
    let mut text = String::new();
    for _ in 0..200 {
        text = ask(at, "GET", "/metrics").await.1;
        if text.contains("reconcile_total{controller=\"maps\",result=\"success\"} 3") {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    for line in [
        "controller_runtime_reconcile_total{controller=\"maps\",result=\"success\"} 3",
        "controller_runtime_reconcile_time_seconds_count{controller=\"maps\"} 3",
        "controller_runtime_max_concurrent_reconciles{controller=\"maps\"} 1",
        "controller_runtime_active_workers{controller=\"maps\"} 0",
        "workqueue_depth{name=\"maps\",controller=\"maps\",priority=\"0\"} 0",
        "workqueue_adds_total{name=\"maps\",controller=\"maps\"} 3",
        "workqueue_queue_duration_seconds_count{name=\"maps\",controller=\"maps\"} 3",
        "workqueue_work_duration_seconds_bucket{le=\"1.0\",name=\"maps\",controller=\"maps\"} 3",
        "workqueue_unfinished_work_seconds{name=\"maps\",controller=\"maps\"} 0.0",
        "workqueue_longest_running_processor_seconds{name=\"maps\",controller=\"maps\"} 0.0",
        "leader_election_master_status{name=\"operator\"} 1",
    ] {
        assert!(text.contains(line), "{line}\n--\n{text}");
    }
    assert!(text.ends_with("# EOF\n"));
    assert_eq!(ask(at, "GET", "/").await.0, 404);
    process.stop().await.unwrap();
}
