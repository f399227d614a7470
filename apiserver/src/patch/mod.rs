//! A value and a patch -> a value: JSON patch, merge patch, strategic merge patch and server-side apply, and who owns which fields.
//!
//! In: objects and patches as JSON values, the type of the object, the time. Out: the patched object, or the error a real server answers.
//! Everything is a pure function: no IO, no clock, no storage. The order of the checks around a patch (names, versions, preconditions,
//! defaults, validation) is the server's.

pub mod apply;
mod configuration;
mod document;
mod error;
pub mod fields;
mod json;
mod merge;
mod strategic;
mod typed;

pub(crate) use configuration::apply_configuration;
pub(crate) use document::document;
pub use error::{Cause, PatchError};
pub use json::{JsonPatch, MAX_OPERATIONS};
pub use merge::MergePatch;
pub use strategic::StrategicPatch;
pub(crate) use typed::{check_fits, go_type, go_value};
