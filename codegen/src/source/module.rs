//! Modules: a file or a part of one, its items, and how to get from a module to the modules in it.

use super::automod::expanded;
use super::file::SourceFile;
use super::item::{Item, ItemKind};
use super::read;
use super::split::split;
use crate::diagnostic::{Diagnostics, SourceProblem, Span};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How deep modules may be nested.
const DEPTH_LIMIT: usize = 64;

/// Files of this name are written by the generator itself and are not read.
pub(super) const GENERATED: &str = "zz_generated";

/// A module and its items.
#[derive(Debug)]
pub struct Module {
    /// The names of the modules from where loading began to this one.
    pub path: Vec<String>,
    /// The file it stands in.
    pub file: Rc<SourceFile>,
    /// The bytes between its braces, or the whole file.
    pub bytes: Range<usize>,
    /// Its items, in order.
    pub items: Vec<Item>,
    /// Whether it and all modules above it, up to where loading began, are `pub`.
    pub public: bool,
    /// The folder in which the files of the modules in it are.
    pub folder: PathBuf,
    /// Whether it is written within another file.
    pub inline: bool,
    /// The folder from which `#[path]` counts.
    path_base: PathBuf,
    /// The files that led here, to find loops.
    ancestors: Vec<PathBuf>,
}

/// Loads modules; reads every file once.
#[derive(Debug, Default)]
pub struct ModuleLoader {
    files: HashMap<PathBuf, Option<Rc<SourceFile>>>,
}

/// A module that is to be loaded from a file.
struct Request<'a> {
    path: Vec<String>,
    public: bool,
    folder: PathBuf,
    ancestors: Vec<PathBuf>,
    asked: &'a Span,
}

impl ModuleLoader {
    /// The module which a file holds.
    ///
    /// - `folder`: where the files of its modules are.
    pub fn root(&mut self, file: &Path, folder: PathBuf, diagnostics: &mut Diagnostics) -> Option<Module> {
        let request = Request {
            path: Vec::new(),
            public: true,
            folder,
            ancestors: Vec::new(),
            asked: &Span::file(file),
        };
        self.load(file, request, diagnostics)
    }

    /// The module which an item of a module declares. `None` when it cannot be read, or is generated.
    pub fn open(&mut self, parent: &Module, item: &Item, diagnostics: &mut Diagnostics) -> Option<Module> {
        let asked = parent.file.span(item.name_bytes.clone());
        if parent.path.len() >= DEPTH_LIMIT {
            diagnostics.add(SourceProblem::ModulesTooDeep { limit: DEPTH_LIMIT }, asked);
            return None;
        }
        let mut path = parent.path.clone();
        path.push(item.name.clone());
        let public = parent.public && item.public;
        if let Some(tokens) = &item.body {
            let folder = match &item.path_attribute {
                Some(written) => parent.path_base.join(written),
                None => parent.folder.join(&item.name),
            };
            let request =
                Request { path, public, folder, ancestors: parent.ancestors.clone(), asked: &asked };
            return Some(inline(parent, tokens.clone(), request, diagnostics));
        }
        let (file, folder) = find(parent, item, &asked, diagnostics)?;
        let request = Request { path, public, folder, ancestors: parent.ancestors.clone(), asked: &asked };
        self.load(&file, request, diagnostics)
    }

    /// A module and all modules in it, parents first.
    pub fn tree(&mut self, root: Module, diagnostics: &mut Diagnostics) -> Vec<Rc<Module>> {
        let mut waiting = vec![Rc::new(root)];
        let mut modules = Vec::new();
        while let Some(module) = waiting.pop() {
            let declared = module.items.iter().filter(|item| item.kind == ItemKind::Module);
            let children: Vec<Rc<Module>> =
                declared.filter_map(|item| self.open(&module, item, diagnostics)).map(Rc::new).collect();
            modules.push(module);
            waiting.extend(children.into_iter().rev());
        }
        modules
    }

    fn load(&mut self, file: &Path, request: Request<'_>, diagnostics: &mut Diagnostics) -> Option<Module> {
        let real = read::real(file);
        if request.ancestors.contains(&real) {
            let module = request.path.join("::");
            diagnostics.add(SourceProblem::ModuleLoop { module }, request.asked.clone());
            return None;
        }
        let read = self
            .files
            .entry(real.clone())
            .or_insert_with(|| read::read(file, request.asked, diagnostics).map(Rc::new));
        let source = Rc::clone(read.as_ref()?);
        // Where brackets do not fit, every item after that would be wrong.
        let tokens = if source.whole { source.tokens.len() } else { 0 };
        let items = split(&source, 0..tokens, diagnostics);
        let items = expanded(items, &source, &request.folder, diagnostics);
        let mut ancestors = request.ancestors;
        ancestors.push(real);
        Some(Module {
            path: request.path,
            bytes: 0..source.text().len(),
            file: source,
            items,
            public: request.public,
            folder: request.folder,
            inline: false,
            path_base: file.parent().map(Path::to_owned).unwrap_or_default(),
            ancestors,
        })
    }
}

fn inline(
    parent: &Module,
    tokens: Range<usize>,
    request: Request<'_>,
    diagnostics: &mut Diagnostics,
) -> Module {
    let at = |index: usize| parent.file.tokens.get(index);
    let start = tokens.start.checked_sub(1).and_then(at).map_or(0, |open| open.end);
    let end = at(tokens.end).map_or(start, |close| close.start);
    let items = split(&parent.file, tokens, diagnostics);
    Module {
        path: request.path,
        file: Rc::clone(&parent.file),
        bytes: start..end,
        items: expanded(items, &parent.file, &request.folder, diagnostics),
        public: request.public,
        path_base: request.folder.clone(),
        folder: request.folder,
        inline: true,
        ancestors: request.ancestors,
    }
}

/// The file of `mod x;`, and the folder of the modules in it.
fn find(
    parent: &Module,
    item: &Item,
    asked: &Span,
    diagnostics: &mut Diagnostics,
) -> Option<(PathBuf, PathBuf)> {
    if let Some(written) = &item.path_attribute {
        let file = parent.path_base.join(written);
        let generated = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(GENERATED));
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        return (!generated).then_some((file, folder));
    }
    if item.name.starts_with(GENERATED) {
        return None;
    }
    let folder = parent.folder.join(&item.name);
    let candidates = [parent.folder.join(format!("{}.rs", item.name)), folder.join("mod.rs")];
    let shown = |path: &PathBuf| path.display().to_string();
    match candidates.clone().map(|path| read::exists(&path)) {
        [true, true] => {
            let [first, second] = candidates;
            let problem = SourceProblem::TwoFiles {
                module: item.name.clone(),
                first: shown(&first),
                second: shown(&second),
            };
            diagnostics.add(problem, asked.clone());
            None
        }
        [true, false] => Some((candidates.into_iter().next()?, folder)),
        [false, true] => Some((candidates.into_iter().nth(1)?, folder)),
        [false, false] => {
            let tried = candidates.iter().map(shown).collect();
            let problem = SourceProblem::ModuleNotFound { module: item.name.clone(), tried };
            diagnostics.add(problem, asked.clone());
            None
        }
    }
}
