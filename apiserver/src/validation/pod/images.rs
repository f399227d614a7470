//! Images, pull policies, resize and restart policies.

use crate::validation::{Findings, Spot};

pub(super) fn pull_policy(out: &mut Findings, policy: &Spot<'_>) {
    out.one_of(policy, &["Always", "IfNotPresent", "Never"]);
}

/// An image without space around it: only pods themselves are strict about it.
pub(super) fn unpadded(out: &mut Findings, container: &Spot<'_>) {
    let image = container.get("image");
    if image.str().trim() != image.str() {
        out.invalid(&image, "must not have leading or trailing whitespace");
    }
}

pub(super) fn resize_policy(out: &mut Findings, container: &Spot<'_>, restart: &str) {
    let list = container.get("resizePolicy");
    let mut seen: Vec<&str> = Vec::new();
    for policy in list.each() {
        let resource = policy.text("resourceName");
        if seen.contains(&resource) {
            out.duplicate_as(&policy, resource);
        }
        seen.push(resource);
        out.one_of(&policy.get("resourceName").moved(&list), &["cpu", "memory"]);
        out.one_of(&policy.get("restartPolicy").moved(&list), &["NotRequired", "RestartContainer"]);
        if restart == "Never" && policy.text("restartPolicy") != "NotRequired" {
            let why = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            out.invalid_as(&list, policy.text("restartPolicy"), why);
        }
    }
}

pub(super) fn restart_policy(out: &mut Findings, container: &Spot<'_>) {
    let policy = container.get("restartPolicy");
    let rules = container.get("restartPolicyRules");
    let count = container.count("restartPolicyRules");
    if !policy.is_set() {
        if count == 0 {
            return;
        }
        out.required(&policy, "must specify restartPolicy when restart rules are used");
    } else {
        out.maybe_one_of(&policy, &["Always", "Never", "OnFailure"]);
    }
    if count > 20 {
        out.too_many(&rules, count, 20);
    }
    for rule in rules.each() {
        let action = rule.get("action");
        if !["Restart", "RestartAllContainers"].contains(&action.str()) {
            out.not_supported(&action, &["Restart", "RestartAllContainers"]);
        }
        let codes = rule.get("exitCodes");
        if !codes.is_set() {
            out.required(&codes, "must be specified");
            continue;
        }
        let operator = codes.get("operator");
        if !["In", "NotIn"].contains(&operator.str()) {
            out.not_supported(&operator, &["In", "NotIn"]);
        }
        if codes.count("values") > 255 {
            out.too_many(&codes.get("values"), codes.count("values"), 255);
        }
    }
}
