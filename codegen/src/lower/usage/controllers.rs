//! Controllers: which kinds the controllers of a crate reconcile, own and watch, by how they are built.

use super::holders::{Holders, chain_start, declared_name, holder_of_chain};
use super::{Target, called, closing, targets};
use crate::model::{ControllerUse, Model, Tie};
use crate::source::{SourceFile, Word};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

/// The controllers that these files build with `Controller::builder` or `Controller::new`, in the order of files and lines.
pub fn lower_controllers(files: &[Rc<SourceFile>], model: &Model) -> Vec<ControllerUse> {
    let targets = targets(model);
    let words: Vec<(&SourceFile, Vec<Word<'_>>)> = files.iter().map(|file| (&**file, file.words())).collect();
    let mut informers = Holders::of_informers(&targets);
    words.iter().for_each(|(file, words)| informers.declared(file, words));
    let mut search = Search { targets: &targets, informers, found: Vec::new(), builders: HashMap::new() };
    words.iter().for_each(|(file, words)| search.informers(file, words));
    words.iter().for_each(|(file, words)| search.builders(file, words));
    words.iter().for_each(|(file, words)| search.calls(file, words));
    search.found
}

struct Search<'m> {
    targets: &'m [Target<'m>],
    informers: Holders<'m>,
    found: Vec<ControllerUse>,
    /// Variables that hold a builder, with the place of its controller.
    builders: HashMap<(PathBuf, String), usize>,
}

impl<'m> Search<'m> {
    /// `let name = factory.cnat_v1alpha1().ats()`, and `name: &SharedInformer<At>`.
    fn informers(&mut self, file: &SourceFile, words: &[Word<'_>]) {
        for at in 0..words.len() {
            for target in self.chain(words, at) {
                if let Some(name) = holder_of_chain(words, chain_start(words, at)) {
                    self.informers.hold(file, name, target);
                }
            }
            if let (Some(target), Some(name)) =
                (self.of(words, at, "SharedInformer"), declared_name(words, at))
            {
                self.informers.hold(file, name, target);
            }
        }
    }

    /// The kind in `Outer<Kind>` at a place.
    fn of(&self, words: &[Word<'_>], at: usize, outer: &str) -> Option<Target<'m>> {
        let text = |ahead: usize| words.get(at + ahead).map_or("", |word| word.text);
        let is_meant = text(0) == outer && text(1) == "<";
        let inner = text(2);
        self.targets.iter().filter(|_| is_meant).find(|target| target.resource.kind == inner).copied()
    }

    /// The kinds of a chain `accessor().getter(` whose second dot is here.
    fn chain(&self, words: &[Word<'_>], at: usize) -> Vec<Target<'m>> {
        let text =
            |back: usize| at.checked_sub(back).and_then(|at| words.get(at)).map_or("", |word| word.text);
        let Some(getter) = called(words, at) else { return Vec::new() };
        if text(1) != ")" || text(2) != "(" {
            return Vec::new();
        }
        let is_meant =
            |target: &&Target<'m>| target.accessor == text(3) && target.resource.names.getter == getter;
        self.targets.iter().filter(is_meant).copied().collect()
    }

    /// `Controller::builder("name", &informer)` or `manager.controller("name", &informer)` with what is called on it at once, and
    /// `name: ControllerBuilder<At>`.
    fn builders(&mut self, file: &SourceFile, words: &[Word<'_>]) {
        for at in 0..words.len() {
            if let (Some(target), Some(name)) =
                (self.of(words, at, "ControllerBuilder"), declared_name(words, at))
            {
                let controller = self.controller((target.group.to_owned(), target.resource.kind.clone()));
                self.builders.insert((file.path().to_owned(), name.to_owned()), controller);
            }
            let Some(open) = maker(words, at) else { continue };
            let Some(end) = closing(words, open) else { continue };
            let arguments = words.get(open + 1..end).unwrap_or_default();
            let Some(kind) = self.argument(file, arguments, 1) else { continue };
            let controller = self.controller(kind);
            self.ties(file, (words, end + 1), controller);
            if let Some(name) = holder_of_chain(words, chain_start(words, at)) {
                self.builders.insert((file.path().to_owned(), name.to_owned()), controller);
            }
        }
    }

    /// The place of the controller of a kind.
    fn controller(&mut self, kind: (String, String)) -> usize {
        let known = self.found.iter().position(|controller| controller.kind == kind);
        known.unwrap_or_else(|| {
            self.found.push(ControllerUse { kind, ties: Vec::new() });
            self.found.len() - 1
        })
    }

    /// `builder.owns(&pods)`, later on.
    fn calls(&mut self, file: &SourceFile, words: &[Word<'_>]) {
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.is_ident()) {
            let key = (file.path().to_owned(), word.text.to_owned());
            if let Some(controller) = self.builders.get(&key).copied() {
                self.ties(file, (words, at + 1), controller);
            }
        }
    }

    /// The calls from a dot on.
    fn ties(&mut self, file: &SourceFile, (words, mut dot): (&[Word<'_>], usize), controller: usize) {
        while let Some(method) = called(words, dot) {
            let Some(end) = closing(words, dot + 2) else { return };
            let tie = match method {
                "owns" | "owns_filtered" => Some(Tie::Owns),
                "watches" | "watches_filtered" => Some(Tie::Watches),
                _ => None,
            };
            let arguments = words.get(dot + 3..end).unwrap_or_default();
            if let (Some(tie), Some(kind)) = (tie, tie.and_then(|_| self.argument(file, arguments, 0)))
                && let Some(found) = self.found.get_mut(controller)
                && !found.ties.contains(&(tie, kind.clone()))
            {
                found.ties.push((tie, kind));
            }
            dot = end + 1;
        }
    }

    /// The kind of the informer that is an argument.
    fn argument(&self, file: &SourceFile, words: &[Word<'_>], place: usize) -> Option<(String, String)> {
        let mut depth = 0_usize;
        let mut parts = words.split(|word| {
            match word.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && word.text == ","
        });
        let argument = parts.nth(place)?;
        let chained = (0..argument.len()).find_map(|at| self.chain(argument, at).first().copied());
        let named = || argument.iter().find_map(|word| self.informers.of(file, word.text).first().copied());
        let target = chained.or_else(named)?;
        Some((target.group.to_owned(), target.resource.kind.clone()))
    }
}

/// The bracket behind what makes a builder, if that is here.
fn maker(words: &[Word<'_>], at: usize) -> Option<usize> {
    let text = |ahead: usize| words.get(at + ahead).map_or("", |word| word.text);
    if text(0) == "Controller" && text(1) == ":" && text(2) == ":" && matches!(text(3), "builder" | "new") {
        return Some(at + 4).filter(|_| text(4) == "(");
    }
    (called(words, at) == Some("controller")).then_some(at + 2)
}
