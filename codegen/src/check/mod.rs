//! Checks: the rules that concern more than one item.
//!
//! In: a model. Out: what does not fit together. It never changes the model and never looks at a file.

mod conventions;
mod groups;
mod kinds;
mod manifests;
mod usage;

pub use conventions::check_conventions;
pub use manifests::{check_permissions, check_webhooks};
pub use usage::check_usage;

use crate::diagnostic::{CheckProblem, Diagnostics, Span};
use crate::model::{Model, Place, Resource};

/// What a model must have for the generators that are to run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Wanted {
    /// At least one kind with `+genclient`.
    #[default]
    Clients,
    /// At least one kind with `+genclient` in each package: somebody named them.
    ClientsInEach,
    /// At least one kind, with or without.
    Kinds,
    /// Nothing in particular, and no code is generated: names in code do not matter.
    Manifests,
    /// Nothing in particular.
    Anything,
}

/// Finds everything that does not fit together.
pub fn check(model: &Model, wanted: Wanted) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    if !has(model, wanted) {
        let first = model.versions().next().map(|(_, version)| span(&version.package.place));
        diagnostics.add(
            CheckProblem::Nothing { wanted: wanted.describe() },
            first.unwrap_or_else(|| Span::file("")),
        );
    }
    if wanted == Wanted::ClientsInEach && has(model, wanted) {
        for place in &model.without_clients {
            diagnostics.add(CheckProblem::Nothing { wanted: "`+genclient`" }, span(place));
        }
    }
    if wanted != Wanted::Manifests {
        groups::check(model, &mut diagnostics);
        kinds::check(model, &mut diagnostics);
    }
    diagnostics
}

impl Wanted {
    fn describe(self) -> &'static str {
        match self {
            Self::Clients | Self::ClientsInEach => "`+genclient`",
            Self::Kinds | Self::Anything | Self::Manifests => "the form of a kind",
        }
    }
}

fn has(model: &Model, wanted: Wanted) -> bool {
    // A kind counts even where its package switches generators off: that is said on purpose.
    let client = |resource: &Resource| resource.markers.iter().any(|marker| marker.name == "genclient");
    match wanted {
        Wanted::Clients | Wanted::ClientsInEach => model.resources().any(|(_, _, resource)| client(resource)),
        Wanted::Kinds => model.resources().next().is_some(),
        Wanted::Anything | Wanted::Manifests => true,
    }
}

fn span(place: &Place) -> Span {
    Span { file: place.file.clone(), line: place.line, column: place.column, length: place.length }
}
