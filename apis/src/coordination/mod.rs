//! The group `coordination.k8s.io`, by version.

pub mod v1;
