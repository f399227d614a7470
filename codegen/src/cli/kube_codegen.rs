//! `kube-codegen`: a subcommand a generator.

use super::answer::parse;
use super::audit::{self, Findings};
use super::graph::{self, GraphCommand};
use super::run::{Invocation, RunOptions, run as run_job};
use super::{Exit, Terminal, Tool, markers};
use crate::config::{
    ConfigFile, CrdSettings, CrdSource, Destination, Generators, Job, ManifestJob, RbacSettings,
    SchemaPatchSettings, Settings, WebhookSettings, type_packages,
};
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::output::Generator;
use clap::{Args, Parser, Subcommand};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  kube-codegen all
      everything, as kube-codegen.toml says
  kube-codegen all --check
      the same, but only compare; for CI
  kube-codegen object --apis src/apis
      the trait impls beside the types, without any config file
  kube-codegen all --apis src/apis --groups \"cnat:v1alpha1 webapp:v1\" --output src/client
      everything, said on the command line

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Typed clients, fakes, listers, informers and apply configurations from annotated Rust types
#[derive(Debug, Parser)]
#[command(name = "kube-codegen", version, after_help = EXAMPLES, disable_help_subcommand = true)]
struct KubeCodegen {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Everything: all generators, or those that kube-codegen.toml names
    All(Options),
    /// Trait impls and list types, beside the types
    #[command(visible_alias = "deepcopy")]
    Object(Options),
    /// The clientset and its fake
    Client(Options),
    /// Listers: readers of informers' caches
    Lister(Options),
    /// Shared informers and their factory
    Informer(Options),
    /// Apply configurations: partial objects for server-side apply
    Applyconfiguration(Options),
    /// Custom resource definitions
    Crd(CrdCommand),
    /// Roles, from the permissions in `+kubebuilder:rbac` markers
    Rbac(RbacCommand),
    /// Webhook configurations, from `+kubebuilder:webhook` markers
    Webhook(WebhookCommand),
    /// The schemas in custom resource definitions that are kept by hand
    Schemapatch(SchemapatchCommand),
    /// Print a picture of the kinds: groups, verbs, and what controllers own and watch
    Graph(GraphCommand),
    /// Print the reference of all markers, as Markdown
    Markers,
}

#[derive(Debug, Args)]
#[command(after_help = CRD_EXAMPLES)]
struct CrdCommand {
    #[command(flatten)]
    settings: CrdSettings,
    /// Print the manifests, and write no file
    #[arg(long)]
    stdout: bool,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(Debug, Args)]
#[command(after_help = RBAC_EXAMPLES)]
struct RbacCommand {
    #[command(flatten)]
    settings: RbacSettings,
    /// Print the manifest, and write no file
    #[arg(long)]
    stdout: bool,
    /// Write no file; compare the markers with what the code below the paths may ask of generated clients
    #[arg(long, value_name = "FINDINGS", num_args = 0..=1, require_equals = true,
        default_missing_value = "missing", conflicts_with = "stdout")]
    from_usage: Option<Findings>,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(Debug, Args)]
#[command(after_help = WEBHOOK_EXAMPLES)]
struct WebhookCommand {
    #[command(flatten)]
    settings: WebhookSettings,
    /// Print the manifest, and write no file
    #[arg(long)]
    stdout: bool,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    run: RunOptions,
}

#[derive(Debug, Args)]
#[command(after_help = PATCH_EXAMPLES)]
struct SchemapatchCommand {
    #[command(flatten)]
    settings: SchemaPatchSettings,
    /// Print the manifests, and write no file
    #[arg(long)]
    stdout: bool,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    run: RunOptions,
}

const CRD_EXAMPLES: &str = "\
Examples:
  kube-codegen crd
      the definitions, as kube-codegen.toml says
  kube-codegen crd src/apis --output crd --check
      those of the types below src/apis, but only compare; for CI
  kube-codegen crd src --stdout | kubectl apply -f -
      straight into a cluster";

const RBAC_EXAMPLES: &str = "\
Examples:
  kube-codegen rbac src --role-name my-operator
      a role from the markers below src, in config/rbac/role.yaml
  kube-codegen rbac src --from-usage
      what the code asks of its clients and no marker grants";

const WEBHOOK_EXAMPLES: &str = "\
Examples:
  kube-codegen webhook src
      the configurations from the markers below src, in config/webhook
  kube-codegen webhook src --stdout
      print them";

const PATCH_EXAMPLES: &str = "\
Examples:
  kube-codegen schemapatch --manifests config/crd
      brings the schemas in config/crd up to date; all else in its files stays, comments too
  kube-codegen schemapatch src/apis --manifests config/crd --check
      the same for the types below src/apis, but only compare; for CI";

const OPTIONS_EXAMPLES: &str = "\
Examples:
  kube-codegen all
      as kube-codegen.toml says; one generator alone in the same way
  kube-codegen all --apis src/apis --groups \"cnat:v1alpha1\" --output src/client
      without such a file
  kube-codegen client --check -v
      only compare, and name the files that differ";

#[derive(Debug, Args)]
#[command(after_help = OPTIONS_EXAMPLES)]
struct Options {
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    run: RunOptions,
}

/// Where settings come from that are not on the command line.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Source {
    /// The config file; the nearest kube-codegen.toml in this folder or above when left out
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The config file to use where there is none around and no crate either
    #[arg(long, value_name = "FILE", hide = true)]
    fallback_config: Option<PathBuf>,
}

impl Source {
    fn file(&self) -> Option<PathBuf> {
        let around = || ConfigFile::find(Path::new(""));
        let fallback = || self.fallback_config.clone().filter(|_| !in_a_crate());
        self.config.clone().or_else(around).or_else(fallback)
    }

    /// What the config file says. `None` when there is none.
    pub(super) fn read(&self) -> Result<Option<ConfigFile>, Diagnostics> {
        self.file().map(|file| ConfigFile::read(&file)).transpose()
    }
}

fn in_a_crate() -> bool {
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors().any(|above| above.join("Cargo.toml").is_file())
}

/// What makes the definitions: of the types at the paths that are named, else of those that the file names.
fn crd_job(settings: CrdSettings, source: &Source) -> Result<ManifestJob, Diagnostics> {
    let file = source.read()?;
    let settings = settings.over(file.as_ref().and_then(|file| file.crd.clone()).unwrap_or_default());
    let packages = match file {
        _ if !settings.paths.is_empty() => Vec::new(),
        Some(file) => {
            Job::new(&file.settings, &Generators::one(Generator::Object), &BTreeSet::new())?.packages
        }
        None => type_packages(&[])?,
    };
    settings.job(CrdSource::Packages(packages))
}

/// The same for definitions that are kept by hand.
fn patch_job(settings: SchemaPatchSettings, source: &Source) -> Result<ManifestJob, Diagnostics> {
    let (manifests, output) = (settings.manifests.clone(), settings.output.clone());
    let destination = Destination::Folder(output.unwrap_or_else(|| manifests.clone()));
    Ok(ManifestJob { destination, ..crd_job(settings.into(), source)?.patching(manifests) })
}

pub(super) fn run(arguments: Vec<OsString>, terminal: &mut Terminal<'_>) -> Exit {
    let tool = Tool::KubeCodegen.name();
    let invocation = Invocation::new(tool, &arguments);
    let command = match parse::<KubeCodegen>(tool, arguments, terminal) {
        Ok(parsed) => parsed.command,
        Err(exit) => return exit,
    };
    let (generator, options) = match command {
        Command::All(options) => (None, options),
        Command::Object(options) => (Some(Generator::Object), options),
        Command::Client(options) => (Some(Generator::Client), options),
        Command::Lister(options) => (Some(Generator::Lister), options),
        Command::Informer(options) => (Some(Generator::Informer), options),
        Command::Applyconfiguration(options) => (Some(Generator::ApplyConfiguration), options),
        Command::Crd(command) => {
            let CrdCommand { settings, stdout, source, run } = command;
            let job = || manifest_job(crd_job(settings, &source)?, stdout.then_some(Destination::Stdout));
            return enter_and_run(job, &run, &invocation, terminal);
        }
        Command::Schemapatch(command) => {
            let SchemapatchCommand { settings, stdout, source, run } = command;
            let job = || manifest_job(patch_job(settings, &source)?, stdout.then_some(Destination::Stdout));
            return enter_and_run(job, &run, &invocation, terminal);
        }
        Command::Rbac(command) => {
            let RbacCommand { settings, stdout, from_usage, source, run } = command;
            if let Some(findings) = from_usage {
                return audit::run((settings, findings), &source, &run, terminal);
            }
            let job = || {
                let base = source.read()?.and_then(|file| file.rbac).unwrap_or_default();
                manifest_job(settings.over(base).job()?, stdout.then_some(Destination::Stdout))
            };
            return enter_and_run(job, &run, &invocation, terminal);
        }
        Command::Webhook(command) => {
            let WebhookCommand { settings, stdout, source, run } = command;
            let job = || {
                let base = source.read()?.and_then(|file| file.webhook).unwrap_or_default();
                manifest_job(settings.over(base).job()?, stdout.then_some(Destination::Stdout))
            };
            return enter_and_run(job, &run, &invocation, terminal);
        }
        Command::Graph(command) => return graph::run(&command, terminal),
        Command::Markers => {
            terminal.print(&markers::markdown());
            return Exit::Done;
        }
    };
    if let Err(exit) = options.run.enter(terminal) {
        return exit;
    }
    let job = configured(&options.source, options.settings, generator.map(Generators::one));
    run_job(job, &options.run, &invocation, terminal)
}

fn enter_and_run(
    job: impl FnOnce() -> Result<Job, Diagnostics>,
    options: &RunOptions,
    invocation: &Invocation,
    terminal: &mut Terminal<'_>,
) -> Exit {
    match options.enter(terminal) {
        Ok(()) => run_job(job(), options, invocation, terminal),
        Err(exit) => exit,
    }
}

fn manifest_job(job: ManifestJob, printed: Option<Destination>) -> Result<Job, Diagnostics> {
    let destination = printed.unwrap_or(job.destination);
    Ok(Job::of_manifests(vec![ManifestJob { destination, ..job }]))
}

/// A job from the command line and the config file around.
///
/// # Errors
/// Everything that is missing or wrong.
pub(super) fn configured(
    source: &Source,
    settings: Settings,
    generators: Option<Generators>,
) -> Result<Job, Diagnostics> {
    let Some(file) = source.read()? else {
        if settings.apis.is_none() {
            return Err(no_config());
        }
        return Job::new(&settings, &generators.unwrap_or_default(), &BTreeSet::new());
    };
    // A run with an output of its own has nothing to do with what the file says of another one.
    let others = if settings.output.is_some() { BTreeSet::new() } else { file.generators.set().clone() };
    let everything = settings.output.is_none() && settings.apis.is_none();
    let generators = match generators {
        Some(generators) if !generators.is_all() => generators,
        _ => file.generators.as_all(),
    };
    let manifests = if everything && generators.is_all() { manifest_jobs(&file) } else { Ok(Vec::new()) };
    let job = Job::new(&settings.over(file.settings), &generators, &others);
    match (job, manifests) {
        (Ok(job), Ok(manifests)) => Ok(Job { manifests, ..job }),
        (Err(mut wrong), Err(others)) => {
            wrong.extend(others);
            Err(wrong)
        }
        (Err(wrong), _) | (_, Err(wrong)) => Err(wrong),
    }
}

/// The generators of manifests that the file has a table for.
fn manifest_jobs(file: &ConfigFile) -> Result<Vec<ManifestJob>, Diagnostics> {
    let jobs = [
        file.crd.as_ref().map(|settings| settings.job(CrdSource::OfTheJob)),
        file.rbac.as_ref().map(RbacSettings::job),
        file.webhook.as_ref().map(WebhookSettings::job),
    ];
    let mut diagnostics = Diagnostics::new();
    let kept = |job: Result<ManifestJob, Diagnostics>| job.map_err(|wrong| diagnostics.extend(wrong)).ok();
    let found = jobs.into_iter().flatten().filter_map(kept).collect();
    diagnostics.into_result(found)
}

pub(super) fn no_config() -> Diagnostics {
    let folder = std::env::current_dir().unwrap_or_default().display().to_string();
    let mut diagnostics = Diagnostics::new();
    diagnostics.add(ConfigProblem::NoConfig { folder }, Span::file(PathBuf::new()));
    diagnostics
}
