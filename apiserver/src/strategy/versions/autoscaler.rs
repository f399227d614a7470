//! Autoscalers: the first version knows one measure, and keeps the others in annotations.

use serde_json::{Map, Value, json};

use crate::{
    protocol::Fields,
    strategy::{at, child},
};

const METRICS: &str = "autoscaling.alpha.kubernetes.io/metrics";
const BEHAVIOR: &str = "autoscaling.alpha.kubernetes.io/behavior";
const CONDITIONS: &str = "autoscaling.alpha.kubernetes.io/conditions";
const CURRENT: &str = "autoscaling.alpha.kubernetes.io/current-metrics";

/// The fields of scaling rules, as the annotation has them and as the second version does.
const RULES: &[(&str, &str)] = &[
    ("StabilizationWindowSeconds", "stabilizationWindowSeconds"),
    ("SelectPolicy", "selectPolicy"),
    ("Policies", "policies"),
    ("Tolerance", "tolerance"),
];
const POLICY: &[(&str, &str)] = &[("Type", "type"), ("Value", "value"), ("PeriodSeconds", "periodSeconds")];

/// The share of the processor's time, which has a field of its own.
fn is_cpu(metric: &Value) -> bool {
    metric["type"] == "Resource"
        && metric.pointer("/resource/name").is_some_and(|name| name == "cpu")
        && metric.pointer("/resource/target/averageUtilization").is_some()
}

pub(super) fn to_first(object: &mut Fields) {
    let mut annotations: Vec<(&str, String)> = Vec::new();
    if let Some(spec) = child(object, "spec") {
        let mut metrics = list(spec.remove("metrics"));
        if let Some(index) = metrics.iter().position(is_cpu) {
            let cpu = metrics.remove(index);
            let share = cpu.pointer("/resource/target/averageUtilization").cloned().unwrap_or_default();
            spec.insert("targetCPUUtilizationPercentage".to_owned(), share);
        }
        if !metrics.is_empty() {
            let texts: Vec<String> = metrics.iter().map(first_metric).collect();
            annotations.push((METRICS, format!("[{}]", texts.join(","))));
        }
        if let Some(behavior) = spec.remove("behavior") {
            annotations.push((BEHAVIOR, behavior_text(&behavior)));
        }
    }
    if let Some(status) = child(object, "status") {
        let mut current = list(status.remove("currentMetrics"));
        let share = |metric: &Value| metric.pointer("/resource/current/averageUtilization").cloned();
        let cpu = |metric: &Value| metric.pointer("/resource/name").is_some_and(|name| name == "cpu");
        if let Some(index) = current.iter().position(|metric| cpu(metric) && share(metric).is_some()) {
            let metric = current.remove(index);
            status.insert("currentCPUUtilizationPercentage".to_owned(), share(&metric).unwrap_or_default());
        }
        if !current.is_empty() {
            annotations.push((CURRENT, Value::from(current).to_string()));
        }
        let conditions = list(status.remove("conditions"));
        if !conditions.is_empty() {
            annotations.push((CONDITIONS, Value::from(conditions).to_string()));
        }
        for name in ["currentReplicas", "desiredReplicas"] {
            status.entry(name).or_insert_with(|| 0.into());
        }
    }
    if annotations.is_empty() {
        return;
    }
    let all = child(object, "metadata").and_then(|metadata| child(metadata, "annotations"));
    if let Some(all) = all {
        all.extend(annotations.into_iter().map(|(name, text)| (name.to_owned(), text.into())));
    }
}

pub(super) fn to_second(object: &mut Fields) {
    let mut kept = at(object, "metadata.annotations").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut read = |name: &str| {
        let text = kept.remove(name)?;
        serde_json::from_str::<Value>(text.as_str()?).ok()
    };
    let (metrics, behavior) = (read(METRICS), read(BEHAVIOR));
    let (current, conditions) = (read(CURRENT), read(CONDITIONS));
    if let Some(metadata) = child(object, "metadata") {
        if kept.is_empty() {
            metadata.remove("annotations");
        } else {
            metadata.insert("annotations".to_owned(), kept.into());
        }
    }
    if let Some(spec) = child(object, "spec") {
        let mut all: Vec<Value> = list(metrics).iter().map(second_metric).collect();
        if let Some(share) = spec.remove("targetCPUUtilizationPercentage") {
            let target = json!({"type": "Utilization", "averageUtilization": share});
            all.push(json!({"type": "Resource", "resource": {"name": "cpu", "target": target}}));
        }
        if !all.is_empty() {
            spec.insert("metrics".to_owned(), all.into());
        }
        if let Some(behavior) = behavior {
            spec.insert("behavior".to_owned(), behavior_of(&behavior));
        }
    }
    if let Some(status) = child(object, "status") {
        let mut all = list(current);
        if let Some(share) = status.remove("currentCPUUtilizationPercentage") {
            let current = json!({"averageUtilization": share});
            all.push(json!({"type": "Resource", "resource": {"name": "cpu", "current": current}}));
        }
        let all = if all.is_empty() { Value::Null } else { all.into() };
        status.insert("currentMetrics".to_owned(), all);
        if let Some(conditions) = conditions {
            status.insert("conditions".to_owned(), conditions);
        }
        if status.get("currentReplicas").is_some_and(|count| count == 0) {
            status.remove("currentReplicas");
        }
    }
}

fn list(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    }
}

/// A metric in the form of the first version.
fn first_metric(metric: &Value) -> String {
    let kind = metric["type"].as_str().unwrap_or_default();
    let member = match kind {
        "Object" => "object",
        "Pods" => "pods",
        "External" => "external",
        "ContainerResource" => "containerResource",
        _ => "resource",
    };
    let source = &metric[member];
    let target = &source["target"];
    let mut parts: Vec<(&str, Value)> = Vec::new();
    let mut put = |name: &'static str, value: &Value| {
        if !value.is_null() {
            parts.push((name, value.clone()));
        }
    };
    match kind {
        "Object" => {
            put("target", &source["describedObject"]);
            put("metricName", &source["metric"]["name"]);
            put("targetValue", if target["value"].is_null() { &Value::Null } else { &target["value"] });
            put("selector", &source["metric"]["selector"]);
            put("averageValue", &target["averageValue"]);
        }
        "Pods" => {
            put("metricName", &source["metric"]["name"]);
            put("targetAverageValue", &target["averageValue"]);
            put("selector", &source["metric"]["selector"]);
        }
        "External" => {
            put("metricName", &source["metric"]["name"]);
            put("metricSelector", &source["metric"]["selector"]);
            put("targetValue", &target["value"]);
            put("targetAverageValue", &target["averageValue"]);
        }
        _ => {
            put("name", &source["name"]);
            put("targetAverageUtilization", &target["averageUtilization"]);
            put("targetAverageValue", &target["averageValue"]);
            put("container", &source["container"]);
        }
    }
    let parts: Vec<String> = parts.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{\"type\":{},\"{member}\":{{{}}}}}", json!(kind), parts.join(","))
}

/// A metric of the first version in the form of the second.
fn second_metric(metric: &Value) -> Value {
    let kind = metric["type"].as_str().unwrap_or_default();
    let mut target = Map::new();
    let mut amount = |source: &Value, from: &str, to: &str, kind: &str| {
        if !source[from].is_null() {
            target.insert("type".to_owned(), kind.into());
            target.insert(to.to_owned(), source[from].clone());
        }
    };
    let (member, known) = match kind {
        "Object" => ("object", &metric["object"]),
        "Pods" => ("pods", &metric["pods"]),
        "External" => ("external", &metric["external"]),
        "ContainerResource" => ("containerResource", &metric["containerResource"]),
        _ => ("resource", &metric["resource"]),
    };
    amount(known, "targetValue", "value", "Value");
    amount(known, "averageValue", "averageValue", "AverageValue");
    amount(known, "targetAverageValue", "averageValue", "AverageValue");
    amount(known, "targetAverageUtilization", "averageUtilization", "Utilization");
    let mut source = Map::new();
    for (from, to) in [("target", "describedObject"), ("name", "name"), ("container", "container")] {
        if !known[from].is_null() {
            source.insert(to.to_owned(), known[from].clone());
        }
    }
    if !known["metricName"].is_null() {
        let mut identifier = json!({"name": known["metricName"]});
        let selector =
            if known["selector"].is_null() { &known["metricSelector"] } else { &known["selector"] };
        if let (false, Some(members)) = (selector.is_null(), identifier.as_object_mut()) {
            members.insert("selector".to_owned(), selector.clone());
        }
        source.insert("metric".to_owned(), identifier);
    }
    source.insert("target".to_owned(), target.into());
    json!({"type": kind, member: source})
}

/// The behavior as the annotation has it: in the form of a real server's own type.
fn behavior_text(behavior: &Value) -> String {
    let rules = |name: &str| match &behavior[name] {
        Value::Null => "null".to_owned(),
        rules => {
            let part = |(told, own): &(&str, &str)| match (*own, &rules[*own]) {
                ("policies", Value::Array(policies)) => {
                    let policies: Vec<String> = policies.iter().map(policy_text).collect();
                    format!("\"{told}\":[{}]", policies.join(","))
                }
                (_, value) => format!("\"{told}\":{value}"),
            };
            let parts: Vec<String> = RULES.iter().map(part).collect();
            format!("{{{}}}", parts.join(","))
        }
    };
    format!("{{\"ScaleUp\":{},\"ScaleDown\":{}}}", rules("scaleUp"), rules("scaleDown"))
}

fn policy_text(policy: &Value) -> String {
    let part = |(told, own): &(&str, &str)| format!("\"{told}\":{}", policy[*own]);
    let parts: Vec<String> = POLICY.iter().map(part).collect();
    format!("{{{}}}", parts.join(","))
}

fn behavior_of(text: &Value) -> Value {
    let mut out = Map::new();
    for (told, own) in [("ScaleUp", "scaleUp"), ("ScaleDown", "scaleDown")] {
        if text[told].is_object() {
            out.insert(own.to_owned(), renamed(&text[told], RULES));
        }
    }
    out.into()
}

fn renamed(value: &Value, names: &[(&str, &str)]) -> Value {
    let mut out = Map::new();
    for (told, own) in names {
        let value = match (&value[*told], *own) {
            (Value::Null, _) => continue,
            (Value::Array(policies), "policies") => {
                policies.iter().map(|policy| renamed(policy, POLICY)).collect()
            }
            (value, _) => value.clone(),
        };
        out.insert((*own).to_owned(), value);
    }
    out.into()
}
