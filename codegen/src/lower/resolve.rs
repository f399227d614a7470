//! Resolving: from a name in a module to what it means, as the compiler finds it.
//!
//! What a module declares comes first, then what it imports by name, then what it imports as a whole (`*`), of which
//! only what is visible there counts.

use super::universe::{Scope, Universe};
use crate::diagnostic::LowerProblem;
use crate::source::{Item, ItemKind};
use std::rc::Rc;

/// How many imports and re-exports are followed.
const DEPTH_LIMIT: usize = 64;

/// What a name means.
#[derive(Debug, Clone)]
pub(super) enum Found {
    /// A type that is declared in a module which is at hand.
    Item(Rc<Scope>, Box<Item>),
    /// A struct that `#[derive(CustomResource)]` writes.
    Derived(Rc<Scope>, String),
    /// A module which is at hand.
    Module(Rc<Scope>),
    /// A path into a crate which is not at hand; the crate's name comes first.
    External(Vec<String>),
    /// Two types, both imported as a whole: the compiler takes neither.
    Ambiguous(String, String),
}

impl Found {
    /// The path of what is declared in a module at hand.
    fn declared(&self) -> Option<String> {
        let (scope, name) = match self {
            Self::Item(scope, item) => (scope, &item.name),
            Self::Derived(scope, name) => (scope, name),
            _ => return None,
        };
        let modules = scope.path.iter().chain([name]).cloned().collect::<Vec<_>>();
        Some(format!("{}::{}", scope.crate_name, modules.join("::")))
    }
}

impl Universe<'_> {
    /// What a path means in a module.
    ///
    /// A crate whose source is not at hand and that is imported as a whole is believed to have a name which nobody else
    /// has, when it is the only such crate.
    pub(super) fn resolve(&mut self, scope: &Rc<Scope>, path: &[String], absolute: bool) -> Option<Found> {
        self.answers.clear();
        self.guesses.clear();
        if let Some(found) = self.resolve_within(scope, path, absolute, 0) {
            return Some(found);
        }
        let mut guesses = std::mem::take(&mut self.guesses);
        guesses.retain(|guess| guess.last() == path.last());
        match guesses.len() {
            1 => guesses.pop().map(Found::External),
            _ => None,
        }
    }

    fn lookup_within(&mut self, scope: &Rc<Scope>, name: &str, seek: Seek<'_>) -> Option<Found> {
        if seek.depth > DEPTH_LIMIT {
            return None;
        }
        let viewer = seek.viewer.map_or(0, |viewer| std::ptr::from_ref(viewer).addr());
        let key = (Rc::as_ptr(scope).addr(), viewer, name.to_owned(), seek.globs == Globs::Yes);
        if let Some(known) = self.answers.get(&key) {
            return known.clone();
        }
        self.answers.insert(key.clone(), None);
        let found = self.lookup_in(scope, name, seek);
        self.answers.insert(key, found.clone());
        found
    }

    fn lookup_in(&mut self, scope: &Rc<Scope>, name: &str, seek: Seek<'_>) -> Option<Found> {
        let several = if scope.is_whole() { Vec::new() } else { self.whole(scope) };
        let parts = if several.is_empty() { std::slice::from_ref(scope) } else { several.as_slice() };
        for part in parts {
            if let Some(found) = self.lookup_named(part, name, seek) {
                return Some(found);
            }
        }
        match seek.globs {
            Globs::Yes => self.lookup_globs(parts, name, seek.deeper()),
            Globs::No => None,
        }
    }

    /// A module with all its parts that are in files of their own.
    fn whole(&mut self, scope: &Rc<Scope>) -> Vec<Rc<Scope>> {
        let root = match scope.part_of().map(<[String]>::to_vec) {
            Some(around) => self.module(&scope.crate_name, &around),
            None => None,
        };
        let mut parts = vec![Rc::clone(scope)];
        let root = root.unwrap_or_else(|| Rc::clone(scope));
        for item in root.parts() {
            let place: Vec<String> = root.place.iter().chain([&item.name]).cloned().collect();
            parts.extend(self.module(&scope.crate_name, &place));
        }
        parts.push(root);
        let mut seen = Vec::new();
        parts.retain(|part| {
            let is_new = !seen.contains(&Rc::as_ptr(part));
            seen.push(Rc::as_ptr(part));
            is_new
        });
        parts
    }

    /// What a module declares or imports by name.
    fn lookup_named(&mut self, scope: &Rc<Scope>, name: &str, seek: Seek<'_>) -> Option<Found> {
        if let Some(item) = scope.declared(name).filter(|item| seek.sees(scope, item.public, item.restricted))
        {
            return self.declared(scope, &item.clone());
        }
        if self.is_derived(scope, name) {
            return Some(Found::Derived(Rc::clone(scope), name.to_owned()));
        }
        for at in 0..scope.imports().len() {
            let import = scope.imports().get(at)?;
            let is_meant = import.name.as_deref() == Some(name) && !import.glob;
            if !is_meant || !seek.sees(scope, import.public, import.restricted) {
                continue;
            }
            let (path, absolute) = (import.path.clone(), import.absolute);
            if let Some(found) = self.imported(scope, &path, (name, absolute), seek.depth + 1) {
                return Some(found);
            }
        }
        None
    }

    /// What an import by name brings in. `use serde;` and `use k8s_openapi as k8s;` name crates where nothing else has
    /// the name, and `use self::x as x;` must not lead back to itself.
    fn imported(
        &mut self,
        scope: &Rc<Scope>,
        path: &[String],
        (name, absolute): (&str, bool),
        depth: usize,
    ) -> Option<Found> {
        match path {
            [only] if only == name && only != "crate" => Some(self.extern_crate(scope, only)),
            [only] if !matches!(only.as_str(), "crate" | "self" | "super") => {
                let found = self.resolve_within(scope, path, absolute, depth);
                Some(found.unwrap_or_else(|| self.extern_crate(scope, only)))
            }
            _ => self.resolve_within(scope, path, absolute, depth),
        }
    }

    /// Looks into everything that is imported as a whole.
    fn lookup_globs(&mut self, parts: &[Rc<Scope>], name: &str, seek: Seek<'_>) -> Option<Found> {
        let mut first: Option<Found> = None;
        let all = parts.iter().flat_map(|scope| (0..scope.imports().len()).map(move |at| (scope, at)));
        for (scope, at) in all {
            let import = scope.imports().get(at)?;
            if !import.glob || !seek.sees(scope, import.public, import.restricted) {
                continue;
            }
            let (path, absolute) = (import.path.clone(), import.absolute);
            let found = self.lookup_glob(scope, (&path, absolute), name, seek);
            match (&first, &found) {
                (_, None) => {}
                (None, Some(_)) => first = found,
                (Some(one), Some(other)) => {
                    if let (Some(one), Some(other)) = (one.declared(), other.declared())
                        && one != other
                    {
                        return Some(Found::Ambiguous(one, other));
                    }
                }
            }
        }
        first
    }

    /// A name in what one import of everything brings in.
    fn lookup_glob(
        &mut self,
        scope: &Rc<Scope>,
        (path, absolute): (&[String], bool),
        name: &str,
        seek: Seek<'_>,
    ) -> Option<Found> {
        if self.hides(scope, path) {
            return None;
        }
        match self.resolve_glob(scope, path, absolute, seek.depth)? {
            Found::Module(module) => {
                let viewer = seek.viewer.unwrap_or(scope);
                self.lookup_within(&module, name, Seek { viewer: Some(viewer), ..seek.deeper() })
            }
            Found::External(path) => self.external_glob(scope, path, name),
            _ => None,
        }
    }

    /// A name of a crate that is imported as a whole and is not at hand.
    fn external_glob(&mut self, scope: &Rc<Scope>, mut path: Vec<String>, name: &str) -> Option<Found> {
        let has = self.external_has(scope, &path, name);
        path.push(name.to_owned());
        match has {
            Has::Yes => Some(Found::External(path)),
            Has::No => None,
            Has::Unknown => {
                if !self.guesses.contains(&path) {
                    self.guesses.push(path);
                }
                None
            }
        }
    }

    /// What the path of an import of everything means. A single name is a module that is declared or imported here by
    /// name, else a crate.
    fn resolve_glob(
        &mut self,
        scope: &Rc<Scope>,
        path: &[String],
        absolute: bool,
        depth: usize,
    ) -> Option<Found> {
        match path {
            [name] if !absolute && !matches!(name.as_str(), "crate" | "self" | "super") => {
                let seek = Seek { depth: depth + 1, globs: Globs::No, viewer: None };
                let found = self.lookup_within(scope, name, seek);
                Some(found.unwrap_or_else(|| self.extern_or_glob(scope, name, depth)))
            }
            _ => self.resolve_within(scope, path, absolute, depth),
        }
    }

    /// Whether a path leads into a module that is switched off.
    fn hides(&self, scope: &Scope, path: &[String]) -> bool {
        path.iter().any(|segment| self.is_hidden(&scope.crate_name, segment))
    }

    fn declared(&mut self, scope: &Rc<Scope>, item: &Item) -> Option<Found> {
        if item.kind != ItemKind::Module {
            return Some(Found::Item(Rc::clone(scope), Box::new(item.clone())));
        }
        self.declared_once(scope, item);
        let mut place = scope.place.clone();
        place.push(item.name.clone());
        self.module(&scope.crate_name, &place).map(Found::Module)
    }

    /// Of modules that are there under conditions it cannot be said which one is meant.
    fn declared_once(&mut self, scope: &Scope, item: &Item) {
        let of_name = |other: &&Item| other.kind == item.kind && other.name == item.name;
        let Some(second) = scope.module.items.iter().filter(of_name).nth(1) else { return };
        if self.owns(&scope.crate_name) {
            let span = scope.module.file.span(second.name_bytes.clone());
            let is_known = self.diagnostics.iter().any(|known| known.span == span);
            if !is_known {
                self.report(LowerProblem::DeclaredTwice { name: item.name.clone() }, span);
            }
        }
    }

    pub(super) fn resolve_within(
        &mut self,
        scope: &Rc<Scope>,
        path: &[String],
        absolute: bool,
        depth: usize,
    ) -> Option<Found> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            _ if absolute => self.extern_crate(scope, first),
            "crate" => self.own_module(scope, &[])?,
            "self" => Found::Module(Rc::clone(scope)),
            "super" => self.own_module(scope, scope.path.split_last()?.1)?,
            _ => {
                // A crate that is imported as a whole does not give the first of several segments.
                let globs = if rest.is_empty() { Globs::Yes } else { Globs::No };
                let seek = Seek { depth: depth + 1, globs, viewer: None };
                match self.lookup_within(scope, first, seek) {
                    Some(found) => found,
                    None if rest.is_empty() => return None,
                    None => self.extern_or_glob(scope, first, depth),
                }
            }
        };
        rest.iter().try_fold(start, |found, segment| self.step(found, segment, depth + 1))
    }

    /// The first segment of a longer path that is neither declared nor imported by name: a module or a crate that an
    /// import of everything brings in, else a crate.
    fn extern_or_glob(&mut self, scope: &Rc<Scope>, first: &str, depth: usize) -> Found {
        let seek = Seek { depth: depth + 1, globs: Globs::Yes, viewer: None };
        match self.lookup_within(scope, first, seek) {
            Some(found @ (Found::Module(_) | Found::External(_))) => found,
            _ => self.extern_crate(scope, first),
        }
    }

    /// A crate by the name that it has in the crate of a module.
    pub(super) fn extern_crate(&mut self, scope: &Scope, name: &str) -> Found {
        let name = self.real_crate(scope, name);
        if self.owns(&name)
            && let Some(root) = self.module(&name, &[])
        {
            return Found::Module(root);
        }
        Found::External(vec![name])
    }

    fn own_module(&mut self, scope: &Scope, path: &[String]) -> Option<Found> {
        if let Some(module) = self.module(&scope.crate_name, path) {
            return Some(Found::Module(module));
        }
        let mut external = vec![scope.crate_name.clone()];
        external.extend(path.iter().cloned());
        Some(Found::External(external))
    }

    pub(super) fn step(&mut self, found: Found, segment: &str, depth: usize) -> Option<Found> {
        match found {
            Found::External(mut path) => {
                path.push(segment.to_owned());
                // The root of a crate may be missing while modules of it are at hand.
                let known = path.split_first().filter(|(name, _)| self.owns(name));
                let module = known.and_then(|(name, modules)| self.module(name, modules));
                Some(module.map_or(Found::External(path), Found::Module))
            }
            Found::Module(scope) if segment == "super" => self.own_module(&scope, scope.path.split_last()?.1),
            Found::Module(scope) if segment == "self" => Some(Found::Module(scope)),
            Found::Module(scope) => {
                self.lookup_within(&scope, segment, Seek { depth, globs: Globs::Yes, viewer: None })
            }
            Found::Item(..) | Found::Derived(..) | Found::Ambiguous(..) => None,
        }
    }

    /// Whether a module of a crate that is at hand has a name that another crate sees.
    pub(super) fn shows(&mut self, module: &Rc<Scope>, name: &str, viewer: &Scope) -> bool {
        let seek = Seek { depth: 1, globs: Globs::Yes, viewer: Some(viewer) };
        self.lookup_within(module, name, seek).is_some()
    }
}

/// Whether a module has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Has {
    Yes,
    No,
    /// Nothing is known of it.
    Unknown,
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
struct Seek<'s> {
    depth: usize,
    globs: Globs,
    /// The module that imports everything of the one which is searched; it sees only what is visible to it.
    viewer: Option<&'s Scope>,
}

impl Seek<'_> {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    /// Whether a name of a module is visible to the one that asks.
    fn sees(self, owner: &Scope, public: bool, restricted: bool) -> bool {
        let Some(viewer) = self.viewer else { return true };
        public
            || (viewer.crate_name == owner.crate_name && (restricted || viewer.path.starts_with(&owner.path)))
    }
}

/// Whether imports of everything are looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Globs {
    Yes,
    No,
}
