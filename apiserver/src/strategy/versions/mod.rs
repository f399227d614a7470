//! Built-in kinds that are served in two versions, each with fields of its own.
//!
//! In: an object as one version writes it. Out: the same object as another does. Objects are stored as they were written last.

mod autoscaler;
mod event;

use crate::protocol::Fields;

/// Turns an object of the kind's other version into one of this version.
pub(crate) type Turn = fn(&mut Fields);

/// How objects come into a version of a kind, where there is another with other fields.
pub(crate) fn turn(group: &str, version: &str, plural: &str) -> Option<Turn> {
    match (group, version, plural) {
        ("autoscaling", "v1", "horizontalpodautoscalers") => Some(autoscaler::to_first),
        ("autoscaling", "v2", "horizontalpodautoscalers") => Some(autoscaler::to_second),
        ("", "v1", "events") => Some(event::to_core),
        ("events.k8s.io", "v1", "events") => Some(event::to_group),
        _ => None,
    }
}

/// Under which group the objects of a resource are kept.
pub(crate) fn home<'a>(group: &'a str, plural: &str) -> &'a str {
    if (group, plural) == ("events.k8s.io", "events") { "" } else { group }
}
