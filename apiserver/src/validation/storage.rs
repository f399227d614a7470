//! Classes of storage, and the drivers behind them.

use std::collections::{BTreeMap, BTreeSet};

use crate::protocol::names::{dns_subdomain_errors, qualified_name_errors};

use super::{Checks, Findings, NONE, Spot, devices, devices::Told, formats, labels, pod, resources};

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "storageclasses" => Checks { create: class, update: class_kept, ..NONE },
        "volumeattachments" => Checks {
            create: |out, new| attachment(out, new, Told::Declared),
            update: |out, new, old| {
                let (now, before) = (new.get("spec"), old.get("spec"));
                // What is changed is looked at by the written rules alone.
                let told = if now.value() == before.value() { Told::Declared } else { Told::Written };
                attachment(out, new, told);
                out.declared(|out| out.immutable(&now, &before));
            },
            ..NONE
        },
        "csidrivers" => Checks { create: driver, update: driver_kept, ..NONE },
        "csinodes" => Checks { create: node, update: node_kept, ..NONE },
        "csistoragecapacities" => Checks {
            create: capacity,
            update: |out, new, old| {
                capacity(out, new);
                out.immutable(&new.get("nodeTopology"), &old.get("nodeTopology"));
                out.immutable(&new.get("storageClassName"), &old.get("storageClassName"));
            },
            ..NONE
        },
        "volumeattributesclasses" => Checks { create: attributes, update: attributes_kept, ..NONE },
        _ => NONE,
    }
}

/// The name of what makes volumes.
fn provisioner(out: &mut Findings, spot: &Spot<'_>) {
    if spot.is_empty() {
        return out.declared(|out| out.required(spot, ""));
    }
    let lower = spot.str().to_lowercase();
    for error in qualified_name_errors(&lower) {
        out.invalid_as(spot, lower.as_str(), error);
    }
}

fn parameters(out: &mut Findings, spot: &Spot<'_>) {
    const LIMIT: usize = 256 * 1024;
    let members = spot.members();
    let count = members.map_or(0, serde_json::Map::len);
    if count > 512 {
        return out.too_long(spot, 512);
    }
    let mut size = 0;
    for (key, value) in members.into_iter().flatten() {
        if key.is_empty() {
            out.invalid_as(spot, "", "field can not be empty.");
        }
        size += key.len() + value.as_str().map_or(0, str::len);
    }
    if size > LIMIT {
        out.too_long(spot, LIMIT);
    }
}

fn class(out: &mut Findings, object: &Spot<'_>) {
    provisioner(out, &object.get("provisioner"));
    parameters(out, &object.get("parameters"));
    choices(out, object);
    topologies(out, object);
}

/// What becomes of volumes, and when they are bound.
fn choices(out: &mut Findings, object: &Spot<'_>) {
    let policy = object.get("reclaimPolicy");
    if !policy.is_empty() {
        out.maybe_one_of(&policy, &["Delete", "Retain"]);
    }
    let mode = object.get("volumeBindingMode");
    if mode.is_set() {
        out.maybe_one_of(&mode, &["Immediate", "WaitForFirstConsumer"]);
    } else {
        out.required(&mode, "");
    }
}

/// Terms that choose zones and the like, none of them twice.
fn topologies(out: &mut Findings, object: &Spot<'_>) {
    // A term that chooses nothing counts as one that is there already.
    let mut seen = vec![Chosen::new()];
    for term in object.items("allowedTopologies") {
        pod::topology_term(out, &term);
        let chosen = chosen(&term);
        if seen.contains(&chosen) {
            out.duplicate_as(&term.get("matchLabelExpressions"), "");
        }
        seen.push(chosen);
    }
}

/// What a term allows, by key.
type Chosen = BTreeMap<String, BTreeSet<String>>;

fn chosen(term: &Spot<'_>) -> Chosen {
    let mut chosen = Chosen::new();
    for requirement in term.items("matchLabelExpressions") {
        let values = requirement.items("values").map(|value| value.str().to_owned()).collect();
        chosen.insert(requirement.text("key").to_owned(), values);
    }
    chosen
}

fn class_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    if !new.text("provisioner").is_empty() {
        provisioner(out, &new.get("provisioner"));
    }
    parameters(out, &new.get("parameters"));
    choices(out, new);
    topologies(out, new);
    out.declared(|out| {
        let changed = |name: &str| new.get(name).value() != old.get(name).value();
        let maker = new.get("provisioner");
        if changed("provisioner") && maker.is_empty() {
            out.required(&maker, "");
        }
        for name in ["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"] {
            out.immutable(&new.get(name), &old.get(name));
        }
    });
}

fn attachment(out: &mut Findings, object: &Spot<'_>, told: Told) {
    devices::driver_name(out, &object.get("spec.attacher"), told);
    let source = object.get("spec.source");
    let (inline, named) = (source.get("inlineVolumeSpec"), source.get("persistentVolumeName"));
    let why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
    match (inline.is_set(), named.is_set()) {
        (false, false) => out.required(&source, why),
        (true, true) => out.forbidden(&source, why),
        (false, true) if named.is_empty() => {
            out.required(&named, "must specify non empty persistentVolumeName");
        }
        _ => {}
    }
    let node = object.get("spec.nodeName");
    for error in dns_subdomain_errors(node.str()) {
        out.invalid_as(&node, node.str(), error);
    }
    if named.is_set() {
        out.all(&named, dns_subdomain_errors(named.str()));
    }
}

fn driver(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    for (name, told) in [
        ("attachRequired", "attachedRequired"),
        ("podInfoOnMount", "podInfoOnMount"),
        ("storageCapacity", "storageCapacity"),
    ] {
        let flag = spec.alias(name, told);
        if !flag.is_set() {
            out.required(&flag, "");
        }
    }
    let policies = &["File", "None", "ReadWriteOnceWithFSType"];
    out.maybe_one_of(&spec.get("fsGroupPolicy"), policies);
    let mut audiences: Vec<String> = Vec::new();
    for request in spec.items("tokenRequests") {
        let audience = request.get("audience");
        if audiences.iter().any(|taken| taken == audience.str()) {
            out.duplicate_as(&audience, audience.str());
            continue;
        }
        audiences.push(audience.str().to_owned());
        let seconds = request.get("expirationSeconds");
        if seconds.int().is_some_and(|seconds| seconds < 600) {
            out.invalid(&seconds, "may not specify a duration less than 10 minutes");
        }
        if seconds.int().is_some_and(|seconds| seconds > 1 << 32) {
            out.invalid(&seconds, "may not specify a duration larger than 2^32 seconds");
        }
    }
    let modes = spec.get("volumeLifecycleModes");
    for mode in modes.each() {
        out.maybe_one_of(&mode.moved(&modes), &["Persistent", "Ephemeral"]);
    }
    let period = spec.get("nodeAllocatableUpdatePeriodSeconds");
    if period.int().is_some_and(|seconds| seconds < 10) {
        out.invalid(&period, "must be greater than or equal to 10 seconds");
    }
    let in_secrets = spec.get("serviceAccountTokenInSecrets");
    if in_secrets.is_set() && spec.count("tokenRequests") == 0 {
        out.invalid(&in_secrets, "serviceAccountTokenInSecrets is set but no tokenRequests are specified");
    }
}

fn driver_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    driver(out, new);
    let spec = new.get("spec");
    out.immutable(&spec.alias("attachRequired", "attachedRequired"), &old.get("spec.attachRequired"));
    out.immutable(&spec.get("volumeLifecycleModes"), &old.get("spec.volumeLifecycleModes"));
}

fn node(out: &mut Findings, object: &Spot<'_>) {
    let mut names: Vec<String> = Vec::new();
    for driver in object.items("spec.drivers") {
        let (name, id) = (driver.get("name"), driver.get("nodeID"));
        pod::csi_driver_name(out, &name);
        if id.is_empty() {
            out.required(&id, "");
        }
        if id.str().len() > 256 {
            out.invalid(&id, "must be 256 characters or less");
        }
        out.not_negative(&driver.get("allocatable.count"));
        if names.iter().any(|taken| taken == name.str()) {
            out.duplicate_as(&name, name.str());
        }
        names.push(name.str().to_owned());
        let mut keys: Vec<String> = Vec::new();
        for key in driver.items("topologyKeys") {
            let key = key.moved(&driver);
            if key.is_empty() {
                out.required(&key, "");
            }
            if keys.iter().any(|taken| taken == key.str()) {
                out.duplicate(&key);
            }
            keys.push(key.str().to_owned());
            formats::qualified(out, &key);
        }
    }
}

fn node_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    node(out, new);
    let strip = |driver: &Spot<'_>| {
        let mut value = driver.value().clone();
        if let Some(members) = value.as_object_mut() {
            members.remove("allocatable");
        }
        value
    };
    for before in old.items("spec.drivers") {
        for now in new.items("spec.drivers").filter(|now| now.text("name") == before.text("name")) {
            if strip(&now) != strip(&before) {
                let bare = strip(&now);
                let place = new.get("spec.drivers");
                out.invalid(&Spot::root(&bare).moved(&place), super::IMMUTABLE);
            }
        }
    }
}

fn capacity(out: &mut Findings, object: &Spot<'_>) {
    labels::selector(out, &object.get("nodeTopology"));
    let class = object.get("storageClassName");
    for error in dns_subdomain_errors(class.str()) {
        out.invalid_as(&class, class.str(), error);
    }
    resources::not_negative(out, &object.get("capacity"));
}

fn attributes(out: &mut Findings, object: &Spot<'_>) {
    provisioner(out, &object.get("driverName"));
    let list = object.get("parameters");
    parameters(out, &list);
    if list.is_empty() {
        out.required(&list, "must contain at least one key/value pair");
    }
}

fn attributes_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    for name in ["driverName", "parameters"] {
        if new.get(name).value() != old.get(name).value() {
            out.forbidden(&new.get(name), format!("updates to {name} are forbidden."));
        }
    }
    attributes(out, new);
}
