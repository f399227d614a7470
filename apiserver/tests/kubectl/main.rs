//! Transcripts of kubectl: what people type, and what kubectl prints with a real API server.
//!
//! `recordings.json.gz` holds scenarios: files, commands, and what each of them printed with kube-apiserver 1.37, in a form without names,
//! times and versions. The commands run here again, with the kubectl of the `PATH`, against the program of this crate. What is known to
//! differ stands in `known.txt`, with a reason; an entry that holds again is an error too. `ONLY=regex` runs some scenarios and checks
//! nothing, `UPDATE_KNOWN=1` writes the file.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]
#![cfg(unix)]

mod ages;
mod known;
mod normalise;
mod process;
mod run;
mod scenario;

use std::{
    collections::BTreeSet,
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use known::Known;
use scenario::{Outcome, Scenario};

/// How many scenarios run side by side.
const SIDE_BY_SIDE: usize = 4;

#[test]
fn c104_kubectl_prints_what_it_prints_with_a_real_server() {
    let Some(version) = kubectl_version() else {
        println!("SKIPPED: there is no kubectl on the PATH, so its transcripts are not checked");
        return;
    };
    let only = std::env::var("ONLY").ok().map(|only| regex::Regex::new(&only).unwrap());
    let mut scenarios = scenario::load();
    scenarios.retain(|scenario| only.as_ref().is_none_or(|only| only.is_match(&scenario.name)));
    let server = process::Server::start();
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = replay(scenario, &server, &version);
                    outcomes.lock().unwrap().push(outcome);
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap();
    let different: BTreeSet<(String, usize)> = outcomes.iter().flat_map(Outcome::differing).collect();
    for outcome in &outcomes {
        print!("{}", outcome.report);
    }
    let commands: usize = outcomes.iter().map(|outcome| outcome.commands).sum();
    let whole = outcomes.iter().filter(|outcome| outcome.different.is_empty()).count();
    println!(
        "{whole}/{} scenarios, {}/{commands} commands equal",
        outcomes.len(),
        commands - different.len()
    );
    if only.is_none() {
        Known::load().check(&different);
    }
}

#[test]
fn c104_every_cascade_of_kubectl_is_taken() {
    if kubectl_version().is_none() {
        println!("SKIPPED: there is no kubectl on the PATH");
        return;
    }
    let server = process::Server::start();
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    std::fs::write(&kubeconfig, server.config.to_string()).unwrap();
    let kubectl = |arguments: &[&str]| {
        let mut command = Command::new("kubectl");
        let output = command.arg("--kubeconfig").arg(&kubeconfig).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(output.stderr));
        text(output.stdout)
    };
    let uid = "--output=jsonpath={.metadata.uid}";
    for (cascade, stays) in [("background", false), ("foreground", false), ("orphan", true)] {
        let owner = kubectl(&["create", "configmap", cascade, uid]);
        let child = folder.path().join("child.yaml");
        let reference = serde_json::json!({
            "apiVersion": "v1", "kind": "ConfigMap", "name": cascade, "uid": owner, "blockOwnerDeletion": true,
        });
        let metadata =
            serde_json::json!({ "name": format!("{cascade}-child"), "ownerReferences": [reference] });
        let manifest = serde_json::json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });
        std::fs::write(&child, manifest.to_string()).unwrap();
        kubectl(&["apply", "--filename", child.to_str().unwrap()]);
        kubectl(&["delete", "configmap", cascade, &format!("--cascade={cascade}")]);
        let name = format!("configmap/{cascade}-child");
        if stays {
            let owners = kubectl(&["get", &name, "--output=jsonpath={.metadata.ownerReferences}"]);
            assert_eq!(owners, "", "{cascade}");
        } else {
            kubectl(&["wait", &name, "--for=delete", "--timeout=30s"]);
        }
    }
}

/// The minor version of the kubectl on the PATH, as `v1.32`.
fn kubectl_version() -> Option<String> {
    let output = Command::new("kubectl").args(["version", "--client", "-o", "json"]).output().ok()?;
    let version: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let text = version["clientVersion"]["gitVersion"].as_str()?;
    let mut parts = text.trim_start_matches('v').split('.');
    Some(format!("v{}.{}", parts.next()?, parts.next()?))
}

fn replay(scenario: &Scenario, server: &process::Server, version: &str) -> Outcome {
    let got = run::run(scenario, server);
    let mut outcome =
        Outcome { name: scenario.name.clone(), commands: scenario.commands.len(), ..Outcome::default() };
    for (index, want) in scenario.commands.iter().enumerate() {
        let want = want.as_with(version);
        let difference = match got.get(index) {
            Some(got) => scenario::difference(&want, got),
            None => vec!["missing".to_owned()],
        };
        if !difference.is_empty() {
            outcome.different.push(index);
            let heading = format!("DIFF {} command {index}: {}\n", scenario.name, want.run.trim());
            outcome.report.push_str(&heading);
            for line in difference.iter().take(14) {
                outcome.report.push_str(&format!("    {line}\n"));
            }
        }
    }
    outcome
}
