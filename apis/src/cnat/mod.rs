//! The group `cnat.ishankhare.dev`, by version.

pub mod v1alpha1;
