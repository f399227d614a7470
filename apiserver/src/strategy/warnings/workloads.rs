//! Pods, and what makes pods from a template.
//!
//! In: an object of these kinds. Out: what a client is told of it. A change that is none of the content is told nothing.

use serde_json::Value;

use crate::protocol::{Fields, names::dns_label_errors};

use super::{at, listed, pod, storage, text};

pub(super) fn pod(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    if old.is_some() {
        return Vec::new();
    }
    let mut out = name(object, "the Pod's hostname");
    out.extend(pod::of(object, ""));
    out
}

/// A name that pods get and that is no label.
fn name(object: &Fields, what: &str) -> Vec<String> {
    let errors = dns_label_errors(text(object, "metadata.name"));
    if errors.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "metadata.name: this is used in {what}, which can result in surprising behavior; a DNS label is recommended: [{}]",
        errors.join(" ")
    )]
}

/// Whether the content has changed, or is new.
fn is_changed(object: &Fields, old: Option<&Fields>) -> bool {
    old.is_none_or(|old| at(old, "metadata.generation") != at(object, "metadata.generation"))
}

fn of_template(object: &Fields, old: Option<&Fields>, path: &str) -> Vec<String> {
    if is_changed(object, old) { pod::of(object, path) } else { Vec::new() }
}

pub(super) fn template(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    of_template(object, old, "template")
}

pub(super) fn set(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    of_template(object, old, "spec.template")
}

pub(super) fn named_set(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let mut out = named(object, old);
    out.extend(set(object, old));
    out
}

fn named(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    if old.is_none() { name(object, "Pod names and hostnames") } else { Vec::new() }
}

pub(super) fn stateful_set(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let mut out = set(object, old);
    let end = if old.is_some() { ".Spec" } else { "" };
    for (index, claim) in listed(object, "spec.volumeClaimTemplates") {
        let path = format!("spec.volumeClaimTemplates[{index}]{end}");
        storage::claim_spec(&claim["spec"], &path, &mut out);
    }
    if at(object, "spec.revisionHistoryLimit").and_then(Value::as_i64).is_some_and(|limit| limit < 0) {
        out.push(
            "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended".to_owned(),
        );
    }
    out
}

pub(super) fn job(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let mut out = named(object, old);
    out.extend(of_job(object, old, "spec"));
    out
}

fn of_job(object: &Fields, old: Option<&Fields>, path: &str) -> Vec<String> {
    let mut out = Vec::new();
    if !is_changed(object, old) {
        return out;
    }
    let spec = at(object, path).unwrap_or(&Value::Null);
    let number = |name: &str| spec[name].as_i64().unwrap_or_default();
    if spec["completionMode"] == "Indexed"
        && number("completions") > 100_000
        && number("parallelism") > 10_000
    {
        out.push(format!(
            "{path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might \
             not be able to track completedIndexes when a big number of indexes fail"
        ));
    }
    out.extend(pod::of(object, &format!("{path}.template")));
    out
}

pub(super) fn cron_job(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let mut out = named(object, old);
    out.extend(of_job(object, old, "spec.jobTemplate.spec"));
    if old.is_some() && text(object, "spec.schedule").contains("TZ") {
        out.push(
            "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see \
             https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
                .to_owned(),
        );
    }
    out
}
