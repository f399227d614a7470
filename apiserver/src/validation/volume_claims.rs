//! Claims of volumes.

use serde_json::Value;

use crate::protocol::{
    FieldError,
    names::{dns_label_errors, dns_subdomain_errors, qualified_name_errors},
};

use super::{Checks, Findings, Spot, labels, persistent_volumes::access_modes, resources};

pub(super) const CHECKS: Checks =
    Checks { create: |out, claim| spec(out, &claim.get("spec"), Groups::Checked), update, status };

const FIXED: &str = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/// The template of a claim that is made for one pod.
pub(super) fn template(out: &mut Findings, template: &Spot<'_>) {
    metadata(out, &template.get("metadata"));
    spec(out, &template.get("spec"), Groups::Checked);
}

/// The metadata of a template of one object, which have labels and annotations alone.
pub(super) fn metadata(out: &mut Findings, metadata: &Spot<'_>) {
    labels::annotations(out, &metadata.get("annotations"));
    labels::labels(out, &metadata.get("labels"));
    for (name, value) in metadata.members().into_iter().flatten() {
        if !["annotations", "labels"].contains(&name.as_str()) && !value.is_null() {
            // Fields are told by their names in Go, with a small first letter.
            let told = if name == "uid" { "uID" } else { name };
            out.forbidden(&metadata.alias(name, told), "cannot be set");
        }
    }
}

/// Whether the groups of sources of data have to be good ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    Checked,
    /// Since the stored claim has one, which may be older than the rule.
    Taken,
}

pub(super) fn spec(out: &mut Findings, spec: &Spot<'_>, groups: Groups) {
    let modes = spec.get("accessModes");
    if modes.is_empty() {
        out.required(&modes, "at least 1 access mode is required");
    }
    labels::selector(out, &spec.get("selector"));
    if !modes.is_empty() {
        access_modes(out, spec, "");
    }
    storage(out, spec);
    let class = spec.get("storageClassName");
    if !class.is_empty() {
        out.all(&class, dns_subdomain_errors(class.str()));
    }
    out.maybe_one_of(&spec.get("volumeMode"), &["Block", "Filesystem"]);
    sources(out, spec, groups);
    let attributes = spec.get("volumeAttributesClassName");
    if !attributes.is_empty() {
        out.all(&attributes, dns_subdomain_errors(attributes.str()));
    }
}

fn storage(out: &mut Findings, spec: &Spot<'_>) {
    let told = spec.entry("resources", "storage");
    let amount = spec.entry("resources.requests", "storage").moved(&told);
    if !amount.is_set() {
        return out.required(&amount, "");
    }
    if resources::amount(&amount).is_some_and(|value| value.is_zero() || value.is_negative()) {
        out.invalid_as(&amount, amount.str(), "must be greater than zero");
    }
}

fn sources(out: &mut Findings, spec: &Spot<'_>, groups: Groups) {
    for name in ["dataSource", "dataSourceRef"] {
        let source = spec.get(name);
        if !source.is_set() {
            continue;
        }
        out.present(&source.get("name"));
        out.present(&source.get("kind"));
        let (group, kind) = (source.get("apiGroup"), source.text("kind"));
        if group.is_empty() && kind != "PersistentVolumeClaim" {
            let why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
            out.invalid_as(&source, kind, why);
        }
        if !group.is_empty() && groups == Groups::Checked {
            out.all(&group, dns_subdomain_errors(group.str()));
        }
        let namespace = source.get("namespace");
        if name == "dataSourceRef" && !namespace.is_empty() {
            out.all(&namespace, dns_label_errors(namespace.str()));
        }
    }
    let (plain, reference) = (spec.get("dataSource"), spec.get("dataSourceRef"));
    if !plain.is_set() || !reference.is_set() {
        return;
    }
    if !reference.text("namespace").is_empty() {
        out.invalid_printed(spec, "{}", "may not be specified when dataSourceRef.namespace is specified");
    } else if ["apiGroup", "kind", "name"]
        .iter()
        .any(|name| plain.get(name).value() != reference.get(name).value())
    {
        out.invalid_printed(spec, "{}", "must match dataSourceRef");
    }
}

fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let (now, before) = (new.get("spec"), old.get("spec"));
    let named = |name: &str| before.get(name).has("apiGroup");
    let known = named("dataSource") || named("dataSourceRef");
    spec(out, &now, if known { Groups::Taken } else { Groups::Checked });
    let bound = new.text("status.phase") == "Bound";
    let (wanted, kept) = fixed_parts(&now, &before, bound);
    let difference = out.difference("core.PersistentVolumeClaimSpec", &kept, &wanted);
    if !difference.is_empty() {
        out.forbidden(&now, format!("{FIXED}\n{difference}"));
    }
    let size = now.entry("resources.requests", "storage");
    let was = before.entry("resources.requests", "storage");
    let real = old.entry("status.capacity", "storage");
    let amount = |spot: &Spot<'_>| resources::amount(spot).unwrap_or_default();
    if amount(&size) < amount(&was) && amount(&size) <= amount(&real) {
        out.forbidden(&now.get("resources.requests.storage"), "field can not be less than status.capacity");
    }
    let mode = now.get("volumeMode");
    if mode.value() != before.get("volumeMode").value() {
        out.push(FieldError::invalid("volumeMode", mode.value(), super::IMMUTABLE));
    }
    let class = now.get("volumeAttributesClassName");
    if old.has("status.currentVolumeAttributesClassName") && class.is_empty() {
        let what = if class.is_set() { "empty string" } else { "nil" };
        let why =
            format!("update to {what} is forbidden when status.currentVolumeAttributesClassName is not nil");
        out.forbidden(&class, why);
    }
}

/// The new and the old spec, with what may differ made the same.
fn fixed_parts(now: &Spot<'_>, old: &Spot<'_>, bound: bool) -> (Value, Value) {
    let (mut wanted, mut kept) = (now.value().clone(), old.value().clone());
    let copy = |from: &Spot<'_>, to: &mut Value, name: &str| {
        let Some(members) = to.as_object_mut() else { return };
        match from.get(name).value() {
            Value::Null => drop(members.remove(name)),
            value => drop(members.insert(name.to_owned(), value.clone())),
        }
    };
    if old.text("volumeName").is_empty() {
        copy(now, &mut kept, "volumeName");
    }
    if !old.has("storageClassName") && now.has("storageClassName") {
        // A class may be named later.
        copy(old, &mut wanted, "storageClassName");
    }
    if bound {
        copy(old, &mut wanted, "volumeAttributesClassName");
        let requests = wanted.pointer_mut("/resources/requests").and_then(Value::as_object_mut);
        if let Some(requests) = requests {
            requests.insert("storage".to_owned(), old.entry("resources.requests", "storage").value().clone());
        }
    }
    (wanted, kept)
}

fn status(out: &mut Findings, new: &Spot<'_>, _: &Spot<'_>) {
    const RESIZES: &[&str] = &[
        "ControllerResizeInProgress",
        "ControllerResizeInfeasible",
        "NodeResizePending",
        "NodeResizeInProgress",
        "NodeResizeInfeasible",
    ];
    for (_, amount) in new.entries("status.capacity") {
        if let Some(value) = resources::amount(&amount).filter(|value| value.is_negative()) {
            let whole = i64::try_from(value.whole()).unwrap_or(i64::MIN);
            out.invalid_as(&amount, whole, "must be a valid resource quantity");
        }
    }
    let place = new.get("status.allocatedResourceStatuses");
    for (name, state) in new.entries("status.allocatedResourceStatuses") {
        for error in qualified_name_errors(name) {
            out.invalid_as(&place, name, error);
        }
        if !name.contains('/') && name != "storage" {
            out.push(FieldError::not_supported(place.path(), &name.into(), &["storage"]));
        }
        if !RESIZES.contains(&state.str()) {
            let mut known = RESIZES.to_vec();
            known.sort_unstable();
            out.push(FieldError::not_supported(place.path(), &name.into(), &known));
        }
    }
}
