//! Groups of the community need an approval.

use serde_json::Value;

use crate::protocol::{FieldError, Fields};

const ANNOTATION: &str = "api-approved.kubernetes.io";
const SEE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// Whether a definition of a protected group has its approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Invalid,
    Approved,
    Bypassed,
    Missing,
}

fn is_protected(object: &Fields) -> bool {
    let group =
        object.get("spec").and_then(|spec| spec.get("group")).and_then(Value::as_str).unwrap_or_default();
    ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|domain| group == *domain || group.ends_with(&format!(".{domain}")))
}

fn annotation(object: &Fields) -> &str {
    let annotations = object.get("metadata").and_then(|metadata| metadata.get("annotations"));
    annotations
        .and_then(|annotations| annotations.get(ANNOTATION))
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn state(object: &Fields) -> (State, String) {
    let annotation = annotation(object);
    let is_url = annotation.split_once("://").is_some_and(|(scheme, rest)| {
        let host = rest.split(['/', '?']).next().unwrap_or_default();
        !scheme.is_empty() && !host.is_empty() && !annotation.contains(' ')
    });
    match annotation {
        "" => (
            State::Missing,
            format!("protected groups must have approval annotation \"{ANNOTATION}\", {SEE}"),
        ),
        text if text.starts_with("unapproved") => (State::Bypassed, format!("not approved: \"{text}\"")),
        text if is_url => (State::Approved, format!("approved in {text}")),
        _ => (
            State::Invalid,
            format!(
                "protected groups must have approval annotation \"{ANNOTATION}\" with either a URL or a reason starting with \
                 \"unapproved\", {SEE}"
            ),
        ),
    }
}

/// Checks the approval of a definition; one that has not changed is let through.
pub(super) fn check(object: &Fields, old: Option<&Fields>) -> Option<FieldError> {
    if !is_protected(object) {
        return None;
    }
    let (state_now, why) = state(object);
    if old.is_some_and(|old| state(old).0 == state_now) {
        return None;
    }
    let field = format!("metadata.annotations[{ANNOTATION}]");
    match state_now {
        State::Invalid => Some(FieldError::invalid_text(field, annotation(object), why)),
        State::Missing => Some(FieldError::required(field, why)),
        State::Approved | State::Bypassed => None,
    }
}

/// Status, reason and message of the condition about the approval, for protected groups.
pub(crate) fn approval(object: &Fields) -> Option<(&'static str, &'static str, String)> {
    if !is_protected(object) {
        return None;
    }
    let (state, why) = state(object);
    Some(match state {
        State::Invalid => ("False", "InvalidAnnotation", why),
        State::Missing => ("False", "MissingAnnotation", why),
        State::Approved => ("True", "ApprovedAnnotation", why),
        State::Bypassed => ("False", "UnapprovedAnnotation", why),
    })
}
