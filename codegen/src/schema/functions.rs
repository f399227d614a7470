//! Schemas that functions give: those of `schema_with`, and those of an `impl JsonSchema` that stands in the source.

use super::Schema;
use super::builder::{Builder, Site};
use crate::diagnostic::SchemaProblem;
use crate::model::{OWN_IMPL, SchemaSource, TypeDef, TypeExpr};
use serde_json::Value;

impl Builder<'_> {
    /// The schema of a type with what a function adds to it.
    pub(super) fn extended(&mut self, (ty, extensions): (&TypeExpr, &Value), site: Site<'_>) -> Schema {
        let mut schema = self.expr(ty, site);
        let Some(added) = super::literal::schema(extensions) else {
            let by = "#[schemars(schema_with = ..)]";
            self.report(SchemaProblem::Custom { name: site.name.to_owned(), by }, site.place);
            return schema;
        };
        schema.keywords.extend(added.keywords);
        schema.rules.extend(added.rules);
        schema.list_map_keys.extend(added.list_map_keys);
        // What the type says has been checked, what is added to it has not.
        let whole = super::merge::finish(schema.clone(), &mut Vec::new());
        self.check_added(&whole, site);
        schema
    }

    /// The schema that a type's own `impl JsonSchema` gives; nothing where a marker says what it is.
    pub(super) fn own_schema(&mut self, definition: &TypeDef, is_said: bool) -> Schema {
        let site = self.site_of(definition);
        if is_said {
            return Schema::default();
        }
        match &definition.schema {
            SchemaSource::Extended(ty, extensions) => return self.extended((ty, extensions), site),
            SchemaSource::Other(ty) => return self.expr(ty, site),
            _ => {}
        }
        self.written_out(&definition.schema, site).unwrap_or_else(|| {
            let name = definition.path.name.clone();
            let by = "#[schemars(schema_with = ..)]";
            let problem = match &definition.schema {
                SchemaSource::Function(function) if function != OWN_IMPL => {
                    SchemaProblem::Custom { name, by }
                }
                _ => SchemaProblem::OwnSchema { name },
            };
            self.report(problem, &definition.place);
            Schema::default()
        })
    }

    /// The schema of a function that holds nothing but JSON.
    pub(super) fn written_out(&mut self, source: &SchemaSource, site: Site<'_>) -> Option<Schema> {
        let SchemaSource::Literal(value) = source else { return None };
        let schema = super::literal::schema(value)?;
        self.check_written(&schema, site);
        Some(schema)
    }
}
