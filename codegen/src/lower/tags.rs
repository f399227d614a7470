//! Tags: what `+genclient` and its companions say of a root type.

use super::facts::text;
use super::notes::Note;
use super::universe::{Scope, Universe};
use crate::diagnostic::{Diagnostic, LowerProblem, MarkerProblem, Span};
use crate::model::{Method, Verb, Verbs};
use crate::naming::nearest;
use std::rc::Rc;

/// What the tags of a root type say.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// The `+genclient` itself.
    pub(super) client: Option<Span>,
    pub(super) non_namespaced: Option<Span>,
    pub(super) no_status: bool,
    pub(super) verbs: Verbs,
    pub(super) methods: Vec<Method>,
    /// `+resourceName=`.
    pub(super) resource: Option<(String, Span)>,
}

/// The root type whose tags are read.
pub(super) struct Tagged<'a> {
    pub(super) scope: &'a Rc<Scope>,
    pub(super) name: &'a str,
    pub(super) notes: &'a [Note],
    pub(super) has_status: bool,
}

impl Tagged<'_> {
    fn note(&self, tag: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.marker.name.strip_prefix("genclient:") == Some(tag))
    }
}

impl Universe<'_> {
    /// Reads the tags of a root type.
    pub(super) fn tags(&mut self, tagged: &Tagged<'_>) -> Tags {
        let client = tagged.notes.iter().find(|note| note.marker.name == "genclient");
        self.repeated(tagged);
        self.companions(tagged, client.is_some());
        let place = |tag: &str| tagged.note(tag).map(|note| note.span.clone());
        Tags {
            client: client.map(|note| note.span.clone()),
            non_namespaced: place("nonNamespaced"),
            no_status: tagged.note("noStatus").is_some(),
            verbs: self.verbs(tagged),
            methods: self.methods(tagged),
            resource: tagged.notes.iter().find(|note| note.marker.name == "resourceName").and_then(text),
        }
    }

    fn repeated(&mut self, tagged: &Tagged<'_>) {
        for (at, note) in tagged.notes.iter().enumerate() {
            let name = &note.marker.name;
            let single =
                (name.starts_with("genclient") && name != "genclient:method") || name == "resourceName";
            let first = tagged.notes.iter().take(at).find(|earlier| earlier.marker.name == *name);
            if let Some(first) = first.filter(|_| single) {
                self.diagnostics.push(
                    Diagnostic::new(MarkerProblem::Repeated { name: name.clone() }, note.span.clone())
                        .with_related(first.span.clone(), "the first one"),
                );
            }
        }
    }

    fn companions(&mut self, tagged: &Tagged<'_>, has_client: bool) {
        for note in tagged.notes.iter().filter(|_| !has_client) {
            if note.marker.name.starts_with("genclient:") {
                let problem = LowerProblem::WithoutGenclient { name: note.marker.name.clone() };
                self.report(problem, note.span.clone());
            }
        }
    }

    /// The verbs that are left by the tags and by what the type has.
    fn verbs(&mut self, tagged: &Tagged<'_>) -> Verbs {
        for (first, second) in [
            ("onlyVerbs", "skipVerbs"),
            ("noVerbs", "onlyVerbs"),
            ("noVerbs", "skipVerbs"),
            ("noVerbs", "readonly"),
            ("readonly", "skipVerbs"),
        ] {
            if let (Some(one), Some(other)) = (tagged.note(first), tagged.note(second)) {
                self.diagnostics.push(
                    Diagnostic::new(LowerProblem::Contradiction { first, second }, other.span.clone())
                        .with_related(one.span.clone(), "the other one"),
                );
            }
        }
        let has_status = tagged.has_status && tagged.note("noStatus").is_none();
        let only = self.listed(tagged, "onlyVerbs", has_status);
        let skip = self.listed(tagged, "skipVerbs", true);
        let mut verbs = match (only, tagged.note("readonly")) {
            _ if tagged.note("noVerbs").is_some() => return Verbs::default(),
            (None, None) => Verbs::all(),
            (only, readonly) => {
                let mut verbs = only.unwrap_or_default();
                if readonly.is_some() {
                    [Verb::Get, Verb::List, Verb::Watch].into_iter().for_each(|verb| verbs.insert(verb));
                }
                verbs
            }
        };
        let skipped = skip.unwrap_or_default();
        skipped.iter().for_each(|verb| verbs.remove(verb));
        if !has_status {
            verbs.remove(Verb::UpdateStatus);
            verbs.remove(Verb::ApplyStatus);
        }
        if let Some(note) = tagged.note("skipVerbs").filter(|_| verbs.is_empty()) {
            let problem = LowerProblem::NothingLeft { name: tagged.name.to_owned() };
            self.report(problem, note.span.clone());
        }
        verbs
    }

    /// The verbs which a tag lists.
    fn listed(&mut self, tagged: &Tagged<'_>, tag: &'static str, has_status: bool) -> Option<Verbs> {
        let note = tagged.note(tag)?;
        let (list, place) = text(note)?;
        let mut verbs = Verbs::default();
        let mut offset = 0;
        for part in list.split(',') {
            let name = part.trim();
            let lead = part.chars().take_while(|letter| letter.is_whitespace()).count();
            let at = Span {
                column: place.column + offset + lead,
                length: name.chars().count().max(1),
                ..place.clone()
            };
            offset += part.chars().count() + 1;
            match Verb::from_name(name) {
                _ if name.is_empty() => self.report(LowerProblem::NoVerb { tag }, at),
                None => {
                    let near = nearest(name, Verb::ALL.iter().map(|verb| verb.name())).map(str::to_owned);
                    self.report(LowerProblem::UnknownVerb { tag, verb: name.to_owned(), nearest: near }, at);
                }
                Some(verb) if verbs.contains(verb) => {
                    self.report(LowerProblem::RepeatedVerb { tag, verb: name.to_owned() }, at);
                }
                Some(verb @ (Verb::UpdateStatus | Verb::ApplyStatus)) if !has_status => {
                    let problem = LowerProblem::NoStatus { name: tagged.name.to_owned(), verb: verb.name() };
                    self.report(problem, at);
                }
                Some(verb) => verbs.insert(verb),
            }
        }
        Some(verbs)
    }

    fn methods(&mut self, tagged: &Tagged<'_>) -> Vec<Method> {
        let notes = tagged.notes.iter().filter(|note| note.marker.name == "genclient:method");
        notes.filter_map(|note| self.method(tagged.scope, note)).collect()
    }
}
