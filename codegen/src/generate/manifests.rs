//! Manifests: from a [`ManifestJob`] to files, or to text for the terminal.

use super::schema_patch::patched;
use crate::check::{Wanted, check_conventions};
use crate::config::{ConventionLevel, CrdJob, CrdSource, Destination, Job, ManifestJob, ManifestKind};
use crate::crd::definitions;
use crate::diagnostic::Diagnostics;
use crate::emit::{crd, rbac, webhook};
use crate::load::{Inputs, load_definitions, load_permissions, load_webhooks};
use crate::model::Model;
use crate::output::{Files, Generator, Manifest, Ownership, Root};
use std::collections::BTreeSet;

/// What the generators of manifests made.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) roots: Vec<Root>,
    /// What goes to the terminal.
    pub(super) printed: Option<String>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
    /// What is no reason to fail.
    pub(super) warnings: Diagnostics,
}

/// Runs the generators of manifests.
///
/// - `model`: that of the job's type packages; `None` when they could not be read, or when there are none.
///
/// # Errors
/// Everything that is wrong with what they read.
pub(super) fn make(job: &Job, model: Option<&Model>) -> Result<Made, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut made = Made::default();
    for one in &job.manifests {
        if let ManifestKind::SchemaPatch(patch) = &one.kind {
            match patched(patch, &mut made.warnings) {
                Ok(files) => place_kept(one, files, &mut made),
                Err(wrong) => diagnostics.extend(wrong),
            }
            continue;
        }
        match manifests_of(one, model, &mut made.warnings) {
            Ok(manifests) => {
                if manifests.is_empty() {
                    made.notes.push(nothing(&one.kind).to_owned());
                }
                place(one, &manifests, &mut made);
            }
            Err(wrong) => diagnostics.extend(wrong),
        }
    }
    diagnostics.into_result(made)
}

fn manifests_of(
    job: &ManifestJob,
    model: Option<&Model>,
    warnings: &mut Diagnostics,
) -> Result<Vec<Manifest>, Diagnostics> {
    let found = match &job.kind {
        ManifestKind::Rbac(options) => rbac::files(&load_permissions(&job.paths)?, options),
        ManifestKind::Webhook => webhook::files(&load_webhooks(&job.paths)?),
        ManifestKind::Crd(job) => return definitions_of(job, model, warnings),
        ManifestKind::SchemaPatch(_) => None,
    };
    Ok(found.into_iter().collect())
}

fn definitions_of(
    job: &CrdJob,
    model: Option<&Model>,
    warnings: &mut Diagnostics,
) -> Result<Vec<Manifest>, Diagnostics> {
    let (found, odd) = match (&job.source, model) {
        (CrdSource::OfTheJob, None) => return Ok(Vec::new()),
        (CrdSource::OfTheJob, Some(model)) => {
            let (found, wrong) = definitions(model, &job.options);
            let mut odd = odd(job, model);
            odd.extend(wrong.clone());
            (wrong.into_result(found)?, odd)
        }
        (CrdSource::Packages(packages), _) => {
            let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new(packages.clone()) };
            let loaded = load_definitions(&inputs, &job.options)?;
            let mut odd = odd(job, &loaded.model);
            odd.extend(loaded.warnings);
            (loaded.definitions, odd)
        }
    };
    if odd.has_errors() {
        return Err(odd);
    }
    warnings.extend(odd);
    Ok(crd::files(&found, job.attribution))
}

/// What goes against conventions, as severe as the job has it.
fn odd(job: &CrdJob, model: &Model) -> Diagnostics {
    match job.conventions.level {
        ConventionLevel::Ignore => Diagnostics::new(),
        ConventionLevel::Warn => check_conventions(model, &job.conventions.allowed),
        ConventionLevel::Deny => check_conventions(model, &job.conventions.allowed).denied(),
    }
}

/// Files of the user's go by their own names, and none of them is ever stale.
fn place_kept(job: &ManifestJob, texts: Vec<(String, String)>, made: &mut Made) {
    if texts.is_empty() {
        made.notes.push("no manifest is patched: the folder holds no CustomResourceDefinition".to_owned());
    }
    match &job.destination {
        Destination::Nowhere => {
            made.printed.get_or_insert_default();
        }
        Destination::Stdout => {
            made.printed.get_or_insert_default().extend(texts.into_iter().map(|(_, text)| text));
        }
        Destination::Folder(folder) => {
            let mut files = Files::new();
            texts.into_iter().for_each(|(name, text)| files.insert_kept(name, text));
            let ownership = Ownership::Parts(BTreeSet::new());
            made.roots.push(Root { folder: folder.clone(), ownership, files });
        }
    }
}

fn place(job: &ManifestJob, manifests: &[Manifest], made: &mut Made) {
    match &job.destination {
        Destination::Nowhere => {
            made.printed.get_or_insert_default();
        }
        Destination::Stdout => {
            let text = made.printed.get_or_insert_default();
            text.extend(manifests.iter().map(|manifest| manifest.printed(&job.header)));
        }
        Destination::Folder(folder) => {
            let mut files = Files::new();
            manifests.iter().for_each(|manifest| files.insert_manifest(manifest, &job.header));
            let ownership = Ownership::Manifests(generator(&job.kind));
            made.roots.push(Root { folder: folder.clone(), ownership, files });
        }
    }
}

/// What is said when a generator made nothing.
fn nothing(kind: &ManifestKind) -> &'static str {
    match kind {
        ManifestKind::Rbac(_) => "no role is made: there is no `+kubebuilder:rbac` marker below the paths",
        ManifestKind::Webhook => {
            "no webhook configuration is made: there is no `+kubebuilder:webhook` marker below the paths"
        }
        ManifestKind::Crd(_) | ManifestKind::SchemaPatch(_) => {
            "no CustomResourceDefinition is made: no type below the paths has the form of a kind"
        }
    }
}

fn generator(kind: &ManifestKind) -> Generator {
    match kind {
        ManifestKind::Rbac(_) => Generator::Rbac,
        ManifestKind::Webhook => Generator::Webhook,
        ManifestKind::Crd(_) | ManifestKind::SchemaPatch(_) => Generator::Crd,
    }
}
