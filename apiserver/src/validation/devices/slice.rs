//! Slices: the devices that a driver offers.
//!
//! In: a slice, for updates also the stored one. Out: what is wrong with it.

use crate::protocol::printed;

use super::{
    super::{formats, pod},
    Findings, Spot, device,
    names::{self, Told},
    parts,
};

const MOST_DEVICES: usize = 128;
const MOST_RICH_DEVICES: usize = 64;
const MOST_COUNTER_SETS: usize = 8;
const MOST_COUNTERS: usize = 32;

pub(super) fn slice(out: &mut Findings, object: &Spot<'_>, old: Option<&Spot<'_>>) {
    let spec = object.get("spec");
    let (driver, pool, node) = (spec.get("driver"), spec.get("pool"), spec.get("nodeName"));
    names::driver(out, &driver, Told::Written);
    self::pool(out, &pool);
    if let Some(old) = old {
        out.immutable_text(&pool.get("name"), &old.get("spec.pool.name"));
        out.immutable_text(&driver, &old.get("spec.driver"));
        out.immutable(&node, &old.get("spec.nodeName"));
    }
    nodes(out, &spec);
    if spec.has("sharedCounters") && spec.has("devices") {
        out.invalid_as(&spec, "", "only one of `sharedCounters` or `devices` is allowed");
    }
    let devices = spec.get("devices");
    let most = if is_rich(&devices) { MOST_RICH_DEVICES } else { MOST_DEVICES };
    if parts::fits(out, &devices, most, Told::Written) {
        for one in devices.each() {
            let stored = old.and_then(|old| device::of_name(old, one.text("name")));
            device::device(out, &one, stored, spec.is_true("perDeviceNodeSelection"));
        }
        parts::unique(
            out,
            &devices,
            |one| one.text("name").to_owned(),
            |one| printed(one.get("name").value()),
        );
    }
    let counters = spec.get("sharedCounters");
    if parts::fits(out, &counters, MOST_COUNTER_SETS, Told::Declared) {
        let name = |one: &Spot<'_>| one.text("name").to_owned();
        out.declared(|out| parts::unique(out, &counters, name, |one| one.written()));
        counters.each().for_each(|one| counter_set(out, &one));
    }
}

fn pool(out: &mut Findings, pool: &Spot<'_>) {
    names::pool(out, &pool.get("name"), Told::Written);
    let (count, generation) = (pool.get("resourceSliceCount"), pool.get("generation"));
    let number = count.int().unwrap_or_default();
    if number <= 0 {
        out.invalid_as(&count, number, "must be greater than zero");
    }
    if generation.int().is_some_and(|number| number < 0) {
        out.invalid(&generation, "must be greater than or equal to zero");
    }
}

/// From which nodes the devices can be reached, told in exactly one way.
fn nodes(out: &mut Findings, spec: &Spot<'_>) {
    const ONE: &str =
        "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
    let mut set = Vec::new();
    let name = spec.get("nodeName");
    if name.is_set() {
        if name.is_empty() {
            out.invalid(&name, "must be either unset or set to a non-empty string");
        } else {
            set.push("`nodeName`");
            formats::subdomain(out, &name);
        }
    }
    let selector = spec.get("nodeSelector");
    if selector.is_set() {
        set.push("`nodeSelector`");
        pod::node_selector(out, &selector);
        let terms = selector.get("nodeSelectorTerms");
        if terms.each().count() != 1 {
            out.invalid(&terms, "must have exactly one node selector term");
        }
    }
    for (path, shown) in [("allNodes", "`allNodes`"), ("perDeviceNodeSelection", "`perDeviceNodeSelection`")]
    {
        let flag = spec.get(path);
        if spec.is_true(path) {
            set.push(shown);
        } else if flag.is_set() {
            out.invalid(&flag, "must be either unset or set to true");
        }
    }
    match set.len() {
        0 => out.required(spec, ONE),
        1 => {}
        _ => out.invalid_as(
            spec,
            format!("{{{}}}", set.join(", ")),
            format!("{ONE}, but multiple fields are set"),
        ),
    }
}

/// Whether devices have what makes them large.
fn is_rich(devices: &Spot<'_>) -> bool {
    devices.each().any(|device| device.count("taints") > 0 || device.count("consumesCounters") > 0)
}

fn counter_set(out: &mut Findings, set: &Spot<'_>) {
    let (name, counters) = (set.get("name"), set.get("counters"));
    out.declared(|out| {
        if name.is_empty() {
            out.required(&name, "");
        } else {
            formats::label(out, &name);
        }
    });
    self::counters(out, set, &counters);
}

/// Amounts by their names, of which there is one at least.
pub(super) fn counters(out: &mut Findings, holder: &Spot<'_>, counters: &Spot<'_>) {
    if counters.is_empty() {
        return out.declared(|out| out.required(counters, ""));
    }
    let count = holder.count("counters");
    if count > MOST_COUNTERS {
        return out.too_many(counters, count, MOST_COUNTERS);
    }
    for (key, _) in holder.entries("counters") {
        out.declared(|out| {
            for error in crate::protocol::names::dns_label_errors(key) {
                out.invalid_as(counters, key, error);
            }
        });
    }
}
