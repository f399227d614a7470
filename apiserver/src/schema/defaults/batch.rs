//! Jobs.

use super::{Object, existing, has, items, set as put, set_absent};

pub(super) fn set(kind: &str, members: &mut Object) {
    match kind {
        "Job" => {
            let labels =
                members.get("spec").and_then(|spec| spec.pointer("/template/metadata/labels")).cloned();
            if let (Some(labels), Some(metadata)) = (labels, existing(members, "metadata")) {
                put(metadata, "labels", labels);
            }
            // Not in the template of a CronJob.
            if let Some(spec) = existing(members, "spec") {
                job(spec);
            }
        }
        "PodFailurePolicyRule" => {
            items(members, "onPodConditions").for_each(|condition| put(condition, "status", "True"));
        }
        "CronJobSpec" => {
            put(members, "concurrencyPolicy", "Allow");
            put(members, "suspend", false);
            put(members, "successfulJobsHistoryLimit", 3);
            put(members, "failedJobsHistoryLimit", 1);
        }
        _ => {}
    }
}

fn job(members: &mut Object) {
    if !has(members, "completions") && !has(members, "parallelism") {
        put(members, "completions", 1);
    }
    put(members, "parallelism", 1);
    let limit = if has(members, "backoffLimitPerIndex") { i32::MAX } else { 6 };
    put(members, "backoffLimit", limit);
    set_absent(members, "completionMode", "NonIndexed");
    put(members, "suspend", false);
    let replacement = if has(members, "podFailurePolicy") { "Failed" } else { "TerminatingOrFailed" };
    set_absent(members, "podReplacementPolicy", replacement);
    put(members, "manualSelector", false);
}
