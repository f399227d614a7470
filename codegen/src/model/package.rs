//! Groups, versions and the type packages they come from.

use super::{Marker, Place, Resource, TypePath};
use crate::naming::{GroupNames, VersionNames};
use serde::Serialize;
use std::path::PathBuf;

/// One API group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Its API name; empty for the core group.
    pub name: String,
    /// Its derived names.
    pub names: GroupNames,
    /// Its versions: stable before beta before alpha, higher numbers first.
    pub versions: Vec<Version>,
}

/// One version of a group: exactly one type package.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Version {
    /// Its API name: `v1alpha1`.
    pub name: String,
    /// Its derived names.
    pub names: VersionNames,
    /// The type package.
    pub package: Package,
    /// The root types, sorted by kind.
    pub resources: Vec<Resource>,
    /// All types that are declared in the package, roots included, in order of declaration.
    pub types: Vec<TypePath>,
}

impl Version {
    /// The value of `apiVersion`: `group/version`, or the version alone for the core group.
    pub fn api_version(&self, group: &Group) -> String {
        if group.name.is_empty() { self.name.clone() } else { format!("{}/{}", group.name, self.name) }
    }
}

/// The Rust module that holds the types of one group and version.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Package {
    /// The crate as it is named in Rust code: `sample_apis`.
    pub crate_name: String,
    /// The folder of the crate's `Cargo.toml`, where there is one.
    pub crate_root: Option<PathBuf>,
    /// The modules from the crate's root to the package: `["cnat", "v1alpha1"]`.
    pub modules: Vec<String>,
    /// The file in which the package's module begins.
    pub file: PathBuf,
    /// The file which the `object` generator writes: beside the types, as a child module `zz_generated_object` of the
    /// package (with `#[path]`) or, for a `v1alpha1.rs`, in the folder of the same name.
    pub object_file: PathBuf,
    /// Whether the package is a module written inside another file (`mod v1 { .. }`).
    pub inline: bool,
    /// The documentation of the module, without markers.
    pub docs: String,
    /// The package's own switches, `+k8s:client-gen=false` and the like.
    pub generators: Generators,
    /// The package's markers.
    pub markers: Vec<Marker>,
    /// Where the package begins.
    pub place: Place,
}

/// Which generators work on a package or a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Generators {
    /// Trait impls, list type and constants of Go-shaped roots.
    pub object: bool,
    /// The typed client and the registration with the fake.
    pub client: bool,
    /// The lister.
    pub lister: bool,
    /// The informer.
    pub informer: bool,
    /// The apply configuration.
    pub applyconfiguration: bool,
}

impl Generators {
    /// All of them.
    pub const ALL: Self =
        Self { object: true, client: true, lister: true, informer: true, applyconfiguration: true };
    /// None of them.
    pub const NONE: Self =
        Self { object: false, client: false, lister: false, informer: false, applyconfiguration: false };
}
