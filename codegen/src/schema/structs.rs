//! Structs: fields to properties.

use super::builder::{Builder, OpenEnded, Site};
use super::merge::hint;
use super::{Additional, Keyword, Rule, Schema};
use crate::diagnostic::SchemaProblem;
use crate::model::{Field, Marker, Origin, SchemaSource, TypeDef, TypeExpr};
use std::sync::Arc;

const API_VERSION: &str = "\
APIVersion defines the versioned schema of this representation of an object.
Servers should convert recognized schemas to the latest internal value, and
may reject unrecognized values.
More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";

const KIND: &str = "\
Kind is a string value representing the REST resource this object represents.
Servers may infer this from the endpoint the client submits requests to.
Cannot be updated.
In CamelCase.
More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

/// `apiVersion` and `kind`, with the texts that every kind has.
pub(super) fn type_meta() -> Schema {
    let mut schema = Schema::of_type("object");
    for (name, description) in [("apiVersion", API_VERSION), ("kind", KIND)] {
        let property = Schema { description: description.to_owned(), ..Schema::of_type("string") };
        schema.properties.insert(name.to_owned(), property);
    }
    schema
}

/// Whose fields they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A kind: nobody has to send its metadata.
    Kind,
    /// Any other struct.
    Part,
}

/// Whether a marker of this name is among these.
pub(super) fn has(markers: &[Marker], name: &str) -> bool {
    markers.iter().any(|marker| marker.name == name)
}

impl Builder<'_> {
    /// The schema of a struct with named fields.
    pub(super) fn structure(&mut self, definition: &TypeDef, fields: &[Field]) -> Schema {
        // A transparent struct is its one field on the wire.
        if definition.container.transparent
            && let Some(only) = fields.iter().find(|field| !field.is_skipped())
        {
            return self.only(definition, only);
        }
        let mut schema = Schema::of_type("object");
        let is_derived = definition.origin == Origin::KubeDerive;
        if is_derived {
            schema.properties.extend(type_meta().properties);
        }
        let is_kind = is_derived || fields.iter().any(|field| matches!(field.ty, TypeExpr::TypeMeta(_)));
        self.properties(&mut schema, fields, if is_kind { Owner::Kind } else { Owner::Part });
        schema
    }

    /// Adds fields to an object.
    pub(super) fn properties(&mut self, schema: &mut Schema, fields: &[Field], owner: Owner) {
        for field in fields.iter().filter(|field| !field.is_skipped()) {
            let property = self.member(field, &[]);
            if field.serde.flatten {
                self.flattened(schema, field, property);
                continue;
            }
            let name = field.wire.deserialize.clone();
            let is_metadata = name == "metadata" && field.ty == TypeExpr::ObjectMeta;
            let may_be_left_out = field.optional || (is_metadata && owner == Owner::Kind);
            if !may_be_left_out {
                schema.required.insert(name.clone());
            }
            schema.properties.insert(name, property);
        }
        self.immutable(schema, fields);
    }

    /// The only field of a type that is the same on the wire. What the type says comes on top of what the field says.
    pub(super) fn only(&mut self, definition: &TypeDef, field: &Field) -> Schema {
        let schema = self.member(field, &definition.markers);
        if field.markers.is_empty() || definition.markers.is_empty() {
            return schema;
        }
        let target = Arc::new(self.finish(schema, &field.ident, &field.place));
        Schema { reference: Some(Arc::clone(&target)), ..hint(&target) }
    }

    /// One field, checked. Markers around it may say what its attributes leave open.
    pub(super) fn member(&mut self, field: &Field, around: &[Marker]) -> Schema {
        let mut property = self.field(field, around);
        let says_type = |marker: &Marker| {
            matches!(
                marker.name.as_str(),
                "kubebuilder:validation:Type" | "kubebuilder:validation:items:Type"
            )
        };
        if field.markers.iter().any(says_type) {
            // Another type than that of the Rust type is a fault of this field.
            property = self.finish(property, &field.ident, &field.place);
        }
        self.check_field(&property, field);
        property
    }

    /// One field with its text and its markers, not finished.
    fn field(&mut self, field: &Field, around: &[Marker]) -> Schema {
        let said = |name: &str| has(&field.markers, name) || has(around, name);
        let keeps = said("kubebuilder:pruning:PreserveUnknownFields")
            || said("kubebuilder:validation:XPreserveUnknownFields");
        let open_ended = if keeps { OpenEnded::Yes } else { OpenEnded::No };
        let site = Site { name: &field.ident, place: &field.place, open_ended };
        if !has(&field.markers, "kubebuilder:validation:Schemaless") {
            field.gaps.iter().for_each(|gap| self.gap(gap, &field.ident));
        }
        let mut schema = if has(&field.markers, "kubebuilder:validation:Schemaless") {
            Schema::default()
        } else if let SchemaSource::Other(ty) = &field.schema {
            self.expr(ty, site)
        } else if let SchemaSource::Extended(ty, extensions) = &field.schema {
            self.extended((ty, extensions), site)
        } else if let Some(schema) = self.written_out(&field.schema, site) {
            schema
        } else if field.serde.custom || is_function(field) {
            let says_type = said("kubebuilder:validation:Type");
            if !says_type && !said("kubebuilder:validation:XIntOrString") && !keeps {
                let by = match field.schema {
                    SchemaSource::Function(_) | SchemaSource::Literal(_) => "#[schemars(schema_with = ..)]",
                    _ => "#[serde(with = ..)]",
                };
                self.report(SchemaProblem::Custom { name: field.ident.clone(), by }, &field.place);
            }
            Schema::default()
        } else {
            self.expr(&field.ty, site)
        };
        if !field.description.is_empty() || !is_function(field) {
            schema.description.clone_from(&field.description);
        }
        self.field_markers(&mut schema, field);
        schema
    }

    /// The members of a flattened field become members of the object around it.
    fn flattened(&mut self, schema: &mut Schema, field: &Field, property: Schema) {
        let mut property = self.finish(property, &field.ident, &field.place);
        if property.kind() != "object" && !property.is(Keyword::PreserveUnknownFields) {
            let found = match property.kind() {
                "" => "anything".to_owned(),
                kind => format!("of type {kind}"),
            };
            self.report(SchemaProblem::FlattenNoObject { name: field.ident.clone(), found }, &field.place);
            return;
        }
        if let Some(additional) = property.additional.take() {
            let open = match &additional {
                Additional::Any => true,
                Additional::Schema(schema) => {
                    schema.kind().is_empty() && schema.is(Keyword::PreserveUnknownFields)
                }
            };
            if !open {
                self.report(SchemaProblem::FlattenMap { name: field.ident.clone() }, &field.place);
            }
            property.set(Keyword::PreserveUnknownFields, true);
        }
        if field.ty.is_option() {
            property.required.clear();
        }
        schema.all_of.push(property);
    }

    /// An optional member that cannot change cannot be taken away either: that is a rule of the object around it.
    fn immutable(&mut self, schema: &mut Schema, fields: &[Field]) {
        for field in fields {
            let name = &field.wire.deserialize;
            let marker = field.markers.iter().find(|marker| marker.name == "k8s:immutable");
            if let Some(marker) = marker.filter(|_| !schema.required.contains(name)) {
                let name = super::cel::accessor(name);
                let rule = Rule::new(
                    format!("!has(oldSelf.{name}) || has(self.{name})"),
                    format!("field {} is immutable once set", field.wire.deserialize),
                );
                schema.rules.push(rule.at(&marker.place));
            }
        }
    }
}

/// Whether a function makes the schema of a field.
fn is_function(field: &Field) -> bool {
    matches!(field.schema, SchemaSource::Function(_) | SchemaSource::Literal(_))
}
