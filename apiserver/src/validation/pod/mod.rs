//! Pods, and the templates that pods are made from.

mod containers;
mod env;
mod images;
mod mounts;
mod ports;
mod probes;
mod projected;
mod scheduling;
mod security;
mod selectors;
mod spec;
mod status;
mod storage;
mod update;
mod volumes;
mod windows;

pub(super) use selectors::{node_selector, tolerations, topology_term};
pub(super) use spec::template;
pub(super) use storage::{csi_driver_name, persistent_source};

use super::{Checks, Findings, Spot};

/// The checks of pods.
pub(super) const PODS: Checks = Checks { create, update: update::update, status: status::status };

fn create(out: &mut Findings, pod: &Spot<'_>) {
    spec::pod(out, pod);
    let ephemeral = pod.get("spec.ephemeralContainers");
    if !ephemeral.is_empty() {
        out.forbidden(&ephemeral, "cannot be set on create");
    }
    if !pod.text("spec.nodeName").is_empty() && pod.count("spec.schedulingGates") > 0 {
        out.forbidden(&pod.get("spec.nodeName"), "cannot be set until all schedulingGates have been cleared");
    }
}
