//! `/healthz`, `/livez` and `/readyz`.
//!
//! In: an endpoint, the single check if one is named, and the parameters. Out: `ok`, or the list of checks. All checks hold as soon as this
//! server answers at all; their names are those of a real one, so that whoever asks for one of them finds it.

use crate::protocol::{Query, quoted};

use super::reply::{Content, Reply};

/// The checks of a real server, in the order in which they are told.
const CHECKS: &[&str] = &[
    "ping",
    "log",
    "loopback-serving-certificate",
    "etcd",
    "poststarthook/start-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-system-namespaces-controller",
    "poststarthook/peer-endpoint-reconciler-controller",
    "poststarthook/start-cluster-authentication-info-controller",
    "poststarthook/start-kube-apiserver-identity-lease-controller",
    "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
    "poststarthook/storage-readiness",
    "poststarthook/start-legacy-token-tracking-controller",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/rbac/bootstrap-roles",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/priority-and-fairness-config-producer",
    "poststarthook/bootstrap-controller",
    "poststarthook/start-kubernetes-service-cidr-controller",
    "poststarthook/start-kube-aggregator-informers",
    "poststarthook/apiservice-status-local-available-controller",
    "poststarthook/apiservice-status-remote-available-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/kube-apiserver-autoregistration",
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
];
/// A check that readiness does without.
const NOT_FOR_READINESS: &str = "loopback-serving-certificate";
/// The checks that only readiness has: after `etcd`, and at the end.
const AFTER_ETCD: [&str; 2] = ["etcd-readiness", "informer-sync"];
const LAST: &str = "shutdown";

/// The checks of an endpoint.
pub(super) fn checks(endpoint: &str) -> Vec<&'static str> {
    if endpoint != "readyz" {
        return CHECKS.to_vec();
    }
    let mut all: Vec<&str> = CHECKS.iter().copied().filter(|check| *check != NOT_FOR_READINESS).collect();
    let after = all.iter().position(|check| *check == "etcd").map_or(all.len(), |at| at + 1);
    all.splice(after..after, AFTER_ETCD);
    all.push(LAST);
    all
}

/// The answer of an endpoint.
pub(super) fn answer(endpoint: &str, check: Option<&str>, query: &Query) -> Reply {
    let all = checks(endpoint);
    if let Some(check) = check {
        // A check by itself is told without the hint to browsers.
        return match all.contains(&check) {
            true => Reply::with(200, Content::Document(TEXT, "ok".into())),
            false => Reply::page_not_found(),
        };
    }
    if query.get("verbose").is_none() {
        return Reply::with(200, Content::Text("ok")).no_sniff();
    }
    let excluded: Vec<&str> = query.all("exclude").collect();
    let mut text = String::new();
    for check in &all {
        let note = if excluded.contains(check) { " excluded" } else { "" };
        let end = if note.is_empty() { " ok" } else { ": ok" };
        text.push_str(&format!("[+]{check}{note}{end}\n"));
    }
    let mut unknown: Vec<String> =
        excluded.iter().filter(|name| !all.contains(name)).map(|name| quoted(name)).collect();
    unknown.sort();
    if !unknown.is_empty() {
        let names = unknown.join(",");
        text.push_str(&format!("warn: some health checks cannot be excluded: no matches for {names}\n"));
    }
    text.push_str(&format!("{endpoint} check passed\n"));
    Reply::with(200, Content::Document(TEXT, text.into())).no_sniff()
}

/// The media type of plain text.
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
