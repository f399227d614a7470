//! Usage: what the code of a crate may ask of generated clients and informers.
//!
//! In: files of any code, as tokens, and the model. Out: requests with their places. Nothing is parsed and no type is inferred: clients are
//! followed by the names of what holds them (a variable, a field, a parameter with its type, a function that returns one), so that more
//! may be found than is ever sent, and what cannot be followed is said.

mod controllers;
mod holders;
mod requests;

pub use controllers::lower_controllers;

use crate::model::{Model, Place, Resource, Scope, Usage, UsageReport};
use crate::source::{SourceFile, Word};
use holders::{Holders, chain_start, holder_of_chain};
use requests::{OF_THE_RUNTIME, informer_method, requests};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A kind of the model, with the names by which code reaches its client.
#[derive(Debug, Clone, Copy)]
struct Target<'m> {
    group: &'m str,
    accessor: &'m str,
    resource: &'m Resource,
}

impl Target<'_> {
    /// Whether this is the same kind as another.
    fn is(&self, other: &Target<'_>) -> bool {
        std::ptr::eq(self.resource, other.resource)
    }
}

/// Everything that generated clients may ask for in these files.
pub fn lower_usage(files: &[Rc<SourceFile>], model: &Model) -> UsageReport {
    let targets = targets(model);
    let words: Vec<(&SourceFile, Vec<Word<'_>>)> = files.iter().map(|file| (&**file, file.words())).collect();
    let mut holders = Holders::of_clients(&targets);
    words.iter().for_each(|(file, words)| holders.declared(file, words));
    let mut search = Search { targets: &targets, holders, found: BTreeMap::new(), made: Vec::new() };
    words.iter().for_each(|(file, words)| search.chains(file, words));
    words.iter().for_each(|(file, words)| search.calls(file, words));
    words.iter().for_each(|(file, words)| search.runtime(file, words));
    search.report()
}

fn targets(model: &Model) -> Vec<Target<'_>> {
    model
        .resources()
        .map(|(group, version, resource)| Target {
            group: &group.name,
            accessor: &version.names.accessor,
            resource,
        })
        .collect()
}

/// A request by its group, resource, verb and place, so that each is there once and in order.
type Found = BTreeMap<(Place, String, String), Usage>;

struct Search<'m> {
    targets: &'m [Target<'m>],
    holders: Holders<'m>,
    found: Found,
    /// The clients that were made and not called on the spot.
    made: Vec<(Target<'m>, Place)>,
}

impl<'m> Search<'m> {
    /// `x.cnat_v1alpha1().ats(..)`, and what is called on it or holds it.
    fn chains(&mut self, file: &SourceFile, words: &[Word<'_>]) {
        for at in 0..words.len() {
            let Some(getter) = called(words, at) else { continue };
            let Some(end) = closing(words, at + 2) else { continue };
            let accessors = self.accessors_before(file, words, at);
            let targets: Vec<Target<'m>> = self
                .targets
                .iter()
                .filter(|target| {
                    target.resource.names.getter == getter && accessors.contains(target.accessor)
                })
                .copied()
                .collect();
            for target in targets {
                self.chain(file, (words, at, end), target);
            }
        }
    }

    /// The accessors of group and version that the receiver of a call may be.
    fn accessors_before(&self, file: &SourceFile, words: &[Word<'_>], at: usize) -> BTreeSet<&'m str> {
        let mut accessors = BTreeSet::new();
        let text =
            |back: usize| at.checked_sub(back).and_then(|at| words.get(at)).map_or("", |word| word.text);
        // The words before the getter are `accessor ( ) .` or `name .`.
        let direct = (text(1) == ")" && text(2) == "(").then(|| text(3));
        let named = text(1);
        for target in self.targets {
            let is_held = || self.holders.group(file, named) == Some(target.accessor);
            if direct == Some(target.accessor) || is_held() {
                accessors.insert(target.accessor);
            }
        }
        accessors
    }

    fn chain(
        &mut self,
        file: &SourceFile,
        (words, at, end): (&[Word<'_>], usize, usize),
        target: Target<'m>,
    ) {
        let method = called(words, end + 1);
        let place = |at: usize| place(file, words.get(at));
        let has_arguments = end > at + 3;
        let is_informer = match method {
            Some(method) if informer_method(method) => true,
            _ if has_arguments => false,
            _ if target.resource.scope == Scope::Namespaced => true,
            Some(method) => requests(target.resource, method).is_empty(),
            None => speaks_of_informers(words, at),
        };
        if is_informer {
            self.add(target, &[("list".to_owned(), None), ("watch".to_owned(), None)], &place(at + 1));
            return;
        }
        if let Some(method) = method {
            self.add(target, &requests(target.resource, method), &place(end + 2));
            return;
        }
        self.made.push((target, place(at + 1)));
        if let Some(name) = holder_of_chain(words, chain_start(words, at)) {
            self.holders.hold(file, name, target);
        }
    }

    /// `name.method(..)` and `name(..).method(..)` where the name is that of something that holds a client.
    fn calls(&mut self, file: &SourceFile, words: &[Word<'_>]) {
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.is_ident()) {
            let targets = self.holders.of(file, word.text);
            if targets.is_empty() {
                continue;
            }
            let is_call = words.get(at + 1).is_some_and(|next| next.text == "(");
            let dot = if is_call { closing(words, at + 1).map(|end| end + 1) } else { Some(at + 1) };
            let dot = dot.map(|dot| behind_await(words, dot));
            let Some((dot, method)) = dot.and_then(|dot| Some((dot, called(words, dot)?))) else { continue };
            for target in targets {
                self.add(target, &requests(target.resource, method), &place(file, words.get(dot + 1)));
            }
        }
    }

    /// `LeaderElector::builder(..)`, `config: ManagerConfig`: parts of the runtime that send requests of their own.
    fn runtime(&mut self, file: &SourceFile, words: &[Word<'_>]) {
        for (at, word) in words.iter().enumerate() {
            let behind = [1, 2].map(|ahead| words.get(at + ahead).map_or("", |word| word.text));
            let is_call = behind == [":", ":"] && words.get(at + 4).is_some_and(|open| open.text == "(");
            let [before, further] = [1, 2]
                .map(|back| at.checked_sub(back).and_then(|at| words.get(at)).map_or("", |word| word.text));
            let is_type = before == ":" && further != ":";
            for (_, (group, resource), verbs) in
                OF_THE_RUNTIME.iter().filter(|(name, ..)| (is_call || is_type) && *name == word.text)
            {
                let place = place(file, Some(word));
                for verb in *verbs {
                    let (group, resource, verb) =
                        ((*group).to_owned(), (*resource).to_owned(), (*verb).to_owned());
                    let key = (place.clone(), format!("{group}/{resource}"), verb.clone());
                    self.found.insert(key, Usage { group, resource, verb, place: place.clone() });
                }
            }
        }
    }

    fn add(&mut self, target: Target<'m>, requests: &[(String, Option<String>)], place: &Place) {
        for (verb, subresource) in requests {
            let plural = &target.resource.names.plural;
            let resource = match subresource {
                Some(subresource) => format!("{plural}/{subresource}"),
                None => plural.clone(),
            };
            let (group, verb) = (target.group.to_owned(), verb.clone());
            let key = (place.clone(), format!("{group}/{resource}"), verb.clone());
            self.found.insert(key, Usage { group, resource, verb, place: place.clone() });
        }
    }

    fn report(self) -> UsageReport {
        let is_seen = |target: &Target<'_>| {
            let plural = &target.resource.names.plural;
            self.found.values().any(|usage| {
                usage.group == target.group && usage.resource.split('/').next() == Some(plural.as_str())
            })
        };
        let mut unseen: Vec<(String, Place)> = Vec::new();
        for (target, place) in self.made.iter().filter(|(target, _)| !is_seen(target)) {
            unseen.push((target.resource.names.plural.clone(), place.clone()));
        }
        UsageReport { requests: self.found.into_values().collect(), unseen }
    }
}

/// The method that is called at a dot: `. name (`.
fn called<'f>(words: &[Word<'f>], dot: usize) -> Option<&'f str> {
    let mut next = words.get(dot..)?.iter();
    let (dot, name, open) = (next.next()?, next.next()?, next.next()?);
    (dot.text == "." && name.is_ident() && open.text == "(").then_some(name.text)
}

/// Behind `.await` and `?`, which may stand between a function and what is called on its result.
fn behind_await(words: &[Word<'_>], mut at: usize) -> usize {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    loop {
        match (text(at), text(at + 1)) {
            (".", "await") => at += 2,
            ("?", _) => at += 1,
            _ => return at,
        }
    }
}

/// The word that closes the bracket at a place.
fn closing(words: &[Word<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether what the chain begins with is called like a factory of informers.
fn speaks_of_informers(words: &[Word<'_>], at: usize) -> bool {
    let chain = words.get(chain_start(words, at)..at).unwrap_or_default();
    chain.iter().any(|word| {
        let name = word.text.to_lowercase();
        name.contains("factory") || name.contains("informer")
    })
}

fn place(file: &SourceFile, word: Option<&Word<'_>>) -> Place {
    let span = file.span(word.map(Word::bytes).unwrap_or_default());
    Place { file: span.file, line: span.line, column: span.column, length: span.length }
}
