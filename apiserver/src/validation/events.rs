//! Events, of the old form and of the new one.

use super::{Checks, Findings, NONE, Spot, formats};

pub(super) const CORE: Checks = Checks {
    create: |out, event| old_rules(out, event, &OLD),
    update: |out, new, _| old_rules(out, new, &OLD),
    ..NONE
};
pub(super) const NEW: Checks = Checks { create, update, ..NONE };

/// How the two forms name the same things.
struct Names {
    object: &'static str,
    controller: &'static str,
}

const OLD: Names = Names { object: "involvedObject", controller: "reportingComponent" };
const FORM: Names = Names { object: "regarding", controller: "reportingController" };

fn old_rules(out: &mut Findings, event: &Spot<'_>, names: &Names) {
    const MISMATCH: &str = "does not match event.namespace";
    let object = event.get(names.object);
    let place = event.get("involvedObject");
    let place = place.get("namespace");
    let namespace = object.get("namespace").moved(&place);
    let own = event.text("metadata.namespace");
    if event.text("eventTime").is_empty() {
        let fits = if namespace.is_empty() { matches!(own, "" | "default") } else { own == namespace.str() };
        if !fits {
            out.invalid_as(&namespace, namespace.str(), MISMATCH);
        }
        return;
    }
    if namespace.is_empty() && own != "default" && own != "kube-system" {
        out.invalid_as(&namespace, "", MISMATCH);
    }
    let controller = event.get(names.controller);
    out.present(&controller);
    formats::qualified(out, &controller);
    for (name, told) in
        [("reportingInstance", "reportingInstance"), ("action", "action"), ("reason", "reason")]
    {
        let part = event.alias(name, told);
        out.present(&part);
        if part.str().len() > 128 {
            out.invalid_as(&part, "", "can have at most 128 characters");
        }
    }
    let note = if names.object == "regarding" { "note" } else { "message" };
    let note = event.alias(note, "message");
    if note.str().len() > 1024 {
        out.invalid_as(&note, "", "can have at most 1024 characters");
    }
}

fn create(out: &mut Findings, event: &Spot<'_>) {
    old_rules(out, event, &FORM);
    series(out, event);
    let time = event.get("eventTime");
    out.present(&time);
    let kind = event.get("type");
    if !["Normal", "Warning"].contains(&kind.str()) {
        out.invalid_as(&kind, "", format!("has invalid value: {}", kind.str()));
    }
    for (name, told) in [
        ("deprecatedFirstTimestamp", "firstTimestamp"),
        ("deprecatedLastTimestamp", "lastTimestamp"),
        ("deprecatedCount", "count"),
    ] {
        let part = event.alias(name, told);
        if part.is_set() && part.int() != Some(0) {
            out.invalid_as(&part, "", "needs to be unset");
        }
    }
    let source = event.alias("deprecatedSource", "source");
    if !source.text("component").is_empty() || !source.text("host").is_empty() {
        out.invalid_as(&source, "", "needs to be unset");
    }
}

fn series(out: &mut Findings, event: &Spot<'_>) {
    let series = event.get("series");
    if !series.is_set() {
        return;
    }
    if series.number("count").unwrap_or_default() < 2 {
        out.invalid_as(&series.get("count"), "", "should be at least 2");
    }
    out.present(&series.get("lastObservedTime"));
}

fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    old_rules(out, new, &FORM);
    if new.get("series").value() != old.get("series").value() {
        series(out, new);
    }
    for (name, told) in [
        ("regarding", "involvedObject"),
        ("reason", "reason"),
        ("note", "message"),
        ("deprecatedSource", "source"),
        ("deprecatedFirstTimestamp", "firstTimestamp"),
        ("deprecatedLastTimestamp", "lastTimestamp"),
        ("deprecatedCount", "count"),
        ("reason", "reason"),
        ("type", "type"),
        ("eventTime", "eventTime"),
        ("action", "action"),
        ("related", "related"),
        ("reportingController", "reportingController"),
        ("reportingInstance", "reportingInstance"),
    ] {
        out.immutable(&new.alias(name, told), &old.get(name));
    }
}
