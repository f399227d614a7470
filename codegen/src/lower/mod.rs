//! Lowering: files and markers to the model.
//!
//! In: where the type packages are. Out: the model and everything that is wrong with single items; what is wrong between
//! items is left to `check`. Names are resolved here, once: the model has absolute paths only. It never decides what is
//! generated from a type.

mod attribute_markers;
mod docs;
mod exprs;
mod facts;
mod foreign;
mod imports;
mod kube_attributes;
mod manifests;
mod members;
mod methods;
mod notes;
mod others;
mod package;
mod public;
mod resolve;
mod resources;
mod roots;
mod schemars_attributes;
mod serde_attributes;
mod tags;
mod types;
mod universe;
mod version;
mod webhook_patch;
mod webhooks;

pub use manifests::{lower_permissions, lower_webhooks};

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::naming::PluralExceptions;
use crate::source::{CrateSources, PackageInput};
use universe::Universe;

/// Lowers type packages. The model holds what could be understood; it is of use only when nothing is wrong.
pub fn lower(
    packages: &[PackageInput],
    exceptions: &PluralExceptions,
    sources: &dyn CrateSources,
) -> (Model, Diagnostics) {
    let mut universe = Universe::new(sources);
    let raw: Vec<_> = packages.iter().filter_map(|input| universe.read_package(input)).collect();
    universe.register_derived(&raw);
    universe.register_public(&raw);
    let mut model = Model::default();
    for package in &raw {
        universe.version(package, exceptions, &mut model);
    }
    let from =
        raw.first().map(|package| package.crate_root.clone().unwrap_or_else(|| package.input.apis.clone()));
    universe.complete(&mut model, &from.unwrap_or_default());
    version::sort(&mut model);
    (model, universe.diagnostics)
}
