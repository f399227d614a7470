//! Generation from a build script.

use crate::config::{Generators, Groups, Job, Placement, Settings};
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::emit::{FakeCfg, Modules, RootFile};
use crate::generate::{self, Failure, Outcome};
use crate::output::{Generator, Mode};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Generates code from a build script, into `OUT_DIR`.
///
/// In `build.rs`:
///
/// ```no_run
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     kube_codegen::Builder::new("src/apis", "crate::client")
///         .groups("cnat:v1alpha1 myresource:v1")?
///         .build(&mut std::io::stdout())?;
///     Ok(())
/// }
/// ```
///
/// In `src/lib.rs`:
///
/// ```text
/// pub mod apis;
/// pub mod client {
///     include!(concat!(env!("OUT_DIR"), "/mod.rs"));
/// }
/// ```
///
/// Files of the `object` generator then stand in `OUT_DIR` below the modules of their package (here `crate::apis::cnat::v1alpha1`), to be
/// included by it:
///
/// ```text
/// include!(concat!(env!("OUT_DIR"), "/apis/cnat/v1alpha1/zz_generated.object.rs"));
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    settings: Settings,
    generators: Generators,
    module: String,
    folder: Option<PathBuf>,
}

impl Builder {
    /// A builder for all generators and all groups.
    ///
    /// - `apis`: the folder of the types, as in `--apis`,
    /// - `module`: the module which includes the generated code: `crate::client`.
    pub fn new(apis: impl Into<String>, module: impl Into<String>) -> Self {
        let settings = Settings { apis: Some(apis.into()), ..Settings::default() };
        Self { settings, generators: Generators::all(), module: module.into(), folder: None }
    }

    /// The groups and versions: `"cnat:v1alpha1 myresource:v1"`. Without this call, all that there are.
    ///
    /// # Errors
    /// The text has another form.
    pub fn groups(mut self, groups: &str) -> Result<Self, crate::config::GroupsError> {
        self.settings.groups = Some(groups.parse::<Groups>()?);
        Ok(self)
    }

    /// The generators: `"client,lister"`. Without this call, all.
    ///
    /// # Errors
    /// There is no such generator.
    pub fn generators(mut self, generators: &str) -> Result<Self, crate::config::GeneratorsError> {
        self.generators = generators.parse()?;
        Ok(self)
    }

    /// The licence note that opens every file.
    #[must_use]
    pub fn header_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.settings.header_file = Some(file.into());
        self
    }

    /// When the fake is compiled; under `test` without this call.
    #[must_use]
    pub fn fake(mut self, fake: FakeCfg) -> Self {
        self.settings.fake = Some(fake);
        self
    }

    /// All other settings at once; what was set before and is set there too is replaced.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings.over(self.settings);
        self
    }

    /// A folder other than `OUT_DIR`.
    #[must_use]
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Generates. The lines for cargo (`cargo::rerun-if-changed=..`) go to `cargo`, which is standard output in a build
    /// script.
    ///
    /// # Errors
    /// Everything that is wrong, with places; nothing has been written then. Or the lines cannot be written.
    pub fn build(self, cargo: &mut dyn Write) -> Result<Outcome, BuildError> {
        let job = self.job()?;
        let apis: BTreeSet<&Path> = job.packages.iter().map(|package| package.apis.as_path()).collect();
        for folder in apis {
            writeln!(cargo, "cargo::rerun-if-changed={}", folder.display())?;
        }
        let outcome = generate::run(&job, Mode::Write)?;
        let header = self.settings.header_file.as_deref();
        for input in outcome.inputs.iter().map(PathBuf::as_path).chain(header) {
            writeln!(cargo, "cargo::rerun-if-changed={}", input.display())?;
        }
        Ok(outcome)
    }

    fn job(&self) -> Result<Job, Failure> {
        let folder = self.folder.clone().or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from));
        let Some(folder) = folder else {
            let mut diagnostics = Diagnostics::new();
            let problem = ConfigProblem::Missing { what: "where the output goes", key: "output" };
            diagnostics.add(problem, Span::file(PathBuf::new()));
            return Err(Failure::Input(diagnostics));
        };
        // The folder becomes a module by what the user includes, not by where it is.
        let object = Generators::one(Generator::Object);
        let mut job = Job::new(&self.settings, &object, &BTreeSet::new())?;
        job.generators = self.generators.clone();
        job.options.generators = self.generators.set().clone();
        job.options.modules = Modules::below(&self.module);
        job.options.own_crate = own_crate(&job);
        job.options.root = RootFile::Included;
        job.options.fake = self.settings.fake.clone().unwrap_or(FakeCfg::Predicate("test".to_owned()));
        job.placement = Placement::BuildScript { folder };
        Ok(job)
    }
}

/// The crate whose build script this is.
fn own_crate(job: &Job) -> Option<String> {
    if let Ok(name) = std::env::var("CARGO_CRATE_NAME").or_else(|_| std::env::var("CARGO_PKG_NAME")) {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        let layout = crate::config::Layout::of_tree(&manifest).ok();
        return layout.and_then(|layout| layout.crate_name).or(Some(name.replace('-', "_")));
    }
    let apis = job.packages.first().map(|package| package.apis.as_path()).unwrap_or(Path::new(""));
    crate::config::Layout::of_part(apis).ok().flatten().map(|(name, _)| name)
}

/// Why a build script generated nothing.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The input or the output is wrong.
    #[error("nothing was generated\n\n{0}")]
    Failed(#[from] Failure),
    /// The lines for cargo could not be written.
    #[error("cannot write the lines for cargo")]
    Cargo(#[from] io::Error),
}
