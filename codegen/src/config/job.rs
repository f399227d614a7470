//! The job: settings that are complete and checked, ready for the pipeline.
//!
//! In: [`Settings`] and which generators run. Out: where the types are, what the generators need to know, and where
//! the files go. It looks at the disk for what is there already, and writes nothing.

use super::{Generators, Groups, Layout, ManifestJob, Settings, apis, discover, small};
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::emit::{FakeCfg, Modules, Options, RootFile};
use crate::naming::PluralExceptions;
use crate::output::{Generator, Header};
use crate::source::PackageInput;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Everything that the pipeline needs.
#[derive(Debug, Clone)]
pub struct Job {
    /// The type packages.
    pub packages: Vec<PackageInput>,
    /// How the packages were chosen.
    pub selection: Selection,
    /// Plurals that the user has set.
    pub plurals: PluralExceptions,
    /// What the generators need to know. Their set is of those that generated code may refer to.
    pub options: Options,
    /// The generators whose files are written.
    pub generators: Generators,
    /// Where the files go.
    pub placement: Placement,
    /// The generators of manifests, each with a place of its own.
    pub manifests: Vec<ManifestJob>,
}

/// How type packages were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// Somebody named each of them.
    Named,
    /// They are all that there are.
    Found,
}

/// Where files go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// A whole tree, with a root that holds its parts.
    Tree {
        /// The output folder.
        folder: PathBuf,
        /// The folder below it for the code.
        source: &'static str,
        /// Whether it is a crate that has no manifest yet.
        new_crate: bool,
    },
    /// The files of one generator.
    Part {
        /// Their folder.
        folder: PathBuf,
        /// The generator.
        generator: Generator,
    },
    /// Beside the types only.
    BesideTypes,
    /// Nowhere: the input is checked.
    Nowhere,
    /// Everything below the `OUT_DIR` of a build script.
    BuildScript {
        /// That folder.
        folder: PathBuf,
    },
}

impl Job {
    /// A job for a whole tree, or for the files beside the types when only `object` runs.
    ///
    /// - `generators`: those whose files are written,
    /// - `others`: those whose files are there too, by what `kube-codegen.toml` says.
    ///
    /// # Errors
    /// Everything that is missing or wrong.
    pub fn new(
        settings: &Settings,
        generators: &Generators,
        others: &BTreeSet<Generator>,
    ) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let packages = kept(packages(settings), &mut diagnostics);
        let header = kept(header(settings.header_file.as_deref()), &mut diagnostics);
        let only_object = generators.set().iter().all(|generator| *generator == Generator::Object);
        let placed = if only_object {
            Ok((Options::for_crate(Header::default()), Placement::BesideTypes))
        } else {
            tree(settings)
        };
        let placed = kept(placed, &mut diagnostics);
        let (Some(packages), Some(header), Some((mut options, placement))) = (packages, header, placed)
        else {
            return Err(diagnostics);
        };
        options.header = header;
        options.generators = generators.set().union(others).copied().collect();
        if let (Placement::Tree { folder, source, .. }, false) = (&placement, generators.is_all()) {
            options.generators.extend(present(&folder.join(source)));
        }
        if let Some(fake) = &settings.fake {
            options.fake = fake.clone();
        }
        let plurals = plurals(settings);
        let manifests = Vec::new();
        let selection = if settings.groups.is_some() { Selection::Named } else { Selection::Found };
        Ok(Self {
            packages,
            selection,
            plurals,
            options,
            generators: generators.clone(),
            placement,
            manifests,
        })
    }

    /// A job for manifests alone, which need no type packages.
    pub fn of_manifests(manifests: Vec<ManifestJob>) -> Self {
        Self {
            packages: Vec::new(),
            selection: Selection::Found,
            plurals: PluralExceptions::default(),
            options: Options::for_crate(Header::default()),
            generators: Generators::none(),
            placement: Placement::Nowhere,
            manifests,
        }
    }

    /// A job for type packages that are known, in a place that needs nothing else.
    ///
    /// # Errors
    /// The header file cannot be read.
    pub fn over(
        packages: Vec<PackageInput>,
        settings: &Settings,
        generators: &Generators,
        placement: Placement,
    ) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let header = kept(header(settings.header_file.as_deref()), &mut diagnostics);
        let Some(header) = header else { return Err(diagnostics) };
        let options = Options { generators: generators.set().clone(), ..Options::for_crate(header) };
        let plurals = plurals(settings);
        let (selection, manifests) = (Selection::Found, Vec::new());
        Ok(Self {
            packages,
            selection,
            plurals,
            options,
            generators: generators.clone(),
            placement,
            manifests,
        })
    }

    /// A job for one generator's files in a folder of their own, as the single `*-gen` commands write them.
    ///
    /// # Errors
    /// Everything that is missing or wrong.
    pub fn part(packages: Vec<PackageInput>, settings: &Settings, part: Part) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let header = kept(header(settings.header_file.as_deref()), &mut diagnostics);
        let place = kept(part.place(), &mut diagnostics);
        let (Some(header), Some((own_crate, module))) = (header, place) else { return Err(diagnostics) };
        let mut modules = part.modules;
        match part.generator {
            Generator::Client => modules.clientset = module,
            Generator::Lister => modules.listers = module,
            Generator::Informer => modules.informers = module,
            _ => modules.applyconfiguration = module,
        }
        let mut generators = part.uses;
        generators.insert(part.generator);
        let options = Options {
            generators,
            modules,
            own_crate,
            root: RootFile::Mod,
            fake: settings.fake.clone().unwrap_or(FakeCfg::Predicate("test".to_owned())),
            ..Options::for_crate(header)
        };
        Ok(Self {
            packages,
            selection: Selection::Named,
            plurals: plurals(settings),
            options,
            generators: Generators::one(part.generator),
            placement: Placement::Part { folder: part.folder, generator: part.generator },
            manifests: Vec::new(),
        })
    }
}

/// One generator's files in a folder of their own.
#[derive(Debug, Clone)]
pub struct Part {
    /// The generator.
    pub generator: Generator,
    /// The folder.
    pub folder: PathBuf,
    /// The module that the folder becomes, where the caller says so.
    pub module: Option<String>,
    /// Where the other parts are.
    pub modules: Modules,
    /// The other parts that its code refers to.
    pub uses: BTreeSet<Generator>,
}

impl Part {
    /// The crate and the module of its folder.
    fn place(&self) -> Result<(Option<String>, String), ConfigProblem> {
        let found = Layout::of_part(&self.folder);
        match (&self.module, found) {
            (Some(module), found) => Ok((found.ok().flatten().map(|(name, _)| name), module.clone())),
            (None, Ok(Some((name, module)))) => Ok((Some(name), module)),
            (None, Ok(None)) => Err(ConfigProblem::NoModule { output: self.folder.display().to_string() }),
            (None, Err(problem)) => Err(problem),
        }
    }
}

/// The generators whose files are in a tree already: code that is written now may refer to them, and its root has to name them.
fn present(tree: &Path) -> BTreeSet<Generator> {
    let parts = [
        ("applyconfiguration/mod.rs", Generator::ApplyConfiguration),
        ("clientset/versioned/mod.rs", Generator::Client),
        ("informers/externalversions/mod.rs", Generator::Informer),
        ("listers/mod.rs", Generator::Lister),
    ];
    let is_there = |file: &str, generator: Generator| {
        let text = std::fs::read_to_string(tree.join(file)).unwrap_or_default();
        Generator::of_text(&text) == Some(generator)
    };
    parts
        .into_iter()
        .filter(|(file, generator)| is_there(file, *generator))
        .map(|(_, generator)| generator)
        .collect()
}

fn kept<T>(result: Result<T, ConfigProblem>, diagnostics: &mut Diagnostics) -> Option<T> {
    result.map_err(|problem| diagnostics.add(problem, Span::file(PathBuf::new()))).ok()
}

fn plurals(settings: &Settings) -> PluralExceptions {
    settings.plural_exceptions.as_ref().map(super::Plurals::exceptions).unwrap_or_default()
}

fn tree(settings: &Settings) -> Result<(Options, Placement), ConfigProblem> {
    let folder = settings.output.clone();
    let folder = folder.ok_or(ConfigProblem::Missing { what: "where the output goes", key: "output" })?;
    let layout = Layout::of_tree(&folder)?;
    let options = Options {
        modules: Modules::below(&layout.module),
        own_crate: layout.crate_name.clone(),
        root: layout.root,
        ..match layout.root {
            RootFile::Lib => Options::for_crate(Header::default()),
            _ => Options::for_module(Header::default(), "", "crate"),
        }
    };
    let new_crate = layout.crate_name.is_none();
    Ok((options, Placement::Tree { folder, source: layout.source, new_crate }))
}

/// The type packages that the settings name; all of them where they name none.
fn packages(settings: &Settings) -> Result<Vec<PackageInput>, ConfigProblem> {
    let apis = settings.apis.as_deref();
    let apis = apis.ok_or(ConfigProblem::Missing { what: "where the types are", key: "apis" })?;
    let folder = apis::resolve(apis)?;
    let groups = match &settings.groups {
        Some(groups) => groups.clone(),
        None => discover::packages(&folder),
    };
    if groups.is_empty() {
        return Err(ConfigProblem::NoPackages { apis: folder.display().to_string() });
    }
    Ok(inputs(&folder, &groups))
}

/// The groups below a folder as the pipeline takes them.
pub fn inputs(apis: &Path, groups: &Groups) -> Vec<PackageInput> {
    groups.pairs().map(|(group, version)| PackageInput::new(apis, group, version)).collect()
}

/// The boilerplate of a file.
///
/// # Errors
/// The file cannot be read.
pub(super) fn header(file: Option<&Path>) -> Result<Header, ConfigProblem> {
    let Some(file) = file else { return Ok(Header::default()) };
    header_text(file).map(|text| Header::new(&text))
}

/// The text of a boilerplate file.
///
/// # Errors
/// The file cannot be read.
fn header_text(file: &Path) -> Result<String, ConfigProblem> {
    small::text(file, small::SETTINGS_LIMIT).map_err(|error| ConfigProblem::Header {
        file: file.display().to_string(),
        reason: small::reason(&error),
    })
}
