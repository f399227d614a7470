//! Containers of all sorts.

use crate::{
    protocol::FieldError,
    validation::{Findings, Spot, formats, resources},
};

use super::{env, images, mounts, mounts::Volumes, ports, probes, security};

/// What containers need to know of their pod.
pub(super) struct Around<'v, 'a> {
    pub spec: &'v Spot<'a>,
    pub volumes: &'v Volumes<'a>,
    pub claims: Vec<&'v str>,
    pub grace: Option<i64>,
    pub host_users: bool,
}

/// What a debugging container must not have.
const NOT_EPHEMERAL: &[&str] = &[
    "ports",
    "resources",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
    "resizePolicy",
    "restartPolicy",
    "restartPolicyRules",
];

pub(super) fn containers(out: &mut Findings, around: &Around<'_, '_>) {
    let list = around.spec.get("containers");
    if list.is_empty() {
        return out.required(&list, "");
    }
    let mut names: Vec<String> = Vec::new();
    for container in list.each() {
        common(out, &container, around);
        let name = container.get("name");
        if names.iter().any(|taken| taken == name.str()) {
            out.duplicate_as(&name, name.str());
        } else {
            names.push(name.str().to_owned());
        }
        probes::lifecycle(out, &container, around.grace, &around.spec.get("os"));
        probes::probes(out, &container, around.grace);
        images::restart_policy(out, &container);
    }
    ports::host_ports(out, list.each());
}

pub(super) fn init_containers(out: &mut Findings, around: &Around<'_, '_>) {
    let spec = around.spec;
    let list = spec.get("initContainers");
    let mut names: Vec<String> =
        spec.items("containers").map(|container| container.text("name").to_owned()).collect();
    for container in list.each() {
        common(out, &container, around);
        images::restart_policy(out, &container);
        let name = container.get("name");
        if names.iter().any(|taken| taken == name.str()) {
            out.duplicate_as(&name, name.str());
        } else if !name.is_empty() {
            names.push(name.str().to_owned());
        }
        let mut own = out.fresh();
        ports::host_ports(&mut own, std::iter::once(container));
        own.into_errors().into_iter().for_each(|error| out.push(error));
        if container.text("restartPolicy") == "Always" {
            probes::lifecycle(out, &container, around.grace, &spec.get("os"));
            probes::probes(out, &container, around.grace);
            continue;
        }
        for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            if container.has(name) {
                let why = "may not be set for init containers without restartPolicy=Always";
                out.forbidden(&container.get(name), why);
            }
        }
        for policy in container.items("resizePolicy") {
            let restart = policy.get("restartPolicy");
            if restart.str() == "RestartContainer" {
                out.invalid(&restart, "must not be set to 'RestartContainer' for non-sidecar initContainers");
            }
        }
    }
}

pub(super) fn ephemeral_containers(out: &mut Findings, around: &Around<'_, '_>) {
    const WHY: &str = "cannot be set for an Ephemeral Container";
    let spec = around.spec;
    let mut others: Vec<String> = Vec::new();
    for list in ["containers", "initContainers"] {
        others.extend(spec.items(list).map(|container| container.text("name").to_owned()));
    }
    let mut names = others.clone();
    for container in spec.items("ephemeralContainers") {
        common(out, &container, around);
        images::unpadded(out, &container);
        let (name, target) = (container.get("name"), container.get("targetContainerName"));
        if names.iter().any(|taken| taken == name.str()) {
            out.duplicate_as(&name, name.str());
        } else {
            names.push(name.str().to_owned());
        }
        if !target.is_empty() && !others.iter().any(|other| other == target.str()) {
            out.not_found(&target);
        }
        for name in NOT_EPHEMERAL {
            let part = container.get(name);
            if !part.is_empty() {
                out.forbidden(&part, WHY);
            }
        }
        for mount in container.items("volumeMounts") {
            for name in ["subPath", "subPathExpr"] {
                if !mount.text(name).is_empty() {
                    out.forbidden(&mount.get(name), WHY);
                }
            }
        }
    }
}

/// What holds for containers of all sorts.
fn common(out: &mut Findings, container: &Spot<'_>, around: &Around<'_, '_>) {
    let name = container.get("name");
    if name.is_empty() {
        out.required(&name, "");
    } else {
        formats::label(out, &name);
    }
    out.present(&container.get("image"));
    out.one_of(&container.get("terminationMessagePolicy"), &["File", "FallbackToLogsOnError"]);
    ports::container_ports(out, container);
    env::env(out, container);
    mounts::mounts(out, container, around.volumes);
    mounts::devices(out, container, around.volumes);
    images::pull_policy(out, &container.get("imagePullPolicy"));
    let rule = resources::container_resource_name;
    resources::requirements(out, &container.get("resources"), rule, &around.claims);
    images::resize_policy(out, container, around.spec.text("restartPolicy"));
    security::of_container(out, &container.get("securityContext"), around.host_users);
}

/// All containers of a pod, with their places, in the order in which a real server walks over them.
pub(super) fn all<'s>(spec: &'s Spot<'_>) -> impl Iterator<Item = Spot<'s>> {
    ["initContainers", "containers", "ephemeralContainers"].into_iter().flat_map(|list| spec.items(list))
}

/// Files whose content becomes part of the environment lie in volumes that are made for the pod.
pub(super) fn file_keys(out: &mut Findings, spec: &Spot<'_>) {
    for container in all(spec) {
        for variable in container.items("env") {
            let volume = variable.get("valueFrom.fileKeyRef.volumeName");
            if !variable.has("valueFrom.fileKeyRef") {
                continue;
            }
            match spec.items("volumes").find(|known| known.text("name") == volume.str()) {
                None => out.push(FieldError::not_found(volume.path(), &volume.str().into())),
                Some(known) if !known.has("emptyDir") => {
                    out.invalid(&volume, "referenced volume must be of type emptyDir");
                }
                Some(_) => {}
            }
        }
    }
}
