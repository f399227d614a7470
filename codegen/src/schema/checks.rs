//! Checks of finished nodes: what a server would refuse is refused here, at the marker that is at fault.

use super::builder::{Builder, span};
use super::cel::{self, Fault};
use super::fits::fits;
use super::structs::has;
use super::{Keyword, Schema};
use crate::diagnostic::{Diagnostic, Problem, SchemaProblem};
use crate::model::{Field, Marker, Place, TypeDef};

/// Markers whose meaning depends on the whole node.
const CHECKED: [&str; 10] = [
    "default",
    "kubebuilder:default",
    "listType",
    "k8s:listType",
    "listMapKey",
    "k8s:listMapKey",
    "kubebuilder:validation:EmbeddedResource",
    "kubebuilder:validation:XEmbeddedResource",
    RULE,
    ITEM_RULE,
];

const RULE: &str = "kubebuilder:validation:XValidation";
const ITEM_RULE: &str = "kubebuilder:validation:items:XValidation";

/// What a node belongs to.
struct Owner<'o> {
    name: &'o str,
    markers: &'o [Marker],
    place: &'o Place,
    label: &'static str,
}

impl Builder<'_> {
    /// Checks a field's node before it is put into the object around it.
    pub(super) fn check_field(&mut self, schema: &Schema, field: &Field) {
        let owner = Owner {
            name: &field.ident,
            markers: &field.markers,
            place: &field.place,
            label: "on this field",
        };
        if is_untyped(schema) && has(&field.markers, "kubebuilder:validation:Schemaless") {
            self.report(SchemaProblem::Untyped { name: field.ident.clone() }, &field.place);
        }
        if field.markers.iter().any(|marker| CHECKED.contains(&marker.name.as_str())) {
            let finished = super::merge::finish(schema.clone(), &mut Vec::new());
            self.check(&finished, &owner);
        }
    }

    /// Checks a type's finished node.
    pub(super) fn check_type(&mut self, schema: &Schema, definition: &TypeDef) {
        let owner = Owner {
            name: &definition.path.name,
            markers: &definition.markers,
            place: &definition.place,
            label: "on this type",
        };
        if definition.markers.iter().any(|marker| CHECKED.contains(&marker.name.as_str())) {
            self.check(schema, &owner);
        }
    }

    fn check(&mut self, schema: &Schema, owner: &Owner<'_>) {
        if let Some(marker) = owner.first(&["kubebuilder:default", "default"])
            && let Some(value) = schema.get(Keyword::Default)
            && let Err(misfit) = fits(value, schema, "")
        {
            let at = if misfit.path.is_empty() { String::new() } else { format!(" at `{}`", misfit.path) };
            let problem =
                SchemaProblem::DefaultMisfit { name: owner.name.to_owned(), at, reason: misfit.reason };
            self.complain_at(problem, marker, owner);
        }
        let embedded = owner
            .first(&["kubebuilder:validation:EmbeddedResource", "kubebuilder:validation:XEmbeddedResource"]);
        if let Some(marker) = embedded.filter(|_| schema.kind() != "object") {
            let found = super::bounds::described(schema);
            let name = owner.name.to_owned();
            let marker_name = marker.name.clone();
            let problem = SchemaProblem::Misapplied { marker: marker_name, name, wanted: "an object", found };
            self.complain_at(problem, marker, owner);
        }
        self.check_list(schema, owner);
        self.check_rules(schema, owner);
    }

    /// CEL rules name fields that are there.
    fn check_rules(&mut self, schema: &Schema, owner: &Owner<'_>) {
        for marker in owner.markers {
            let node = match marker.name.as_str() {
                RULE => Some(schema),
                ITEM_RULE => schema.items.as_deref(),
                _ => None,
            };
            let Some(node) = node else { continue };
            let rule = super::markers::rule(marker);
            let expressions = [Some(rule.rule), rule.message_expression];
            for fault in expressions.iter().flatten().filter_map(|text| cel::check(text, node).err()) {
                let name = owner.name.to_owned();
                let problem = match fault {
                    Fault::Unbalanced(letter) => SchemaProblem::RuleUnbalanced { name, letter },
                    Fault::NoField { name: field, known } => {
                        let nearest = crate::naming::nearest(&field, known.iter().map(String::as_str));
                        SchemaProblem::RuleField { name, field, nearest: nearest.map(str::to_owned) }
                    }
                };
                self.complain_at(problem, marker, owner);
            }
        }
    }

    fn check_list(&mut self, schema: &Schema, owner: &Owner<'_>) {
        let Some(marker) = owner.first(&["listType", "k8s:listType", "listMapKey", "k8s:listMapKey"]) else {
            return;
        };
        let name = || owner.name.to_owned();
        let Some(items) = schema.items.as_deref() else { return };
        match schema.text(Keyword::ListType) {
            Some("set") => {
                let is_atomic = items.text(Keyword::MapType) == Some("atomic")
                    || (items.kind() == "array"
                        && items.text(Keyword::ListType).is_none_or(|kind| kind == "atomic"));
                let is_scalar = !matches!(items.kind(), "object" | "array" | "");
                if items.is(Keyword::Nullable) || !(is_scalar || is_atomic || items.is(Keyword::IntOrString))
                {
                    let found = super::bounds::described(items);
                    self.complain_at(SchemaProblem::SetOf { name: name(), found }, marker, owner);
                }
            }
            Some("map") => {
                if items.kind() != "object" {
                    let found = super::bounds::described(items);
                    self.complain_at(SchemaProblem::MapOf { name: name(), found }, marker, owner);
                    return;
                }
                if schema.list_map_keys.is_empty() {
                    self.complain_at(SchemaProblem::NoMapKey { name: name() }, marker, owner);
                }
                for key in &schema.list_map_keys {
                    let keys = owner.markers.iter().filter(|marker| marker.name.ends_with("istMapKey"));
                    let mut said =
                        keys.filter(|marker| marker.value().and_then(|value| value.as_text()) == Some(key));
                    let marker = said.next_back().unwrap_or(marker);
                    self.check_key(items, key, (marker, owner));
                }
            }
            _ => {}
        }
    }

    /// A key of a list is always there, by requirement or by default.
    fn check_key(&mut self, items: &Schema, key: &str, (marker, owner): (&Marker, &Owner<'_>)) {
        let (name, key) = (owner.name.to_owned(), key.to_owned());
        let problem = match items.properties.get(&key) {
            None => SchemaProblem::KeyUnknown { name, key },
            Some(member) if matches!(member.kind(), "object" | "array") => {
                SchemaProblem::KeyNotScalar { name, key }
            }
            Some(member) if member.is(Keyword::Nullable) => SchemaProblem::KeyNullable { name, key },
            Some(member) if member.get(Keyword::Default).is_none() && !items.required.contains(&key) => {
                SchemaProblem::KeyOptional { name, key }
            }
            Some(_) => return,
        };
        self.complain_at(problem, marker, owner);
    }

    fn complain_at(&mut self, problem: SchemaProblem, marker: &Marker, owner: &Owner<'_>) {
        let diagnostic = Diagnostic::new(Problem::from(problem), span(&marker.place));
        self.diagnostics.push(diagnostic.with_related(span(owner.place), owner.label));
    }
}

impl<'o> Owner<'o> {
    fn first(&self, names: &[&str]) -> Option<&'o Marker> {
        self.markers.iter().find(|marker| names.contains(&marker.name.as_str()))
    }
}

/// Whether nothing says what a value is.
fn is_untyped(schema: &Schema) -> bool {
    schema.kind().is_empty()
        && schema.reference.is_none()
        && !schema.is(Keyword::IntOrString)
        && !schema.is(Keyword::PreserveUnknownFields)
}
