//! Custom resource definitions: the kinds of a model, over all their versions, with their schemas.
//!
//! In: the model. Out: definitions as plain data, and everything for which a server would refuse them. What a file of them
//! looks like is `emit`'s.

mod build;
mod definition;
mod facts;
mod paths;

pub use build::definitions;
pub use definition::{Column, DefinedVersion, Definition, Scale, Subresources};

use crate::schema::SchemaOptions;

/// What a caller decides about definitions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CrdOptions {
    /// What a caller decides about their schemas.
    pub schema: SchemaOptions,
    /// `spec.preserveUnknownFields`, where old clusters need it said.
    pub preserve_unknown_fields: Option<bool>,
}
