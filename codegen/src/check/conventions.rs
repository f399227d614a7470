//! Conventions of Kubernetes APIs: what a server accepts, and what is hard to undo later.
//!
//! Looked at are the kinds that get definitions, and the types of their own crate that they are made of.

use super::span;
use crate::diagnostic::{Convention, ConventionProblem, Diagnostics};
use crate::model::{
    Field, FieldSerde, Marker, Model, Origin, Resource, Shape, TypeDef, TypeExpr, TypeKind, TypePath,
    VariantShape,
};
use crate::naming::SerdeCase;
use std::collections::BTreeSet;

/// Finds what goes against conventions, apart from those that are allowed to be gone against.
pub fn check_conventions(model: &Model, allowed: &BTreeSet<Convention>) -> Diagnostics {
    let mut review = Review { model, seen: BTreeSet::new(), found: Diagnostics::new() };
    for (_, version, resource) in model.resources() {
        let is_skipped = has(&version.package.markers, "kubebuilder:skip");
        if !is_skipped && !matches!(resource.shape, Shape::ReExport { .. }) {
            review.kind(resource);
        }
    }
    let mut found = review.found;
    found.retain(|diagnostic| !diagnostic.problem.convention().is_some_and(|rule| allowed.contains(&rule)));
    found
}

/// A walk through the types of kinds, each type once.
struct Review<'m> {
    model: &'m Model,
    seen: BTreeSet<&'m TypePath>,
    found: Diagnostics,
}

impl<'m> Review<'m> {
    fn kind(&mut self, resource: &'m Resource) {
        let Some(root) = self.model.root(resource) else { return };
        let is_written_out = root.origin == Origin::Package;
        let status = "kubebuilder:subresource:status";
        if is_written_out && root.field("status").is_some() && !has(&resource.markers, status) {
            let problem = ConventionProblem::StatusSubresource { kind: resource.kind.clone() };
            self.found.add(problem, span(&resource.place));
        }
        self.definition(root);
    }

    fn definition(&mut self, definition: &'m TypeDef) {
        if definition.origin == Origin::Foreign || !self.seen.insert(&definition.path) {
            return;
        }
        match &definition.kind {
            TypeKind::Struct(fields) => self.fields(definition, fields),
            TypeKind::Newtype(only) => self.expr(&only.ty),
            TypeKind::Tuple(members) => members.iter().for_each(|member| self.expr(member)),
            TypeKind::Unit => {}
            TypeKind::Enum(_, variants) => {
                for variant in variants {
                    match &variant.shape {
                        VariantShape::Unit => {}
                        VariantShape::Newtype(only) => self.expr(&only.ty),
                        VariantShape::Tuple(members) => members.iter().for_each(|member| self.expr(member)),
                        VariantShape::Struct(fields) => self.fields(definition, fields),
                    }
                }
            }
        }
    }

    fn fields(&mut self, definition: &'m TypeDef, fields: &'m [Field]) {
        for field in fields.iter().filter(|field| !is_of_every_kind(field)) {
            for problem in problems(definition, field) {
                self.found.add(problem, span(&field.place));
            }
            self.expr(&field.ty);
        }
    }

    fn expr(&mut self, ty: &'m TypeExpr) {
        if let Some(definition) = ty.path().and_then(|path| self.model.definition(path)) {
            self.definition(definition);
        }
        ty.children().into_iter().for_each(|child| self.expr(child));
    }
}

/// Whether a field is one that all kinds have, or that is never sent.
fn is_of_every_kind(field: &Field) -> bool {
    let FieldSerde { skip_serializing, skip_deserializing, .. } = field.serde;
    let is_meta = matches!(field.ty, TypeExpr::TypeMeta(_) | TypeExpr::ObjectMeta);
    is_meta || (skip_serializing && skip_deserializing)
}

fn problems(definition: &TypeDef, field: &Field) -> Vec<ConventionProblem> {
    let mut problems = Vec::new();
    let name = || field.ident.clone();
    let wire = &field.wire.deserialize;
    if !field.serde.flatten && !is_lower_camel(wire) {
        let better = SerdeCase::Camel.field(&field.ident);
        problems.push(ConventionProblem::FieldCase { name: wire.clone(), better });
    }
    if field.optional && !field.serde.flatten && !can_be_missing(definition, field) {
        problems.push(ConventionProblem::OptionalDefault { name: name() });
    }
    match field.ty.inner() {
        TypeExpr::Float(_) => problems.push(ConventionProblem::Float { name: name() }),
        TypeExpr::Bool => problems.push(ConventionProblem::Boolean { name: name() }),
        TypeExpr::List(_, item) if is_condition(item) && !is_keyed(&field.markers) => {
            problems.push(ConventionProblem::Conditions { name: name() });
        }
        _ => {}
    }
    problems
}

/// Whether serde reads a document without the field, or a server fills it in before.
fn can_be_missing(definition: &TypeDef, field: &Field) -> bool {
    let has_default = field.serde.default.is_some() || definition.container.default;
    // An `Option` with a function of its own is asked for like any other type.
    let is_plain_option =
        field.ty.is_option() && field.serde.deserialize_with.is_none() && field.serde.with.is_none();
    let is_filled_in = has(&field.markers, "kubebuilder:default") || has(&field.markers, "default");
    has_default || is_plain_option || is_filled_in || field.serde.skip_deserializing
}

fn is_lower_camel(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
}

fn is_condition(item: &TypeExpr) -> bool {
    item.inner().path().is_some_and(|path| path.crate_name == "k8s_openapi" && path.name == "Condition")
}

fn is_keyed(markers: &[Marker]) -> bool {
    let says_map = |marker: &&Marker| marker.value().and_then(|value| value.as_text()) == Some("map");
    let is_list_type = |marker: &&Marker| matches!(marker.name.as_str(), "listType" | "k8s:listType");
    markers.iter().filter(is_list_type).any(|marker| says_map(&marker))
}

fn has(markers: &[Marker], name: &str) -> bool {
    markers.iter().any(|marker| marker.name == name)
}
