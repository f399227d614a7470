//! Custom resource definitions: the kinds of a model, over all their versions, with their schemas.
//!
//! In: the model. Out: definitions as plain data, and everything for which a server would refuse them. What a file of them
//! looks like is `emit`'s.

mod build;
mod conversion;
mod definition;
mod facts;
mod paths;

pub use build::definitions;
pub use conversion::{ConversionService, ConversionServiceError};
pub use definition::{Column, DefinedVersion, Definition, Scale, Subresources};

use crate::schema::SchemaOptions;

/// What a caller decides about definitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrdOptions {
    /// What a caller decides about their schemas.
    pub schema: SchemaOptions,
    /// `spec.preserveUnknownFields`, where old clusters need it said.
    pub preserve_unknown_fields: Option<bool>,
    /// Who converts the objects of kinds with several versions.
    pub conversion: Option<ConversionService>,
}
