//! Signing requests: who asks is written down, and what is decided stays decided.
//!
//! In: a signing request as somebody wants it, and as it is stored. Out: the request with its requester or its decision, and what is
//! wrong with it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::{
    access::User,
    protocol::{FieldError, Fields},
    registry::Resource,
    strategy::{at, child, set, text},
};

use super::{dispatch::Side, timestamp};

const CONDITIONS: &str = "status.conditions";
/// Decisions that exclude each other.
const DECISIONS: [&str; 2] = ["Approved", "Denied"];

/// Whether this is about signing requests.
pub(super) fn is_request(resource: &Resource) -> bool {
    resource.group == "certificates.k8s.io" && resource.plural == "certificatesigningrequests"
}

/// Writes down who asks, whatever the request says about that; and that nothing is decided.
pub(super) fn prepare_create(object: &mut Fields, user: &User) {
    let Some(spec) = child(object, "spec") else { return };
    for name in ["username", "uid", "groups", "extra"] {
        spec.remove(name);
    }
    if let Value::Object(known) = user.to_value() {
        spec.extend(known);
    }
    object.insert("status".to_owned(), Value::Object(Map::new()));
}

/// The stored request with what a write may change of it.
pub(super) fn kept(side: Side, wanted: &Fields, old: &Fields, now: Timestamp) -> Fields {
    let mut kept = old.clone();
    if side == Side::Status {
        match wanted.get("status") {
            Some(status) => kept.insert("status".to_owned(), status.clone()),
            None => kept.remove("status"),
        };
        keep_decisions(&mut kept, old);
    } else {
        let conditions = conditions(wanted).to_vec();
        match conditions.is_empty() {
            true => child(&mut kept, "status").and_then(|status| status.remove("conditions")),
            false => {
                set(&mut kept, CONDITIONS, conditions);
                None
            }
        };
    }
    stamp(&mut kept, old, now);
    kept
}

/// Decisions are not changed through the status.
fn keep_decisions(new: &mut Fields, old: &Fields) {
    for kind in DECISIONS {
        let before: Vec<Value> = of_kind(old, kind).cloned().collect();
        if before.len() != of_kind(new, kind).count() {
            continue;
        }
        let mut before = before.into_iter();
        let list = child(new, "status").and_then(|status| status.get_mut("conditions")?.as_array_mut());
        for condition in list.into_iter().flatten().filter(|condition| is(condition, kind)) {
            if let Some(kept) = before.next() {
                *condition = kept;
            }
        }
    }
}

/// Gives conditions the times that they lack.
fn stamp(new: &mut Fields, old: &Fields, now: Timestamp) {
    let list = child(new, "status").and_then(|status| status.get_mut("conditions")?.as_array_mut());
    for condition in list.into_iter().flatten().filter_map(Value::as_object_mut) {
        let missing = |condition: &Fields, name: &str| condition.get(name).is_none_or(Value::is_null);
        if missing(condition, "lastUpdateTime") {
            condition.insert("lastUpdateTime".to_owned(), timestamp(now).into());
        }
        if missing(condition, "lastTransitionTime") {
            let same = conditions(old).iter().find(|before| {
                ["type", "status"].iter().all(|name| before.get(*name) == condition.get(*name))
            });
            let since = same.and_then(|before| before.get("lastTransitionTime").cloned());
            let since = since.filter(|since| !since.is_null()).unwrap_or_else(|| timestamp(now).into());
            condition.insert("lastTransitionTime".to_owned(), since);
        }
    }
}

/// What is wrong with a change of the status or of the decision.
pub(super) fn errors(side: Side, new: &Fields, old: &Fields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    for (index, condition) in conditions(new).iter().enumerate() {
        let field = |name: &str| format!("{CONDITIONS}[{index}].{name}");
        let part = |name: &str| condition.get(name).and_then(Value::as_str).unwrap_or_default();
        if part("type").is_empty() {
            errors.push(FieldError::required(field("type"), ""));
        }
        let decided = ["Approved", "Denied", "Failed"].contains(&part("type"));
        let allowed: &[&str] = if decided { &["True"] } else { &["False", "True", "Unknown"] };
        match part("status") {
            "" => errors.push(FieldError::required(field("status"), "")),
            status if !allowed.contains(&status) => {
                errors.push(FieldError::not_supported(field("status"), &status.into(), allowed));
            }
            _ => {}
        }
    }
    let kinds: Vec<&str> =
        conditions(new).iter().map(|one| one["type"].as_str().unwrap_or_default()).collect();
    for (index, kind) in kinds.iter().enumerate() {
        if kinds.iter().take(index).any(|before| before == kind) {
            let field = format!("{CONDITIONS}[{index}].type");
            errors.push(FieldError::duplicate(field, &(*kind).into()));
        }
    }
    let both = |object: &Fields| DECISIONS.iter().all(|kind| of_kind(object, kind).next().is_some());
    if both(new) && !both(old) {
        let one = |kind: &str| format!("conditions[{{\"type\": \"{kind}\"}}]");
        let [approved, denied] = DECISIONS.map(one);
        let why = format!("must specify at most one of: `{approved}`, `{denied}`");
        errors.push(FieldError::invalid_text(CONDITIONS, &format!("{{{approved}, {denied}}}"), why));
    }
    let certificate = text(new, "status.certificate");
    if certificate != text(old, "status.certificate") {
        errors.extend(certificate_error(certificate));
    }
    for kind in ["Approved", "Denied", "Failed"] {
        if of_kind(new, kind).count() < of_kind(old, kind).count() {
            let why = format!("updates may not remove a condition of type \"{kind}\"");
            errors.push(FieldError::forbidden(CONDITIONS, why));
        }
    }
    if side == Side::Status {
        for kind in DECISIONS.iter().filter(|kind| of_kind(new, kind).count() > of_kind(old, kind).count()) {
            let why = format!("updates may not add a condition of type \"{kind}\"");
            errors.push(FieldError::forbidden(CONDITIONS, why));
        }
        let before = text(old, "status.certificate");
        if !before.is_empty() && before != certificate {
            let why = "updates may not modify existing certificate content";
            errors.push(FieldError::forbidden("status.certificate", why));
        }
    }
    errors
}

/// What is wrong with a certificate.
fn certificate_error(certificate: &str) -> Option<FieldError> {
    if certificate.is_empty() {
        return None;
    }
    let field = "status.certificate";
    let refuse = |why: String| Some(FieldError::invalid_text(field, "<certificate data>", why));
    let bytes = STANDARD.decode(certificate).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let mut blocks = text.split("-----BEGIN ").skip(1).filter_map(|rest| rest.split("-----").next());
    let other = blocks.clone().find(|kind| *kind != "CERTIFICATE");
    match (blocks.next(), other) {
        (None, _) => refuse("must contain at least one CERTIFICATE PEM block".to_owned()),
        (_, Some(kind)) => refuse(format!("only CERTIFICATE PEM blocks are allowed, found \"{kind}\"")),
        _ => None,
    }
}

fn conditions(object: &Fields) -> &[Value] {
    at(object, CONDITIONS).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn of_kind<'a>(object: &'a Fields, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    conditions(object).iter().filter(move |condition| is(condition, kind))
}

fn is(condition: &Value, kind: &str) -> bool {
    condition.get("type") == Some(&json!(kind))
}
