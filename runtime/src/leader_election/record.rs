//! What stands in a Lease.
//!
//! In: the spec of a Lease, written by any candidate in any language. Out: who holds it and for how long. Never: a judgement by the times
//! in it, which are those of another clock.

use std::time::Duration;

use k8s_openapi::{
    api::coordination::v1::LeaseSpec, apimachinery::pkg::apis::meta::v1::MicroTime, jiff::Timestamp,
};

/// Who holds a Lease; `None` where it is free.
pub(crate) fn holder(spec: &LeaseSpec) -> Option<&str> {
    spec.holder_identity.as_deref().filter(|holder| !holder.is_empty())
}

/// For how long after a change the Lease is its holder's.
pub(crate) fn duration(spec: &LeaseSpec) -> Duration {
    let seconds = spec.lease_duration_seconds.and_then(|seconds| u64::try_from(seconds).ok());
    Duration::from_secs(seconds.unwrap_or_default())
}

/// The spec with which a candidate holds the Lease on from now, for that long. What this protocol does not know stays.
pub(super) fn held(before: &LeaseSpec, identity: &str, lease: Duration, now: Timestamp) -> LeaseSpec {
    let mut spec = before.clone();
    if holder(before) != Some(identity) {
        spec.acquire_time = Some(MicroTime(now));
        // One more than there were; `created` begins at none.
        spec.lease_transitions = Some(before.lease_transitions.unwrap_or_default().saturating_add(1));
        spec.holder_identity = Some(identity.to_owned());
    }
    spec.renew_time = Some(MicroTime(now));
    spec.lease_duration_seconds = Some(i32::try_from(lease.as_secs()).unwrap_or(i32::MAX));
    spec
}

/// The spec of a Lease that was not there.
pub(super) fn created(identity: &str, lease: Duration, now: Timestamp) -> LeaseSpec {
    let spec = held(&LeaseSpec::default(), identity, lease, now);
    LeaseSpec { lease_transitions: Some(0), ..spec }
}

/// The spec of a Lease that is free at once.
pub(super) fn released(before: &LeaseSpec, now: Timestamp) -> LeaseSpec {
    LeaseSpec {
        holder_identity: Some(String::new()),
        // Other implementations take no zero for a duration.
        lease_duration_seconds: Some(1),
        renew_time: Some(MicroTime(now)),
        acquire_time: Some(MicroTime(now)),
        ..before.clone()
    }
}
