//! The universe: all modules that names are looked up in, of the type packages and of other crates, loaded on demand.

use super::imports::{Import, imports};
use super::resolve::Found;
use crate::diagnostic::{Diagnostics, ForeignProblem, Span};
use crate::model::TypePath;
use crate::naming::rust_ident;
use crate::source::{CrateSources, INCLUDED, Item, ItemKind, Module, ModuleLoader, renames_around};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A module with what is needed to look names up in it.
#[derive(Debug)]
pub(super) struct Scope {
    /// The crate's name in Rust code.
    pub(super) crate_name: String,
    /// The modules from the crate's root to this one, without `r#`.
    pub(super) path: Vec<String>,
    /// The same with the parts of a module that are in files of their own (`include!`) as modules below it.
    pub(super) place: Vec<String>,
    /// The module itself.
    pub(super) module: Rc<Module>,
    imports: OnceCell<Vec<Import>>,
    whole: OnceCell<bool>,
}

impl Scope {
    pub(super) fn new(crate_name: &str, place: Vec<String>, module: Rc<Module>) -> Self {
        let path = place.iter().filter(|name| !name.starts_with(INCLUDED)).cloned().collect();
        Self {
            crate_name: crate_name.to_owned(),
            path,
            place,
            module,
            imports: OnceCell::new(),
            whole: OnceCell::new(),
        }
    }

    /// The parts of the module that are in files of their own.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Item> {
        let modules = self.module.items.iter().filter(|item| item.kind == ItemKind::Module);
        modules.filter(|item| item.name.starts_with(INCLUDED))
    }

    /// Whether all of the module is in one file.
    pub(super) fn is_whole(&self) -> bool {
        *self.whole.get_or_init(|| self.part_of().is_none() && self.parts().next().is_none())
    }

    /// Where the module is of which this is a part.
    pub(super) fn part_of(&self) -> Option<&[String]> {
        let (last, around) = self.place.split_last()?;
        last.starts_with(INCLUDED).then_some(around)
    }

    /// What the module imports.
    pub(super) fn imports(&self) -> &[Import] {
        self.imports.get_or_init(|| imports(&self.module))
    }

    /// The type or module of this name that is declared in the module.
    pub(super) fn declared(&self, name: &str) -> Option<&Item> {
        self.module.items.iter().find(|item| {
            let named =
                matches!(item.kind, ItemKind::Struct | ItemKind::Enum | ItemKind::Type | ItemKind::Module);
            named && item.name == name
        })
    }

    /// The modules as they are written in paths.
    pub(super) fn written_path(&self) -> Vec<String> {
        self.path.iter().map(|name| rust_ident(name)).collect()
    }
}

/// A crate of which modules are known or can be loaded.
#[derive(Debug, Default)]
struct Crate {
    /// The root file of its library; `None` when only some modules are known.
    lib: Option<PathBuf>,
    modules: HashMap<Vec<String>, Option<Rc<Scope>>>,
    /// Modules that are switched off by features.
    hidden: Vec<String>,
    /// Whether type packages lie in it. Names of other crates are not followed from there: they stay as written.
    own: bool,
    /// The names of other crates by those that its manifest gives them.
    renames: BTreeMap<String, String>,
}

/// All modules.
#[derive(Debug)]
pub(super) struct Universe<'a> {
    pub(super) loader: ModuleLoader,
    pub(super) diagnostics: Diagnostics,
    sources: &'a dyn CrateSources,
    crates: HashMap<String, Crate>,
    /// Crates that cannot be found, with the reason.
    missing: HashMap<String, String>,
    /// A folder from which cargo finds other crates.
    pub(super) from: PathBuf,
    /// What the lookups of the present question have found, by module, asker and name; one that is under way has found
    /// nothing yet, so that modules which import each other do not lead in circles.
    pub(super) answers: HashMap<(usize, usize, String, bool), Option<Found>>,
    /// Names in crates of which nothing is known, which the present question may mean.
    pub(super) guesses: Vec<Vec<String>>,
    /// Structs that `#[derive(CustomResource)]` writes, by crate and module.
    pub(super) derived: HashMap<(String, Vec<String>), Vec<String>>,
    /// Where types have an `impl JsonSchema` of their own.
    pub(super) schemas: HashMap<TypePath, (Rc<Scope>, Item)>,
    /// The modules that were looked through for those.
    pub(super) schemas_of: HashSet<(String, Vec<String>)>,
    /// The paths under which other crates reach types that are declared in private modules.
    pub(super) public_paths: HashMap<TypePath, TypePath>,
    /// The aliases that are being expanded, to find loops.
    pub(super) aliases: Vec<TypePath>,
}

impl<'a> Universe<'a> {
    pub(super) fn new(sources: &'a dyn CrateSources) -> Self {
        Self {
            loader: ModuleLoader::default(),
            diagnostics: Diagnostics::new(),
            sources,
            crates: HashMap::new(),
            missing: HashMap::new(),
            from: PathBuf::new(),
            answers: HashMap::new(),
            guesses: Vec::new(),
            derived: HashMap::new(),
            schemas: HashMap::new(),
            schemas_of: HashSet::new(),
            public_paths: HashMap::new(),
            aliases: Vec::new(),
        }
    }

    /// Makes the crate of a type package known.
    pub(super) fn add_own(&mut self, name: &str, renames: BTreeMap<String, String>) {
        let known = self.crates.entry(name.to_owned()).or_default();
        known.own = true;
        known.renames = renames;
    }

    /// What the manifest of a crate calls by another name.
    pub(super) fn renamed(&self, crate_name: &str, name: &str) -> Option<String> {
        self.crates.get(crate_name)?.renames.get(name).cloned()
    }

    /// Makes the modules of a type package known.
    pub(super) fn add(&mut self, scope: &Rc<Scope>, lib: Option<&PathBuf>) {
        let known = self.crates.entry(scope.crate_name.clone()).or_default();
        known.own = true;
        known.lib = known.lib.take().or_else(|| lib.cloned());
        known.modules.insert(scope.place.clone(), Some(Rc::clone(scope)));
    }

    /// Makes another crate known, by asking where its source is.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn add_foreign(&mut self, name: &str, from: &Path) -> Result<(), ForeignProblem> {
        if self.crates.contains_key(name) {
            return Ok(());
        }
        let failed = |reason: String| ForeignProblem::NoSource { name: name.to_owned(), reason };
        if let Some(reason) = self.missing.get(name) {
            return Err(failed(reason.clone()));
        }
        match self.sources.find(name, from) {
            Ok(source) => {
                let renames = renames_around(&source.lib);
                let known = Crate { lib: Some(source.lib), renames, ..Crate::default() };
                self.crates.insert(name.to_owned(), known);
                self.hide_versions(name, &source.features);
                Ok(())
            }
            Err(reason) => {
                self.missing.insert(name.to_owned(), reason.clone());
                Err(failed(reason))
            }
        }
    }

    /// k8s-openapi has a module for each version of Kubernetes and shows the one that a feature chooses; the newest
    /// when that is not known.
    fn hide_versions(&mut self, name: &str, features: &[String]) {
        let Some(root) = self.module(name, &[]) else { return };
        let number = |module: &str| module.strip_prefix("v1_").and_then(|minor| minor.parse::<u32>().ok());
        let mut versions: Vec<(u32, String)> = root
            .module
            .items
            .iter()
            .filter(|item| item.kind == ItemKind::Module)
            .filter_map(|item| Some((number(&item.name)?, item.name.clone())))
            .collect();
        versions.sort();
        let chosen = versions.iter().find(|(_, module)| features.contains(module));
        let earliest = features.iter().any(|feature| feature == "earliest");
        let default = if earliest { versions.first() } else { versions.last() };
        let Some((_, shown)) = chosen.or(default).cloned() else { return };
        if let Some(known) = self.crates.get_mut(name) {
            known.hidden =
                versions.into_iter().map(|(_, module)| module).filter(|module| *module != shown).collect();
        }
    }

    /// Whether type packages lie in a crate.
    pub(super) fn owns(&self, crate_name: &str) -> bool {
        self.crates.get(crate_name).is_some_and(|known| known.own)
    }

    /// Whether a module of a crate is switched off.
    pub(super) fn is_hidden(&self, crate_name: &str, module: &str) -> bool {
        self.crates.get(crate_name).is_some_and(|known| known.hidden.iter().any(|hidden| hidden == module))
    }

    /// A module by its path.
    pub(super) fn module(&mut self, crate_name: &str, path: &[String]) -> Option<Rc<Scope>> {
        let known = self.crates.get(crate_name)?;
        if let Some(scope) = known.modules.get(path) {
            return scope.clone();
        }
        let scope = match path.split_last() {
            None => known.lib.clone().and_then(|lib| self.root(crate_name, &lib)),
            Some((name, parent)) => {
                let parent = self.module(crate_name, parent);
                parent.and_then(|parent| self.child(&parent, name))
            }
        };
        let known = self.crates.get_mut(crate_name)?;
        known.modules.insert(path.to_vec(), scope.clone());
        scope
    }

    fn root(&mut self, crate_name: &str, lib: &Path) -> Option<Rc<Scope>> {
        let folder = lib.parent().map(Path::to_owned).unwrap_or_default();
        let module = self.loader.root(lib, folder, &mut self.diagnostics)?;
        Some(Rc::new(Scope::new(crate_name, Vec::new(), Rc::new(module))))
    }

    fn child(&mut self, parent: &Rc<Scope>, name: &str) -> Option<Rc<Scope>> {
        let item = parent.declared(name).filter(|item| item.kind == ItemKind::Module)?.clone();
        let module = self.loader.open(&parent.module, &item, &mut self.diagnostics)?;
        let mut place = parent.place.clone();
        place.push(name.to_owned());
        Some(Rc::new(Scope::new(&parent.crate_name, place, Rc::new(module))))
    }

    /// The path by which others name a type that is declared in a module.
    pub(super) fn path_of(&self, scope: &Scope, name: &str) -> TypePath {
        let declared = TypePath::new(&scope.crate_name, scope.written_path(), rust_ident(name));
        self.public_paths.get(&declared).cloned().unwrap_or(declared)
    }

    /// Whether a module has a struct of this name that a derive writes.
    pub(super) fn is_derived(&self, scope: &Scope, name: &str) -> bool {
        if self.derived.is_empty() {
            return false;
        }
        let key = (scope.crate_name.clone(), scope.path.clone());
        self.derived.get(&key).is_some_and(|names| names.iter().any(|known| known == name))
    }

    /// Adds a problem.
    pub(super) fn report(&mut self, problem: impl Into<crate::diagnostic::Problem>, span: Span) {
        self.diagnostics.add(problem, span);
    }
}
