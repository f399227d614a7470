//! Rules that markers stand for: which fields of an object exclude or need each other.

use super::builder::{Builder, span};
use super::cel::accessor;
use super::structs::has;
use super::{Rule, Schema};
use crate::diagnostic::SchemaProblem;
use crate::model::{Field, Marker, MarkerValue, TypeDef};

const SETS: [&str; 3] = [
    "kubebuilder:validation:AtMostOneOf",
    "kubebuilder:validation:ExactlyOneOf",
    "kubebuilder:validation:AtLeastOneOf",
];

impl Builder<'_> {
    /// Checks that the members of one-of sets are there, and may be missing from an object.
    pub(super) fn one_of_sets(&mut self, schema: &Schema, definition: &TypeDef) {
        for marker in definition.markers.iter().filter(|marker| SETS.contains(&marker.name.as_str())) {
            let place = marker.arguments.first().map_or(&marker.place, |argument| &argument.place);
            for name in members(marker) {
                let field = definition.fields().iter().find(|field| field.wire.deserialize == name);
                let Some(problem) = fault(name, schema, field, (marker, definition)) else { continue };
                let mut diagnostic = crate::diagnostic::Diagnostic::new(problem, span(place));
                let (place, label) = match field {
                    Some(field) => (&field.place, "this field"),
                    None => (&definition.place, "on this type"),
                };
                diagnostic = diagnostic.with_related(span(place), label);
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

fn fault(
    name: &str,
    schema: &Schema,
    field: Option<&Field>,
    (marker, definition): (&Marker, &TypeDef),
) -> Option<SchemaProblem> {
    let (marker, name, of) = (marker.name.clone(), name.to_owned(), definition.path.name.clone());
    if name.contains('.') {
        return Some(SchemaProblem::OneOfNested { marker, of, name });
    }
    match field {
        // Members of flattened structs are not looked into here.
        None if schema.properties.contains_key(&name) || !schema.all_of.is_empty() => None,
        None => Some(SchemaProblem::OneOfUnknown { marker, of, name }),
        Some(field) if !field.optional => {
            let marked = ["required", "k8s:required", "kubebuilder:validation:Required"];
            let marked = marked.into_iter().find(|required| has(&field.markers, required));
            Some(SchemaProblem::OneOfRequired { marker, of, name, by: marked })
        }
        Some(_) => None,
    }
}

/// The fields that a one-of marker names.
fn members(marker: &Marker) -> Vec<&str> {
    match marker.value() {
        Some(MarkerValue::List(items)) => items.iter().filter_map(MarkerValue::as_text).collect(),
        _ => Vec::new(),
    }
}

/// Adds the rule of a one-of marker.
pub(super) fn one_of(schema: &mut Schema, kind: &str, marker: &Marker) {
    let fields = members(marker);
    if fields.is_empty() {
        return;
    }
    let shown = fields.join(" ");
    let count = || {
        let each = fields.iter().map(|field| format!("(has(self.{})?1:0)", accessor(field)));
        each.collect::<Vec<_>>().join("+")
    };
    let rule = match kind {
        "AtMostOneOf" => Rule::new(
            format!("{} <= 1", count()),
            format!("at most one of the fields in [{shown}] may be set"),
        ),
        "ExactlyOneOf" => Rule::new(
            format!("{} == 1", count()),
            format!("exactly one of the fields in [{shown}] must be set"),
        ),
        _ => {
            let each = fields.iter().map(|field| format!("has(self.{})", accessor(field)));
            let message = format!("at least one of the fields in [{shown}] must be set");
            Rule::new(each.collect::<Vec<_>>().join("||"), message)
        }
    };
    schema.rules.push(rule.at(&marker.place));
}

/// Adds the alternatives of a one-of marker: which fields are there, in all ways that are allowed or in those that are not.
pub(super) fn alternatives(schema: &mut Schema, kind: &str, marker: &Marker) {
    let fields = members(marker);
    let with = |names: &[&str]| Schema {
        required: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Schema::default()
    };
    let each = || fields.iter().map(|name| with(&[name])).collect::<Vec<_>>();
    let mut branch = Schema::default();
    match kind {
        "AtMostOneOf" => {
            let pairs = fields.iter().enumerate().flat_map(|(at, first)| {
                let others = fields.iter().skip(at + 1);
                others.map(move |second| [*first, *second])
            });
            schema.none_of.extend(pairs.map(|pair| with(&pair)));
        }
        "ExactlyOneOf" if schema.one_of.is_empty() => schema.one_of = each(),
        "ExactlyOneOf" => branch.one_of = each(),
        _ if schema.any_of.is_empty() => schema.any_of = each(),
        _ => branch.any_of = each(),
    }
    if branch != Schema::default() {
        schema.all_of.push(branch);
    }
}
