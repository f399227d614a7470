//! Paths into objects: columns, selectable fields and scales name fields that must be there.

use super::facts::Facts;
use crate::diagnostic::{CrdProblem, Diagnostic, Diagnostics, Span};
use crate::model::{Place, Resource};
use crate::schema::{Additional, Keyword, Schema};

/// What a path leads to.
enum Found<'s> {
    /// A node of the schema.
    Node(&'s Schema),
    /// Something of which the schema says nothing.
    Anything,
    /// Nothing: there is no such field.
    Nothing {
        /// The first field that is not there.
        missing: String,
        /// The fields that are.
        known: Vec<String>,
    },
}

/// Follows a path of names and brackets; what is in brackets is not looked into.
fn follow<'s>(schema: &'s Schema, path: &str) -> Found<'s> {
    let mut node = schema;
    let mut rest = path.trim();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let Some(end) = closing(after) else { return Found::Anything };
            let inner = after.get(..end).unwrap_or_default();
            rest = after.get(end + 1..).unwrap_or_default();
            match (&node.items, &node.additional) {
                (Some(items), _) => node = items,
                (None, Some(Additional::Schema(value))) => node = value,
                _ if inner.starts_with(['\'', '"']) => {
                    match node.properties.get(inner.trim_matches(['\'', '"'])) {
                        Some(member) => node = member,
                        None => return Found::Anything,
                    }
                }
                _ => return Found::Anything,
            }
            continue;
        }
        let Some(after) = rest.strip_prefix('.') else { return Found::Anything };
        let end = name_end(after);
        let name = after.get(..end).unwrap_or_default().replace("\\.", ".");
        rest = after.get(end..).unwrap_or_default();
        if name.is_empty() || name == "*" {
            return Found::Anything;
        }
        match (node.properties.get(&name), &node.additional) {
            (Some(member), _) => node = member,
            (None, Some(Additional::Schema(value))) => node = value,
            (None, Some(Additional::Any)) => return Found::Anything,
            (None, None) if is_open(node) => return Found::Anything,
            (None, None) => {
                return Found::Nothing { missing: name, known: node.properties.keys().cloned().collect() };
            }
        }
    }
    Found::Node(node)
}

/// Whether a node may have members that its schema does not name.
fn is_open(node: &Schema) -> bool {
    node.is(Keyword::PreserveUnknownFields) || node.is(Keyword::EmbeddedResource)
}

/// Where a bracket is closed, past quotes and brackets within.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '[' | '(') => depth += 1,
            (None, ']') if depth == 0 => return Some(at),
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn name_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\\' if !escaped => escaped = true,
            '.' | '[' if !escaped => return at,
            _ => escaped = false,
        }
    }
    text.len()
}

const COLUMN_TYPES: [&str; 5] = ["string", "integer", "number", "boolean", "date"];

/// Checks the paths of one version.
pub(super) fn check(facts: &Facts, schema: &Schema, resource: &Resource, wrong: &mut Diagnostics) {
    let mut paths = Paths { schema, resource, wrong };
    for (column, place) in &facts.columns {
        if !COLUMN_TYPES.contains(&column.kind.as_str()) {
            let problem = CrdProblem::ColumnType { column: column.name.clone(), kind: column.kind.clone() };
            paths.report(problem, place);
        }
        paths.exists(&column.path, place);
    }
    for (path, place) in &facts.selectable {
        if let Some(node) = paths.exists(path, place)
            && !matches!(node.kind(), "string" | "integer" | "boolean")
        {
            paths.report(CrdProblem::NotSelectable { path: path.clone() }, place);
        }
    }
    let scale = facts.subresources.as_ref().and_then(|subresources| subresources.scale.as_ref());
    if let (Some(scale), Some(place)) = (scale, &facts.scale_place) {
        for (path, root, kind) in
            [(&scale.spec_path, ".spec.", "integer"), (&scale.status_path, ".status.", "integer")]
        {
            paths.scale(path, (root, kind), place);
        }
        if let Some(path) = &scale.selector_path {
            let root = if path.starts_with(".spec.") { ".spec." } else { ".status." };
            paths.scale(path, (root, "string"), place);
        }
    }
}

struct Paths<'p> {
    schema: &'p Schema,
    resource: &'p Resource,
    wrong: &'p mut Diagnostics,
}

impl<'p> Paths<'p> {
    fn report(&mut self, problem: CrdProblem, place: &Place) {
        let span = |place: &Place| Span {
            file: place.file.clone(),
            line: place.line,
            column: place.column,
            length: place.length,
        };
        let diagnostic = Diagnostic::new(problem, span(place));
        self.wrong.push(diagnostic.with_related(span(&self.resource.place), "on this kind"));
    }

    /// The node at a path; `None` when the schema does not say, or when it has been reported that there is none.
    fn exists(&mut self, path: &str, place: &Place) -> Option<&'p Schema> {
        if !path.starts_with(['.', '[']) || path.len() < 2 {
            self.report(CrdProblem::NoPath { path: path.to_owned() }, place);
            return None;
        }
        // Every object has metadata, whatever the schema of the kind says.
        if path.starts_with(".metadata") || path == ".apiVersion" || path == ".kind" {
            return None;
        }
        match follow(self.schema, path) {
            Found::Node(node) => Some(node),
            Found::Anything => None,
            Found::Nothing { missing, known } => {
                let nearest = crate::naming::nearest(&missing, known.iter().map(String::as_str));
                let nearest = nearest.map(str::to_owned);
                self.report(CrdProblem::PathUnknown { path: path.to_owned(), missing, nearest }, place);
                None
            }
        }
    }

    fn scale(&mut self, path: &str, (root, kind): (&'static str, &'static str), place: &Place) {
        if !path.starts_with(root) || path.contains('[') {
            self.report(CrdProblem::ScaleRoot { path: path.to_owned(), root }, place);
        } else if let Some(node) = self.exists(path, place)
            && node.kind() != kind
        {
            self.report(CrdProblem::ScaleType { path: path.to_owned(), kind }, place);
        }
    }
}
