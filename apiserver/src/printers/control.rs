//! The cells of what governs the server and its users: admission, access, certificates, priorities, definitions, leases, devices.

use jiff::Timestamp;
use serde_json::Value;

use super::{
    Cells,
    age::human,
    row,
    value::{
        age, at, condition, count, flag, int, is_deleted, labels, list, name, since, text, text_or, texts,
    },
};

pub(super) fn webhooks(object: &Value, now: Timestamp) -> Cells {
    row![name(object), count(object, "webhooks"), age(object, now)]
}

fn policy(object: &Value, rules: &str, now: Timestamp) -> Cells {
    let kind = at(object, "spec.paramKind");
    let kind = match kind.is_object() {
        true => format!("{}/{}", text(kind, "apiVersion"), text(kind, "kind")),
        false => "<unset>".to_owned(),
    };
    row![name(object), count(object, rules), kind, age(object, now)]
}

pub(super) fn validating_policy(object: &Value, now: Timestamp) -> Cells {
    policy(object, "spec.validations", now)
}

pub(super) fn mutating_policy(object: &Value, now: Timestamp) -> Cells {
    policy(object, "spec.mutations", now)
}

pub(super) fn policy_binding(object: &Value, now: Timestamp) -> Cells {
    let parameter = at(object, "spec.paramRef");
    let shown = match (text(parameter, "name"), text(parameter, "namespace")) {
        ("", _) if at(parameter, "selector").is_object() => go_selector(at(parameter, "selector")),
        ("", _) => "<unset>".to_owned(),
        (name, "") => format!("*/{name}"),
        (name, namespace) => format!("{namespace}/{name}"),
    };
    row![name(object), text(object, "spec.policyName"), shown, age(object, now)]
}

/// A label selector as Go prints the struct.
fn go_selector(selector: &Value) -> String {
    let pairs = at(selector, "matchLabels").as_object().into_iter().flatten();
    let pairs: String =
        pairs.map(|(key, value)| format!("{key}: {},", value.as_str().unwrap_or_default())).collect();
    let expressions: String = list(selector, "matchExpressions")
        .iter()
        .map(|one| {
            let values = texts(one, "values").join(" ");
            let (key, operator) = (text(one, "key"), text(one, "operator"));
            format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")
        })
        .collect();
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{pairs}}},MatchExpressions:[]LabelSelectorRequirement{{{expressions}}},}}"
    )
}

pub(super) fn role_binding(object: &Value, now: Timestamp) -> Cells {
    let subjects = |kind: &str| -> String {
        let all = list(object, "subjects").iter().filter(|subject| text(subject, "kind") == kind);
        let shown = all.map(|subject| match kind {
            "ServiceAccount" => format!("{}/{}", text(subject, "namespace"), text(subject, "name")),
            _ => text(subject, "name").to_owned(),
        });
        shown.collect::<Vec<_>>().join(", ")
    };
    row![
        name(object),
        format!("{}/{}", text(object, "roleRef.kind"), text(object, "roleRef.name")),
        age(object, now),
        subjects("User"),
        subjects("Group"),
        subjects("ServiceAccount"),
    ]
}

pub(super) fn signing_request(object: &Value, now: Timestamp) -> Cells {
    let seconds = at(object, "spec.expirationSeconds").as_i64();
    let has = |kind: &str| condition(object, "status.conditions", kind).is_some();
    let mut state = match () {
        () if has("Denied") => "Denied",
        () if has("Approved") => "Approved",
        () => "Pending",
    }
    .to_owned();
    if has("Failed") {
        state.push_str(",Failed");
    }
    if !text(object, "status.certificate").is_empty() {
        state.push_str(",Issued");
    }
    row![
        name(object),
        age(object, now),
        text_or(object, "spec.signerName", "<none>"),
        text(object, "spec.username"),
        seconds.map_or("<none>".to_owned(), human),
        state,
    ]
}

pub(super) fn trust_bundle(object: &Value, _: Timestamp) -> Cells {
    row![name(object), text_or(object, "spec.signerName", "<none>")]
}

pub(super) fn pod_certificate(object: &Value, _: Timestamp) -> Cells {
    let mut kinds = list(object, "status.conditions").iter().map(|condition| text(condition, "type"));
    let state = kinds.rfind(|kind| ["Issued", "Denied", "Failed"].contains(kind));
    row![
        name(object),
        text(object, "spec.podName"),
        text(object, "spec.serviceAccountName"),
        text(object, "spec.nodeName"),
        text(object, "spec.signerName"),
        state.unwrap_or("Pending"),
        labels(object, "spec.unverifiedUserAnnotations"),
    ]
}

pub(super) fn priority_class(object: &Value, now: Timestamp) -> Cells {
    row![
        name(object),
        int(object, "value"),
        at(object, "globalDefault").as_bool().unwrap_or_default(),
        age(object, now),
        text(object, "preemptionPolicy"),
    ]
}

pub(super) fn runtime_class(object: &Value, now: Timestamp) -> Cells {
    row![name(object), text(object, "handler"), age(object, now)]
}

pub(super) fn lease(object: &Value, now: Timestamp) -> Cells {
    row![name(object), text(object, "spec.holderIdentity"), age(object, now)]
}

pub(super) fn flow_schema(object: &Value, now: Timestamp) -> Cells {
    let dangling = condition(object, "status.conditions", "Dangling").map(|found| text(found, "status"));
    row![
        name(object),
        text(object, "spec.priorityLevelConfiguration.name"),
        int(object, "spec.matchingPrecedence"),
        text_or(object, "spec.distinguisherMethod.type", "<none>"),
        age(object, now),
        dangling.unwrap_or("?"),
    ]
}

/// Lists of flow schemas show them in the order in which they are tried.
pub(super) fn flow_schema_order(object: &Value) -> (i64, String) {
    (int(object, "spec.matchingPrecedence"), name(object).to_owned())
}

pub(super) fn priority_level(object: &Value, now: Timestamp) -> Cells {
    let limited = at(object, "spec.limited");
    let queuing = at(limited, "limitResponse.queuing");
    let number = |value: &Value, name: &str| match value.is_object() {
        true => at(value, name).as_i64().map_or(Value::from(0), Value::from),
        false => "<none>".into(),
    };
    let shares = match at(limited, "nominalConcurrencyShares") {
        Value::Null => "<none>".into(),
        shares => shares.clone(),
    };
    row![
        name(object),
        text(object, "spec.type"),
        shares,
        number(queuing, "queues"),
        number(queuing, "handSize"),
        number(queuing, "queueLengthLimit"),
        age(object, now),
    ]
}

pub(super) fn api_service(object: &Value, now: Timestamp) -> Cells {
    let service = at(object, "spec.service");
    let service = match service.is_object() {
        true => format!("{}/{}", text(service, "namespace"), text(service, "name")),
        false => "Local".to_owned(),
    };
    let available = match condition(object, "status.conditions", "Available") {
        None => "Unknown".to_owned(),
        Some(found) => match (text(found, "status"), text(found, "reason")) {
            ("True", _) | (_, "") => text(found, "status").to_owned(),
            (status, reason) => format!("{status} ({reason})"),
        },
    };
    row![name(object), service, available, age(object, now)]
}

pub(super) fn definition(object: &Value, _: Timestamp) -> Cells {
    let served = list(object, "spec.versions").iter().filter(|version| flag(version, "served"));
    let mut versions: Vec<String> = served
        .map(|version| match flag(version, "storage") {
            true => format!("{}(storage)", text(version, "name")),
            false => text(version, "name").to_owned(),
        })
        .collect();
    versions.sort();
    let established = condition(object, "status.conditions", "Established");
    row![
        name(object),
        text(object, "spec.scope"),
        versions.join(","),
        text(object, "metadata.creationTimestamp"),
        text(object, "spec.group"),
        text(object, "spec.names.kind"),
        texts(object, "spec.names.shortNames").join(","),
        established.is_some_and(|found| text(found, "status") == "True"),
    ]
}

pub(super) fn migration(object: &Value, _: Timestamp) -> Cells {
    let resource = match (text(object, "spec.resource.group"), text(object, "spec.resource.resource")) {
        ("", resource) => resource.to_owned(),
        (group, resource) => format!("{resource}.{group}"),
    };
    let mut states = list(object, "status.conditions")
        .iter()
        .filter(|condition| text(condition, "status") == "True")
        .map(|condition| text(condition, "type"));
    let state = states.rfind(|kind| ["Running", "Failed", "Succeeded"].contains(kind));
    row![name(object), resource, state.unwrap_or("Unknown")]
}

pub(super) fn device_claim(object: &Value, now: Timestamp) -> Cells {
    let mut states = Vec::new();
    if is_deleted(object) {
        states.push("deleted");
    }
    match at(object, "status.allocation") {
        Value::Null if !is_deleted(object) => states.push("pending"),
        Value::Null => {}
        _ => {
            states.push("allocated");
            if count(object, "status.reservedFor") > 0 {
                states.push("reserved");
            }
        }
    }
    row![name(object), states.join(","), age(object, now)]
}

pub(super) fn device_slice(object: &Value, now: Timestamp) -> Cells {
    row![
        name(object),
        text(object, "spec.nodeName"),
        text(object, "spec.driver"),
        text(object, "spec.pool.name"),
        age(object, now),
    ]
}

pub(super) fn device_taint(object: &Value, now: Timestamp) -> Cells {
    let taint = at(object, "spec.taint");
    let added = match at(taint, "timeAdded") {
        Value::Null => String::new(),
        _ => since(taint, "timeAdded", now),
    };
    row![
        name(object),
        text(taint, "key"),
        text(taint, "value"),
        text(taint, "effect"),
        added,
        age(object, now)
    ]
}
