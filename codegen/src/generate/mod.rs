//! The pipeline from end to end: a [`Job`] in, files out.
//!
//! `source -> marker -> lower -> model -> check -> emit -> output`: the first half is [`read`], the second [`emit()`] and
//! [`crate::output::apply`]. Nothing is written when anything is wrong anywhere.

mod manifests;
mod schema_patch;

use crate::check::Wanted;
use crate::config::{Destination, Job, ManifestJob, Placement, Selection};
use crate::diagnostic::Diagnostics;
use crate::emit::{self, object};
use crate::load::{Inputs, load};
use crate::model::Model;
use crate::new_crate;
use crate::output::{self, Files, Generator, Mode, OutputError, Ownership, Report, Root};
use crate::source::{CargoSources, CrateSources};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a run did.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// How many groups there are.
    pub groups: usize,
    /// How many kinds there are, over all versions.
    pub kinds: usize,
    /// What was written, or would be.
    pub report: Report,
    /// What goes to the terminal in place of files; `None` when nothing was to go there.
    pub printed: Option<String>,
    /// What the user has to do by hand.
    pub notes: Vec<String>,
    /// What is wrong, and no reason to fail.
    pub warnings: Diagnostics,
    /// The files and folders that the result depends on.
    pub inputs: BTreeSet<PathBuf>,
}

/// Why a run wrote nothing.
#[derive(Debug)]
pub enum Failure {
    /// The settings, the types or their markers are wrong.
    Input(Diagnostics),
    /// The files cannot be written.
    Output(Vec<OutputError>),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(diagnostics) => diagnostics.fmt(formatter),
            Self::Output(errors) => {
                for error in errors {
                    writeln!(formatter, "error: {}", chain(error))?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Failure {}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Input(diagnostics)
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// Runs a job.
///
/// # Errors
/// Everything that is wrong; nothing has been written then.
pub fn run(job: &Job, mode: Mode) -> Result<Outcome, Failure> {
    let model = if job.generators.set().is_empty() {
        Ok(Model::default())
    } else {
        read(job, Arc::new(CargoSources::default()))
    };
    let made = manifests::make(job, model.as_ref().ok().filter(|_| !job.packages.is_empty()));
    let (model, made) = both(model, made).map_err(with_texts)?;
    let mut roots = emit(job, &model);
    roots.extend(made.roots);
    let report = output::apply(roots, mode).map_err(Failure::Output)?;
    Ok(Outcome {
        groups: model.groups.len(),
        kinds: model.resources().count(),
        // A run that only checks has no files to speak of either.
        printed: made.printed.or_else(|| is_check(job).then(String::new)),
        notes: notes(job, &model).into_iter().chain(made.notes).collect(),
        warnings: with_texts(made.warnings),
        inputs: inputs(&model),
        report,
    })
}

/// The same with the texts of files that were read before these were found.
fn with_texts(mut diagnostics: Diagnostics) -> Diagnostics {
    for file in diagnostics.without_text() {
        if let Ok(text) = std::fs::read_to_string(&file) {
            diagnostics.add_text(&file, text.into());
        }
    }
    diagnostics
}

/// Whether nothing at all is to be written.
fn is_check(job: &Job) -> bool {
    let folder = |job: &ManifestJob| matches!(job.destination, Destination::Folder(_));
    job.placement == Placement::Nowhere && !job.manifests.iter().any(folder)
}

/// Two results, or everything that is wrong in either.
fn both<A, B>(first: Result<A, Diagnostics>, second: Result<B, Diagnostics>) -> Result<(A, B), Diagnostics> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(mut wrong), Err(others)) => {
            wrong.extend(others);
            Err(wrong)
        }
        (Err(wrong), _) | (_, Err(wrong)) => Err(wrong),
    }
}

/// The first half: from source to a model that is sound.
///
/// # Errors
/// Everything that is wrong with the types and their markers.
pub fn read(job: &Job, sources: Arc<dyn CrateSources>) -> Result<Model, Diagnostics> {
    let only_object = job.generators.set().iter().all(|generator| *generator == Generator::Object);
    load(&Inputs {
        packages: job.packages.clone(),
        plural_exceptions: job.plurals.clone(),
        sources,
        wanted: match job.selection {
            _ if only_object => Wanted::Kinds,
            Selection::Named => Wanted::ClientsInEach,
            Selection::Found => Wanted::Clients,
        },
    })
}

/// The second half: from the model to files, by the folders they go to.
pub fn emit(job: &Job, model: &Model) -> Vec<Root> {
    let mut roots = Vec::new();
    if makes_objects(job) {
        roots.extend(object_roots(job, model));
    }
    if !job.generators.set().contains(&Generator::Object) {
        // A tree stands on the object files: those that are not there yet are made, the others left alone.
        roots.retain(|root| !root.files.is_empty() && !is_there(root));
    }
    match &job.placement {
        Placement::BesideTypes | Placement::Nowhere => {}
        Placement::Part { folder, generator } => {
            let ownership = Ownership::Parts(BTreeSet::from([*generator]));
            roots.push(Root { folder: folder.clone(), ownership, files: part(job, model, *generator) });
        }
        Placement::Tree { folder, source, new_crate } => {
            roots.push(tree(job, model, folder, source));
            if *new_crate {
                let mut files = Files::new();
                files.insert_once("Cargo.toml", new_crate::manifest(folder, model, &job.options));
                let ownership = Ownership::Parts(BTreeSet::new());
                roots.push(Root { folder: folder.clone(), ownership, files });
            }
        }
        Placement::BuildScript { folder } => roots.push(tree(job, model, folder, "")),
    }
    roots
}

fn part(job: &Job, model: &Model, generator: Generator) -> Files {
    match generator {
        Generator::Client => emit::client_files(model, &job.options),
        Generator::Lister => emit::lister_files(model, &job.options),
        Generator::Informer => emit::informer_files(model, &job.options),
        Generator::ApplyConfiguration => emit::configuration_files(model, &job.options),
        _ => Files::new(),
    }
}

/// The whole tree, or the files of some generators in it.
fn tree(job: &Job, model: &Model, folder: &Path, source: &str) -> Root {
    let mut files = emit::groups(model, &job.options);
    let ownership = if job.generators.is_all() {
        Ownership::Tree
    } else {
        let mut own = job.generators.set().clone();
        own.insert(Generator::Groups);
        files.retain(|_, entry| {
            Generator::of_text(&entry.text).is_none_or(|generator| own.contains(&generator))
        });
        Ownership::Parts(own)
    };
    // The root is below the source folder, so that a user's own tests and examples beside it are not looked at.
    Root { folder: folder.join(source), ownership, files }
}

/// Whether files beside the types may be made. The commands for one part of a tree keep to their part.
fn makes_objects(job: &Job) -> bool {
    let tree = matches!(job.placement, Placement::Tree { .. });
    let somewhere = job.placement != Placement::Nowhere;
    somewhere && (tree || job.generators.set().contains(&Generator::Object))
}

/// Whether the one file of a root for object files exists.
fn is_there(root: &Root) -> bool {
    matches!(&root.ownership, Ownership::Named(name) if root.folder.join(name).exists())
}

/// The files beside the types; a package which needs none any more loses its old one.
fn object_roots(job: &Job, model: &Model) -> Vec<Root> {
    let mut made = object::files(model, &job.options.header);
    let mut roots = Vec::new();
    for (_, version) in model.versions() {
        let path = &version.package.object_file;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if let Placement::BuildScript { folder: out } = &job.placement {
            folder = version.package.modules.iter().fold(out.clone(), |path, module| path.join(module));
        }
        let found = made.iter().position(|file| std::ptr::eq(file.package, &version.package));
        let files = found.map(|at| made.swap_remove(at).files).unwrap_or_default();
        roots.push(Root { folder, ownership: Ownership::Named(name), files });
    }
    roots
}

/// What generated code cannot do for the user.
fn notes(job: &Job, model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    let beside = !matches!(job.placement, Placement::BuildScript { .. });
    if beside && makes_objects(job) {
        for package in object::packages(model) {
            let name = package.object_file.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(&package.file).unwrap_or_default();
            if !text.contains(name.as_ref()) {
                let (file, line) = (package.file.display(), object::include_line(package));
                notes.push(format!(
                    "add the line `{line}` to `{file}`: it makes the kinds Kubernetes objects"
                ));
            }
        }
    }
    if let Placement::Tree { folder, new_crate: true, .. } = &job.placement {
        let manifest = folder.join("Cargo.toml");
        notes.push(format!(
            "`{}` is made once and then yours; add the crate to the members of your workspace",
            manifest.display()
        ));
    }
    notes
}

/// The folders and files of the type packages.
fn inputs(model: &Model) -> BTreeSet<PathBuf> {
    let mut inputs = BTreeSet::new();
    for (_, version) in model.versions() {
        let file = &version.package.file;
        let folder = file.with_extension("");
        match file.parent() {
            Some(parent) if file.file_name().is_some_and(|name| name == "mod.rs") => {
                inputs.insert(parent.to_owned());
            }
            _ => {
                inputs.insert(file.clone());
                if folder.is_dir() {
                    inputs.insert(folder);
                }
            }
        }
    }
    inputs
}
