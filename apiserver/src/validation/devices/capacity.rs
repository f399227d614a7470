//! What a device has to give, and how much of it a claim may ask for.
//!
//! In: one capacity. Out: what is wrong with its policy.

use crate::schema::{Amount, canonical_quantity};

use super::{super::resources::amount, Findings, Spot, names::Told, parts};

const MOST_VALUES: usize = 10;

/// A capacity; only one that several claims may share has a policy.
pub(super) fn capacity(out: &mut Findings, capacity: &Spot<'_>, shared: bool) {
    let policy = capacity.get("requestPolicy");
    if !policy.is_set() {
        return;
    }
    if !shared {
        return out.forbidden(&policy, "allowMultipleAllocations must be true");
    }
    let (values, range, default) =
        (policy.get("validValues"), policy.get("validRange"), policy.get("default"));
    if !values.is_empty() && range.is_set() {
        return out.forbidden(
            &policy,
            "exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\" at the same time",
        );
    }
    let all = capacity.get("value");
    if !values.is_empty() {
        if default.is_set() {
            self::values(out, &values, &default, &all);
        } else {
            out.required(&default, "required when validValues is defined");
        }
    } else if range.is_set() {
        if default.is_set() {
            self::range(out, &range, &default, &all);
        } else {
            out.required(&default, "required when validRange is defined");
        }
    }
}

fn above(left: &Spot<'_>, right: &Spot<'_>) -> bool {
    matches!((amount(left), amount(right)), (Some(left), Some(right)) if left > right)
}

/// An amount in the form of another.
fn printed_amount(amount: Amount, like: &str) -> String {
    let whole = amount.whole();
    let text = match (amount.is_whole(), like.ends_with('i') && whole % 1024 == 0) {
        (true, true) => format!("{}Ki", whole / 1024),
        (true, false) => whole.to_string(),
        _ => format!("{}m", (amount.as_f64() * 1000.0).round()),
    };
    canonical_quantity(&text).unwrap_or(text)
}

fn values(out: &mut Findings, list: &Spot<'_>, default: &Spot<'_>, all: &Spot<'_>) {
    let items: Vec<Spot<'_>> = list.each().collect();
    for (one, next) in items.iter().zip(items.iter().skip(1)) {
        if above(one, next) {
            out.invalid(next, "values must be sorted in ascending order");
        }
    }
    if !parts::fits(out, list, MOST_VALUES, Told::Written) {
        return;
    }
    for one in items.iter().filter(|one| above(one, all)) {
        out.invalid(one, format!("option is larger than capacity value: {}", all.str()));
    }
    let key = |spot: &Spot<'_>| format!("{:?}", amount(spot));
    parts::unique(out, list, key, |one| one.written());
    if !items.iter().any(|one| amount(one) == amount(default)) {
        let moved = default.moved(list);
        out.invalid(&moved, "default value is not valid according to the requestPolicy");
    }
}

fn range(out: &mut Findings, range: &Spot<'_>, default: &Spot<'_>, all: &Spot<'_>) {
    let (min, max, step) = (range.get("min"), range.get("max"), range.get("step"));
    let told = range.get("default");
    let default = default.moved(&told);
    if !min.is_set() {
        return out.required(&min, "required when validRange is defined");
    }
    if above(&min, all) {
        out.invalid(&min, format!("min is larger than capacity value: {}", all.str()));
    }
    if above(&min, &default) {
        out.invalid(&default, format!("default is less than min: {}", min.str()));
    }
    if max.is_set() {
        if above(&min, &max) {
            let moved = min.moved(&max);
            out.invalid(&moved, format!("min is larger than max: {}", max.str()));
        }
        if above(&max, all) {
            out.invalid(&max, format!("max is larger than capacity value: {}", all.str()));
        }
        if above(&default, &max) {
            out.invalid(&default, format!("default is more than max: {}", max.str()));
        }
    }
    let (Some(low), Some(width)) = (amount(&min), amount(&step)) else { return };
    if width <= Amount::default() {
        return out.invalid(&step, "must be greater than zero");
    }
    if amount(all).is_some_and(|all| low.plus(width) > all) {
        let sum = printed_amount(low.plus(width), min.str());
        out.invalid(&step, format!("one step {sum} is larger than capacity value: {}", all.str()));
    }
    let parts = [&default, &min, &max, &step];
    let whole = parts.iter().filter_map(|part| amount(part)).all(Amount::is_whole);
    let below: Vec<_> =
        parts.into_iter().filter(|part| amount(part).is_some_and(Amount::is_negative)).collect();
    if whole && !below.is_empty() {
        return below.into_iter().for_each(|part| out.invalid(part, super::super::NOT_NEGATIVE));
    }
    for value in [&default, &max] {
        let Some(number) = amount(value) else { continue };
        let far = number.minus(low);
        if !far.is_zero() && !far.is_multiple_of(&width) {
            let moved = value.moved(&step);
            let why =
                format!("value is not a multiple of a given step ({}) from ({})", step.str(), min.str());
            out.invalid(&moved, why);
        }
    }
}
