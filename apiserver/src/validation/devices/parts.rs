//! Parts that several kinds share: selectors, configuration, taints, tolerations and conditions of binding.
//!
//! In: the place of a part. Out: what is wrong with it.

use serde_json::Value;

use crate::{
    cel::device::compile,
    protocol::{
        FieldError,
        names::{label_value_errors, qualified_name_errors},
    },
};

use super::{
    super::formats,
    Findings, Spot,
    names::{self, Told},
};

const LONGEST_EXPRESSION: usize = 10 * 1024;
const LONGEST_PARAMETERS: usize = 10 * 1024;
const MOST_COSTLY: u64 = 1_000_000;
const EFFECTS: &[&str] = &["NoExecute", "NoSchedule", "None"];
const OPERATORS: &[&str] = &["Equal", "Exists"];
const MOST_CONDITIONS: usize = 4;

/// Whether a text stood there before, and so is taken as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    New,
    Kept,
}

impl Text {
    pub(super) fn of(same: bool) -> Self {
        if same { Self::Kept } else { Self::New }
    }
}

/// Whether a list has no more items than this; of a longer one nothing else is told.
pub(super) fn fits(out: &mut Findings, list: &Spot<'_>, most: usize, told: Told) -> bool {
    let count = list.each().count();
    if count > most {
        match told {
            Told::Written => out.too_many(list, count, most),
            Told::Declared => out.declared(|out| out.too_many(list, count, most)),
        }
    }
    count <= most
}

/// A list has no more items than this.
pub(super) fn at_most(out: &mut Findings, list: &Spot<'_>, most: usize) {
    fits(out, list, most, Told::Written);
}

/// No two items have the same key; `shown` is how the second is told.
pub(super) fn unique(
    out: &mut Findings,
    list: &Spot<'_>,
    key: impl Fn(&Spot<'_>) -> String,
    shown: impl Fn(&Spot<'_>) -> String,
) {
    let mut seen: Vec<String> = Vec::new();
    for item in list.each() {
        let own = key(&item);
        if seen.contains(&own) {
            out.push(FieldError::duplicate_printed(item.path(), shown(&item)));
        } else {
            seen.push(own);
        }
    }
}

/// Which devices a request takes.
pub(super) fn selector(out: &mut Findings, spot: &Spot<'_>, looked_at: Text) {
    let cel = spot.get("cel");
    if !cel.is_set() {
        return out.required(&cel, "");
    }
    if looked_at == Text::New {
        expression(out, &cel.get("expression"));
    }
}

/// An expression about a device, and what it costs.
fn expression(out: &mut Findings, spot: &Spot<'_>) {
    if spot.str().len() > LONGEST_EXPRESSION {
        return out.too_long(spot, LONGEST_EXPRESSION);
    }
    match compile(spot.str()) {
        Err(why) => out.invalid_as(spot, spot.str(), why),
        Ok(program) if program.max_cost() > MOST_COSTLY => {
            out.forbidden(spot, "too complex, exceeds cost limit");
        }
        Ok(_) => {}
    }
}

/// What a driver is told.
pub(super) fn configuration(out: &mut Findings, spot: &Spot<'_>, looked_at: Text) {
    let opaque = spot.get("opaque");
    if !opaque.is_set() {
        return out.required(&opaque, "");
    }
    names::driver(out, &opaque.get("driver"), Told::Declared);
    raw(out, &opaque.get("parameters"), looked_at);
}

/// Data that only a driver understands: an object.
pub(super) fn raw(out: &mut Findings, spot: &Spot<'_>, looked_at: Text) {
    match spot.value() {
        Value::Null => out.required(spot, ""),
        value if looked_at == Text::New && value.to_string().len() > LONGEST_PARAMETERS => {
            out.too_long(spot, LONGEST_PARAMETERS);
        }
        Value::Object(_) => {}
        _ => out.invalid_as(spot, "<value omitted>", "must be a valid JSON object"),
    }
}

/// What a claim bears of a device.
pub(super) fn toleration(out: &mut Findings, spot: &Spot<'_>) {
    let (key, operator, value) = (spot.get("key"), spot.get("operator"), spot.get("value"));
    if !key.is_empty() {
        out.declared(|out| out.all(&key, qualified_name_errors(key.str())));
    }
    match operator.str() {
        "Exists" if !value.is_empty() => out.invalid(&value, "must be empty for operator `Exists`"),
        "Equal" => label_value(out, &value),
        _ => {}
    }
    out.declared(|out| out.one_of(&operator, OPERATORS));
    let effect = spot.get("effect");
    if !effect.is_empty() {
        out.declared(|out| out.one_of(&effect, EFFECTS));
    }
}

/// What a device has against claims; `effect` is what it did before.
pub(super) fn taint(out: &mut Findings, spot: &Spot<'_>, before: Option<&str>) {
    let (key, value, effect) = (spot.get("key"), spot.get("value"), spot.get("effect"));
    for error in qualified_name_errors(key.str()) {
        out.invalid_as(&key, key.str(), error);
    }
    if !value.is_empty() {
        label_value(out, &value);
    }
    if before != Some(effect.str()) {
        out.declared(|out| out.one_of(&effect, EFFECTS));
    }
}

fn label_value(out: &mut Findings, spot: &Spot<'_>) {
    for error in label_value_errors(spot.str()) {
        out.invalid_as(spot, spot.str(), error);
    }
}

/// The conditions that have to hold before a pod is bound, and those that end the attempt.
pub(super) fn binding(out: &mut Findings, holder: &Spot<'_>) {
    let (good, bad) = (holder.get("bindingConditions"), holder.get("bindingFailureConditions"));
    for list in [&good, &bad] {
        if fits(out, list, MOST_CONDITIONS, Told::Declared) {
            list.each().for_each(|name| formats::qualified(out, &name));
        }
    }
    let text = |spot: &Spot<'_>| spot.str().to_owned();
    unique(out, &good, text, |one| one.written());
    let mut seen: Vec<&str> = Vec::new();
    for name in bad.each() {
        if seen.contains(&name.str()) {
            out.duplicate(&name);
        }
        seen.push(name.str());
        if good.each().any(|other| other.str() == name.str()) {
            out.invalid(&name, "bindingFailureConditions must not overlap with bindingConditions");
        }
    }
    if good.is_empty() && !bad.is_empty() {
        out.invalid(&good, "bindingConditions are required to use bindingFailureConditions");
    }
    if bad.is_empty() && !good.is_empty() {
        out.invalid(&bad, "bindingFailureConditions are required to use bindingConditions");
    }
}
