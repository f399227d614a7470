//! Labels of nodes that have another name by now.
//!
//! In: a key, or a selector of nodes. Out: what a client is told of it.

use serde_json::Value;

use crate::protocol::{Fields, names::label_value_errors};

use super::{at, items, word};

/// What a label is to be replaced by.
pub(super) fn outdated(key: &str) -> Option<&'static str> {
    Some(match key {
        "beta.kubernetes.io/arch" => "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
        "beta.kubernetes.io/os" => "deprecated since v1.14; use \"kubernetes.io/os\" instead",
        "failure-domain.beta.kubernetes.io/region" => {
            "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead"
        }
        "failure-domain.beta.kubernetes.io/zone" => {
            "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead"
        }
        "beta.kubernetes.io/instance-type" => {
            "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead"
        }
        "app.kubernetes.io/created-by" => "deprecated since v1.9",
        "scheduler.alpha.kubernetes.io/preferAvoidPods" => {
            "deprecated since v1.22; use Taints and Tolerations instead"
        }
        "node-role.kubernetes.io/master" => "use \"node-role.kubernetes.io/control-plane\" instead",
        _ => return None,
    })
}

/// Whether the values of a term are looked at as well.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Read,
    Left,
}

/// A term that chooses nodes.
pub(super) fn term(term: &Value, path: &str, values: Values, out: &mut Vec<String>) {
    for (index, expression) in items(term, "matchExpressions") {
        let key = word(expression, "key");
        if let Some(why) = outdated(key) {
            out.push(format!("{path}.matchExpressions[{index}].key: {key} is {why}"));
        }
        if values == Values::Left {
            continue;
        }
        for (number, value) in items(expression, "values") {
            let value = value.as_str().unwrap_or_default();
            for error in label_value_errors(value) {
                out.push(format!(
                    "{path}.matchExpressions[{index}].values[{number}]: {value} is invalid, {error}"
                ));
            }
        }
    }
}

/// A selector of nodes by their labels.
pub(super) fn selector(selector: &Value, path: &str) -> Vec<String> {
    let mut out = Vec::new();
    term(selector, path, Values::Left, &mut out);
    for (key, _) in selector["matchLabels"].as_object().into_iter().flatten() {
        if let Some(why) = outdated(key) {
            out.push(format!("{path}.matchLabels.{key}: {why}"));
        }
    }
    out
}

pub(super) fn runtime_class(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let labels = at(object, "scheduling.nodeSelector").and_then(Value::as_object).into_iter().flatten();
    labels.filter_map(|(key, _)| outdated(key)).map(|why| format!("scheduling.nodeSelector: {why}")).collect()
}
