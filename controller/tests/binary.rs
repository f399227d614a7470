//! The binary, where there is no cluster.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sample-controller"));
    command.args(arguments).env("HOME", "/nonexistent");
    for variable in ["KUBECONFIG", "RUST_LOG", "KUBERNETES_SERVICE_HOST"] {
        command.env_remove(variable);
    }
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What a failed run says.
#[track_caller]
fn failure(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

fn kubeconfig(folder: &Path, server: &str) -> String {
    let file = folder.join("kubeconfig.yaml");
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: here\n\
        clusters: [{{name: here, cluster: {{server: \"{server}\"}}}}]\n\
        users: [{{name: me, user: {{}}}}]\n\
        contexts: [{{name: here, context: {{cluster: here, user: me}}}}]\n"
    );
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// With a port that was free a moment ago.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[test]
fn help_has_examples() {
    let output = run(&["--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for expected in [
        "--kubeconfig",
        "--namespace",
        "--max-concurrent-reconciles",
        "MANAGER_LEADER_ELECT",
        "Examples:",
        "kubectl apply -f crd/",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn no_cluster_at_all_is_said_so() {
    let text = failure(&[]);
    assert!(text.contains("no cluster found: give one with --kubeconfig"), "{text}");
}

#[test]
fn a_kubeconfig_that_is_not_there_is_named() {
    let text = failure(&["--kubeconfig", "/nonexistent/kubeconfig"]);
    assert!(text.contains("/nonexistent/kubeconfig"), "{text}");
}

#[test]
fn a_server_that_does_not_answer_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let server = format!("http://{}", free_address());
    let text = failure(&["--kubeconfig", &kubeconfig(folder.path(), &server)]);
    assert!(text.contains(&server) && text.contains("cannot reach the API server"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn a_context_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = kubeconfig(folder.path(), "http://127.0.0.1:1");
    let text = failure(&["--kubeconfig", &file, "--context", "elsewhere"]);
    assert!(text.contains("elsewhere"), "{text}");
}

#[test]
fn settings_of_the_manager_that_are_none_are_named_wherever_they_stand() {
    let output = run(&["--leader-election-retry-period", "soon"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("--leader-election-retry-period: \"soon\""), "{text}");

    let output = command(&[]).env("MANAGER_METRICS_BIND_ADDRESS", "somewhere").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("MANAGER_METRICS_BIND_ADDRESS: \"somewhere\""), "{text}");
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What is answered at an address, as soon as anybody does.
fn get(address: &str, path: &str) -> String {
    for _ in 0..600 {
        if let Ok(mut stream) = TcpStream::connect(address) {
            write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            if answer.starts_with("HTTP/1.1 200") {
                return answer;
            }
        }
        thread::sleep(Duration::from_millis(50));
    }
    unreachable!("nobody answers well at {address}{path}");
}

#[cfg(feature = "embedded")]
#[test]
fn the_manager_takes_its_settings_from_flags_and_environment() {
    let (health, metrics) = (free_address(), free_address());
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let mut command = command(&["--embedded", "--leader-elect", "--metrics-bind-address", &metrics]);
    command.arg("--kubeconfig").arg(&kubeconfig).env("MANAGER_HEALTH_PROBE_BIND_ADDRESS", &health);
    let _running = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    get(&health, "/healthz");
    get(&health, "/readyz");
    let metrics = get(&metrics, "/metrics");
    assert!(metrics.contains("leader_election_master_status{name=\"sample-controller\"}"), "{metrics}");
    assert!(metrics.contains("controller_runtime_max_concurrent_reconciles"), "{metrics}");
}
