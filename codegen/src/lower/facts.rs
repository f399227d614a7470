//! Facts of a package: its group, its version, and which generators work on it.

use super::notes::{Note, span};
use super::package::RawPackage;
use super::universe::Universe;
use crate::diagnostic::{Diagnostic, LowerProblem, Span};
use crate::model::{Generators, MarkerValue};
use crate::naming::{is_dns_name, is_label};

/// What a package says of itself, and where.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) group: Option<(String, Span)>,
    pub(super) go_name: Option<(String, Span)>,
    pub(super) version: Option<(String, Span)>,
    pub(super) generators: Generators,
}

const GROUP_RULE: &str = "a group is a DNS name in small letters: `batch.example.com`";
const GO_NAME_RULE: &str = "a name for code is letters and digits, beginning with a letter: `BatchExample`";
const VERSION_RULE: &str = "a version is small letters and digits, beginning with a letter: `v1beta1`";
pub(super) const RESOURCE_RULE: &str =
    "a resource is small letters, digits and `-`, beginning with a letter: `shelves`";

impl Universe<'_> {
    /// Reads the markers of a package.
    pub(super) fn facts(&mut self, package: &RawPackage) -> Facts {
        let group = self.single(package, "groupName");
        let go_name = self.single(package, "groupGoName");
        let version = self.single(package, "versionName");
        self.name(group.as_ref(), "a group", GROUP_RULE, |name| name.is_empty() || is_dns_name(name));
        self.name(go_name.as_ref(), "a group in code", GO_NAME_RULE, is_code_name);
        self.name(version.as_ref(), "a version", VERSION_RULE, is_label);
        let mut on = |name| self.switch(package, name);
        let generators = Generators {
            object: true,
            client: on("k8s:client-gen"),
            lister: on("k8s:lister-gen"),
            informer: on("k8s:informer-gen"),
            applyconfiguration: on("k8s:applyconfiguration-gen"),
        };
        Facts { group, go_name, version, generators }
    }

    /// The value of a marker that a package has at most once.
    fn single(&mut self, package: &RawPackage, name: &str) -> Option<(String, Span)> {
        let mut found: Option<(String, Span)> = None;
        for note in package.notes.iter().filter(|note| note.marker.name == name) {
            let Some((value, place)) = text(note) else { continue };
            match &found {
                None => found = Some((value, place)),
                Some((first, _)) if *first == value => {}
                Some((first, first_place)) => {
                    let problem = LowerProblem::TwoValues {
                        name: name.to_owned(),
                        first: first.clone(),
                        second: value,
                    };
                    self.diagnostics.push(
                        Diagnostic::new(problem, note.span.clone())
                            .with_related(first_place.clone(), "the first one"),
                    );
                }
            }
        }
        found
    }

    pub(super) fn name(
        &mut self,
        named: Option<&(String, Span)>,
        what: &'static str,
        rule: &'static str,
        is_right: impl Fn(&str) -> bool,
    ) {
        if let Some((value, place)) = named
            && !is_right(value)
        {
            self.report(LowerProblem::BadName { what, value: value.clone(), rule }, place.clone());
        }
    }

    fn switch(&mut self, package: &RawPackage, name: &str) -> bool {
        let mut on = None;
        for note in package.notes.iter().filter(|note| note.marker.name == name) {
            let value = note.marker.value() != Some(&MarkerValue::Bool(false));
            if on.is_some_and(|known| known != value) {
                let (first, second) = (!value, value);
                let problem = LowerProblem::TwoValues {
                    name: name.to_owned(),
                    first: first.to_string(),
                    second: second.to_string(),
                };
                self.report(problem, note.span.clone());
            }
            on = on.or(Some(value));
        }
        on.unwrap_or(true)
    }
}

/// The text of a marker's value, with its place.
pub(super) fn text(note: &Note) -> Option<(String, Span)> {
    let argument = note.marker.arguments.iter().find(|argument| argument.name.is_empty())?;
    let text = argument.value.as_text()?.to_owned();
    let place = if argument.place.length == 0 { note.span.clone() } else { span(&argument.place) };
    Some((text, place))
}

fn is_code_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
