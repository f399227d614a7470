//! Disruption budgets.

use serde_json::Value;

use super::{Checks, Findings, Spot, labels, percent};

pub(super) const BUDGETS: Checks = Checks { create: budget, update: |out, new, _| budget(out, new), status };

fn budget(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let (low, high) = (spec.get("minAvailable"), spec.get("maxUnavailable"));
    if low.is_set() && high.is_set() {
        let selector = spec.get("selector");
        let policy = spec.get("unhealthyPodEvictionPolicy").value();
        let printed = format!(
            "{{\"MinAvailable\":{},\"Selector\":{},\"MaxUnavailable\":{},\"UnhealthyPodEvictionPolicy\":{policy}}}",
            low.value(),
            labels::printed(&selector),
            high.value()
        );
        out.invalid_printed(&spec, printed, "minAvailable and maxUnavailable cannot be both set");
    }
    for amount in [low, high] {
        if amount.is_set() {
            percent::positive(out, &amount);
            percent::at_most_all(out, &amount);
        }
    }
    labels::selector(out, &spec.get("selector"));
    out.maybe_one_of(&spec.get("unhealthyPodEvictionPolicy"), &["AlwaysAllow", "IfHealthyBudget"]);
}

fn status(out: &mut Findings, new: &Spot<'_>, _: &Spot<'_>) {
    conditions(out, &new.get("status.conditions"));
    for name in ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] {
        out.not_negative(&new.get("status").get(name));
    }
}

/// Conditions of the common form.
pub(super) fn conditions(out: &mut Findings, list: &Spot<'_>) {
    let mut seen: Vec<String> = Vec::new();
    for condition in list.each() {
        let kind = condition.get("type");
        if seen.iter().any(|taken| taken == kind.str()) {
            out.duplicate_as(&kind, kind.str());
        }
        seen.push(kind.str().to_owned());
        super::formats::qualified(out, &kind);
        let status = condition.get("status");
        if !["True", "False", "Unknown"].contains(&status.str()) {
            out.not_supported(&status, &["False", "True", "Unknown"]);
        }
        out.not_negative(&condition.get("observedGeneration"));
        let time = condition.get("lastTransitionTime");
        if time.value() == &Value::Null {
            out.required(&time, "must be set");
        }
        let reason = condition.get("reason");
        if reason.is_empty() {
            out.required(&reason, "must be set");
        }
        if reason.str().len() > 1024 {
            out.too_long(&reason, 1024);
        }
        if condition.text("message").len() > 32_768 {
            out.too_long(&condition.get("message"), 32_768);
        }
    }
}
