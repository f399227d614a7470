//! The cells of what makes pods: workloads, jobs, autoscalers, disruption budgets, quotas.

use jiff::Timestamp;
use serde_json::Value;

use super::{
    Cells,
    age::{human, now_minus},
    row,
    value::{
        age, at, bare_selector, condition, containers, count, flag, int, int_or_text, is_deleted, labels,
        list, name, selector, since, text, text_or, time,
    },
};

const TEMPLATE: &str = "spec.template.spec.containers";

pub(super) fn pod_template(object: &Value, _: Timestamp) -> Cells {
    let (names, images) = containers(object, "template.spec.containers");
    row![name(object), names, images, labels(object, "template.metadata.labels")]
}

fn replicas(object: &Value, now: Timestamp, selector: String) -> Cells {
    let (names, images) = containers(object, TEMPLATE);
    row![
        name(object),
        int(object, "spec.replicas"),
        int(object, "status.replicas"),
        int(object, "status.readyReplicas"),
        age(object, now),
        names,
        images,
        selector,
    ]
}

pub(super) fn replication_controller(object: &Value, now: Timestamp) -> Cells {
    replicas(object, now, labels(object, "spec.selector"))
}

pub(super) fn replica_set(object: &Value, now: Timestamp) -> Cells {
    replicas(object, now, selector(object, "spec.selector"))
}

pub(super) fn deployment(object: &Value, now: Timestamp) -> Cells {
    let (names, images) = containers(object, TEMPLATE);
    row![
        name(object),
        format!("{}/{}", int(object, "status.readyReplicas"), int(object, "spec.replicas")),
        int(object, "status.updatedReplicas"),
        int(object, "status.availableReplicas"),
        age(object, now),
        names,
        images,
        bare_selector(object, "spec.selector"),
    ]
}

pub(super) fn stateful_set(object: &Value, now: Timestamp) -> Cells {
    let (names, images) = containers(object, TEMPLATE);
    let ready = format!("{}/{}", int(object, "status.readyReplicas"), int(object, "spec.replicas"));
    row![name(object), ready, age(object, now), names, images]
}

pub(super) fn daemon_set(object: &Value, now: Timestamp) -> Cells {
    let (names, images) = containers(object, TEMPLATE);
    row![
        name(object),
        int(object, "status.desiredNumberScheduled"),
        int(object, "status.currentNumberScheduled"),
        int(object, "status.numberReady"),
        int(object, "status.updatedNumberScheduled"),
        int(object, "status.numberAvailable"),
        labels(object, "spec.template.spec.nodeSelector"),
        age(object, now),
        names,
        images,
        selector(object, "spec.selector"),
    ]
}

pub(super) fn controller_revision(object: &Value, now: Timestamp) -> Cells {
    let owners = list(object, "metadata.ownerReferences");
    let controller = owners.iter().find(|owner| flag(owner, "controller")).map(|owner| {
        let group = text(owner, "apiVersion").rsplit_once('/').map_or("", |(group, _)| group);
        let kind = text(owner, "kind").to_lowercase();
        match group {
            "" => format!("{kind}/{}", name_of(owner)),
            group => format!("{kind}.{group}/{}", name_of(owner)),
        }
    });
    let controller = controller.unwrap_or_else(|| "<none>".to_owned());
    row![name(object), controller, int(object, "revision"), age(object, now)]
}

fn name_of(reference: &Value) -> &str {
    text(reference, "name")
}

pub(super) fn job(object: &Value, now: Timestamp) -> Cells {
    let (names, images) = containers(object, TEMPLATE);
    let succeeded = int(object, "status.succeeded");
    let completions = match (at(object, "spec.completions").as_i64(), int(object, "spec.parallelism")) {
        (Some(wanted), _) => format!("{succeeded}/{wanted}"),
        (None, parallelism) if parallelism > 1 => format!("{succeeded}/1 of {parallelism}"),
        (None, _) => format!("{succeeded}/1"),
    };
    let duration = time(object, "status.startTime")
        .map(|start| human(now_minus(time(object, "status.completionTime").unwrap_or(now), start)));
    row![
        name(object),
        job_status(object),
        completions,
        duration.unwrap_or_default(),
        age(object, now),
        names,
        images,
        selector(object, "spec.selector"),
    ]
}

fn job_status(object: &Value) -> &'static str {
    let has = |kind: &str| {
        condition(object, "status.conditions", kind).is_some_and(|found| text(found, "status") == "True")
    };
    match () {
        () if has("Complete") => "Complete",
        () if has("Failed") => "Failed",
        () if is_deleted(object) => "Terminating",
        () if has("Suspended") => "Suspended",
        () if has("FailureTarget") => "FailureTarget",
        () if has("SuccessCriteriaMet") => "SuccessCriteriaMet",
        () => "Running",
    }
}

pub(super) fn cron_job(object: &Value, now: Timestamp) -> Cells {
    let (names, images) = containers(object, "spec.jobTemplate.spec.template.spec.containers");
    let last = match at(object, "status.lastScheduleTime") {
        Value::Null => "<none>".to_owned(),
        _ => since(object, "status.lastScheduleTime", now),
    };
    let suspend = match at(object, "spec.suspend").as_bool() {
        Some(true) => "True",
        Some(false) => "False",
        None => "<unset>",
    };
    row![
        name(object),
        text(object, "spec.schedule"),
        text_or(object, "spec.timeZone", "<none>"),
        suspend,
        count(object, "status.active"),
        last,
        age(object, now),
        names,
        images,
        selector(object, "spec.jobTemplate.spec.selector"),
    ]
}

pub(super) fn disruption_budget(object: &Value, now: Timestamp) -> Cells {
    let amount = |path: &str| match at(object, path) {
        Value::Null => "N/A".to_owned(),
        value => int_or_text(value),
    };
    row![
        name(object),
        amount("spec.minAvailable"),
        amount("spec.maxUnavailable"),
        int(object, "status.disruptionsAllowed"),
        age(object, now),
    ]
}

pub(super) fn quota(object: &Value, now: Timestamp) -> Cells {
    let (mut requests, mut limits) = (Vec::new(), Vec::new());
    for (resource, hard) in at(object, "status.hard").as_object().into_iter().flatten() {
        let used = at(object, "status.used").get(resource).map_or("0".to_owned(), int_or_text);
        let shown = format!("{resource}: {used}/{}", int_or_text(hard));
        let is_limit = resource.starts_with("limits.");
        if is_limit { limits.push(shown) } else { requests.push(shown) }
    }
    row![name(object), requests.join(", "), limits.join(", "), age(object, now)]
}

pub(super) fn autoscaler(object: &Value, now: Timestamp) -> Cells {
    let target = "spec.scaleTargetRef";
    let least = at(object, "spec.minReplicas").as_i64();
    row![
        name(object),
        format!("{}/{}", text(at(object, target), "kind"), text(at(object, target), "name")),
        metrics(object),
        least.map_or("<unset>".to_owned(), |least| least.to_string()),
        int(object, "spec.maxReplicas"),
        int(object, "status.currentReplicas"),
        age(object, now),
    ]
}

pub(super) fn scale(object: &Value, now: Timestamp) -> Cells {
    row![name(object), int(object, "spec.replicas"), int(object, "status.replicas"), age(object, now)]
}

fn metrics(object: &Value) -> String {
    // In v1 there is one metric, which is written in another way.
    if let Some(target) = at(object, "spec.targetCPUUtilizationPercentage").as_i64() {
        let current = at(object, "status.currentCPUUtilizationPercentage").as_i64();
        return format!("cpu: {}/{target}%", percent(current));
    }
    let (wanted, current) = (list(object, "spec.metrics"), list(object, "status.currentMetrics"));
    if wanted.is_empty() {
        return "<none>".to_owned();
    }
    let shown: Vec<String> = wanted
        .iter()
        .enumerate()
        .map(|(index, metric)| one_metric(metric, current.get(index).unwrap_or(&Value::Null)))
        .collect();
    let first = shown.iter().take(2).map(String::as_str).collect::<Vec<_>>().join(", ");
    if shown.len() > 2 { format!("{first} + {} more...", shown.len() - 2) } else { first }
}

fn percent(value: Option<i64>) -> String {
    value.map_or("<unknown>".to_owned(), |value| format!("{value}%"))
}

fn one_metric(metric: &Value, status: &Value) -> String {
    let source = match text(metric, "type") {
        "External" => "external",
        "Pods" => "pods",
        "Object" => "object",
        "Resource" => "resource",
        "ContainerResource" => "containerResource",
        _ => return "<unknown type>".to_owned(),
    };
    let (wanted, current) = (at(metric, source), at(status, source));
    let shown = |value: &Value, path: &str| match at(value, path) {
        Value::Null => "<unknown>".to_owned(),
        value => int_or_text(value),
    };
    let average = at(wanted, "target.averageValue");
    let of_pods = ["resource", "containerResource"].contains(&source);
    let prefix = if of_pods { format!("{}: ", text(wanted, "name")) } else { String::new() };
    if source == "pods" || !average.is_null() {
        let suffix = if of_pods || source == "pods" { "" } else { " (avg)" };
        let current = shown(current, "current.averageValue");
        return format!("{prefix}{current}/{}{suffix}", int_or_text(average));
    }
    if !of_pods {
        return format!("{}/{}", shown(current, "current.value"), shown(wanted, "target.value"));
    }
    let target = at(wanted, "target.averageUtilization").as_i64();
    let target = target.map_or("<auto>".to_owned(), |target| format!("{target}%"));
    format!("{prefix}{}/{target}", percent(at(current, "current.averageUtilization").as_i64()))
}
