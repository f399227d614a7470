//! What chooses nodes, and what tolerates their taints.

use crate::{
    protocol::names::{dns_subdomain_errors, label_value_errors},
    validation::{Findings, Spot, labels},
};

const EFFECTS: &[&str] = &["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// How strict the values of a requirement are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Labels,
    Any,
}

/// A node selector: any of its terms.
pub(crate) fn node_selector(out: &mut Findings, selector: &Spot<'_>) {
    let terms = selector.get("nodeSelectorTerms");
    if terms.is_empty() {
        return out.required(&terms, "must have at least one node selector term");
    }
    for term in terms.each() {
        node_term(out, &term, Values::Labels);
    }
}

pub(super) fn node_term(out: &mut Findings, term: &Spot<'_>, strict: Values) {
    for requirement in term.items("matchExpressions") {
        node_requirement(out, &requirement, strict);
    }
    for requirement in term.items("matchFields") {
        field_requirement(out, &requirement);
    }
}

fn node_requirement(out: &mut Findings, requirement: &Spot<'_>, strict: Values) {
    let values = requirement.get("values");
    let count = requirement.count("values");
    let operator = requirement.get("operator");
    match operator.str() {
        "In" | "NotIn" if count == 0 => {
            out.required(&values, "must be specified when `operator` is 'In' or 'NotIn'");
        }
        "Exists" | "DoesNotExist" if count > 0 => {
            out.forbidden(&values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
        "Gt" | "Lt" if count != 1 => {
            out.required(&values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" => {}
        other => out.invalid_as(&operator, other, "not a valid selector operator"),
    }
    labels::label_key(out, &requirement.get("key"));
    if strict == Values::Labels {
        for value in values.each() {
            out.all(&value, label_value_errors(value.str()));
        }
    }
}

fn field_requirement(out: &mut Findings, requirement: &Spot<'_>) {
    let (values, operator, key) =
        (requirement.get("values"), requirement.get("operator"), requirement.get("key"));
    match operator.str() {
        "In" | "NotIn" if requirement.count("values") != 1 => {
            out.required(
                &values,
                "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
            );
        }
        "In" | "NotIn" => {}
        other => out.invalid_as(&operator, other, "not a valid selector operator"),
    }
    if key.str() != "metadata.name" {
        return out.invalid_as(&key, key.str(), "not a valid field selector key");
    }
    for value in values.each() {
        out.all(&value, dns_subdomain_errors(value.str()));
    }
}

/// A term that chooses zones and the like for volumes.
pub(crate) fn topology_term(out: &mut Findings, term: &Spot<'_>) {
    let mut keys: Vec<&str> = Vec::new();
    for requirement in term.items("matchLabelExpressions") {
        let values = requirement.get("values");
        out.present(&values);
        let mut seen: Vec<String> = Vec::new();
        for value in values.each() {
            if seen.iter().any(|seen| seen == value.str()) {
                out.duplicate(&value);
            }
            seen.push(value.str().to_owned());
        }
        labels::label_key(out, &requirement.get("key"));
        if keys.contains(&requirement.text("key")) {
            out.duplicate(&requirement.get("key"));
        }
        keys.push(requirement.text("key"));
    }
}

/// The effect of a taint.
pub(crate) fn effect(out: &mut Findings, effect: &Spot<'_>) {
    if !effect.is_empty() {
        out.maybe_one_of(effect, EFFECTS);
    }
}

/// Tolerations.
pub(crate) fn tolerations(out: &mut Findings, list: &Spot<'_>) {
    for toleration in list.each() {
        let (key, operator, value) =
            (toleration.get("key"), toleration.get("operator"), toleration.get("value"));
        if !key.is_empty() {
            labels::label_key(out, &key);
        } else if operator.str() != "Exists" {
            let why =
                "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            out.invalid_as(&operator, operator.str(), why);
        }
        if toleration.has("tolerationSeconds") && toleration.text("effect") != "NoExecute" {
            let effect = toleration.get("effect");
            out.invalid_as(
                &effect,
                effect.str(),
                "effect must be 'NoExecute' when `tolerationSeconds` is set",
            );
        }
        match operator.str() {
            "Equal" | "" => {
                let errors = label_value_errors(value.str());
                if !errors.is_empty() {
                    out.invalid_as(&operator, value.str(), errors.join(";"));
                }
            }
            "Exists" if !value.is_empty() => {
                out.invalid_as(&operator, value.str(), "value must be empty when `operator` is 'Exists'");
            }
            "Exists" => {}
            "Lt" | "Gt" => comparison(out, &value),
            _ => out.not_supported(&operator, &["Equal", "Exists"]),
        }
        effect(out, &toleration.get("effect"));
    }
}

fn comparison(out: &mut Findings, value: &Spot<'_>) {
    let text = value.str();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits == "0" && !text.starts_with('-')
        || !digits.is_empty() && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain {
        out.invalid_as(value, text, "must be a valid decimal integer in canonical form");
    }
    if text.parse::<i64>().is_err() {
        let why = if plain { "value out of range" } else { "invalid syntax" };
        out.invalid_as(value, text, format!("strconv.ParseInt: parsing {text:?}: {why}"));
    }
}
