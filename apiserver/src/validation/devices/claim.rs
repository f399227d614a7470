//! Claims of devices, and templates of claims.
//!
//! In: a claim. Out: what is wrong with it. Its spec never changes.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::protocol::{FieldError, names::dns_subdomain_errors};

use super::{
    super::{formats, volume_claims},
    Findings, Spot,
    names::{self, Told},
    parts::{self, Text},
};

const MOST_REQUESTS: usize = 32;
const MOST_CONSTRAINTS: usize = 32;
const MOST_CONFIGS: usize = 32;
const MOST_SELECTORS: usize = 32;
const MOST_ALTERNATIVES: usize = 8;
const NO_REQUEST: &str =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

pub(super) fn create(out: &mut Findings, object: &Spot<'_>) {
    devices(out, &object.get("spec.devices"));
}

pub(super) fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let before = old.get("spec");
    out.declared(|out| out.immutable(&new.get("spec"), &before));
}

pub(super) fn template(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    volume_claims::metadata(out, &spec.get("metadata"));
    devices(out, &spec.get("spec.devices"));
}

pub(super) fn template_update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    template(out, new);
    out.immutable(&new.get("spec"), &old.get("spec"));
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The names of the requests, each with those of its alternatives.
pub(super) struct Requests<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Requests<'a> {
    pub(super) fn of(devices: &Spot<'a>) -> Self {
        let named = |request: &'a Value| {
            (text(request, "name"), items(request, "firstAvailable").map(|one| text(one, "name")).collect())
        };
        Self(items(devices.value(), "requests").map(named).collect())
    }

    fn has(&self, name: &str) -> bool {
        match name.split_once('/') {
            None => self.0.contains_key(name),
            Some((request, alternative)) => {
                self.0.get(request).is_some_and(|alternatives| alternatives.contains(&alternative))
            }
        }
    }
}

fn devices(out: &mut Findings, devices: &Spot<'_>) {
    let names = Requests::of(devices);
    let requests = devices.get("requests");
    if parts::fits(out, &requests, MOST_REQUESTS, Told::Declared) {
        out.declared(|out| {
            parts::unique(out, &requests, |one| one.text("name").to_owned(), |one| one.written());
        });
        requests.each().for_each(|one| request(out, &one));
    }
    let constraints = devices.get("constraints");
    if parts::fits(out, &constraints, MOST_CONSTRAINTS, Told::Declared) {
        constraints.each().for_each(|one| constraint(out, &one, &names));
    }
    let config = devices.get("config");
    if parts::fits(out, &config, MOST_CONFIGS, Told::Declared) {
        for one in config.each() {
            references(out, &one.get("requests"), &names);
            parts::configuration(out, &one, Text::New);
        }
    }
}

fn request(out: &mut Findings, spot: &Spot<'_>) {
    const EITHER: &str = "exactly one of `exactly` or `firstAvailable` is required";
    formats::label(out, &spot.get("name"));
    let (exactly, alternatives) = (spot.get("exactly"), spot.get("firstAvailable"));
    match (exactly.is_set(), !alternatives.is_empty()) {
        (false, false) => out.required(spot, EITHER),
        (true, true) => {
            out.push(FieldError::invalid_printed(
                spot.path(),
                "null",
                format!("{EITHER}, but multiple fields are set"),
            ));
            out.declared_alone(|out| {
                asked_for(out, &exactly, Told::Written);
                alternatives_of(out, &alternatives);
            });
        }
        (true, false) => asked_for(out, &exactly, Told::Written),
        (false, true) => alternatives_of(out, &alternatives),
    }
}

fn alternatives_of(out: &mut Findings, list: &Spot<'_>) {
    if !parts::fits(out, list, MOST_ALTERNATIVES, Told::Declared) {
        return;
    }
    out.declared(|out| parts::unique(out, list, |one| one.text("name").to_owned(), |one| one.written()));
    for one in list.each() {
        formats::label(out, &one.get("name"));
        asked_for(out, &one, Told::Declared);
    }
}

/// What is asked for, exactly or as an alternative.
fn asked_for(out: &mut Findings, spot: &Spot<'_>, told: Told) {
    let class = spot.get("deviceClassName");
    let class_errors = |out: &mut Findings| {
        if class.is_empty() {
            out.required(&class, "");
        } else {
            out.all(&class, dns_subdomain_errors(class.str()));
        }
    };
    match told {
        Told::Written => class_errors(out),
        Told::Declared => out.declared(class_errors),
    }
    let selectors = spot.get("selectors");
    if parts::fits(out, &selectors, MOST_SELECTORS, Told::Declared) {
        selectors.each().for_each(|one| parts::selector(out, &one, Text::New));
    }
    let (mode, count) = (spot.get("allocationMode"), spot.get("count"));
    let number = count.int().unwrap_or_default();
    match mode.str() {
        "All" if number != 0 => out.invalid(&count, "must not be specified when allocationMode is 'All'"),
        "ExactCount" if number <= 0 => out.invalid_as(&count, number, "must be greater than zero"),
        "All" | "ExactCount" => {}
        _ => out.declared(|out| out.not_supported(&mode, &["All", "ExactCount"])),
    }
    spot.get("tolerations").each().for_each(|one| parts::toleration(out, &one));
}

fn constraint(out: &mut Findings, spot: &Spot<'_>, names: &Requests<'_>) {
    references(out, &spot.get("requests"), names);
    let (same, different) = (spot.get("matchAttribute"), spot.get("distinctAttribute"));
    if !same.is_set() && !different.is_set() {
        // The words are those of a real server, which tells this of none as of both.
        out.required(
            spot,
            "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple fields are set",
        );
    }
    for attribute in [same, different].into_iter().filter(Spot::is_set) {
        out.declared(|out| names::fully_qualified(out, &attribute));
    }
}

/// A list of names of requests.
pub(super) fn references(out: &mut Findings, list: &Spot<'_>, names: &Requests<'_>) {
    if !parts::fits(out, list, MOST_REQUESTS, Told::Declared) {
        return;
    }
    list.each().for_each(|one| reference(out, &one, names));
    out.declared(|out| parts::unique(out, list, |one| one.str().to_owned(), |one| one.written()));
}

/// The name of a request, or of one of its alternatives.
pub(super) fn reference(out: &mut Findings, spot: &Spot<'_>, names: &Requests<'_>) {
    let name = spot.str();
    if name.split('/').count() > 2 {
        return out.invalid(spot, NO_REQUEST);
    }
    for part in name.split('/') {
        for error in crate::protocol::names::dns_label_errors(part) {
            out.invalid_as(spot, part, error);
        }
    }
    if !names.has(name) {
        out.invalid_as(spot, name, NO_REQUEST);
    }
}
