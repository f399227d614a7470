//! Custom resource definitions: the kinds of a model, over all their versions, with their schemas.
//!
//! In: the model. Out: definitions as plain data, and everything for which a server would refuse them. What a file of them
//! looks like is `emit`'s.

mod build;
mod conversion;
mod costs;
mod definition;
mod facts;
mod paths;
mod words;

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
    /// What becomes of definitions that a server would refuse though controller-gen writes them.
    pub refusals: Refusals,
}

/// What becomes of definitions that a server would refuse though controller-gen writes them: rules that may cost too much, lists of
/// which nothing says what they hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusals {
    /// The run fails, and nothing is written.
    #[default]
    Deny,
    /// A warning is given.
    Warn,
    /// Nothing is said.
    Ignore,
}
