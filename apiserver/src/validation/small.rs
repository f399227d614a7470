//! Kinds with few rules.

use serde_json::json;

use crate::protocol::names::{dns_label_errors, dns_subdomain_errors};

use super::{Checks, Findings, NONE, Spot, conditions, devices::Told, labels, pod, resources};

/// The checks of pod templates.
pub(super) const POD_TEMPLATES: Checks = Checks {
    create: |out, object| pod::template(out, &object.get("template")),
    update: |out, new, _| pod::template(out, &new.get("template")),
    ..NONE
};

/// The checks of namespaces.
pub(super) const NAMESPACES: Checks = Checks { status: phase, ..NONE };

/// A namespace is going away if and only if it is deleted.
fn phase(out: &mut Findings, new: &Spot<'_>, _: &Spot<'_>) {
    let status = new.get("status");
    let phase = status.alias("phase", "Phase");
    let (only, why) = match new.has("metadata.deletionTimestamp") {
        false => ("Active", "may only be 'Active' if `deletionTimestamp` is empty"),
        true => ("Terminating", "may only be 'Terminating' if `deletionTimestamp` is not empty"),
    };
    if phase.str() != only {
        out.invalid_as(&phase, phase.str(), why);
    }
}

pub(super) fn checks(group: &str, plural: &str) -> Checks {
    match (group, plural) {
        ("scheduling.k8s.io", "priorityclasses") => {
            Checks { create: priority, update: priority_kept, ..NONE }
        }
        ("coordination.k8s.io", "leases") => {
            Checks { create: lease, update: |out, new, _| lease(out, new), ..NONE }
        }
        ("node.k8s.io", "runtimeclasses") => Checks {
            create: |out, new| runtime(out, new, Told::Declared),
            update: |out, new, old| {
                let (now, before) = (new.get("handler"), old.get("handler"));
                // What a changed one looks like is a matter of the written rules.
                out.declared(|out| out.immutable(&now, &before));
                runtime(out, new, if now.str() == before.str() { Told::Declared } else { Told::Written });
            },
            ..NONE
        },
        ("apiregistration.k8s.io", "apiservices") => {
            Checks { create: service, update: |out, new, _| service(out, new), ..NONE }
        }
        ("storagemigration.k8s.io", "storageversionmigrations") => {
            Checks { create: migration, update: migration_kept, status: migration_status }
        }
        _ => NONE,
    }
}

/// A move of what is stored to the current version.
fn migration(out: &mut Findings, object: &Spot<'_>) {
    let (resource, group) = (object.get("spec.resource.resource"), object.get("spec.resource.group"));
    if resource.is_empty() {
        out.required(&resource, "resource is required to be set");
    } else {
        joined(out, &resource, &crate::protocol::names::dns_1035_label_errors(resource.str()));
    }
    if !group.is_empty() {
        joined(out, &group, &dns_subdomain_errors(group.str()));
    }
}

fn joined(out: &mut Findings, spot: &Spot<'_>, errors: &[String]) {
    if !errors.is_empty() {
        out.invalid(spot, errors.join(","));
    }
}

fn migration_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    migration(out, new);
    let spec = new.get("spec");
    if spec.value() != old.get("spec").value() {
        let part = |name: &str| new.text(&format!("spec.resource.{name}"));
        let shown = json!({"Resource": {"group": part("group"), "resource": part("resource")}});
        out.invalid_as(&spec, shown, super::IMMUTABLE);
    }
}

fn migration_status(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let (version, before) = (new.get("status.resourceVersion"), old.text("status.resourceVersion"));
    let list = new.get("status.conditions");
    conditions::conditions(out, &list, conditions::Rules::Written);
    if !before.is_empty() && before != version.str() {
        out.invalid_as(&version, version.str(), super::IMMUTABLE);
    }
    let holds = |object: &Spot<'_>, kind: &str| {
        let mut all = object.items("status.conditions");
        all.any(|condition| condition.text("type") == kind && condition.text("status") == "True")
    };
    let (done, failed) = (holds(new, "Succeeded"), holds(new, "Failed"));
    if done && failed {
        out.invalid(&list, "Both success and failed conditions cannot be true at the same time");
    }
    if holds(old, "Succeeded") && !done {
        out.invalid(&list, "Success condition cannot be set to false once it is true");
    }
    if holds(old, "Failed") && !failed {
        out.invalid(&list, "Failed condition cannot be set to false once it is true");
    }
}

const HIGHEST: i64 = 1_000_000_000;
/// The classes that every cluster has, with their values.
const SYSTEM: [(&str, i64); 2] =
    [("system-node-critical", 2_000_001_000), ("system-cluster-critical", 2_000_000_000)];

fn priority(out: &mut Findings, object: &Spot<'_>) {
    let (name, value) = (object.get("metadata.name"), object.get("value"));
    let number = value.int().unwrap_or_default();
    if name.str().starts_with("system-") {
        let why = match SYSTEM.iter().find(|(known, _)| *known == name.str()) {
            None => format!("{} is not a known system priority class", name.str()),
            Some((_, right)) if *right != number => {
                format!("value of {} PriorityClass must be {right}", name.str())
            }
            Some(_) if object.is_true("globalDefault") => {
                format!("globalDefault of {} PriorityClass must be false", name.str())
            }
            Some(_) => return,
        };
        let prefix = "priority class names with 'system-' prefix are reserved for system use only. error: ";
        out.forbidden(&name, format!("{prefix}{why}"));
    } else if number > HIGHEST {
        out.forbidden(&value, format!("maximum allowed value of a user defined priority is {HIGHEST}"));
    }
    let policy = object.get("preemptionPolicy");
    if policy.is_set() {
        out.one_of(&policy, &["PreemptLowerPriority", "Never"]);
    }
}

fn priority_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let number = |object: &Spot<'_>| object.number("value").unwrap_or_default();
    if number(new) != number(old) {
        out.forbidden(&new.get("value"), "may not be changed in an update.");
    }
    out.immutable(&new.get("preemptionPolicy"), &old.get("preemptionPolicy"));
}

fn lease(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let duration = spec.get("leaseDurationSeconds");
    if duration.int().is_some_and(|seconds| seconds <= 0) {
        out.invalid(&duration, "must be greater than 0");
    }
    out.not_negative(&spec.get("leaseTransitions"));
}

fn runtime(out: &mut Findings, object: &Spot<'_>, told: Told) {
    let handler = object.get("handler");
    let errors = dns_label_errors(handler.str());
    match (handler.str(), told) {
        ("", _) => out.declared(|out| out.required(&handler, "")),
        (_, Told::Declared) => out.declared(|out| out.all(&handler, errors)),
        (_, Told::Written) => out.all(&handler, errors),
    }
    for (name, amount) in object.entries("overhead.podFixed") {
        let told = object.entry("overhead.limits", name);
        let amount = amount.moved(&told);
        resources::container_resource_name(out, &amount, name);
        resources::resource_amount(out, &amount, name);
    }
    let scheduling = object.get("scheduling");
    labels::labels(out, &scheduling.get("nodeSelector"));
    let list = scheduling.get("tolerations");
    pod::tolerations(out, &list);
    let mut seen: Vec<[&str; 4]> = Vec::new();
    for toleration in list.each() {
        let key = ["key", "operator", "value", "effect"].map(|name| toleration.text(name));
        if seen.contains(&key) {
            out.duplicate(&toleration);
        } else {
            seen.push(key);
        }
    }
}

fn service(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let (group, version) = (spec.text("group"), spec.text("version"));
    let wanted = format!("{version}.{group}");
    let name = object.get("metadata.name");
    if !name.is_empty() && name.str() != wanted {
        out.invalid_as(&name, name.str(), format!("must be `spec.version+\".\"+spec.group`: {wanted:?}"));
    }
    if group.is_empty() {
        if version != "v1" {
            out.required(&spec.get("group"), "only v1 may have an empty group and it better be legacy kube");
        }
    } else {
        out.all(&spec.get("group"), dns_subdomain_errors(group));
    }
    for error in crate::protocol::names::dns_1035_label_errors(version) {
        out.invalid_as(&spec.get("version"), version, error);
    }
    for (name, most) in [("groupPriorityMinimum", 20_000), ("versionPriority", 1_000)] {
        let number = spec.number(name).unwrap_or_default();
        if number <= 0 || number > most {
            let why = format!("must be positive and less than {most}");
            out.invalid_as(&spec.get(name), number, why);
        }
    }
    let target = spec.get("service");
    if !target.is_set() {
        let bundle = spec.get("caBundle");
        if !bundle.is_empty() {
            let size = bundle.str().len();
            out.invalid_printed(
                &bundle,
                format!("{size} bytes"),
                "local APIServices may not have a caBundle",
            );
        }
        if spec.is_true("insecureSkipTLSVerify") {
            let flag = spec.get("insecureSkipTLSVerify");
            out.invalid(&flag, "local APIServices may not have insecureSkipTLSVerify");
        }
        return;
    }
    for name in ["namespace", "name"] {
        out.present(&target.get(name));
    }
    if target.has("port") {
        let port = target.get("port");
        if port.int().is_some_and(|port| !(1..=65535).contains(&port)) {
            out.invalid(&port, "port is not valid: must be between 1 and 65535, inclusive");
        }
    }
    if spec.is_true("insecureSkipTLSVerify") && !spec.text("caBundle").is_empty() {
        out.invalid(&spec.get("insecureSkipTLSVerify"), "may not be true if caBundle is present");
    }
}
