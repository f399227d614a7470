//! Enums: words, and variants with data as far as a structural schema can say them.
//!
//! A schema is structural when the types of all members stand outside of alternatives. So the members of all variants are
//! put together, and the choice is left as lists of what is required.

use super::builder::Builder;
use super::structs::Owner;
use super::{Keyword, Schema};
use crate::diagnostic::SchemaProblem;
use crate::model::{EnumTagging, TypeDef, Variant, VariantShape};
use serde_json::Value;

impl Builder<'_> {
    /// The schema of an enum.
    pub(super) fn enumeration(
        &mut self,
        definition: &TypeDef,
        tagging: &EnumTagging,
        variants: &[Variant],
    ) -> Schema {
        let variants: Vec<&Variant> = variants.iter().filter(|variant| !variant.skip).collect();
        let units = variants.iter().filter(|variant| variant.shape == VariantShape::Unit).count();
        match tagging {
            _ if variants.is_empty() => self.unstructural(definition, "is an enum without variants"),
            EnumTagging::External if units == variants.len() => {
                let words = variants.iter().map(|variant| variant.wire.deserialize.as_str());
                Schema::of_type("string").with(Keyword::Enum, words.collect::<Value>())
            }
            EnumTagging::External if units > 0 => self.unstructural(
                definition,
                "is an enum of words and of variants with data, which is a text or an object",
            ),
            EnumTagging::External => self.external(definition, &variants),
            EnumTagging::Internal(tag) => self.internal(definition, tag, &variants),
            EnumTagging::Adjacent(tag, content) => self.adjacent(definition, (tag, content), &variants),
            EnumTagging::Untagged => self.untagged(definition, &variants),
        }
    }

    fn unstructural(&mut self, definition: &TypeDef, what: &'static str) -> Schema {
        let problem = SchemaProblem::EnumForm { name: definition.path.name.clone(), what };
        self.report(problem, &definition.place);
        Schema::default()
    }

    /// `{variant: data}`: a member for each variant, of which one is there.
    fn external(&mut self, definition: &TypeDef, variants: &[&Variant]) -> Schema {
        let mut schema = Schema::of_type("object");
        for variant in variants {
            let name = variant.wire.deserialize.clone();
            let Some(mut data) = self.data(definition, variant) else { continue };
            data.description.clone_from(&variant.description);
            let mut choice = Schema::default();
            choice.required.insert(name.clone());
            schema.one_of.push(choice);
            schema.properties.insert(name, data);
        }
        schema
    }

    /// `{tag: variant, ..data}`.
    fn internal(&mut self, definition: &TypeDef, tag: &str, variants: &[&Variant]) -> Schema {
        let mut schema = self.tagged(tag, variants);
        for variant in variants {
            let Some(data) = self.data(definition, variant) else { continue };
            let data = self.finish(data, &variant.ident, &variant.place);
            if variant.shape != VariantShape::Unit && data.kind() != "object" {
                self.unstructural(
                    definition,
                    "has a variant whose data has no members to stand beside the tag",
                );
                continue;
            }
            let mut choice = chosen(tag, &variant.wire.deserialize);
            choice.required.extend(data.required.iter().cloned());
            schema.one_of.push(choice);
            self.join(definition, &mut schema, data);
        }
        schema
    }

    /// `{tag: variant, content: data}`.
    fn adjacent(
        &mut self,
        definition: &TypeDef,
        (tag, content): (&str, &str),
        variants: &[&Variant],
    ) -> Schema {
        let mut schema = self.tagged(tag, variants);
        for variant in variants {
            let mut choice = chosen(tag, &variant.wire.deserialize);
            if variant.shape != VariantShape::Unit {
                let Some(data) = self.data(definition, variant) else { continue };
                let mut data = self.finish(data, &variant.ident, &variant.place);
                choice.required.insert(content.to_owned());
                if !data.required.is_empty() {
                    let inner = Schema { required: std::mem::take(&mut data.required), ..Schema::default() };
                    choice.properties.insert(content.to_owned(), inner);
                }
                let mut around = Schema::of_type("object");
                around.properties.insert(content.to_owned(), data);
                self.join(definition, &mut schema, around);
            }
            schema.one_of.push(choice);
        }
        schema
    }

    /// The data alone: objects are told apart by what they require; a number or a text is `int-or-string`.
    fn untagged(&mut self, definition: &TypeDef, variants: &[&Variant]) -> Schema {
        let mut forms = Vec::new();
        for variant in variants {
            let Some(data) = self.data(definition, variant) else { continue };
            forms.push(self.finish(data, &variant.ident, &variant.place));
        }
        let kinds: Vec<&str> = forms.iter().map(Schema::kind).collect();
        if kinds.iter().all(|kind| *kind == "object") {
            let mut schema = Schema::of_type("object");
            for mut form in forms {
                let required = std::mem::take(&mut form.required);
                schema.any_of.push(Schema { required, ..Schema::default() });
                self.join(definition, &mut schema, form);
            }
            return schema;
        }
        let mut sorted = kinds.clone();
        sorted.sort_unstable();
        sorted.dedup();
        match sorted.as_slice() {
            ["integer", "string"] => Schema {
                any_of: vec![Schema::of_type("integer"), Schema::of_type("string")],
                ..Schema::default().with(Keyword::IntOrString, true)
            },
            [one] if !one.is_empty() && *one != "array" => Schema::of_type(one),
            _ => self.unstructural(
                definition,
                "is an untagged enum of values of different types, which a schema cannot tell apart",
            ),
        }
    }

    fn tagged(&self, tag: &str, variants: &[&Variant]) -> Schema {
        let words = variants.iter().map(|variant| variant.wire.deserialize.as_str());
        let mut schema = Schema::of_type("object");
        let property = Schema::of_type("string").with(Keyword::Enum, words.collect::<Value>());
        schema.properties.insert(tag.to_owned(), property);
        schema.required.insert(tag.to_owned());
        schema
    }

    /// What a variant holds; nothing for one that holds nothing.
    fn data(&mut self, definition: &TypeDef, variant: &Variant) -> Option<Schema> {
        match &variant.shape {
            VariantShape::Unit => Some(Schema::default()),
            VariantShape::Newtype(only) => Some(self.member(only, &[])),
            VariantShape::Struct(fields) => {
                let mut schema = Schema::of_type("object");
                self.properties(&mut schema, fields, Owner::Part);
                Some(schema)
            }
            VariantShape::Tuple(_) => {
                self.unstructural(definition, "has a variant that holds a tuple");
                None
            }
        }
    }

    /// Puts the members of a variant beside those of the others; a name that two variants share must mean the same.
    fn join(&mut self, definition: &TypeDef, schema: &mut Schema, data: Schema) {
        for (name, mut property) in data.properties {
            match schema.properties.get_mut(&name) {
                None => {
                    schema.properties.insert(name, property);
                }
                Some(known) if *known == property => {}
                Some(known) => {
                    known.description.clear();
                    property.description.clear();
                    let objects = known.kind() == "object" && property.kind() == "object";
                    if objects && known.additional.is_none() && property.additional.is_none() {
                        let mut inner = std::mem::take(known);
                        inner.required = inner.required.intersection(&property.required).cloned().collect();
                        self.join(definition, &mut inner, property);
                        if let Some(known) = schema.properties.get_mut(&name) {
                            *known = inner;
                        }
                    } else if *known != property {
                        let problem =
                            SchemaProblem::VariantsClash { name: definition.path.name.clone(), member: name };
                        self.report(problem, &definition.place);
                    }
                }
            }
        }
        if data.keywords.contains_key(&Keyword::PreserveUnknownFields) {
            schema.set(Keyword::PreserveUnknownFields, true);
        }
        schema.rules.extend(data.rules);
    }
}

/// The alternative in which the tag has this word.
fn chosen(tag: &str, word: &str) -> Schema {
    let mut choice = Schema::default();
    let words = Value::Array(vec![Value::from(word)]);
    choice.properties.insert(tag.to_owned(), Schema::default().with(Keyword::Enum, words));
    choice.required.insert(tag.to_owned());
    choice
}
