//! Events: of the core group, and of their own.

use crate::protocol::Fields;

/// The members that have two names: of the core group, of their own.
const NAMES: &[(&str, &str)] = &[
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("reportingComponent", "reportingController"),
];
/// The members that are written in the core group even where they are empty.
const WRITTEN: &[&str] = &["reportingComponent", "reportingInstance"];

pub(super) fn to_core(event: &mut Fields) {
    for (core, own) in NAMES {
        if let Some(value) = event.remove(*own) {
            event.insert((*core).to_owned(), value);
        }
    }
    for name in WRITTEN {
        event.entry(*name).or_insert_with(|| "".into());
    }
}

pub(super) fn to_group(event: &mut Fields) {
    for name in WRITTEN {
        if event.get(*name).is_some_and(|value| value == "") {
            event.remove(*name);
        }
    }
    for (core, own) in NAMES {
        if let Some(value) = event.remove(*core) {
            event.insert((*own).to_owned(), value);
        }
    }
}
