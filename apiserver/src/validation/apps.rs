//! Workloads that keep pods running.

use serde_json::json;

use super::{Checks, Findings, NONE, Spot, formats, labels, percent, pod, volume_claims};

/// The checks of replication controllers.
pub(super) const REPLICATION_CONTROLLERS: Checks = Checks {
    create: controller,
    update: |out, new, _| controller(out, new),
    status: |out, new, old| {
        counts(out, new, old, &["fullyLabeledReplicas", "readyReplicas", "availableReplicas"]);
    },
};

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "deployments" => Checks {
            create: deployment,
            update: |out, new, old| {
                deployment(out, new);
                selector_kept(out, new, old);
            },
            status: |out, new, old| {
                counts(out, new, old, &["updatedReplicas", "readyReplicas", "availableReplicas"]);
            },
        },
        "replicasets" => Checks {
            create: replica_set,
            update: |out, new, old| {
                replica_set(out, new);
                selector_kept(out, new, old);
            },
            status: |out, new, old| {
                counts(out, new, old, &["fullyLabeledReplicas", "readyReplicas", "availableReplicas"]);
            },
        },
        "statefulsets" => Checks {
            create: |out, set| stateful_set(out, set, Moment::New),
            update: stateful_update,
            status: |out, new, old| {
                let names = &["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
                counts(out, new, old, names);
            },
        },
        "daemonsets" => Checks {
            create: daemon_set,
            update: |out, new, old| {
                selector_kept(out, new, old);
                daemon_set(out, new);
            },
            status: daemon_status,
        },
        "controllerrevisions" => Checks {
            create: revision,
            update: |out, new, old| {
                out.not_negative(&new.get("revision"));
                out.immutable(&new.get("data"), &old.get("data"));
            },
            ..NONE
        },
        _ => NONE,
    }
}

fn selector_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let (new, old) = (new.get("spec.selector"), old.get("spec.selector"));
    if new.value() != old.value() {
        out.invalid_printed(&new, labels::printed(&new), super::IMMUTABLE);
    }
}

/// A label selector that must choose something; whether the rest can be looked at.
fn selector(out: &mut Findings, spec: &Spot<'_>, kind: &str) {
    let selector = spec.get("selector");
    if !selector.is_set() {
        return out.required(&selector, "");
    }
    labels::selector(out, &selector);
    if labels::is_empty_selector(&selector) {
        out.invalid_printed(
            &selector,
            labels::printed(&selector),
            format!("empty selector is invalid for {kind}"),
        );
    }
}

/// The template has to be chosen by the selector.
fn chosen(out: &mut Findings, spec: &Spot<'_>) {
    let (selector, found) = (spec.get("selector"), spec.get("template.metadata.labels"));
    let takes_all = selector.is_set() && labels::is_empty_selector(&selector);
    let chosen = selector.is_set() && labels::selects(&selector, &found);
    if !takes_all && !chosen {
        out.invalid(&found, "`selector` does not match template `labels`");
    }
}

fn selected_template(out: &mut Findings, spec: &Spot<'_>) {
    let selector = spec.get("selector");
    if !labels::is_valid_selector(&selector) {
        return out.invalid_printed(&selector, labels::printed(&selector), "invalid label selector");
    }
    chosen(out, spec);
    pod::template(out, &spec.get("template"));
    restarts_always(out, spec, "ReplicaSet");
}

fn restarts_always(out: &mut Findings, spec: &Spot<'_>, kind: &str) {
    let policy = spec.get("template.spec.restartPolicy");
    if policy.str() != "Always" {
        out.not_supported(&policy, &["Always"]);
    }
    let deadline = spec.get("template.spec.activeDeadlineSeconds");
    if deadline.is_set() {
        out.forbidden(&deadline, format!("activeDeadlineSeconds in {kind} is not Supported"));
    }
}

fn deployment(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    out.not_negative(&spec.get("replicas"));
    selector(out, &spec, "deployment");
    selected_template(out, &spec);
    deployment_strategy(out, &spec.get("strategy"));
    out.not_negative(&spec.get("minReadySeconds"));
    out.not_negative(&spec.get("revisionHistoryLimit"));
    let deadline = spec.get("progressDeadlineSeconds");
    out.not_negative(&deadline);
    let ready = spec.number("minReadySeconds").unwrap_or_default();
    if deadline.int().is_some_and(|deadline| deadline <= ready) {
        out.invalid(&deadline, "must be greater than minReadySeconds");
    }
}

fn deployment_strategy(out: &mut Findings, strategy: &Spot<'_>) {
    let rolling = strategy.get("rollingUpdate");
    match strategy.text("type") {
        "Recreate" if rolling.is_set() => {
            out.forbidden(&rolling, "may not be specified when strategy `type` is 'Recreate'");
        }
        "Recreate" => {}
        "RollingUpdate" if !rolling.is_set() => {
            out.required(&rolling, "this should be defaulted and never be nil");
        }
        "RollingUpdate" => {
            let (unavailable, surge) = (rolling.get("maxUnavailable"), rolling.get("maxSurge"));
            percent::positive(out, &unavailable);
            percent::positive(out, &surge);
            if percent::amount(&unavailable) == 0 && percent::amount(&surge) == 0 {
                out.invalid(&unavailable, "may not be 0 when `maxSurge` is 0");
            }
            percent::at_most_all(out, &unavailable);
        }
        _ => strategy_unknown(out, strategy, &["Recreate", "RollingUpdate"]),
    }
}

/// A strategy as a real server's own type prints it.
fn strategy_unknown(out: &mut Findings, strategy: &Spot<'_>, known: &[&str]) {
    let mut error = crate::protocol::FieldError::not_supported(strategy.path(), &json!(null), known);
    let rolling = strategy.get("rollingUpdate");
    let kind = json!(strategy.text("type"));
    error.value = format!("{{\"Type\":{kind},\"RollingUpdate\":{}}}", printed_rolling(&rolling));
    out.push(error);
}

fn printed_rolling(rolling: &Spot<'_>) -> String {
    if !rolling.is_set() {
        return "null".to_owned();
    }
    let (unavailable, surge) = (rolling.get("maxUnavailable"), rolling.get("maxSurge"));
    format!("{{\"MaxUnavailable\":{},\"MaxSurge\":{}}}", unavailable.value(), surge.value())
}

fn replica_set(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    out.not_negative(&spec.get("replicas"));
    out.not_negative(&spec.get("minReadySeconds"));
    selector(out, &spec, "deployment");
    selected_template(out, &spec);
}

fn controller(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    out.declared(|out| {
        let replicas = spec.get("replicas");
        if !replicas.is_set() {
            out.required(&replicas, "");
        }
        out.not_negative(&replicas);
        out.not_negative(&spec.get("minReadySeconds"));
    });
    out.present(&spec.get("selector"));
    let template = spec.get("template");
    if !template.is_set() {
        return out.required(&template, "");
    }
    let (wanted, found) = (spec.get("selector"), template.get("metadata.labels"));
    let mut wanted = wanted.members().into_iter().flatten();
    if !wanted.all(|(key, value)| found.value().get(key) == Some(value)) {
        out.invalid(&found, "`selector` does not match template `labels`");
    }
    pod::template(out, &template);
    restarts_always(out, &spec, "ReplicationController");
}

fn daemon_set(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let selector = spec.get("selector");
    labels::selector(out, &selector);
    let found = spec.get("template.metadata.labels");
    let valid = labels::is_valid_selector(&selector);
    if valid && (!selector.is_set() || !labels::selects(&selector, &found)) {
        out.invalid(&found, "`selector` does not match template `labels`");
    }
    if selector.is_set() && labels::is_empty_selector(&selector) {
        out.invalid_printed(&selector, labels::printed(&selector), "empty selector is invalid for daemonset");
    }
    pod::template(out, &spec.get("template"));
    restarts_always(out, &spec, "DaemonSet");
    out.not_negative(&spec.get("minReadySeconds"));
    daemon_strategy(out, &spec.get("updateStrategy"));
    out.not_negative(&spec.get("revisionHistoryLimit"));
}

fn daemon_strategy(out: &mut Findings, strategy: &Spot<'_>) {
    let rolling = strategy.get("rollingUpdate");
    match strategy.text("type") {
        "OnDelete" => {}
        "RollingUpdate" if !rolling.is_set() => out.required(&rolling, ""),
        "RollingUpdate" => {
            let (unavailable, surge) = (rolling.get("maxUnavailable"), rolling.get("maxSurge"));
            percent::positive(out, &unavailable);
            percent::positive(out, &surge);
            percent::at_most_all(out, &unavailable);
            percent::at_most_all(out, &surge);
            match (percent::amount(&unavailable) != 0, percent::amount(&surge) != 0) {
                (true, true) => out.invalid(&surge, "may not be set when maxUnavailable is non-zero"),
                (false, false) => out.required(&unavailable, "cannot be 0 when maxSurge is 0"),
                _ => {}
            }
        }
        _ => strategy_unknown(out, strategy, &["RollingUpdate", "OnDelete"]),
    }
}

/// When a set is looked at: what it is made of besides its template is checked only while it is new.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    New,
    Change,
}

fn stateful_set(out: &mut Findings, object: &Spot<'_>, moment: Moment) {
    let spec = object.get("spec");
    let management = spec.get("podManagementPolicy");
    match management.str() {
        "" => out.required(&management, ""),
        "OrderedReady" | "Parallel" => {}
        _ => out.invalid(&management, "must be 'OrderedReady' or 'Parallel'"),
    }
    stateful_strategy(out, &spec);
    let retention = spec.get("persistentVolumeClaimRetentionPolicy");
    for name in ["whenDeleted", "whenScaled"] {
        let policy = retention.get(name);
        if retention.is_set() && !["Retain", "Delete"].contains(&policy.str()) {
            out.not_supported(&policy, &["Retain", "Delete"]);
        }
    }
    if moment == Moment::New {
        for template in spec.items("volumeClaimTemplates") {
            volume_claims::spec(out, &template.get("spec"), volume_claims::Groups::Checked);
        }
    }
    for name in ["replicas", "minReadySeconds", "ordinals.start"] {
        out.not_negative(&spec.get(name));
    }
    let service = spec.get("serviceName");
    if moment == Moment::New && !service.is_empty() {
        formats::label(out, &service);
    }
    let chosen_by = spec.get("selector");
    if chosen_by.is_set() {
        selector(out, &spec, "statefulset");
    } else {
        out.required(&chosen_by, "");
    }
    if labels::is_valid_selector(&chosen_by) {
        chosen(out, &spec);
        let template = with_claims(&spec);
        let place = spec.get("template");
        pod::template(out, &Spot::root(&template).moved(&place));
        labels::labels(out, &place.alias("metadata.labels", "labels"));
        labels::annotations(out, &place.alias("metadata.annotations", "annotations"));
    } else {
        out.invalid_printed(&chosen_by, labels::printed(&chosen_by), "");
    }
    restarts_always(out, &spec, "StatefulSet");
}

/// The template as its pods will be: with a volume for each claim, and a name and a domain of the set's making.
fn with_claims(spec: &Spot<'_>) -> serde_json::Value {
    let mut template = spec.get("template").value().clone();
    let Some(pod) = template.get_mut("spec").and_then(serde_json::Value::as_object_mut) else {
        return template;
    };
    pod.remove("subdomain");
    pod.remove("hostname");
    let claims: Vec<&str> =
        spec.get("volumeClaimTemplates").value().as_array().into_iter().flatten().map(claim_name).fold(
            Vec::new(),
            |mut names, name| {
                if !names.contains(&name) {
                    names.push(name);
                }
                names
            },
        );
    if claims.is_empty() {
        return template;
    }
    let mut volumes: Vec<serde_json::Value> = claims
        .iter()
        .map(|name| json!({"name": name, "persistentVolumeClaim": {"claimName": name}}))
        .collect();
    if let Some(serde_json::Value::Array(own)) = pod.remove("volumes") {
        let taken =
            |volume: &serde_json::Value| volume["name"].as_str().is_some_and(|name| claims.contains(&name));
        volumes.extend(own.into_iter().filter(|volume| !taken(volume)));
    }
    pod.insert("volumes".to_owned(), volumes.into());
    template
}

fn claim_name(claim: &serde_json::Value) -> &str {
    claim.pointer("/metadata/name").and_then(serde_json::Value::as_str).unwrap_or_default()
}

fn stateful_strategy(out: &mut Findings, spec: &Spot<'_>) {
    let strategy = spec.get("updateStrategy");
    let rolling = strategy.get("rollingUpdate");
    match strategy.text("type") {
        "" => out.required(&strategy, ""),
        "OnDelete" => {
            if rolling.is_set() {
                let why = "only allowed for updateStrategy 'RollingUpdate'";
                out.invalid_printed(&rolling, partition(&rolling), why);
            }
        }
        "RollingUpdate" => {
            out.not_negative(&rolling.get("partition"));
            let unavailable = rolling.get("maxUnavailable");
            if unavailable.is_set() {
                percent::positive(out, &unavailable);
                if percent::amount(&unavailable) == 0 {
                    out.invalid(&unavailable, "cannot be 0");
                }
                percent::at_most_all(out, &unavailable);
            }
        }
        kind => {
            let rolling = if rolling.is_set() { partition(&rolling) } else { "null".to_owned() };
            let value = format!("{{\"Type\":{},\"RollingUpdate\":{rolling}}}", json!(kind));
            out.invalid_printed(&strategy, value, "must be 'RollingUpdate' or 'OnDelete'");
        }
    }
}

fn partition(rolling: &Spot<'_>) -> String {
    let partition = rolling.number("partition").unwrap_or_default();
    format!("{{\"Partition\":{partition},\"MaxUnavailable\":{}}}", rolling.get("maxUnavailable").value())
}

fn stateful_update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    stateful_set(out, new, Moment::Change);
    selector_kept(out, new, old);
    for name in ["spec.volumeClaimTemplates", "spec.serviceName", "spec.podManagementPolicy"] {
        out.immutable(&new.get(name), &old.get(name));
    }
}

fn revision(out: &mut Findings, object: &Spot<'_>) {
    out.not_negative(&object.get("revision"));
    let data = object.get("data");
    if !data.is_set() {
        out.required(&data, "data is mandatory");
    } else if !data.value().is_object() {
        out.required(&data, "data must be a valid JSON object");
    }
}

/// The counts of a status: none below nothing, and none above the number of all.
fn counts(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>, bounded: &[&str]) {
    let status = new.get("status");
    for (name, value) in status.members().into_iter().flatten() {
        if value.is_i64() {
            out.not_negative(&status.get(name));
        }
    }
    let number = |name: &str| status.number(name).unwrap_or_default();
    for name in bounded {
        if number(name) > number("replicas") {
            out.invalid(&status.get(name), "cannot be greater than status.replicas");
        }
    }
    if number("availableReplicas") > number("readyReplicas") {
        let whole = if bounded.contains(&"currentReplicas") { "status." } else { "" };
        out.invalid(&status.get("availableReplicas"), format!("cannot be greater than {whole}readyReplicas"));
    }
    not_decremented(out, new, old);
}

fn not_decremented(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let count = new.get("status.collisionCount");
    let now = count.int().unwrap_or_default();
    if old.number("status.collisionCount").is_some_and(|before| now < before) {
        out.invalid_as(&count, now, "cannot be decremented");
    }
}

fn daemon_status(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let status = new.get("status");
    for name in [
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount",
    ] {
        out.not_negative(&status.get(name));
    }
    not_decremented(out, new, old);
}
