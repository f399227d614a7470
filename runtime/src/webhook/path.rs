//! Where webhooks are asked.
//!
//! In: a kind. Out: the path that kubebuilder gives its webhooks.

use crate::object::Object;

/// Where conversions are asked for.
pub const CONVERT: &str = "/convert";

/// Where a kind's defaults are asked for, such as `/mutate-batch-v1-cronjob`, or `/mutate--v1-pod` for the core group.
#[must_use]
pub fn mutating_path<K: Object>() -> String {
    path::<K>("mutate")
}

/// Where a kind's objects are validated, such as `/validate-batch-v1-cronjob`.
#[must_use]
pub fn validating_path<K: Object>() -> String {
    path::<K>("validate")
}

fn path<K: Object>(what: &str) -> String {
    let (group, version, kind) = (K::group(&()), K::version(&()), K::kind(&()));
    format!("/{what}-{}-{version}-{}", group.replace('.', "-"), kind.to_lowercase())
}
