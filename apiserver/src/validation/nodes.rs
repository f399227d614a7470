//! Nodes.

use serde_json::Value;

use crate::protocol::{FieldError, names::label_value_errors};

use super::{Checks, Findings, Spot, formats, labels, resources};

pub(super) const CHECKS: Checks = Checks { create, update, status: update };

fn create(out: &mut Findings, node: &Spot<'_>) {
    taints(out, node);
    amounts(out, node);
    ranges(out, node);
}

/// The addresses of a node's pods, one range of each family.
fn ranges(out: &mut Findings, node: &Spot<'_>) {
    let ranges = node.get("spec.podCIDRs");
    for range in ranges.each() {
        formats::cidr(out, &range);
    }
    let families: Vec<bool> = ranges
        .each()
        .filter_map(|range| formats::parse_cidr(range.str()))
        .map(|(address, _)| address.is_ipv4())
        .collect();
    let count = node.count("spec.podCIDRs");
    let both = families.contains(&true) && families.contains(&false);
    let unread = ranges.each().enumerate().find(|(_, range)| formats::parse_cidr(range.str()).is_none());
    if let Some((index, range)) = unread.filter(|_| count > 1) {
        let why = format!(
            "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[{index}]: <nil> (invalid CIDR address: {})",
            range.str()
        );
        out.push(FieldError::internal(ranges.path(), why));
    }
    if count > 1 && (unread.is_some() || !both || count > 2) {
        out.invalid(&ranges, "may specify no more than one CIDR for each IP family");
    }
}

fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    const ONCE: &str = "node updates may not change podCIDR except from \"\" to valid";
    ranges(out, new);
    amounts(out, new);
    let mut seen: Vec<&Value> = Vec::new();
    for address in new.items("status.addresses") {
        if seen.contains(&address.value()) {
            let mut error = FieldError::duplicate(address.path(), &Value::Null);
            let (kind, text) = (Value::from(address.text("type")), Value::from(address.text("address")));
            error.value = format!("{{\"Type\":{kind},\"Address\":{text}}}");
            out.push(error);
        }
        seen.push(address.value());
    }
    let (ranges, before) = (new.get("spec.podCIDRs"), old.get("spec.podCIDRs"));
    if new.count("spec.podCIDRs") == old.count("spec.podCIDRs") {
        for (now, before) in ranges.each().zip(before.each()) {
            if now.str() != before.str() {
                out.forbidden(&ranges, ONCE);
            }
        }
    } else if !before.is_empty() {
        out.forbidden(&ranges, ONCE);
    }
    let (provider, known) = (new.get("spec.providerID"), old.text("spec.providerID"));
    if !known.is_empty() && provider.is_empty() {
        out.invalid_as(&provider, Value::Null, "field cannot be cleared once set");
    } else if !known.is_empty() && provider.str() != known {
        out.invalid_as(&provider, Value::Null, "field cannot be modified once set");
    }
    taints(out, new);
    if new.text("spec.externalID") != old.text("spec.externalID") {
        out.forbidden(&new.get("spec.externalID"), "may not be updated");
    }
}

fn amounts(out: &mut Findings, node: &Spot<'_>) {
    for list in ["status.capacity", "status.allocatable"] {
        let place = node.get(list);
        for (name, amount) in node.entries(list) {
            resources::resource_amount(out, &amount.moved(&place.get(name)), name);
        }
    }
}

/// Taints, which a real server tells as if they stood in the metadata.
fn taints(out: &mut Findings, node: &Spot<'_>) {
    let told = node.get("metadata.taints");
    let list = node.get("spec.taints").moved(&told);
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for taint in list.each() {
        let (value, effect) = (taint.get("value"), taint.get("effect"));
        labels::label_key(out, &taint.get("key"));
        let errors = label_value_errors(value.str());
        if !errors.is_empty() {
            out.invalid(&value, errors.join(";"));
        }
        out.one_of(&effect, &["NoSchedule", "PreferNoSchedule", "NoExecute"]);
        let key = (taint.text("key"), taint.text("effect"));
        if seen.contains(&key) {
            let mut error = FieldError::duplicate(taint.path(), &Value::Null);
            let text = |name: &str| Value::from(taint.text(name));
            error.value = format!(
                "{{\"Key\":{},\"Value\":{},\"Effect\":{},\"TimeAdded\":{}}}",
                text("key"),
                text("value"),
                text("effect"),
                taint.get("timeAdded").value()
            );
            error.detail = "taints must be unique by key and effect pair".to_owned();
            out.push(error);
            continue;
        }
        seen.push(key);
    }
}
