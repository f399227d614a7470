//! Lowering: files and markers to the model.
//!
//! In: where the type packages are. Out: the model and everything that is wrong with single items; what is wrong between
//! items is left to `check`. Names are resolved here, once: the model has absolute paths only. It never decides what is
//! generated from a type.

mod attribute_markers;
mod constants;
mod docs;
mod exprs;
mod externals;
mod facts;
mod foreign;
mod imports;
mod json_tokens;
mod kube_attributes;
mod manifests;
mod members;
mod methods;
mod notes;
mod others;
mod own_schemas;
mod package;
mod public;
mod resolve;
mod resources;
mod roots;
mod schema_functions;
mod schemars_attributes;
mod schemars_extend;
mod serde_attributes;
mod tags;
mod types;
mod universe;
mod usage;
mod version;
mod webhook_patch;
mod webhooks;
mod well_known;
mod x_kube_attributes;

pub use manifests::{lower_permissions, lower_webhooks};
pub use usage::{lower_controllers, lower_usage};

use crate::diagnostic::{Diagnostics, MarkerProblem, Problem};
use crate::model::Model;
use crate::naming::PluralExceptions;
use crate::source::{CrateSources, PackageInput};
use std::collections::BTreeSet;
use std::path::PathBuf;
use universe::Universe;

/// Lowers type packages. The model holds what could be understood; it is of use only when nothing is wrong.
pub fn lower(
    packages: &[PackageInput],
    exceptions: &PluralExceptions,
    sources: &dyn CrateSources,
) -> (Model, Diagnostics) {
    let mut universe = Universe::new(sources);
    let raw: Vec<_> = packages.iter().filter_map(|input| universe.read_package(input)).collect();
    let from =
        raw.first().map(|package| package.crate_root.clone().unwrap_or_else(|| package.input.apis.clone()));
    universe.from = from.unwrap_or_default();
    universe.register_derived(&raw);
    universe.register_public(&raw);
    for raw in raw.iter().flat_map(|package| &package.scopes) {
        universe.register_schemas(&raw.scope);
    }
    let without_clients = raw.iter().filter_map(package::without_clients).collect();
    let mut model = Model { without_clients, ..Model::default() };
    for package in &raw {
        universe.version(package, exceptions, &mut model);
    }
    universe.complete(&mut model);
    version::sort(&mut model);
    let mut diagnostics = universe.diagnostics;
    drop_consequences(&mut diagnostics);
    (model, diagnostics)
}

/// Where a file cannot be taken apart into items, its markers seem to belong to others or to nobody: that is no news.
fn drop_consequences(diagnostics: &mut Diagnostics) {
    let broken: BTreeSet<PathBuf> = diagnostics
        .iter()
        .filter(|diagnostic| matches!(diagnostic.problem, Problem::Source(_)))
        .map(|diagnostic| diagnostic.span.file.clone())
        .collect();
    diagnostics.retain(|diagnostic| {
        let may_follow = matches!(
            diagnostic.problem,
            Problem::Marker(
                MarkerProblem::Orphan { .. }
                    | MarkerProblem::WrongTarget { .. }
                    | MarkerProblem::Repeated { .. }
            )
        );
        !(may_follow && broken.contains(&diagnostic.span.file))
    });
}
