//! Devices: classes, claims, templates of claims, slices and taint rules of `resource.k8s.io`.
//!
//! In: an object of these kinds. Out: what a real server says is wrong with it. Its declared rules come after the written ones.

mod capacity;
mod claim;
mod device;
mod names;
mod parts;
mod slice;
mod status;

use super::{Checks, Findings, NONE, Spot, conditions};

pub(super) use names::Told;

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "deviceclasses" => Checks {
            create: |out, new| class(out, new, None),
            update: |out, new, old| class(out, new, Some(old)),
            ..NONE
        },
        "resourceclaims" => Checks { create: claim::create, update: claim::update, status: status::update },
        "resourceclaimtemplates" => {
            Checks { create: claim::template, update: claim::template_update, ..NONE }
        }
        "resourceslices" => Checks {
            create: |out, new| slice::slice(out, new, None),
            update: |out, new, old| slice::slice(out, new, Some(old)),
            ..NONE
        },
        "devicetaintrules" => Checks {
            create: |out, new| taint_rule(out, new, None),
            update: |out, new, old| taint_rule(out, new, Some(old)),
            status: |out, new, _| {
                let list = new.get("status.conditions");
                conditions::conditions(out, &list, conditions::Rules::Declared);
                parts::at_most(out, &list, 8);
            },
        },
        _ => NONE,
    }
}

/// The name of a driver, by the declared rules.
pub(super) fn driver_name(out: &mut Findings, spot: &Spot<'_>, told: Told) {
    names::driver(out, spot, told);
}

/// What a member was; nothing where there was no object.
fn before<'s>(old: Option<&'s Spot<'_>>, path: &'s str) -> Option<&'s serde_json::Value> {
    old.map(|old| old.get(path).value())
}

fn class(out: &mut Findings, object: &Spot<'_>, old: Option<&Spot<'_>>) {
    let spec = object.get("spec");
    let selectors = spec.get("selectors");
    if parts::fits(out, &selectors, 32, Told::Declared) {
        let looked_at = parts::Text::of(before(old, "spec.selectors") == Some(selectors.value()));
        selectors.each().for_each(|one| parts::selector(out, &one, looked_at));
    }
    let config = spec.get("config");
    if parts::fits(out, &config, 32, Told::Declared) {
        let looked_at = parts::Text::of(before(old, "spec.config") == Some(config.value()));
        config.each().for_each(|one| parts::configuration(out, &one, looked_at));
    }
    let name = spec.get("extendedResourceName");
    if name.is_set() && before(old, "spec.extendedResourceName") != Some(name.value()) {
        out.declared(|out| names::extended_resource(out, &name));
    }
}

fn taint_rule(out: &mut Findings, object: &Spot<'_>, old: Option<&Spot<'_>>) {
    let spec = object.get("spec");
    let selector = spec.get("deviceSelector");
    let (driver, pool, device) = (selector.get("driver"), selector.get("pool"), selector.get("device"));
    if driver.is_set() {
        names::driver(out, &driver, Told::Written);
    }
    if pool.is_set() {
        names::pool(out, &pool, Told::Written);
    }
    if device.is_set() {
        super::formats::label(out, &device);
    }
    let old = old.map(|old| old.get("spec.taint"));
    parts::taint(out, &spec.get("taint"), old.as_ref().map(|old| old.text("effect")));
}
