//! The commands with one generator each, named and called like their Go namesakes: what they have in common.

use super::answer::parse;
use super::run::{Invocation, RunOptions, run as run_job};
use super::{Exit, Terminal, Tool};
use crate::config::{Groups, Job, Part, Plurals, Settings, inputs, packages, resolve};
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::source::PackageInput;
use clap::{Args, Parser};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A command with one generator.
pub(super) trait PartTool: Parser {
    /// The flags that all of them have.
    fn common(&self) -> &Common;

    /// The type packages that its arguments name.
    ///
    /// # Errors
    /// There is no such folder or crate.
    fn packages(&self) -> Result<Vec<PackageInput>, ConfigProblem>;

    /// Settings beyond the common ones.
    fn settings(&self, settings: Settings) -> Settings {
        settings
    }

    /// What is made, and where.
    fn part(&self) -> Part;
}

/// The flags that all of them have.
#[derive(Debug, Clone, Args)]
pub(super) struct Common {
    /// The folder of the generated files
    #[arg(long, value_name = "FOLDER")]
    pub(super) output_dir: PathBuf,

    /// The module that the folder becomes, as `crate::path`; found from the folder when left out
    #[arg(long, value_name = "MODULE", value_parser = module)]
    pub(super) output_pkg: Option<String>,

    /// The licence note that opens every generated file
    #[arg(long, visible_alias = "header-file", value_name = "FILE")]
    go_header_file: Option<PathBuf>,

    /// Plurals that the rules do not give, as Kind:Plural,Kind:Plural
    #[arg(long, value_name = "PAIRS")]
    plural_exceptions: Option<Plurals>,

    #[command(flatten)]
    run: RunOptions,
}

/// Type packages as positional arguments.
#[derive(Debug, Clone, Args)]
pub(super) struct Packages {
    /// Type packages: their folders or files, or `folder/...` for all below a folder
    #[arg(value_name = "PACKAGE", required = true)]
    packages: Vec<String>,
}

impl Packages {
    pub(super) fn inputs(&self) -> Result<Vec<PackageInput>, ConfigProblem> {
        let found: Result<Vec<_>, _> = self.packages.iter().map(|package| inputs_of(package)).collect();
        Ok(found?.into_iter().flatten().collect())
    }
}

/// The type package of a path, or all below `folder/...`.
///
/// # Errors
/// There is none.
pub(super) fn inputs_of(path: &str) -> Result<Vec<PackageInput>, ConfigProblem> {
    if let Some(folder) = path.strip_suffix("...") {
        let folder = folder.trim_end_matches('/');
        let folder = if folder.is_empty() { "." } else { folder };
        let found = resolve(folder)?;
        let groups = packages(&found);
        if groups.is_empty() {
            return Err(ConfigProblem::NoPackages { apis: folder.to_owned() });
        }
        return Ok(inputs(&found, &groups));
    }
    let not_a_package = |reason| ConfigProblem::NotAPackage { path: path.to_owned(), reason };
    let trimmed = path.trim_end_matches('/').trim_end_matches("/mod.rs");
    let package = PathBuf::from(trimmed.strip_suffix(".rs").unwrap_or(trimmed));
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let group = package.parent().and_then(|group| Some((group.parent()?.to_owned(), name(group)?)));
    match (name(&package), group) {
        (Some(version), Some((apis, group))) => Ok(vec![PackageInput::new(apis, group, version)]),
        _ => Err(not_a_package("its path ends in `<group>/<version>`")),
    }
}

/// Type packages as `group/version`, below a folder.
///
/// # Errors
/// There is no such folder or crate, or the text has another form.
pub(super) fn inputs_below(base: &str, list: &[String]) -> Result<Vec<PackageInput>, ConfigProblem> {
    let folder = resolve(base)?;
    let mut groups = Groups::default();
    for item in list.iter().map(|item| item.trim_matches('/')).filter(|item| !item.is_empty()) {
        match item.rsplit_once('/') {
            Some((group, version)) => groups.add(group, version),
            None => {
                let reason = "write `group/version`";
                return Err(ConfigProblem::NotAPackage { path: item.to_owned(), reason });
            }
        }
    }
    if groups.is_empty() {
        Err(ConfigProblem::NoPackages { apis: base.to_owned() })
    } else {
        Ok(inputs(&folder, &groups))
    }
}

/// Reads the path of a module.
pub(super) fn module(text: &str) -> Result<String, String> {
    let is_path = syn::parse_str::<syn::Path>(text).is_ok_and(|path| path.leading_colon.is_none());
    if is_path && !text.contains('<') {
        Ok(text.to_owned())
    } else {
        Err("write the path of a Rust module, such as `crate::client::listers`".to_owned())
    }
}

/// Reads the name of a module.
pub(super) fn module_name(text: &str) -> Result<String, String> {
    if syn::parse_str::<syn::Ident>(text).is_ok() {
        Ok(text.to_owned())
    } else {
        Err("write the name of a Rust module, such as `versioned`".to_owned())
    }
}

/// Runs a command with one generator.
pub(super) fn run<T: PartTool>(tool: Tool, arguments: Vec<OsString>, terminal: &mut Terminal<'_>) -> Exit {
    let invocation = Invocation::new(tool.name(), &arguments);
    let parsed = match parse::<T>(tool.name(), arguments, terminal) {
        Ok(parsed) => parsed,
        Err(exit) => return exit,
    };
    if let Err(exit) = parsed.common().run.enter(terminal) {
        return exit;
    }
    run_job(job(&parsed), &parsed.common().run, &invocation, terminal)
}

fn job<T: PartTool>(tool: &T) -> Result<Job, Diagnostics> {
    let common = tool.common();
    let settings = tool.settings(Settings {
        header_file: common.go_header_file.clone(),
        plural_exceptions: common.plural_exceptions.clone(),
        ..Settings::default()
    });
    let packages = tool.packages().map_err(|problem| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.add(problem, Span::file(PathBuf::new()));
        diagnostics
    });
    Job::part(packages?, &settings, tool.part())
}
