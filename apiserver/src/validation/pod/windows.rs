//! What pods for Windows must not have.

use crate::validation::{Findings, Spot};

use super::containers;

const WHY: &str = "cannot be set for a windows pod";

pub(super) fn windows(out: &mut Findings, spec: &Spot<'_>) {
    let context = spec.get("securityContext");
    for name in [
        "appArmorProfile",
        "seLinuxOptions",
        "seccompProfile",
        "fsGroup",
        "fsGroupChangePolicy",
        "sysctls",
        "runAsUser",
        "runAsGroup",
        "supplementalGroups",
        "supplementalGroupsPolicy",
        "seLinuxChangePolicy",
    ] {
        forbid(out, &context.get(name));
    }
    forbid(out, &spec.get("hostUsers"));
    for name in ["hostPID", "hostIPC"] {
        if spec.is_true(name) {
            forbid(out, &spec.get(name));
        }
    }
    forbid(out, &spec.get("shareProcessNamespace"));
    for container in containers::all(spec) {
        let context = container.get("securityContext");
        for name in [
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "capabilities",
            "readOnlyRootFilesystem",
            "privileged",
            "allowPrivilegeEscalation",
            "procMount",
            "runAsUser",
            "runAsGroup",
        ] {
            forbid(out, &context.get(name));
        }
    }
}

fn forbid(out: &mut Findings, spot: &Spot<'_>) {
    if spot.is_set() {
        out.forbidden(spot, WHY);
    }
}
