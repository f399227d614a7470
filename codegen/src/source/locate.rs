//! Locating: from `<apis>/<group>/<version>` to the module that is meant.

use super::item::ItemKind;
use super::manifest::{self, Manifest};
use super::module::{Module, ModuleLoader};
use super::read;
use super::starts::{Start, starts};
use crate::diagnostic::{Diagnostics, SourceProblem, Span};
use crate::naming::rust_ident;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where a type package is, as the caller says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageInput {
    /// The folder of all type packages (`apis/src`), the folder of their crate (`apis`), the file which holds them, a
    /// module in a file (`src/apis` for `mod apis { .. }` in `src/lib.rs`), or a path in Rust's form (`my_crate::apis`).
    pub apis: PathBuf,
    /// The folder, file or module of the group: `cnat`.
    pub group: String,
    /// The folder, file or module of the version: `v1alpha1`.
    pub version: String,
}

impl PackageInput {
    /// `<apis>/<group>/<version>`.
    pub fn new(apis: impl Into<PathBuf>, group: impl Into<String>, version: impl Into<String>) -> Self {
        Self { apis: apis.into(), group: group.into(), version: version.into() }
    }

    fn segments(&self) -> Vec<&str> {
        let parts = self.group.split('/').chain(self.version.split('/'));
        parts.filter(|part| !part.is_empty() && *part != ".").collect()
    }
}

/// A type package that was found.
#[derive(Debug)]
pub struct Located {
    /// Its module.
    pub module: Module,
    /// Its crate's name in Rust code; `crate` when no manifest is around.
    pub crate_name: String,
    /// The folder of its crate's manifest.
    pub crate_root: Option<PathBuf>,
    /// The root file of its crate's library.
    pub crate_lib: Option<PathBuf>,
    /// The names of other crates by those that the manifest gives them.
    pub renames: BTreeMap<String, String>,
    /// The modules from the crate's root to it.
    pub modules: Vec<String>,
}

impl ModuleLoader {
    /// Finds a type package.
    pub fn locate(&mut self, input: &PackageInput, diagnostics: &mut Diagnostics) -> Option<Located> {
        let segments = input.segments();
        let mut tried = Vec::new();
        let before = diagnostics.len();
        let is_folder = !read::exists(&input.apis);
        for Start { base: root, modules } in starts(&input.apis) {
            let segments: Vec<&str> =
                modules.iter().map(String::as_str).chain(segments.iter().copied()).collect();
            for depth in (0..=segments.len()).rev() {
                let (outer, inner) = segments.split_at_checked(depth)?;
                let base = outer.iter().fold(root.clone(), |path, part| path.join(part));
                let Some((file, folder)) = file_of(
                    (&base, depth),
                    (inner.is_empty() && is_folder).then_some(&mut tried),
                    diagnostics,
                ) else {
                    if diagnostics.len() > before {
                        return None;
                    }
                    continue;
                };
                if let Some(located) = self.enter(&file, folder, inner, diagnostics) {
                    return Some(located);
                }
                if inner.is_empty() {
                    return None;
                }
            }
        }
        if diagnostics.len() > before {
            // A file that cannot be read on the way is why nothing was found.
            return None;
        }
        let problem = SourceProblem::PackageNotFound {
            apis: input.apis.display().to_string(),
            group: input.group.clone(),
            version: input.version.clone(),
            tried,
        };
        diagnostics.add(problem, Span::file(&input.apis));
        None
    }

    /// Loads a file and walks to the module within.
    fn enter(
        &mut self,
        file: &Path,
        folder: PathBuf,
        inner: &[&str],
        diagnostics: &mut Diagnostics,
    ) -> Option<Located> {
        let manifest = manifest::around(file);
        let mut module = self.root(file, folder, diagnostics)?;
        for name in inner {
            let declared = |kind| kind == ItemKind::Module;
            let item = module.items.iter().find(|item| declared(item.kind) && item.name == *name).cloned()?;
            module = self.open(&module, &item, diagnostics)?;
        }
        // Files without a crate are told apart by their paths.
        let of_path = || if inner.is_empty() { modules_of_path(file) } else { Vec::new() };
        let mut modules = manifest.as_ref().map_or_else(of_path, |manifest| modules_of(file, manifest));
        modules.extend(module.path.iter().map(|name| rust_ident(name)));
        module.path.clear();
        module.public = true;
        Some(Located {
            module,
            crate_name: manifest
                .as_ref()
                .map_or_else(|| "crate".to_owned(), |found| found.crate_name.clone()),
            crate_lib: manifest.as_ref().and_then(|found| {
                // The root of a program stands in for that of a library.
                let candidates = [found.lib.clone(), found.lib.with_file_name("main.rs")];
                candidates.into_iter().find(|root| read::exists(root))
            }),
            renames: manifest.as_ref().map(|found| manifest::renames(&found.folder)).unwrap_or_default(),
            crate_root: manifest.map(|found| found.folder),
            modules,
        })
    }
}

/// The file for a folder, module or root, and the folder of the modules in it.
fn file_of(
    (base, depth): (&Path, usize),
    tried: Option<&mut Vec<String>>,
    diagnostics: &mut Diagnostics,
) -> Option<(PathBuf, PathBuf)> {
    let beside = base.extension().is_none_or(|extension| extension != "rs").then(|| {
        let mut name = base.file_name().unwrap_or_default().to_owned();
        name.push(".rs");
        base.with_file_name(name)
    });
    let mut candidates = vec![base.join("mod.rs")];
    candidates.extend(beside);
    if depth == 0 {
        candidates.extend([base.join("lib.rs"), base.join("main.rs"), base.to_owned()]);
    }
    let found: Vec<&PathBuf> = candidates.iter().filter(|path| read::exists(path)).collect();
    if let Some(tried) = tried {
        tried.extend(candidates.iter().map(|path| path.display().to_string()));
    }
    if let [first, second, ..] = found.as_slice()
        && depth > 0
    {
        let module = base.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let shown = |path: &Path| path.display().to_string();
        let problem = SourceProblem::TwoFiles { module, first: shown(first), second: shown(second) };
        diagnostics.add(problem, Span::file(*first));
        return None;
    }
    let file = (*found.first()?).clone();
    let is_root =
        matches!(file.file_name().and_then(|name| name.to_str()), Some("mod.rs" | "lib.rs" | "main.rs"));
    let folder = if is_root { file.parent()?.to_owned() } else { file.with_extension("") };
    Some((file, folder))
}

/// The path of a file as modules.
fn modules_of_path(file: &Path) -> Vec<String> {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned()).with_extension("");
    let normal = path.components().filter(|part| matches!(part, std::path::Component::Normal(_)));
    normal.map(|part| rust_ident(&part.as_os_str().to_string_lossy())).collect()
}

/// The modules from the crate's root to the module of a file, as the file system has them.
fn modules_of(file: &Path, manifest: &Manifest) -> Vec<String> {
    let Some(source) = manifest.lib.parent() else { return Vec::new() };
    let clean = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (file, source) = (clean(file), clean(source));
    let relative = file.strip_prefix(&source).unwrap_or(&file).with_extension("");
    let mut names: Vec<String> =
        relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if names.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        names.pop();
    }
    names.iter().map(|name| rust_ident(name)).collect()
}
