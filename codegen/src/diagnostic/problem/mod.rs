//! The catalogue of messages: one variant for each thing that can be wrong, with its text and its cure.

mod check;
mod config;
mod convention;
mod crd;
mod foreign;
mod lower;
mod manifest;
mod marker;
mod method;
mod schema;
mod server;
mod source;

pub use check::CheckProblem;
pub use config::ConfigProblem;
pub use convention::{Convention, ConventionProblem};
pub use crd::CrdProblem;
pub use foreign::ForeignProblem;
pub use lower::LowerProblem;
pub use manifest::ManifestProblem;
pub use marker::MarkerProblem;
pub use method::MethodProblem;
pub use schema::SchemaProblem;
pub use server::ServerProblem;
pub use source::SourceProblem;

use super::Severity;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Problem {
    /// A file cannot be read or is no Rust.
    #[error(transparent)]
    Source(#[from] SourceProblem),
    /// A marker is unknown or malformed.
    #[error(transparent)]
    Marker(#[from] MarkerProblem),
    /// An item cannot be understood.
    #[error(transparent)]
    Lower(#[from] LowerProblem),
    /// `+genclient:method=` is misused.
    #[error(transparent)]
    Method(#[from] MethodProblem),
    /// A type of another crate cannot be followed.
    #[error(transparent)]
    Foreign(#[from] ForeignProblem),
    /// The items do not fit together.
    #[error(transparent)]
    Check(#[from] CheckProblem),
    /// A type or a marker gives no schema that a server takes.
    #[error(transparent)]
    Schema(#[from] SchemaProblem),
    /// A definition would not work.
    #[error(transparent)]
    Crd(#[from] CrdProblem),
    /// A server would refuse a definition that controller-gen writes.
    #[error(transparent)]
    Server(#[from] ServerProblem),
    /// A type is not as the conventions of Kubernetes APIs have it.
    #[error(transparent)]
    Convention(#[from] ConventionProblem),
    /// A permission or a webhook is not what an API server accepts.
    #[error(transparent)]
    Manifest(#[from] ManifestProblem),
    /// The settings cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigProblem),
}

impl Problem {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Source(problem) => problem.help(),
            Self::Marker(problem) => problem.help(),
            Self::Lower(problem) => problem.help(),
            Self::Method(problem) => problem.help(),
            Self::Foreign(problem) => problem.help(),
            Self::Check(problem) => problem.help(),
            Self::Schema(problem) => problem.help(),
            Self::Crd(problem) => problem.help(),
            Self::Server(problem) => problem.help(),
            Self::Convention(problem) => problem.help(),
            Self::Manifest(problem) => problem.help(),
            Self::Config(problem) => problem.help(),
        }
    }

    /// What becomes of a run in which it is found.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Convention(_) => Severity::Warning,
            Self::Manifest(problem) => problem.severity(),
            _ => Severity::Error,
        }
    }

    /// The convention that it goes against, where it is a matter of one.
    pub fn convention(&self) -> Option<Convention> {
        match self {
            Self::Convention(problem) => Some(problem.convention()),
            _ => None,
        }
    }
}
