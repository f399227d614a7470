//! Labels and what selects them.

use serde_json::Value;

use crate::protocol::names::{label_value_errors, qualified_name_errors};

use super::{Findings, Spot};

/// Labels, at the place of the whole map.
pub(crate) fn labels(out: &mut Findings, spot: &Spot<'_>) {
    for (key, value) in spot.members().into_iter().flatten() {
        for error in qualified_name_errors(key) {
            out.invalid_as(spot, key.as_str(), error);
        }
        let value = value.as_str().unwrap_or_default();
        for error in label_value_errors(value) {
            out.invalid_as(spot, value, error);
        }
    }
}

/// Annotations, at the place of the whole map.
pub(crate) fn annotations(out: &mut Findings, spot: &Spot<'_>) {
    let mut size = 0;
    for (key, value) in spot.members().into_iter().flatten() {
        for error in qualified_name_errors(&key.to_lowercase()) {
            out.invalid_as(spot, key.as_str(), error);
        }
        size += key.len() + value.as_str().map_or(0, str::len);
    }
    if size > 256 * 1024 {
        out.too_long(spot, 256 * 1024);
    }
}

/// The key of a label.
pub(crate) fn label_key(out: &mut Findings, spot: &Spot<'_>) {
    super::formats::qualified(out, spot);
}

/// A label selector; an absent one is valid.
pub(crate) fn selector(out: &mut Findings, spot: &Spot<'_>) {
    labels(out, &spot.get("matchLabels"));
    for requirement in spot.items("matchExpressions") {
        let values = requirement.get("values");
        match requirement.text("operator") {
            "In" | "NotIn" if values.is_empty() => {
                out.required(&values, "must be specified when `operator` is 'In' or 'NotIn'");
            }
            "Exists" | "DoesNotExist" if !values.is_empty() => {
                out.forbidden(&values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => out.invalid_as(&requirement.get("operator"), other, "not a valid selector operator"),
        }
        label_key(out, &requirement.get("key"));
        for value in values.each() {
            out.all(&value, label_value_errors(value.str()));
        }
    }
}

/// Whether a selector asks for nothing, and so takes everything.
pub(crate) fn is_empty_selector(selector: &Spot<'_>) -> bool {
    selector.count("matchLabels") == 0 && selector.count("matchExpressions") == 0
}

/// Whether a selector with valid operators takes these labels.
pub(crate) fn selects(selector: &Spot<'_>, labels: &Spot<'_>) -> bool {
    let of = |key: &str| labels.value().get(key).and_then(Value::as_str);
    let wanted = selector.get("matchLabels");
    let mut wanted = wanted.members().into_iter().flatten();
    let equal = wanted.all(|(key, value)| of(key) == value.as_str());
    let mut requirements = selector.items("matchExpressions");
    equal
        && requirements.all(|requirement| {
            let found = of(requirement.text("key"));
            let listed = || {
                let values = requirement.get("values");
                values.each().any(|value| Some(value.str()) == found)
            };
            match requirement.text("operator") {
                "In" => found.is_some() && listed(),
                "NotIn" => found.is_none() || !listed(),
                "Exists" => found.is_some(),
                "DoesNotExist" => found.is_none(),
                _ => false,
            }
        })
}

/// Whether a selector can be evaluated at all.
pub(crate) fn is_valid_selector(selector: &Spot<'_>) -> bool {
    let mut findings = Findings::default();
    self::selector(&mut findings, selector);
    findings.count() == 0
}

/// A selector as a real server prints it: labels before expressions.
pub(crate) fn printed(selector: &Spot<'_>) -> String {
    let mut parts = Vec::new();
    for name in ["matchLabels", "matchExpressions"] {
        let part = selector.get(name);
        if !part.is_empty() {
            let text = match name {
                "matchLabels" => part.value().to_string(),
                _ => expressions(&part),
            };
            parts.push(format!("\"{name}\":{text}"));
        }
    }
    if selector.is_set() { format!("{{{}}}", parts.join(",")) } else { "null".to_owned() }
}

fn expressions(list: &Spot<'_>) -> String {
    let item = |item: Spot<'_>| {
        let values = item.get("values");
        let values =
            if values.is_empty() { String::new() } else { format!(",\"values\":{}", values.value()) };
        format!(
            "{{\"key\":{},\"operator\":{}{values}}}",
            item.get("key").value(),
            item.get("operator").value()
        )
    };
    let items: Vec<String> = list.each().map(item).collect();
    format!("[{}]", items.join(","))
}
