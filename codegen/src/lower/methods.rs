//! Methods: `+genclient:method=Name,verb=..,subresource=..,input=..,result=..`.

use super::facts::text;
use super::notes::{Note, place};
use super::resolve::Found;
use super::universe::{Scope, Universe};
use crate::diagnostic::{MethodProblem, Span};
use crate::model::{Method, TypePath, Verb};
use crate::naming::{MethodNames, is_identifier, is_label, nearest, rust_ident};
use crate::source::ItemKind;
use std::rc::Rc;

/// The verbs that a method may have.
const VERBS: [Verb; 6] = [Verb::Create, Verb::Update, Verb::Get, Verb::List, Verb::Patch, Verb::Apply];

const ARGUMENTS: [&str; 4] = ["verb", "subresource", "input", "result"];

/// A part of the marker's value between commas.
#[derive(Debug, Clone)]
struct Part {
    text: String,
    span: Span,
}

/// The arguments of a method as written.
#[derive(Debug, Default)]
struct Arguments {
    verb: Option<Part>,
    subresource: Option<Part>,
    input: Option<Part>,
    result: Option<Part>,
}

impl Universe<'_> {
    /// Reads a method; what is wrong is reported.
    pub(super) fn method(&mut self, scope: &Rc<Scope>, note: &Note) -> Option<Method> {
        let (value, whole) = text(note).unwrap_or_else(|| (String::new(), note.span.clone()));
        let mut parts = parts(&value, &whole).into_iter();
        let name = parts.next().filter(|part| !part.text.is_empty() && !part.text.contains('='));
        let Some(name) = name else {
            self.report(MethodProblem::NoName, note.span.clone());
            return None;
        };
        let method = name.text;
        if !is_identifier(&method) || !method.starts_with(|first: char| first.is_ascii_alphabetic()) {
            self.report(MethodProblem::BadName { name: method }, name.span);
            return None;
        }
        let arguments = self.arguments_of(&method, parts)?;
        let verb = self.method_verb(&method, arguments.verb, &name.span)?;
        let refuses_input = !matches!(verb, Verb::Create | Verb::Update | Verb::Apply);
        if let Some(part) = arguments.input.as_ref().filter(|_| refuses_input) {
            let problem =
                MethodProblem::InputNotAllowed { method: method.clone(), verb: verb.name().to_owned() };
            self.report(problem, part.span.clone());
        }
        if let Some(part) = arguments.subresource.as_ref().filter(|part| !is_subresource(&part.text)) {
            let subresource = part.text.clone();
            let problem = MethodProblem::BadSubresource { method: method.clone(), subresource };
            self.report(problem, part.span.clone());
        }
        Some(Method {
            names: MethodNames::new(&method),
            verb,
            subresource: arguments.subresource.map(|part| part.text),
            input: arguments.input.and_then(|part| self.method_type(scope, &method, &part)),
            result: arguments.result.and_then(|part| self.method_type(scope, &method, &part)),
            place: place(&note.span),
        })
    }

    fn arguments_of(&mut self, method: &str, parts: impl Iterator<Item = Part>) -> Option<Arguments> {
        let mut arguments = Arguments::default();
        let mut right = true;
        for part in parts {
            if let Err(problem) = arguments.take(method, &part) {
                self.report(problem, part.span);
                right = false;
            }
        }
        right.then_some(arguments)
    }

    fn method_verb(&mut self, method: &str, part: Option<Part>, name: &Span) -> Option<Verb> {
        let method = method.to_owned();
        let Some(part) = part else {
            self.report(MethodProblem::NoVerb { method }, name.clone());
            return None;
        };
        let verb = part.text;
        match Verb::from_name(&verb) {
            Some(known) if VERBS.contains(&known) => return Some(known),
            Some(_) => self.report(MethodProblem::UnsupportedVerb { method, verb }, part.span),
            None => {
                let nearest = nearest(&verb, VERBS.iter().map(|verb| verb.name())).map(str::to_owned);
                self.report(MethodProblem::UnknownVerb { method, verb, nearest }, part.span);
            }
        }
        None
    }

    /// The type that an argument names: of this package, or of another crate by its whole path, in Rust's form or in
    /// Go's (`k8s.io/api/autoscaling/v1.Scale`).
    fn method_type(&mut self, scope: &Rc<Scope>, method: &str, part: &Part) -> Option<TypePath> {
        let written = from_go(&part.text).unwrap_or_else(|| part.text.clone());
        let absolute = written.starts_with("::");
        let segments: Vec<String> = written.trim_start_matches("::").split("::").map(str::to_owned).collect();
        let path = part.text.clone();
        if !segments.iter().all(|segment| is_identifier(segment) || is_path_word(segment)) {
            self.report(MethodProblem::BadPath { method: method.to_owned(), path }, part.span.clone());
            return None;
        }
        match self.resolve(scope, &segments, absolute) {
            Some(Found::Item(scope, item)) if item.kind != ItemKind::Module => {
                return Some(self.path_of(&scope, &item.name));
            }
            Some(Found::Derived(scope, name)) => return Some(self.path_of(&scope, &name)),
            Some(Found::External(path)) if path.len() > 1 => {
                let path: Vec<String> = path.iter().map(|segment| rust_ident(segment)).collect();
                return TypePath::parse(&path.join("::"));
            }
            _ => {}
        }
        let known: Vec<&str> = scope.module.items.iter().map(|item| item.name.as_str()).collect();
        let nearest = nearest(&path, known).map(str::to_owned);
        self.report(
            MethodProblem::UnknownType { method: method.to_owned(), path, nearest },
            part.span.clone(),
        );
        None
    }
}

impl Arguments {
    fn take(&mut self, method: &str, part: &Part) -> Result<(), MethodProblem> {
        let method = method.to_owned();
        let found = part.text.clone();
        let Some((key, value)) = part.text.split_once('=').filter(|(_, value)| !value.contains('=')) else {
            return Err(MethodProblem::NotAPair { method, found });
        };
        let (argument, value) = (key.trim().to_owned(), value.trim());
        let place = match argument.as_str() {
            "verb" => &mut self.verb,
            "subresource" => &mut self.subresource,
            "input" => &mut self.input,
            "result" => &mut self.result,
            _ => {
                let nearest = nearest(&argument, ARGUMENTS).map(str::to_owned);
                return Err(MethodProblem::UnknownArgument { method, argument, nearest });
            }
        };
        if value.is_empty() {
            return Err(MethodProblem::Empty { method, argument });
        }
        if place.is_some() {
            return Err(MethodProblem::RepeatedArgument { method, argument });
        }
        *place = Some(Part { text: value.to_owned(), span: part.span.clone() });
        Ok(())
    }
}

fn parts(value: &str, whole: &Span) -> Vec<Part> {
    let mut offset = 0;
    let mut parts = Vec::new();
    for part in value.split(',') {
        let lead = part.chars().take_while(|letter| letter.is_whitespace()).count();
        let text = part.trim().to_owned();
        let span = Span {
            column: whole.column + offset + lead,
            length: text.chars().count().max(1),
            ..whole.clone()
        };
        offset += part.chars().count() + 1;
        parts.push(Part { text, span });
    }
    parts
}

/// `k8s.io/api/apps/v1.Scale` as Rust has it.
fn from_go(path: &str) -> Option<String> {
    let (package, name) = path.rsplit_once('.')?;
    let modules = package.strip_prefix("k8s.io/")?;
    Some(format!("k8s_openapi::{}::{name}", modules.replace('/', "::")))
}

fn is_path_word(segment: &str) -> bool {
    matches!(segment, "crate" | "self" | "super")
}

fn is_subresource(name: &str) -> bool {
    name.split('/').all(is_label)
}
