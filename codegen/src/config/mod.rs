//! Config: from what the caller says (flags, `kube-codegen.toml`, a build script) to a [`Job`].
//!
//! In: [`Settings`] and lists of generators. Out: a job that is complete, or everything that is missing or wrong. It reads
//! `kube-codegen.toml`, manifests and the header file, asks cargo for a crate that is named and not found as a folder, and
//! writes nothing.

mod apis;
mod definitions;
mod discover;
mod file;
mod generators;
mod groups;
mod job;
mod layout;
mod manifests;
mod plurals;
mod settings;
pub(crate) mod small;

pub use apis::resolve;
pub use definitions::{
    ConventionLevel, Conventions, CrdJob, CrdSettings, CrdSource, SchemaPatchJob, SchemaPatchSettings,
    type_packages,
};
pub use discover::{Reach, package_files, packages};
pub use file::{ConfigFile, FILE_NAME};
pub use generators::{Generators, GeneratorsError};
pub use groups::{GroupVersions, Groups, GroupsError};
pub use job::{Job, Part, Placement, Selection, inputs};
pub use layout::Layout;
pub use manifests::{
    Destination, HeaderChoice, ManifestJob, ManifestKind, RbacSettings, WebhookSettings, marker_paths,
};
pub use plurals::{Plurals, PluralsError};
pub use settings::Settings;
pub(crate) use settings::fake;
