//! Affinity, and how pods spread.

use crate::{
    protocol::names::dns_label_errors,
    validation::{Findings, Spot, labels},
};

use super::selectors::{Values, node_selector, node_term};

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

pub(super) fn affinity(out: &mut Findings, affinity: &Spot<'_>) {
    let nodes = affinity.get("nodeAffinity");
    if nodes.has(REQUIRED) {
        node_selector(out, &nodes.get(REQUIRED));
    }
    for term in nodes.items(PREFERRED) {
        weight(out, &term);
        node_term(out, &term.get("preference"), Values::Any);
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        let pods = affinity.get(kind);
        for term in pods.items(REQUIRED) {
            pod_term(out, &term);
        }
        for term in pods.items(PREFERRED) {
            weight(out, &term);
            pod_term(out, &term.get("podAffinityTerm"));
        }
    }
}

fn weight(out: &mut Findings, term: &Spot<'_>) {
    let weight = term.number("weight").unwrap_or_default();
    if !(1..=100).contains(&weight) {
        out.invalid_as(&term.get("weight"), weight, "must be in the range 1-100");
    }
}

fn pod_term(out: &mut Findings, term: &Spot<'_>) {
    labels::selector(out, &term.get("labelSelector"));
    labels::selector(out, &term.get("namespaceSelector"));
    for name in term.items("namespaces") {
        for error in dns_label_errors(name.str()) {
            out.invalid_as(&term.get("namespace"), name.str(), error);
        }
    }
    match_label_keys(out, term);
    let key = term.get("topologyKey");
    if key.is_empty() {
        out.required(&key, "can not be empty");
    }
    labels::label_key(out, &key);
}

fn match_label_keys(out: &mut Findings, term: &Spot<'_>) {
    let selector = term.get("labelSelector");
    for name in ["matchLabelKeys", "mismatchLabelKeys"] {
        let keys = term.get(name);
        if keys.is_empty() {
            continue;
        }
        if !selector.is_set() {
            out.forbidden(&keys, "must not be specified when labelSelector is not set");
            continue;
        }
        for key in keys.each() {
            labels::label_key(out, &key);
        }
    }
    let keys = term.get("matchLabelKeys");
    let mut named: Vec<&str> =
        selector.get("matchLabels").members().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    for requirement in selector.items("matchExpressions") {
        let key = requirement.text("key");
        let index = keys.each().position(|listed| listed.str() == key);
        if let Some(index) = index
            && named.contains(&key)
        {
            let field = format!("{}[{index}]", term.path());
            let why = "exists in both matchLabelKeys and labelSelector";
            out.push(crate::protocol::FieldError::invalid_text(field, key, why));
        }
        named.push(key);
    }
    let other = term.get("mismatchLabelKeys");
    for key in keys.each() {
        if other.each().any(|other| other.str() == key.str()) {
            out.invalid(&key, "exists in both matchLabelKeys and mismatchLabelKeys");
        }
    }
}

pub(super) fn spread(out: &mut Findings, spec: &Spot<'_>) {
    let list: Vec<Spot<'_>> = spec.items("topologySpreadConstraints").collect();
    for (index, constraint) in list.iter().enumerate() {
        positive(out, constraint, "maxSkew");
        let (key, action) = (constraint.get("topologyKey"), constraint.get("whenUnsatisfiable"));
        if key.is_empty() {
            out.required(&key, "can not be empty");
        }
        if !["DoNotSchedule", "ScheduleAnyway"].contains(&action.str()) {
            out.not_supported(&action, &["DoNotSchedule", "ScheduleAnyway"]);
        }
        let same = |other: &Spot<'_>| {
            other.text("topologyKey") == key.str() && other.text("whenUnsatisfiable") == action.str()
        };
        if list.iter().skip(index + 1).any(same) {
            let told = constraint.get("{topologyKey, whenUnsatisfiable}");
            out.duplicate_as(&told, format!("{{{}, {}}}", key.str(), action.str()));
        }
        let domains = constraint.get("minDomains");
        if domains.is_set() {
            positive(out, constraint, "minDomains");
            if action.str() != "DoNotSchedule" {
                let why = "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ";
                out.invalid(&domains, format!("{why}{}", action.str()));
            }
        }
        for name in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
            out.maybe_one_of(&constraint.get(name), &["Honor", "Ignore"]);
        }
        match_label_keys(out, constraint);
        labels::selector(out, &constraint.get("labelSelector"));
    }
}

fn positive(out: &mut Findings, place: &Spot<'_>, name: &str) {
    let number = place.number(name).unwrap_or_default();
    if number <= 0 {
        out.invalid_as(&place.get(name), number, "must be greater than zero");
    }
}
