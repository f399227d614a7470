//! Loading: the front half of the pipeline in one call.
//!
//! In: where the type packages are. Out: the model, or everything that is wrong. It never writes anything.

use crate::check::{Wanted, check, check_permissions, check_usage, check_webhooks};
use crate::crd::{CrdOptions, Definition, definitions};
use crate::diagnostic::{
    CheckProblem, Diagnostic, Diagnostics, LowerProblem, Problem, SchemaProblem, SourceProblem, Span,
};
use crate::lower::{lower, lower_controllers, lower_permissions, lower_usage, lower_webhooks};
use crate::model::{ControllerUse, Manifests, Model};
use crate::naming::PluralExceptions;
use crate::source::{CargoSources, CrateSources, Interest, PackageInput, sweep};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The stack of the thread that parses: syn recurses on what is nested, and `source` lets only so much through.
const STACK: usize = 512 << 20;

/// What is to be loaded.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The type packages.
    pub packages: Vec<PackageInput>,
    /// Plurals that the user has set.
    pub plural_exceptions: PluralExceptions,
    /// Where the source of other crates is found.
    pub sources: Arc<dyn CrateSources>,
    /// What must be found for the generators that are to run.
    pub wanted: Wanted,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            packages: Vec::new(),
            plural_exceptions: PluralExceptions::default(),
            sources: Arc::new(CargoSources::default()),
            wanted: Wanted::default(),
        }
    }
}

impl Inputs {
    /// These type packages, with cargo to find other crates.
    pub fn new(packages: impl IntoIterator<Item = PackageInput>) -> Self {
        Self { packages: packages.into_iter().collect(), ..Self::default() }
    }
}

/// Reads type packages and checks them.
///
/// # Errors
/// Everything that is wrong with them, in one list.
///
/// # Examples
/// ```
/// use kube_codegen::{Inputs, PackageInput, load};
///
/// let wrong = load(&Inputs::new([PackageInput::new("no/such/folder", "cnat", "v1alpha1")]));
/// assert_eq!(wrong.unwrap_err().len(), 1);
/// ```
pub fn load(inputs: &Inputs) -> Result<Model, Diagnostics> {
    on_a_large_stack(|| load_here(inputs))
}

fn on_a_large_stack<T: Send>(work: impl FnOnce() -> Result<T, Diagnostics> + Send) -> Result<T, Diagnostics> {
    let outcome = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("kube-codegen-load".to_owned()).stack_size(STACK);
        thread.spawn_scoped(scope, work).map(|handle| handle.join())
    });
    match outcome {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(_)) => Err(internal("the thread that reads the packages ended early")),
        Err(error) => Err(internal(&error.to_string())),
    }
}

/// What there is for manifests.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// The custom resource definitions of its kinds.
    pub definitions: Vec<Definition>,
    /// What is no reason to fail.
    pub warnings: Diagnostics,
}

/// Reads type packages, checks them, and makes the custom resource definitions of their kinds.
///
/// # Errors
/// Everything that is wrong with types, markers and definitions, in one list.
pub fn load_definitions(inputs: &Inputs, options: &CrdOptions) -> Result<Loaded, Diagnostics> {
    on_a_large_stack(|| {
        let (model, mut diagnostics) = model_of(inputs);
        let (definitions, wrong) = definitions(&model, options);
        diagnostics.extend(without_consequences(wrong, &diagnostics));
        let warnings = diagnostics.clone();
        diagnostics.into_result(Loaded { model, definitions, warnings })
    })
}

/// A type that could not be found has no schema either; that goes without saying.
fn without_consequences(mut wrong: Diagnostics, found: &Diagnostics) -> Diagnostics {
    wrong.retain(|diagnostic| {
        let follows = |cause: &Diagnostic| {
            let is_unknown = matches!(cause.problem, Problem::Lower(LowerProblem::UnknownType { .. }));
            is_unknown && cause.span.file == diagnostic.span.file && cause.span.line == diagnostic.span.line
        };
        let is_schema = matches!(diagnostic.problem, Problem::Schema(SchemaProblem::Unsupported { .. }));
        !(is_schema && found.iter().any(follows))
    });
    wrong
}

fn load_here(inputs: &Inputs) -> Result<Model, Diagnostics> {
    let (model, diagnostics) = model_of(inputs);
    diagnostics.into_result(model)
}

fn model_of(inputs: &Inputs) -> (Model, Diagnostics) {
    let (model, mut diagnostics) = lower(&inputs.packages, &inputs.plural_exceptions, &*inputs.sources);
    let mut between = place_nothing(&check(&model, inputs.wanted), &inputs.packages);
    if !diagnostics.is_empty() {
        // A type that could not be read may well have been a kind.
        between
            .retain(|diagnostic| !matches!(diagnostic.problem, Problem::Check(CheckProblem::Nothing { .. })));
    }
    diagnostics.extend(between);
    (model, diagnostics)
}

/// Reads the permissions that markers in the Rust files at and below some paths ask for.
///
/// # Errors
/// Everything that is wrong with them, in one list.
pub fn load_permissions(paths: &[PathBuf]) -> Result<Manifests, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let files = sweep(paths, Interest::Markers, &mut diagnostics);
    let permissions = lower_permissions(&files, &mut diagnostics);
    let manifests = Manifests { permissions, ..Manifests::default() };
    diagnostics.extend(check_permissions(&manifests));
    diagnostics.into_result(manifests)
}

/// What the code at and below some paths may ask for through generated clients, against what markers there grant.
#[derive(Debug, Clone)]
pub struct Audit {
    /// How many requests the code may send, each group, resource and verb once.
    pub requests: usize,
    /// What is not granted (an error), not used or not seen (a warning).
    pub findings: Diagnostics,
}

/// Compares the permissions that markers ask for with what code may ask of the clients of a model.
///
/// # Errors
/// Everything that is wrong with the markers, in one list.
pub fn load_audit(paths: &[PathBuf], model: &Model) -> Result<Audit, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let files = sweep(paths, Interest::Code, &mut diagnostics);
    let permissions = lower_permissions(&files, &mut diagnostics);
    let usage = lower_usage(&files, model);
    let found = check_usage(&permissions, &usage, model);
    let manifests = Manifests { permissions, ..Manifests::default() };
    diagnostics.extend(check_permissions(&manifests));
    let asked = usage.requests.iter().map(|request| (&request.group, &request.resource, &request.verb));
    let requests = asked.collect::<BTreeSet<_>>().len();
    // The files come with their texts.
    let mut findings = diagnostics.clone();
    findings.extend(found);
    diagnostics.into_result(Audit { requests, findings })
}

/// Finds the controllers that code at and below some paths builds, and the kinds that they have to do with.
///
/// # Errors
/// The files cannot be read.
pub fn load_controllers(paths: &[PathBuf], model: &Model) -> Result<Vec<ControllerUse>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let files = sweep(paths, Interest::Code, &mut diagnostics);
    let controllers = lower_controllers(&files, model);
    diagnostics.into_result(controllers)
}

/// Reads the webhooks that markers in the Rust files at and below some paths describe.
///
/// # Errors
/// Everything that is wrong with them, in one list.
pub fn load_webhooks(paths: &[PathBuf]) -> Result<Manifests, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let files = sweep(paths, Interest::Markers, &mut diagnostics);
    let manifests = lower_webhooks(&files, &mut diagnostics);
    diagnostics.extend(check_webhooks(&manifests));
    diagnostics.into_result(manifests)
}

/// Where there is no version at all, what is missing is missing in the packages that were named.
fn place_nothing(found: &Diagnostics, packages: &[PackageInput]) -> Diagnostics {
    let mut placed = Diagnostics::new();
    for diagnostic in found.iter() {
        let nowhere = diagnostic.span.file.as_os_str().is_empty();
        match packages.first().filter(|_| nowhere) {
            Some(package) => {
                let parts = [&package.group, &package.version].into_iter().filter(|part| !part.is_empty());
                let path = parts.fold(package.apis.clone(), |path, part| path.join(part));
                placed.add(diagnostic.problem.clone(), Span::file(path));
            }
            None => placed.push(diagnostic.clone()),
        }
    }
    placed
}

fn internal(reason: &str) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.add(SourceProblem::Internal { reason: reason.to_owned() }, Span::file(""));
    diagnostics
}
