//! The status of a claim: what was allocated, for whom, and what drivers tell of it.
//!
//! In: a claim and the stored one. Out: what is wrong with its status.

use serde_json::Value;

use super::{
    super::{conditions, formats, pod},
    Findings, Spot,
    claim::{Requests, reference, references},
    names::{self, Told},
    parts::{self, Text},
};

const MOST_RESERVED: usize = 256;
const MOST_RESULTS: usize = 32;
const MOST_CONFIGS: usize = 64;
const MOST_CONDITIONS: usize = 8;
const MOST_ADDRESSES: usize = 16;

pub(super) fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let status = new.get("status");
    let reserved = status.get("reservedFor");
    if parts::fits(out, &reserved, MOST_RESERVED, Told::Declared) {
        reserved
            .each()
            .for_each(|one| ["resource", "name", "uid"].iter().for_each(|name| out.present(&one.get(name))));
        let uid = |one: &Spot<'_>| one.text("uid").to_owned();
        out.declared(|out| parts::unique(out, &reserved, uid, |one| one.written()));
    }
    let allocation = status.get("allocation");
    let allocated: Vec<String> = allocation.items("devices.results").map(|one| identity(&one)).collect();
    let devices = status.get("devices");
    devices.each().for_each(|one| device(out, &one, &allocated));
    out.declared(|out| parts::unique(out, &devices, identity, |one| one.written()));
    if !reserved.is_empty() {
        if !allocation.is_set() {
            out.forbidden(&reserved, "may not be specified when `allocated` is not set");
        } else if new.has("metadata.deletionTimestamp") {
            let before = old.get("status.reservedFor");
            if reserved.each().any(|one| !before.each().any(|known| known.value() == one.value())) {
                out.forbidden(
                    &reserved,
                    "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set",
                );
            }
        }
    }
    let before = old.get("status.allocation");
    if before.is_set() && allocation.is_set() {
        if before.value() != allocation.value() {
            out.declared(|out| out.invalid_printed(&allocation, "null", "field is immutable once set"));
        }
    } else if allocation.is_set() {
        self::allocation(out, &allocation, &Requests::of(&new.get("spec.devices")));
    }
}

/// A device as an allocation names it.
fn identity(device: &Spot<'_>) -> String {
    let share = device.get("shareID");
    let parts = ["driver", "pool", "device"].map(|name| device.text(name)).join("/");
    if share.is_set() { format!("{parts}/{}", share.str()) } else { parts }
}

fn device(out: &mut Findings, device: &Spot<'_>, allocated: &[String]) {
    names::driver(out, &device.get("driver"), Told::Written);
    names::pool(out, &device.get("pool"), Told::Written);
    formats::label(out, &device.get("device"));
    let share = device.get("shareID");
    if share.is_set() {
        out.declared(|out| names::uuid(out, &share));
    }
    let identity = identity(device);
    if !allocated.contains(&identity) {
        out.invalid_as(device, identity, "must be an allocated device in the claim");
    }
    let list = device.get("conditions");
    parts::at_most(out, &list, MOST_CONDITIONS);
    conditions::conditions(out, &list, conditions::Rules::Declared);
    let data = device.get("data");
    if data.is_set() {
        parts::raw(out, &data, Text::New);
    }
    network(out, &device.get("networkData"));
}

fn network(out: &mut Findings, data: &Spot<'_>) {
    out.declared(|out| {
        for (name, most) in [("interfaceName", 256), ("hardwareAddress", 128)] {
            let text = data.get(name);
            if text.str().len() > most {
                out.too_long(&text, most);
            }
        }
    });
    let addresses = data.get("ips");
    if !parts::fits(out, &addresses, MOST_ADDRESSES, Told::Declared) {
        return;
    }
    addresses.each().for_each(|one| address(out, &one));
    out.declared(|out| {
        parts::unique(out, &addresses, |one| one.str().to_owned(), |one| one.written());
    });
}

fn address(out: &mut Findings, spot: &Spot<'_>) {
    match formats::parse_cidr(spot.str()) {
        None => {
            out.invalid(spot, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)");
        }
        Some((address, length)) => {
            let canonical = format!("{address}/{length}");
            if canonical != spot.str() {
                out.invalid(spot, format!("must be in canonical form ({canonical:?})"));
            }
        }
    }
}

fn allocation(out: &mut Findings, allocation: &Spot<'_>, requests: &Requests<'_>) {
    let (results, config) = (allocation.get("devices.results"), allocation.get("devices.config"));
    if parts::fits(out, &results, MOST_RESULTS, Told::Declared) {
        results.each().for_each(|one| result(out, &one, requests));
    }
    if parts::fits(out, &config, MOST_CONFIGS, Told::Declared) {
        for one in config.each() {
            out.declared(|out| out.one_of(&one.get("source"), &["FromClaim", "FromClass"]));
            references(out, &one.get("requests"), requests);
            parts::configuration(out, &one, Text::New);
        }
    }
    let nodes = allocation.get("nodeSelector");
    if nodes.value() != &Value::Null {
        pod::node_selector(out, &nodes);
    }
}

fn result(out: &mut Findings, result: &Spot<'_>, requests: &Requests<'_>) {
    reference(out, &result.get("request"), requests);
    names::driver(out, &result.get("driver"), Told::Declared);
    names::pool(out, &result.get("pool"), Told::Declared);
    formats::label(out, &result.get("device"));
    parts::binding(out, result);
    result.items("tolerations").for_each(|one| parts::toleration(out, &one));
    let share = result.get("shareID");
    if share.is_set() {
        out.declared(|out| names::uuid(out, &share));
    }
}
