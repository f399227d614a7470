//! What scales workloads by their load.

use crate::protocol::names::path_segment_errors;

use super::{Checks, Findings, Spot, formats, resources};

pub(super) const CHECKS: Checks =
    Checks { create: autoscaler, update: |out, new, _| autoscaler(out, new), status };

const TYPES: &[&str] = &["ContainerResource", "External", "Object", "Pods", "Resource"];
const POPULATE: &str = "must populate information for the given metric source";

fn autoscaler(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let (low, high) = (spec.get("minReplicas"), spec.get("maxReplicas"));
    let most = high.int().unwrap_or_default();
    out.declared(|out| {
        if low.int().is_some_and(|low| low < 0) {
            out.invalid(&low, super::NOT_NEGATIVE);
        }
        if most == 0 {
            out.required(&high, "");
        } else if most < 0 {
            out.invalid(&high, "must be greater than or equal to 1");
        }
    });
    if low.int().is_some_and(|low| most < low) {
        out.invalid_as(&high, most, "must be greater than or equal to `minReplicas`");
    }
    reference(out, &spec.get("scaleTargetRef"), Core::Refused);
    metrics(out, &spec);
    for name in ["behavior.scaleUp", "behavior.scaleDown"] {
        rules(out, &spec.get(name));
    }
}

/// Whether a reference may be to an object of the core group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Core {
    Allowed,
    Refused,
}

/// A reference to an object of any version.
fn reference(out: &mut Findings, target: &Spot<'_>, core: Core) {
    for name in ["kind", "name"] {
        let part = target.get(name);
        if part.is_empty() {
            out.required(&part, "");
        } else {
            out.all(&part, path_segment_errors(part.str()));
        }
    }
    let version = target.get("apiVersion");
    let text = version.str();
    if text.matches('/').count() > 1 {
        out.invalid(&version, format!("unexpected GroupVersion string: {text}"));
    } else if core == Core::Refused && text.find('/').unwrap_or_default() == 0 {
        out.invalid_as(&version, text, "apiVersion must specify API group");
    }
}

fn metrics(out: &mut Findings, spec: &Spot<'_>) {
    let list = spec.get("metrics");
    for metric in list.each() {
        self::metric(out, &metric);
    }
    let outside = list.each().any(|metric| ["Object", "External"].contains(&metric.text("type")));
    if spec.number("minReplicas") == Some(0) && !outside {
        let why = "must specify at least one Object or External metric to support scaling to zero replicas";
        out.forbidden(&list, why);
    }
}

fn metric(out: &mut Findings, metric: &Spot<'_>) {
    let kind = metric.get("type");
    if kind.is_empty() {
        out.required(&kind, "must specify a metric source type");
    }
    if !TYPES.contains(&kind.str()) {
        out.not_supported(&kind, TYPES);
    }
    let names = ["object", "external", "pods", "resource", "containerResource"];
    let present: Vec<&str> = names.into_iter().filter(|name| metric.has(name)).collect();
    if let Some(first) = present.first() {
        source(out, first, &metric.get(first));
    }
    let expected = match kind.str() {
        "Object" => "object",
        "Pods" => "pods",
        "Resource" => "resource",
        "External" => "external",
        "ContainerResource" => "containerResource",
        _ => {
            out.not_supported(&kind, TYPES);
            ""
        }
    };
    if !expected.is_empty() && !metric.has(expected) {
        out.required(&metric.get(expected), POPULATE);
    }
    if present.len() != 1 {
        for name in present.iter().filter(|name| **name != expected) {
            out.forbidden(&metric.get(name), "must populate the given metric source only");
        }
    }
}

fn source(out: &mut Findings, kind: &str, source: &Spot<'_>) {
    let target = source.get("target");
    let has = |name: &str| target.has(name);
    match kind {
        "object" => reference(out, &source.get("describedObject"), Core::Allowed),
        "resource" if source.text("name").is_empty() => {
            out.required(&source.get("name"), "must specify a resource name");
        }
        "containerResource" => container(out, source),
        _ => {}
    }
    if ["object", "external", "pods"].contains(&kind) {
        let name = source.get("metric.name");
        if name.is_empty() {
            out.required(&name, "must specify a metric name");
        } else {
            out.all(&name, path_segment_errors(name.str()));
        }
    }
    self::target(out, &target);
    let (average, utilization) = (target.get("averageValue"), target.get("averageUtilization"));
    match kind {
        "object" if !has("value") && !has("averageValue") => {
            out.required(&average, "must set either a target value or averageValue");
        }
        "external" if !has("value") && !has("averageValue") => {
            out.required(&average, "must set either a target value for metric or a per-pod target");
        }
        "external" if has("value") && has("averageValue") => {
            let why = "may not set both a target value for metric and a per-pod target";
            out.forbidden(&target.get("value"), why);
        }
        "pods" if !has("averageValue") => {
            out.required(&average, "must specify a positive target averageValue");
        }
        "resource" | "containerResource" => match (utilization.is_set(), average.is_set()) {
            (false, false) => {
                out.required(&utilization, "must set either a target raw value or a target utilization");
            }
            (true, true) => {
                out.forbidden(&average, "may not set both a target raw value and a target utilization");
            }
            _ => {}
        },
        _ => {}
    }
}

fn container(out: &mut Findings, source: &Spot<'_>) {
    let name = source.get("name");
    if name.is_empty() {
        out.required(&name, "must specify a resource name");
    } else {
        resources::container_resource_name(out, &name, name.str());
    }
    let container = source.get("container");
    if container.is_empty() {
        out.required(&container, "must specify a container");
    } else {
        formats::label(out, &container);
    }
}

fn target(out: &mut Findings, target: &Spot<'_>) {
    let kind = target.get("type");
    if kind.is_empty() {
        out.required(&kind, "must specify a metric target type");
    }
    if !["Utilization", "Value", "AverageValue"].contains(&kind.str()) {
        out.invalid_as(&kind, kind.str(), "must be either Utilization, Value, or AverageValue");
    }
    for name in ["value", "averageValue"] {
        let value = target.get(name);
        if resources::amount(&value).is_some_and(|amount| amount.is_zero() || amount.is_negative()) {
            out.invalid(&value, "must be positive");
        }
    }
    let utilization = target.get("averageUtilization");
    if utilization.int().is_some_and(|utilization| utilization < 1) {
        out.invalid(&utilization, "must be greater than 0");
    }
}

fn rules(out: &mut Findings, rules: &Spot<'_>) {
    if !rules.is_set() {
        return;
    }
    let window = rules.get("stabilizationWindowSeconds");
    if window.int().is_some_and(|seconds| seconds < 0) {
        out.invalid(&window, "must be greater than or equal to zero");
    }
    if window.int().is_some_and(|seconds| seconds > 3600) {
        out.invalid(&window, "must be less than or equal to 3600");
    }
    out.maybe_one_of(&rules.get("selectPolicy"), &["Disabled", "Max", "Min"]);
    let policies = rules.get("policies");
    if policies.is_empty() {
        out.required(&policies, "must specify at least one Policy");
    }
    for policy in policies.each() {
        let kind = policy.get("type");
        if !["Pods", "Percent"].contains(&kind.str()) {
            out.not_supported(&kind, &["Percent", "Pods"]);
        }
        for name in ["value", "periodSeconds"] {
            let number = policy.number(name).unwrap_or_default();
            if number <= 0 {
                out.invalid_as(&policy.get(name), number, "must be greater than zero");
            }
        }
        let period = policy.get("periodSeconds");
        if period.int().is_some_and(|seconds| seconds > 1800) {
            out.invalid(&period, "must be less than or equal to 1800");
        }
    }
    resources::not_negative(out, &rules.get("tolerance"));
}

fn status(out: &mut Findings, new: &Spot<'_>, _: &Spot<'_>) {
    for condition in new.items("status.conditions") {
        out.not_negative(&condition.get("observedGeneration"));
    }
    out.not_negative(&new.get("status.currentReplicas"));
    out.not_negative(&new.get("status.desiredReplicas"));
}
