//! The binary, where there is no cluster.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::{
    fs,
    net::TcpListener,
    path::Path,
    process::{Command, Output},
};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sample-controller"))
        .args(arguments)
        .env_remove("KUBECONFIG")
        .env_remove("RUST_LOG")
        .env_remove("KUBERNETES_SERVICE_HOST")
        .env("HOME", "/nonexistent")
        .output()
        .unwrap()
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

#[test]
fn help_has_examples() {
    let output = run(&["--help"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for expected in ["--kubeconfig", "--namespace", "--workers", "Examples:", "kubectl apply -f crd/"] {
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
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = format!("http://127.0.0.1:{port}");
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
