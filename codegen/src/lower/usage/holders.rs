//! Holders: the names of variables, fields, parameters and functions that hold or give a client.

use super::Target;
use crate::source::{SourceFile, Word};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What around the type of a client changes nothing for those who call it.
const AROUND: [&str; 12] = ["&", "mut", "<", "Option", "Arc", "Rc", "Box", "Result", "dyn", "impl", "'", ","];

/// Who holds the clients of which kinds.
#[derive(Debug)]
pub(super) struct Holders<'m> {
    /// The kinds by the type of their client or informer.
    types: HashMap<String, Vec<Target<'m>>>,
    accessors: Vec<&'m str>,
    /// Names whose type is written down; they mean the same in the whole crate.
    declared: HashMap<String, Vec<Target<'m>>>,
    /// Variables, by their file.
    variables: HashMap<(PathBuf, String), Vec<Target<'m>>>,
    /// Variables that hold the clients of a group.
    groups: HashMap<(PathBuf, String), &'m str>,
}

impl<'m> Holders<'m> {
    /// Those of clients.
    pub(super) fn of_clients(targets: &[Target<'m>]) -> Self {
        Self::new(targets, |target| target.resource.names.client.clone())
    }

    /// Those of informers.
    pub(super) fn of_informers(targets: &[Target<'m>]) -> Self {
        Self::new(targets, |target| format!("{}Informer", target.resource.kind))
    }

    fn new(targets: &[Target<'m>], type_of: impl Fn(&Target<'m>) -> String) -> Self {
        let mut types: HashMap<String, Vec<Target<'m>>> = HashMap::new();
        for target in targets {
            types.entry(type_of(target)).or_default().push(*target);
        }
        let accessors = targets.iter().map(|target| target.accessor).collect();
        let (declared, variables, groups) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { types, accessors, declared, variables, groups }
    }

    /// Finds the names whose type is that of a client, and the variables that hold the clients of a group.
    pub(super) fn declared(&mut self, file: &SourceFile, words: &[Word<'_>]) {
        for (at, word) in words.iter().enumerate() {
            if let Some(targets) = self.types.get(word.text).cloned()
                && let Some(name) = declared_name(words, at)
            {
                let known = self.declared.entry(name.to_owned()).or_default();
                known.extend(targets);
            }
            self.made(file, words, at);
            let ends = [1, 2].map(|ahead| words.get(at + ahead).map_or("", |word| word.text)) == ["(", ")"];
            let behind = words.get(at + 3).map_or("", |word| word.text);
            let accessor = self.accessors.iter().find(|accessor| ends && **accessor == word.text).copied();
            if let Some(accessor) = accessor.filter(|_| behind != ".")
                && let Some(name) = holder_of_chain(words, chain_start(words, at.saturating_sub(1)))
            {
                self.groups.insert((file.path().to_owned(), name.to_owned()), accessor);
            }
        }
    }

    /// `let name = Ats::new(..)`.
    fn made(&mut self, file: &SourceFile, words: &[Word<'_>], at: usize) {
        let behind = [1, 2, 3].map(|ahead| words.get(at + ahead).map_or("", |word| word.text));
        let word = words.get(at).filter(|_| behind == [":", ":", "new"]);
        let targets = word.and_then(|word| self.types.get(word.text)).cloned().unwrap_or_default();
        if let Some(name) = holder_of_chain(words, chain_start(words, at)) {
            targets.into_iter().for_each(|target| self.hold(file, name, target));
        }
    }

    pub(super) fn hold(&mut self, file: &SourceFile, name: &str, target: Target<'m>) {
        self.variables.entry((file.path().to_owned(), name.to_owned())).or_default().push(target);
    }

    /// The accessor whose group clients a variable holds.
    pub(super) fn group(&self, file: &SourceFile, name: &str) -> Option<&'m str> {
        self.groups.get(&key(file.path(), name)).copied()
    }

    /// The kinds whose clients something of this name may hold.
    pub(super) fn of(&self, file: &SourceFile, name: &str) -> Vec<Target<'m>> {
        let declared = self.declared.get(name).into_iter().flatten();
        let variables = self.variables.get(&key(file.path(), name)).into_iter().flatten();
        let mut targets: Vec<Target<'m>> = Vec::new();
        for target in declared.chain(variables) {
            if !targets.iter().any(|known| known.is(target)) {
                targets.push(*target);
            }
        }
        targets
    }
}

fn key(path: &Path, name: &str) -> (PathBuf, String) {
    (path.to_owned(), name.to_owned())
}

/// The name that a type at a place is declared for: `name: &Ats`, or `fn name(..) -> Ats`.
pub(super) fn declared_name<'f>(words: &[Word<'f>], at: usize) -> Option<&'f str> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let mut before = at.checked_sub(1)?;
    loop {
        let is_path = text(before) == ":" && before.checked_sub(1).is_some_and(|other| text(other) == ":");
        if is_path {
            // `a::Ats`: the segment before belongs to the path.
            before = before.checked_sub(3)?;
        } else if AROUND.contains(&text(before)) || text(before).starts_with('\'') {
            before = before.checked_sub(1)?;
        } else {
            break;
        }
    }
    match text(before) {
        ":" => words.get(before.checked_sub(1)?).filter(|word| word.is_ident()).map(|word| word.text),
        ">" if before.checked_sub(1).is_some_and(|other| text(other) == "-") => {
            let close = before.checked_sub(2).filter(|close| text(*close) == ")")?;
            let open = opening(words, close)?;
            let name = words.get(open.checked_sub(1)?)?;
            (open.checked_sub(2).map(text) == Some("fn")).then_some(name.text)
        }
        _ => None,
    }
}

/// Where the chain of calls begins that leads to a dot.
pub(super) fn chain_start(words: &[Word<'_>], dot: usize) -> usize {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let mut start = dot;
    while let Some(before) = start.checked_sub(1) {
        match text(before) {
            ")" | "]" => match opening(words, before) {
                Some(open) => start = open,
                None => return start,
            },
            "." | "?" | ":" | "&" => start = before,
            word if is_name(word) && !is_keyword(word) => {
                // Two names side by side are no chain.
                if start < dot && is_name(text(start)) {
                    return start;
                }
                start = before;
            }
            _ => return start,
        }
        // `name: chain` in a struct: the colon is no path.
        if text(start) == ":"
            && start.checked_sub(1).is_some_and(|other| text(other) != ":")
            && text(start + 1) != ":"
        {
            return start + 1;
        }
    }
    start
}

/// The name that takes what begins at a place: `let name = ..`, `name = ..`, or `name: ..` in a struct.
pub(super) fn holder_of_chain<'f>(words: &[Word<'f>], start: usize) -> Option<&'f str> {
    let word = |back: usize| start.checked_sub(back).and_then(|at| words.get(at));
    let sign = word(1)?.text;
    if matches!(sign, "(" | ",") {
        return holder_of_tuple(words, start);
    }
    let name = word(2).filter(|word| word.is_ident());
    match sign {
        ":" => name.map(|word| word.text),
        "=" => name.map(|word| word.text),
        _ => None,
    }
}

/// `let (a, b) = (.., ..)`: the name at the same place.
fn holder_of_tuple<'f>(words: &[Word<'f>], start: usize) -> Option<&'f str> {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let (mut depth, mut place, mut open) = (0_usize, 0_usize, None);
    for at in (0..start).rev() {
        match text(at) {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth == 0 => {
                open = Some(at);
                break;
            }
            "(" | "[" | "{" => depth -= 1,
            "," if depth == 0 => place += 1,
            ";" => return None,
            _ => {}
        }
    }
    let equals = open.filter(|open| text(*open) == "(")?.checked_sub(1).filter(|at| text(*at) == "=")?;
    let names_end = equals.checked_sub(1).filter(|at| text(*at) == ")")?;
    let names = words.get(opening(words, names_end)? + 1..names_end)?;
    let name = names.split(|word| word.text == ",").nth(place)?.last()?;
    name.is_ident().then_some(name.text)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn is_keyword(text: &str) -> bool {
    matches!(
        text,
        "return" | "let" | "mut" | "match" | "if" | "in" | "move" | "async" | "else" | "while" | "ref"
    )
}

/// The word that opens the bracket that is closed at a place.
fn opening(words: &[Word<'_>], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        match words.get(at)?.text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" => {
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
