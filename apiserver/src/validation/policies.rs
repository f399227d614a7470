//! Disruption budgets.

use super::{Checks, Findings, Spot, conditions, labels, percent};

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
    conditions::conditions(out, &new.get("status.conditions"), conditions::Rules::Written);
    for name in ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] {
        out.not_negative(&new.get("status").get(name));
    }
}
