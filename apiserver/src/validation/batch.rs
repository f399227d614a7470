//! Jobs, and what starts them by the clock.

use crate::protocol::names::dns_label_errors;

use super::{Checks, Findings, NONE, Spot, jobs, labels};

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "jobs" => Checks { create: job, update: job_update, status: job_status },
        "cronjobs" => Checks {
            create: |out, object| {
                cron(out, object, None);
                let name = object.get("metadata.name");
                if name.str().len() > 52 {
                    out.invalid(&name, "must be no more than 52 characters");
                }
            },
            update: |out, new, old| cron(out, new, Some(old)),
            ..NONE
        },
        _ => NONE,
    }
}

fn job(out: &mut Findings, job: &Spot<'_>) {
    generated_selector(out, job);
    job_spec(out, job);
    completions_fit(out, job);
}

fn generated_selector(out: &mut Findings, job: &Spot<'_>) {
    let selector = job.get("spec.selector");
    if job.is_true("spec.manualSelector") || !selector.is_set() {
        return;
    }
    let (name, uid) = (job.text("metadata.name"), job.text("metadata.uid"));
    let place = job.get("spec.template.metadata");
    let mut own = serde_json::Map::new();
    for (key, value) in jobs::own_labels(name, uid) {
        let label = place.entry("labels", key);
        let wanted = value.as_str().unwrap_or_default();
        let list = place.get("labels");
        if !label.is_set() {
            out.required(&label, format!("must be '{wanted}'"));
        } else if label.str() != wanted {
            out.invalid_as(&label, list.value().clone(), format!("must be '{wanted}'"));
        }
        own.insert(key.to_owned(), value);
    }
    let own = serde_json::Value::Object(own);
    if labels::is_valid_selector(&selector) && !labels::selects(&selector, &Spot::root(&own)) {
        out.invalid_printed(&selector, labels::printed(&selector), "`selector` not auto-generated");
    }
}

fn job_spec(out: &mut Findings, job: &Spot<'_>) {
    let spec = job.get("spec");
    jobs::spec(out, &spec);
    let selector = spec.get("selector");
    if !selector.is_set() {
        out.required(&selector, "");
    }
    labels::selector(out, &selector);
    let found = spec.get("template.metadata.labels");
    let valid = labels::is_valid_selector(&selector);
    if valid && (!selector.is_set() || !labels::selects(&selector, &found)) {
        out.invalid(&found, "`selector` does not match template `labels`");
    }
}

fn completions_fit(out: &mut Findings, job: &Spot<'_>) {
    let completions = job.number("spec.completions").unwrap_or_default();
    if job.text("spec.completionMode") != "Indexed" || completions <= 0 {
        return;
    }
    let name = job.get("metadata.name");
    let host = format!("{}-{}", name.str(), completions - 1);
    if !dns_label_errors(&host).is_empty() {
        out.invalid(&name, format!("will not able to create pod with invalid DNS label: {host}"));
    }
}

fn job_update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    job_spec(out, new);
    let (spec, before) = (new.get("spec"), old.get("spec"));
    let completions = spec.get("completions");
    if spec.text("completionMode") != "Indexed" {
        out.immutable(&completions, &before.get("completions"));
    } else if completions.value() != before.get("completions").value()
        && completions.value() != spec.get("parallelism").value()
    {
        out.invalid(&completions, "can only be modified in tandem with spec.parallelism");
    }
    let selector = spec.get("selector");
    if selector.value() != before.get("selector").value() {
        out.invalid_printed(&selector, labels::printed(&selector), super::IMMUTABLE);
    }
    template_kept(out, new, old);
    for name in ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"] {
        out.immutable(&spec.get(name), &before.get(name));
    }
    completions_fit(out, new);
}

/// Gives the containers of a template what those of another of the same names ask for.
fn same_amounts(template: &mut serde_json::Value, other: &serde_json::Value, list: &str) {
    let place = format!("/spec/{list}");
    let wanted = other.pointer(&place).and_then(serde_json::Value::as_array);
    let own = template.pointer_mut(&place).and_then(serde_json::Value::as_array_mut);
    let (Some(wanted), Some(own)) = (wanted, own) else { return };
    if wanted.len() != own.len() {
        return;
    }
    for (own, wanted) in own.iter_mut().zip(wanted) {
        if own.get("name") != wanted.get("name") {
            continue;
        }
        let Some(members) = own.as_object_mut() else { continue };
        match wanted.get("resources") {
            Some(amounts) => drop(members.insert("resources".to_owned(), amounts.clone())),
            None => drop(members.remove("resources")),
        }
    }
}

/// A job that has not begun may still be moved to other nodes.
fn template_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let begun = old.has("status.startTime") || !old.is_true("spec.suspend");
    let strip = |template: &serde_json::Value| {
        let mut template = template.clone();
        if begun {
            return template;
        }
        if let Some(metadata) = template.get_mut("metadata").and_then(serde_json::Value::as_object_mut) {
            metadata.remove("labels");
            metadata.remove("annotations");
        }
        if let Some(spec) = template.get_mut("spec").and_then(serde_json::Value::as_object_mut) {
            for name in ["nodeSelector", "tolerations", "schedulingGates"] {
                spec.remove(name);
            }
            if let Some(affinity) = spec.get_mut("affinity").and_then(serde_json::Value::as_object_mut) {
                affinity.remove("nodeAffinity");
            }
        }
        template
    };
    let (now, before) = (new.get("spec.template"), old.get("spec.template"));
    if !old.is_true("spec.suspend") {
        if strip(now.value()) != strip(before.value()) {
            out.invalid(&now, super::IMMUTABLE);
        }
        return;
    }
    // While it is suspended, its containers may also ask for other amounts.
    let (now, mut before) = (strip(now.value()), strip(before.value()));
    for list in ["containers", "initContainers"] {
        same_amounts(&mut before, &now, list);
    }
    if now.get("spec") != before.get("spec") {
        out.invalid(&new.get("spec.template.spec"), super::IMMUTABLE);
    }
}

fn job_status(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let status = new.get("status");
    for name in ["active", "succeeded", "failed", "ready", "terminating"] {
        out.not_negative(&status.get(name));
    }
    contradictions(out, new);
    let conditions = status.get("conditions");
    for kind in ["Failed", "Complete", "FailureTarget"] {
        if jobs::holds(old, kind) && !jobs::holds(new, kind) {
            out.push(jobs::bare(&conditions, format!("cannot disable the terminal {kind}=True condition")));
        }
    }
    for (name, before) in [("failed", "status.failed"), ("succeeded", "status.succeeded")] {
        let count = status.get(name);
        let now = count.int().unwrap_or_default();
        if now < old.number(before).unwrap_or_default() {
            out.invalid_as(&count, now, format!("cannot decrease the {name} counter"));
        }
    }
    let end = status.get("completionTime");
    if end.is_set() && old.has("status.completionTime") {
        out.immutable(&end, &old.get("status.completionTime"));
    }
    let start = status.get("startTime");
    let moved = old.has("status.startTime") && old.get("status.startTime").value() != start.value();
    if moved && !new.is_true("spec.suspend") {
        out.invalid(&start, "field is immutable for unsuspended job once set");
    }
    if jobs::holds(old, "SuccessCriteriaMet") && !jobs::holds(new, "SuccessCriteriaMet") {
        out.push(jobs::bare(&conditions, "cannot disable the SuccessCriteriaMet=True condition"));
    }
}

/// What cannot be true of a job at the same time.
fn contradictions(out: &mut Findings, job: &Spot<'_>) {
    let status = job.get("status");
    let conditions = status.get("conditions");
    let (complete, failed) = (jobs::holds(job, "Complete"), jobs::holds(job, "Failed"));
    let (target, met) = (jobs::holds(job, "FailureTarget"), jobs::holds(job, "SuccessCriteriaMet"));
    let mut both = |wrong: bool, why: &str| {
        if wrong {
            out.push(jobs::bare(&conditions, why));
        }
    };
    both(complete && failed, "cannot set Complete=True and Failed=true conditions");
    both(complete && target, "cannot set Complete=True and FailureTarget=true conditions");
    let (start, end) = (status.get("startTime"), status.get("completionTime"));
    if end.is_set() && !complete {
        out.invalid(&end, "cannot set completionTime when there is no Complete=True condition");
    }
    if !end.is_set() && complete {
        out.required(&end, "completionTime is required for Complete jobs");
    }
    if start.is_set() && end.is_set() && end.str() < start.str() {
        out.invalid(&end, "must be equal to or after `startTime`");
    }
    if failed && !target {
        out.push(jobs::bare(
            &conditions,
            "cannot set Failed=True condition without the FailureTarget=true condition",
        ));
    }
    if complete && !met {
        let why = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
        out.push(jobs::bare(&conditions, why));
    }
    let finished = complete || failed;
    let active = status.number("active").unwrap_or_default();
    if finished && active > 0 {
        out.invalid(&status.get("active"), "active>0 is invalid for finished job");
    }
    if finished && !start.is_set() {
        out.required(&start, "startTime is required for finished job");
    }
    if status.number("ready").is_some_and(|ready| ready > active) {
        out.invalid(&status.get("ready"), "cannot set more ready pods than active");
    }
    if met && failed {
        out.push(jobs::bare(&conditions, "cannot set SuccessCriteriaMet=True and Failed=true conditions"));
    }
    if met && target {
        out.push(jobs::bare(
            &conditions,
            "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
        ));
    }
}

fn cron(out: &mut Findings, object: &Spot<'_>, old: Option<&Spot<'_>>) {
    let spec = object.get("spec");
    let schedule = spec.get("schedule");
    if schedule.is_empty() {
        out.declared(|out| out.required(&schedule, ""));
    } else {
        let allowed = old.is_some_and(|old| old.text("spec.schedule").contains("TZ"));
        self::schedule(out, &spec, allowed);
    }
    out.not_negative(&spec.get("startingDeadlineSeconds"));
    let zone = spec.get("timeZone");
    if zone.is_set() && old.is_none_or(|old| old.get("spec.timeZone").value() != zone.value()) {
        time_zone(out, &zone);
    }
    out.one_of(&spec.get("concurrencyPolicy"), &["Allow", "Forbid", "Replace"]);
    let job = spec.get("jobTemplate.spec");
    jobs::spec(out, &job);
    let selector = job.get("selector");
    if selector.is_set() {
        out.invalid_printed(&selector, labels::printed(&selector), "`selector` will be auto-generated");
    }
    if job.is_true("manualSelector") {
        out.not_supported(&job.get("manualSelector"), &["nil", "false"]);
    }
    out.not_negative(&spec.get("successfulJobsHistoryLimit"));
    out.not_negative(&spec.get("failedJobsHistoryLimit"));
}

fn schedule(out: &mut Findings, spec: &Spot<'_>, zone_allowed: bool) {
    let schedule = spec.get("schedule");
    if let Err(why) = super::cron::parse(schedule.str()) {
        out.invalid(&schedule, why);
    }
    if !schedule.str().contains("TZ") {
        return;
    }
    if !zone_allowed {
        out.invalid(&schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    } else if spec.has("timeZone") {
        out.invalid(&schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
    }
}

fn time_zone(out: &mut Findings, zone: &Spot<'_>) {
    let name = zone.str();
    if name.is_empty() {
        return out.invalid(zone, "timeZone must be nil or non-empty string");
    }
    let good = |part: &str| {
        let byte = |byte: u8| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte);
        !part.is_empty()
            && part.len() <= 14
            && !matches!(part, "." | "..")
            && !part.starts_with('-')
            && part.bytes().all(byte)
    };
    if !name.split('/').all(good) {
        return out.invalid(zone, format!("unknown time zone {name}"));
    }
    if name.eq_ignore_ascii_case("local") {
        let why = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
        out.invalid(zone, why);
        if name != "Local" {
            out.invalid(zone, format!("unknown time zone {name}"));
        }
        return;
    }
    let known = jiff::tz::TimeZone::get(name).is_ok() && exact_case(name);
    if !known {
        out.invalid(zone, format!("unknown time zone {name}"));
    }
}

/// Names of time zones are files to a real server, and so have a case.
fn exact_case(name: &str) -> bool {
    jiff::tz::TimeZone::get(name).is_ok_and(|zone| zone.iana_name().is_none_or(|known| known == name))
}
