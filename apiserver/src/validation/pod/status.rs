//! What the status of a pod may become.

use crate::{
    protocol::names::dns_subdomain_errors,
    validation::{Findings, Spot, formats},
};

pub(super) fn status(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let status = new.get("status");
    for condition in status.items("conditions") {
        let generation = condition.get("observedGeneration");
        if generation.int().is_some_and(|generation| generation < 0) {
            out.invalid(&generation, "must be a non-negative integer");
        }
        if !["PodScheduled", "Ready", "Initialized"].contains(&condition.text("type")) {
            formats::qualified(out, &condition.alias("type", "Type"));
        }
    }
    let nominated = status.get("nominatedNodeName");
    if !nominated.is_empty() && nominated.str() != old.text("status.nominatedNodeName") {
        out.all(&nominated, dns_subdomain_errors(nominated.str()));
        if !old.text("spec.nodeName").is_empty() {
            out.forbidden(&nominated, "may not be set on pods that are already bound to a node");
        }
    }
    let generation = status.get("observedGeneration");
    if generation.int().is_some_and(|generation| generation < 0) {
        out.invalid(&generation, "must be a non-negative integer");
    }
    let class = status.get("qosClass");
    if class.str() != old.text("status.qosClass") {
        out.invalid_as(&class, class.str(), crate::validation::IMMUTABLE);
    }
    restarts(out, new, old, "containerStatuses");
    restarts(out, new, old, "initContainerStatuses");
    for list in ["podIPs", "hostIPs"] {
        let addresses = status.get(list);
        for address in addresses.each() {
            formats::ip(out, &address.get("ip").moved(&address));
        }
    }
}

/// A container that has ended in a pod that does not restart it stays so.
fn restarts(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>, list: &'static str) {
    let policy = old.text("spec.restartPolicy");
    if policy == "Always" {
        return;
    }
    let (new, old) = (new.get("status"), old.get("status"));
    for before in old.items(list) {
        if !before.has("state.terminated") {
            continue;
        }
        let code = before.number("state.terminated.exitCode").unwrap_or_default();
        if policy == "OnFailure" && code != 0 {
            continue;
        }
        for now in new.items(list) {
            if now.text("name") == before.text("name") && !now.has("state.terminated") {
                let state = now.get("state");
                out.forbidden(&state, "may not be transitioned to non-terminated state");
            }
        }
    }
}
