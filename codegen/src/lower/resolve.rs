//! Resolving: from a name in a module to what it means.

use super::universe::{Scope, Universe};
use crate::source::{Item, ItemKind};
use std::rc::Rc;

/// How many imports and re-exports are followed.
const DEPTH_LIMIT: usize = 24;

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
}

impl Universe<'_> {
    /// What a path means in a module.
    pub(super) fn resolve(&mut self, scope: &Rc<Scope>, path: &[String], absolute: bool) -> Option<Found> {
        self.answers.clear();
        self.resolve_within(scope, path, absolute, 0)
    }

    fn lookup_within(&mut self, scope: &Rc<Scope>, name: &str, seek: Seek) -> Option<Found> {
        if seek.depth > DEPTH_LIMIT {
            return None;
        }
        let key = (Rc::as_ptr(scope).addr(), name.to_owned(), seek.globs == Globs::Yes);
        if let Some(known) = self.answers.get(&key) {
            return known.clone();
        }
        self.answers.insert(key.clone(), None);
        let found = self.lookup_in(scope, name, seek);
        self.answers.insert(key, found.clone());
        found
    }

    fn lookup_in(&mut self, scope: &Rc<Scope>, name: &str, seek: Seek) -> Option<Found> {
        if let Some(item) = scope.declared(name) {
            return self.declared(scope, &item.clone());
        }
        if self.is_derived(scope, name) {
            return Some(Found::Derived(Rc::clone(scope), name.to_owned()));
        }
        let deeper = seek.depth + 1;
        for at in 0..scope.imports().len() {
            let import = scope.imports().get(at)?;
            if import.name.as_deref() != Some(name) || import.glob {
                continue;
            }
            let (path, absolute) = (import.path.clone(), import.absolute);
            // `use serde;` and `use self::x as x;` must not lead back to themselves.
            if path.as_slice() == [name] {
                return Some(Found::External(path));
            }
            if let Some(found) = self.resolve_within(scope, &path, absolute, deeper) {
                return Some(found);
            }
        }
        match seek.globs {
            Globs::Yes => self.lookup_globs(scope, name, deeper),
            Globs::No => None,
        }
    }

    /// Looks into everything that is imported as a whole. A crate that is not at hand is believed to have the name when
    /// nobody else does and it is the only such crate.
    fn lookup_globs(&mut self, scope: &Rc<Scope>, name: &str, depth: usize) -> Option<Found> {
        let mut external = Vec::new();
        for at in 0..scope.imports().len() {
            let import = scope.imports().get(at)?;
            if !import.glob {
                continue;
            }
            let (path, absolute) = (import.path.clone(), import.absolute);
            if self.hides(scope, &path) {
                continue;
            }
            match self.resolve_glob(scope, &path, absolute, depth) {
                Some(Found::Module(module)) => {
                    let seek = Seek { depth: depth + 1, globs: Globs::Yes };
                    let found = self.lookup_within(&module, name, seek);
                    if matches!(found, Some(Found::Item(..) | Found::Derived(..) | Found::Module(_))) {
                        return found;
                    }
                }
                Some(Found::External(mut path)) if path.last().is_none_or(|last| last != "prelude") => {
                    path.push(name.to_owned());
                    external.push(path);
                }
                _ => {}
            }
        }
        match external.len() {
            1 => external.pop().map(Found::External),
            _ => None,
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
                let seek = Seek { depth: depth + 1, globs: Globs::No };
                let found = self.lookup_within(scope, name, seek);
                Some(found.unwrap_or_else(|| self.extern_crate(name)))
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
        let mut path = scope.path.clone();
        path.push(item.name.clone());
        self.module(&scope.crate_name, &path).map(Found::Module)
    }

    fn resolve_within(
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
            _ if absolute => self.extern_crate(first),
            "crate" => self.own_module(scope, &[])?,
            "self" => Found::Module(Rc::clone(scope)),
            "super" => self.own_module(scope, scope.path.split_last()?.1)?,
            _ => {
                // A crate that is imported as a whole does not give the first of several segments.
                let globs = if rest.is_empty() { Globs::Yes } else { Globs::No };
                let seek = Seek { depth: depth + 1, globs };
                match self.lookup_within(scope, first, seek) {
                    Some(found) => found,
                    None if rest.is_empty() => return None,
                    None => self.extern_or_glob(scope, first, depth),
                }
            }
        };
        rest.iter().try_fold(start, |found, segment| self.step(found, segment, depth + 1))
    }

    /// The first segment of a longer path that is neither declared nor imported by name: a module from a glob import
    /// of this crate, else a crate.
    fn extern_or_glob(&mut self, scope: &Rc<Scope>, first: &str, depth: usize) -> Found {
        match self.lookup_within(scope, first, Seek { depth: depth + 1, globs: Globs::Yes }) {
            Some(found @ Found::Module(_)) => found,
            _ => self.extern_crate(first),
        }
    }

    fn extern_crate(&mut self, name: &str) -> Found {
        if self.owns(name)
            && let Some(root) = self.module(name, &[])
        {
            return Found::Module(root);
        }
        Found::External(vec![name.to_owned()])
    }

    fn own_module(&mut self, scope: &Scope, path: &[String]) -> Option<Found> {
        if let Some(module) = self.module(&scope.crate_name, path) {
            return Some(Found::Module(module));
        }
        let mut external = vec![scope.crate_name.clone()];
        external.extend(path.iter().cloned());
        Some(Found::External(external))
    }

    fn step(&mut self, found: Found, segment: &str, depth: usize) -> Option<Found> {
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
            Found::Module(scope) => self.lookup_within(&scope, segment, Seek { depth, globs: Globs::Yes }),
            Found::Item(..) | Found::Derived(..) => None,
        }
    }
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
struct Seek {
    depth: usize,
    globs: Globs,
}

/// Whether imports of everything are looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Globs {
    Yes,
    No,
}
