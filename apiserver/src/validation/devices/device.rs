//! One device of a slice.
//!
//! In: a device, and the one of that name that is stored. Out: what is wrong with it.

use serde_json::Value;

use super::{
    super::{formats, pod},
    Findings, Spot, capacity,
    names::{self, Told},
    parts,
    slice::counters,
};

const MOST_ENTRIES: usize = 32;
const MOST_TAINTS: usize = 16;
const MOST_CONSUMED: usize = 2;
const LONGEST_VALUE: usize = 64;
const LONGEST_KEY: usize = 63 + 1 + 32;
/// The kinds of values, in the order in which a real server tells them.
const KINDS: [&str; 8] = ["int", "bool", "string", "version", "ints", "bools", "strings", "versions"];

/// The device of this name in a stored slice.
pub(super) fn of_name<'a>(slice: &Spot<'a>, name: &str) -> Option<&'a Value> {
    let devices = slice.value().pointer("/spec/devices").and_then(Value::as_array)?;
    devices.iter().find(|device| device.get("name").and_then(Value::as_str) == Some(name))
}

pub(super) fn device(out: &mut Findings, device: &Spot<'_>, old: Option<&Value>, each: bool) {
    let same =
        |path: &str| old.is_some_and(|old| old.get(path).unwrap_or(&Value::Null) == device.get(path).value());
    formats::label(out, &device.get("name"));
    sizes(out, device);
    for (key, attribute) in device.entries("attributes") {
        names::qualified(out, &device.get("attributes"), key);
        let short = shortened(key);
        let told = device.entry("attributes", &short);
        self::attribute(out, &attribute.moved(&told), same("attributes"));
    }
    if !same("capacity") {
        for (key, amount) in device.entries("capacity") {
            names::qualified(out, &device.get("capacity"), key);
            let short = shortened(key);
            let told = device.entry("capacity", &short);
            capacity::capacity(out, &amount.moved(&told), device.is_true("allowMultipleAllocations"));
        }
    }
    let taints = device.get("taints");
    if !same("taints") && parts::fits(out, &taints, MOST_TAINTS, Told::Written) {
        taints.each().for_each(|one| parts::taint(out, &one, None));
    }
    let consumed = device.get("consumesCounters");
    if parts::fits(out, &consumed, MOST_CONSUMED, Told::Declared) {
        let key = |one: &Spot<'_>| one.text("counterSet").to_owned();
        out.declared(|out| parts::unique(out, &consumed, key, |one| one.written()));
        consumed.each().for_each(|one| consumption(out, &one));
    }
    nodes(out, device, each);
    parts::binding(out, device);
}

/// A key as it is told in a path: of a long one the middle is left out.
fn shortened(key: &str) -> String {
    if key.len() <= LONGEST_KEY {
        return key.to_owned();
    }
    let rest = LONGEST_KEY - 3;
    let head = key.get(..rest.div_ceil(2)).unwrap_or_default();
    let tail = key.get(key.len() - rest / 2..).unwrap_or_default();
    format!("{head}...{tail}")
}

fn sizes(out: &mut Findings, device: &Spot<'_>) {
    let entries = device.count("attributes") + device.count("capacity");
    if entries > MOST_ENTRIES {
        let why = format!("the total number of attributes and capacities must not exceed {MOST_ENTRIES}");
        out.invalid_as(device, entries, why);
    }
}

fn attribute(out: &mut Findings, attribute: &Spot<'_>, same: bool) {
    let (text, version) = (attribute.get("string"), attribute.get("version"));
    value_length(out, &text);
    if version.is_set() {
        self::version(out, &version);
    }
    if same {
        return;
    }
    out.declared(|out| {
        let set: Vec<&str> = KINDS.iter().copied().filter(|kind| attribute.has(kind)).collect();
        let all = KINDS.map(|kind| format!("`{kind}`")).join(", ");
        match set.len() {
            0 => out.invalid_as(attribute, "", format!("must specify one of: {all}")),
            1 => {}
            _ => out.invalid_as(
                attribute,
                format!("{{{}}}", set.join(", ")),
                format!("must specify exactly one of: {all}"),
            ),
        }
    });
}

fn value_length(out: &mut Findings, spot: &Spot<'_>) {
    if spot.str().len() > LONGEST_VALUE {
        out.too_long(spot, LONGEST_VALUE);
    }
}

fn version(out: &mut Findings, spot: &Spot<'_>) {
    if !is_semantic(spot.str()) {
        out.invalid(spot, "must be a string compatible with semver.org spec 2.0.0");
    }
    value_length(out, spot);
}

/// Whether a text is a version as semver.org has it.
fn is_semantic(text: &str) -> bool {
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (core, before) = text.split_once('-').map_or((text, None), |(core, before)| (core, Some(before)));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = |part: &str| digits(part) && (part == "0" || !part.starts_with('0'));
    let word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    core.split('.').count() == 3
        && core.split('.').all(number)
        && before.is_none_or(|parts| {
            parts.split('.').all(|part| if digits(part) { number(part) } else { word(part) })
        })
        && build.is_none_or(|parts| parts.split('.').all(word))
}

fn consumption(out: &mut Findings, consumption: &Spot<'_>) {
    let name = consumption.get("counterSet");
    out.declared(|out| {
        if name.is_empty() {
            out.required(&name, "");
        } else {
            formats::label(out, &name);
        }
    });
    counters(out, consumption, &consumption.get("counters"));
}

/// From which nodes the device can be reached, where each device tells that by itself.
fn nodes(out: &mut Findings, device: &Spot<'_>, each: bool) {
    const ONE: &str = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to \
                       true in the ResourceSlice spec";
    let (name, selector, all) = (device.get("nodeName"), device.get("nodeSelector"), device.get("allNodes"));
    if !each {
        if name.is_set() || selector.is_set() || all.is_set() {
            out.invalid_printed(
                device,
                "null",
                "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
            );
        }
        return;
    }
    let mut set = Vec::new();
    if name.is_set() {
        if name.is_empty() {
            out.invalid(&name, "must not be empty");
        } else {
            set.push("`nodeName`");
            formats::subdomain(out, &name);
        }
    }
    if selector.is_set() {
        set.push("`nodeSelector`");
        pod::node_selector(out, &selector);
    }
    if device.is_true("allNodes") {
        set.push("`allNodes`");
    } else if all.is_set() {
        out.invalid(&all, "must be either unset or set to true");
    }
    match set.len() {
        0 => out.required(device, ONE),
        1 => {}
        _ => out.invalid_as(device, format!("{{{}}}", set.join(", ")), ONE),
    }
}
