//! What jobs and the templates of jobs have in common.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::protocol::FieldError;

use super::{Findings, Spot, formats, pod};

const LIMIT: i64 = 100_000;
const ACTIONS: &[&str] = &["Count", "FailIndex", "FailJob", "Ignore"];

/// The spec of a job; `fp` is its place.
pub(super) fn spec(out: &mut Findings, spec: &Spot<'_>) {
    for name in [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes",
    ] {
        out.not_negative(&spec.get(name));
    }
    if spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex") {
        out.required(&spec.get("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
    }
    let by = spec.get("managedBy");
    if by.is_set() {
        prefixed_path(out, &by);
        if by.str().len() > 63 {
            out.too_long(&by, 63);
        }
    }
    completion(out, spec);
    failure_policy(out, spec);
    success_policy(out, spec);
    let replacement = spec.get("podReplacementPolicy");
    let known: &[&str] =
        if spec.has("podFailurePolicy") { &["Failed"] } else { &["Failed", "TerminatingOrFailed"] };
    out.maybe_one_of(&replacement, known);
    pod::template(out, &spec.get("template"));
    restart_policy(out, spec);
}

fn restart_policy(out: &mut Findings, spec: &Spot<'_>) {
    let policy = spec.get("template.spec.restartPolicy");
    match policy.str() {
        "Always" | "" => out.required(&policy, "valid values: \"OnFailure\", \"Never\""),
        "OnFailure" if spec.has("podFailurePolicy") => {
            out.invalid(&policy, "only \"Never\" is supported when podFailurePolicy is specified");
        }
        "OnFailure" | "Never" => {}
        _ => out.not_supported(&policy, &["OnFailure", "Never"]),
    }
}

/// A path behind a domain, such as `example.com/controller`.
pub(super) fn prefixed_path(out: &mut Findings, spot: &Spot<'_>) {
    let text = spot.str();
    if text.is_empty() {
        return out.required(spot, "");
    }
    let Some((domain, path)) =
        text.split_once('/').filter(|(domain, path)| !domain.is_empty() && !path.is_empty())
    else {
        return out.invalid(spot, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    };
    for error in crate::protocol::names::dns_subdomain_errors(domain) {
        out.invalid_as(spot, domain, error);
    }
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&byte);
    if !path.bytes().all(good) {
        let why = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
        out.invalid_as(spot, path, why);
    }
}

fn completion(out: &mut Findings, spec: &Spot<'_>) {
    let mode = spec.get("completionMode");
    out.maybe_one_of(&mode, &["NonIndexed", "Indexed"]);
    let number = |name: &str| spec.number(name);
    if mode.str() != "Indexed" {
        if !mode.is_set() || mode.str() == "NonIndexed" {
            for name in ["backoffLimitPerIndex", "maxFailedIndexes"] {
                if spec.has(name) {
                    out.invalid(&spec.get(name), "requires indexed completion mode");
                }
            }
        }
        return;
    }
    let (completions, failed) = (spec.get("completions"), spec.get("maxFailedIndexes"));
    let parallelism = spec.get("parallelism");
    if !completions.is_set() {
        out.required(&completions, "when completion mode is Indexed");
    }
    if number("parallelism").is_some_and(|number| number > LIMIT) {
        out.invalid(
            &parallelism,
            format!("must be less than or equal to {LIMIT} when completion mode is Indexed"),
        );
    }
    if let (Some(all), Some(most)) = (number("completions"), number("maxFailedIndexes"))
        && most > all
    {
        out.invalid(&failed, "must be less than or equal to completions");
    }
    if number("maxFailedIndexes").is_some_and(|most| most > LIMIT) {
        out.invalid(&failed, format!("must be less than or equal to {LIMIT}"));
    }
    if number("completions").is_some_and(|all| all > LIMIT) && spec.has("backoffLimitPerIndex") {
        let rest = "when completions are above 100000 and used with backoff limit per index";
        if !failed.is_set() {
            out.required(&failed, "must be specified when completions is above 100000");
        }
        for spot in [parallelism, failed] {
            if spot.int().is_some_and(|number| number > 10_000) {
                out.invalid(&spot, format!("must be less than or equal to 10000 {rest}"));
            }
        }
    }
}

fn failure_policy(out: &mut Findings, spec: &Spot<'_>) {
    let count = spec.count("podFailurePolicy.rules");
    if count > 20 {
        out.too_many(&spec.get("podFailurePolicy.rules"), count, 20);
    }
    for rule in spec.items("podFailurePolicy.rules") {
        let action = rule.get("action");
        match action.str() {
            "" => out.required(&action, "valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]"),
            "FailIndex" if !spec.has("backoffLimitPerIndex") => {
                out.invalid(&action, "requires the backoffLimitPerIndex to be set");
            }
            _ => out.maybe_one_of(&action, ACTIONS),
        }
        let codes = rule.get("onExitCodes");
        if codes.is_set() {
            exit_codes(out, spec, &codes);
        }
        pod_conditions(out, &rule);
        let omitted = |out: &mut Findings, why: &str| {
            out.push(FieldError::invalid_printed(rule.path(), "", why));
        };
        match (codes.is_set(), rule.count("onPodConditions") > 0) {
            (true, true) => omitted(out, "specifying both OnExitCodes and OnPodConditions is not supported"),
            (false, false) => omitted(out, "specifying one of OnExitCodes and OnPodConditions is required"),
            _ => {}
        }
    }
}

fn exit_codes(out: &mut Findings, spec: &Spot<'_>, codes: &Spot<'_>) {
    let operator = codes.get("operator");
    if operator.is_empty() {
        out.required(&operator, "valid values: [\"In\" \"NotIn\"]");
    } else {
        out.maybe_one_of(&operator, &["In", "NotIn"]);
    }
    let container = codes.get("containerName");
    let known = |list: &'static str| spec.items(list).any(|known| known.text("name") == container.str());
    if container.is_set() && !known("template.spec.containers") && !known("template.spec.initContainers") {
        out.invalid(&container, "must be one of the container or initContainer names in the pod template");
    }
    let values = codes.get("values");
    let count = codes.count("values");
    if count == 0 {
        out.invalid(&values, "at least one value is required");
    } else if count > 255 {
        out.too_many(&values, count, 255);
    }
    let mut seen = BTreeSet::new();
    let mut ordered = true;
    for value in values.each() {
        let number = value.int().unwrap_or_default();
        if operator.str() == "In" && number == 0 {
            out.invalid(&value, "must not be 0 for the In operator");
        }
        ordered &= seen.last().is_none_or(|last| *last <= number);
        if !seen.insert(number) {
            out.duplicate(&value);
        }
    }
    if !ordered {
        out.invalid(&values, "must be ordered");
    }
}

fn pod_conditions(out: &mut Findings, rule: &Spot<'_>) {
    let count = rule.count("onPodConditions");
    if count > 20 {
        out.too_many(&rule.get("onPodConditions"), count, 20);
    }
    for pattern in rule.items("onPodConditions") {
        formats::qualified(out, &pattern.get("type"));
        let status = pattern.get("status");
        if status.is_empty() {
            out.required(&status, "valid values: [\"False\" \"True\" \"Unknown\"]");
        } else {
            out.maybe_one_of(&status, &["False", "True", "Unknown"]);
        }
    }
}

fn success_policy(out: &mut Findings, spec: &Spot<'_>) {
    let policy = spec.get("successPolicy");
    if !policy.is_set() {
        return;
    }
    if spec.text("completionMode") != "Indexed" {
        let rule = |rule: Spot<'_>| {
            let (indexes, count) = (rule.get("succeededIndexes"), rule.get("succeededCount"));
            format!("{{\"SucceededIndexes\":{},\"SucceededCount\":{}}}", indexes.value(), count.value())
        };
        let rules: Vec<String> = policy.items("rules").map(rule).collect();
        let value = if policy.has("rules") { format!("[{}]", rules.join(",")) } else { "null".to_owned() };
        out.invalid_printed(&policy, format!("{{\"Rules\":{value}}}"), "requires indexed completion mode");
        return;
    }
    let (rules, count) = (policy.get("rules"), policy.count("rules"));
    if count == 0 {
        out.required(&rules, "at least one rules must be specified when the successPolicy is specified");
    }
    if count > 20 {
        out.too_many(&rules, count, 20);
    }
    let all = spec.number("completions").unwrap_or_default();
    for rule in rules.each() {
        success_rule(out, &rule, all);
    }
}

fn success_rule(out: &mut Findings, rule: &Spot<'_>, all: i64) {
    let (indexes, count) = (rule.get("succeededIndexes"), rule.get("succeededCount"));
    if !indexes.is_set() && !count.is_set() {
        out.required(rule, "at least one of succeededCount or succeededIndexes must be specified");
    }
    let mut total = 0;
    if indexes.is_set() {
        match self::indexes(indexes.str(), all) {
            Ok(found) => total = found,
            Err(why) => out.invalid(&indexes, format!("error parsing succeededIndexes: {why}")),
        }
    }
    out.not_negative(&count);
    let number = count.int().unwrap_or_default();
    if number > all {
        out.invalid(
            &count,
            format!("must be less than or equal to {all} (the number of specified completions)"),
        );
    }
    if indexes.is_set() && number > total {
        let why = format!(
            "must be less than or equal to {total} (the number of indexes in the specified succeededIndexes field)"
        );
        out.invalid(&count, why);
    }
}

/// How many indexes a text such as `1,3-5` has.
pub(super) fn indexes(text: &str, completions: i64) -> Result<i64, String> {
    let mut total = 0;
    let mut last: Option<i64> = None;
    if text.is_empty() {
        return Ok(0);
    }
    for interval in text.split(',') {
        let parts: Vec<&str> = interval.split('-').collect();
        let number = |part: &str| {
            let broken = || format!("cannot convert string to integer for index: {part:?}");
            part.parse::<i64>().map_err(|_| broken()).and_then(|number| {
                if number >= completions { Err(format!("too large index: {part:?}")) } else { Ok(number) }
            })
        };
        let (start, end) = match parts.as_slice() {
            [one] => number(one).map(|one| (one, one))?,
            [start, end] => (number(start)?, number(end)?),
            _ => {
                return Err(format!(
                    "the fragment {interval:?} violates the requirement that an index interval can have at most two parts separated by '-'"
                ));
            }
        };
        if last.is_some_and(|last| last >= start) {
            let last = last.unwrap_or_default();
            return Err(format!("non-increasing order, previous: {last}, current: {start}"));
        }
        if parts.len() == 2 && start >= end {
            return Err(format!("non-increasing order, previous: {start}, current: {end}"));
        }
        total += end - start + 1;
        last = Some(end);
    }
    Ok(total)
}

/// Whether a condition of a job holds.
pub(super) fn holds(job: &Spot<'_>, kind: &str) -> bool {
    let mut conditions = job.items("status.conditions");
    conditions.any(|condition| condition.text("type") == kind && condition.text("status") == "True")
}

/// An error that shows no value.
pub(super) fn bare(spot: &Spot<'_>, why: impl Into<String>) -> FieldError {
    FieldError::invalid_printed(spot.path(), "", why)
}

/// The labels that a job's template gets.
pub(super) fn own_labels(name: &str, uid: &str) -> [(&'static str, Value); 4] {
    [
        ("controller-uid", json!(uid)),
        ("job-name", json!(name)),
        ("batch.kubernetes.io/controller-uid", json!(uid)),
        ("batch.kubernetes.io/job-name", json!(name)),
    ]
}
