//! Leader election between this runtime and client-go.
//!
//! The candidate in Go is built from `tests/fixtures/leader-candidate/main.go` and named by the variable `CANDIDATE_GO`:
//!
//! ```text
//! CANDIDATE_GO=/path/to/candidate cargo test --workspace --test election -- --ignored --nocapture
//! ```

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and shows what it saw"
)]

use std::{
    path::Path,
    process::Stdio,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube_codegen_apiserver::{ApiServer, Http};
use kube_codegen_runtime::{CancellationToken, client::ResourceClient, leader_election::LeaderElector};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::sleep,
};

/// Lines of `milliseconds who what`.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(u128, String)>>>);

impl Log {
    fn note(&self, at: u128, line: String) {
        println!("{at} {line}");
        self.0.lock().unwrap().push((at, line));
    }

    fn says(&self, line: &str) -> Option<u128> {
        self.0.lock().unwrap().iter().rev().find(|(_, said)| said == line).map(|(at, _)| *at)
    }

    async fn wait_for(&self, line: &str, seconds: u64) -> u128 {
        for _ in 0..seconds * 20 {
            if let Some(at) = self.says(line) {
                return at;
            }
            sleep(Duration::from_millis(50)).await;
        }
        unreachable!("{line:?} was not said within {seconds} s")
    }
}

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()
}

fn go(kubeconfig: &Path, id: &str, arguments: &[&str], log: &Log) -> Child {
    let program =
        std::env::var("CANDIDATE_GO").unwrap_or_else(|_| unreachable!("CANDIDATE_GO names no program"));
    let mut child = Command::new(program)
        .args(["-kubeconfig", kubeconfig.to_str().unwrap(), "-id", id])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let log = log.clone();
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            let (at, rest) = line.split_once(' ').unwrap();
            log.note(at.parse().unwrap(), rest.to_owned());
        }
    });
    child
}

fn rust(server: &ApiServer, id: &'static str, log: &Log) -> CancellationToken {
    let leases = ResourceClient::<Lease>::namespaced(server.client(), "default");
    let elector = LeaderElector::builder(leases, "operator", id).build().unwrap();
    let (stop, log) = (CancellationToken::new(), log.clone());
    tokio::spawn(elector.run(stop.clone(), async move |leadership| {
        log.note(now(), format!("{id} begins"));
        leadership.ended().cancelled().await;
        log.note(now(), format!("{id} ends"));
    }));
    stop
}

#[tokio::test]
#[ignore = "takes a minute, and needs a candidate in Go, named by CANDIDATE_GO"]
async fn candidates_in_go_and_rust_compete_for_one_lease() {
    let server = ApiServer::builder().build();
    let http = Http::bind(&server, ([127, 0, 0, 1], 0).into()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    http.write_kubeconfig(&kubeconfig).unwrap();
    let shutdown = CancellationToken::new();
    tokio::spawn(http.serve(shutdown.clone()));
    let (log, leases) = (Log::default(), Api::<Lease>::namespaced(server.client(), "default"));
    let written = async || serde_json::to_string(&leases.get("operator").await.unwrap().spec).unwrap();

    // Go leads, Rust waits, Go gives up, Rust follows at once.
    let _first = go(&kubeconfig, "go-1", &["-reign", "8s"], &log);
    log.wait_for("go-1 begins", 20).await;
    println!("by Go: {}", written().await);
    let rust_stop = rust(&server, "rust-1", &log);
    let ended = log.wait_for("go-1 ends", 20).await;
    let began = log.wait_for("rust-1 begins", 10).await;
    println!("by Rust: {}", written().await);
    assert!(ended <= began && began - ended < 6_000, "{ended} {began}");

    // Rust gives up, Go follows, and sees the leaders change.
    let mut second = go(&kubeconfig, "go-2", &["-reign", "6s", "-release=false"], &log);
    log.wait_for("go-2 sees rust-1", 10).await;
    rust_stop.cancel();
    let ended = log.wait_for("rust-1 ends", 5).await;
    let began = log.wait_for("go-2 begins", 10).await;
    assert!(ended <= began && began - ended < 6_000, "{ended} {began}");

    // Go dies without a word: Rust waits for the Lease to run out.
    let rust_stop = rust(&server, "rust-2", &log);
    let died = log.wait_for("go-2 dies", 20).await;
    second.wait().await.unwrap();
    let began = log.wait_for("rust-2 begins", 30).await;
    assert!((11_000..24_000).contains(&(began - died)), "{died} {began}");
    assert_eq!(leases.get("operator").await.unwrap().spec.unwrap().lease_transitions, Some(3));
    rust_stop.cancel();
    log.wait_for("rust-2 ends", 5).await;
    shutdown.cancel();
}
