//! Markers: what they make of a schema.
//!
//! Markers that decide the type come first, then the others in the order written, then the rules of one-of sets, then
//! defaults. A marker for the items of a list works on the node of the items.

use super::bounds::Misfit;
use super::builder::{Builder, span};
use super::checks::is_untyped;
use super::structs::has;
use super::{ExternalDocs, Keyword, OneOfStyle, Rule, Schema, bounds, rules, values};
use crate::diagnostic::{Diagnostic, Problem, SchemaProblem};
use crate::model::{Field, Marker, MarkerValue, TypeDef, TypeKind, VariantShape};
use serde_json::Value;

const ITEMS: &str = "kubebuilder:validation:items:";
const VALIDATION: &str = "kubebuilder:validation:";

/// On what markers stand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target<'t> {
    /// A type.
    Type(&'t TypeDef),
    /// A field.
    Field(&'t Field),
}

impl<'t> Target<'t> {
    fn name(self) -> &'t str {
        match self {
            Self::Type(definition) => &definition.path.name,
            Self::Field(field) => &field.ident,
        }
    }

    fn markers(self) -> &'t [Marker] {
        match self {
            Self::Type(definition) => &definition.markers,
            Self::Field(field) => &field.markers,
        }
    }

    fn place(self) -> &'t crate::model::Place {
        match self {
            Self::Type(definition) => &definition.place,
            Self::Field(field) => &field.place,
        }
    }
}

/// When a marker takes effect; those of one rank in the order written.
fn rank(name: &str) -> u8 {
    match name.strip_prefix(ITEMS).or_else(|| name.strip_prefix(VALIDATION)).unwrap_or(name) {
        "Type" | "XIntOrString" | "listType" | "k8s:listType" | "k8s:enum" => 0,
        "k8s:required" | "k8s:immutable" => 2,
        "AtMostOneOf" => 3,
        "ExactlyOneOf" => 4,
        "AtLeastOneOf" => 5,
        "default" => 6,
        "kubebuilder:default" => 7,
        _ => 1,
    }
}

impl Builder<'_> {
    /// Applies the markers of a type.
    pub(super) fn type_markers(&mut self, schema: &mut Schema, definition: &TypeDef) {
        self.one_of_sets(schema, definition);
        self.apply_all(schema, Target::Type(definition));
    }

    /// Applies the markers of a field.
    pub(super) fn field_markers(&mut self, schema: &mut Schema, field: &Field) {
        self.apply_all(schema, Target::Field(field));
    }

    fn apply_all(&mut self, schema: &mut Schema, target: Target<'_>) {
        let mut markers: Vec<&Marker> = target.markers().iter().collect();
        markers.sort_by_key(|marker| rank(&marker.name));
        let (items, own): (Vec<&Marker>, Vec<&Marker>) =
            markers.into_iter().partition(|marker| marker.name.starts_with(ITEMS));
        for marker in own {
            let applied = self.apply(schema, marker, target);
            self.complain(applied, marker, target);
        }
        let is_open = schema.items.is_none() && schema.reference.is_none();
        for marker in items {
            let applied = match self.items_of(schema) {
                Some(items) => self.apply(items, marker, target),
                None => Err(SchemaProblem::Misapplied {
                    marker: marker.name.clone(),
                    name: target.name().to_owned(),
                    wanted: "the items of a list",
                    found: bounds::described(schema),
                }),
            };
            self.complain(applied, marker, target);
        }
        let is_bare =
            |items: &Schema| is_untyped(items) || (items.kind() == "array" && items.items.is_none());
        if is_open && schema.items.as_deref().is_some_and(is_bare) {
            // What is said of them does not say what they are.
            schema.items = None;
        }
    }

    fn complain(&mut self, applied: Result<(), SchemaProblem>, marker: &Marker, target: Target<'_>) {
        if let Err(problem) = applied {
            let diagnostic = Diagnostic::new(Problem::from(problem), span(&marker.place));
            let here = match target {
                Target::Type(_) => "on this type",
                Target::Field(_) => "on this field",
            };
            self.diagnostics.push(diagnostic.with_related(span(target.place()), here));
        }
    }

    /// The node of the items of a list, be it a list by its own type or by a named one.
    fn items_of<'s>(&self, schema: &'s mut Schema) -> Option<&'s mut Schema> {
        if bounds::kind(schema) != "array" {
            return None;
        }
        if schema.items.is_none() {
            schema.items = Some(Box::new(match schema.reference.as_deref() {
                Some(target) => super::merge::hint(target.items.as_deref()?),
                // A list by its marker alone: markers say what is in it too.
                None => Schema::default(),
            }));
        }
        schema.items.as_deref_mut()
    }

    fn apply(
        &mut self,
        schema: &mut Schema,
        marker: &Marker,
        target: Target<'_>,
    ) -> Result<(), SchemaProblem> {
        let name = marker.name.as_str();
        let short = name.strip_prefix(ITEMS).or_else(|| name.strip_prefix(VALIDATION)).unwrap_or(name);
        if let Some(bound) = bounds::find(short) {
            return bounds::apply(schema, bound, marker).map_err(|misfit| match misfit {
                Misfit::Type { wanted, found } => SchemaProblem::Misapplied {
                    marker: marker.name.clone(),
                    name: target.name().to_owned(),
                    wanted,
                    found,
                },
                Misfit::Fraction => {
                    SchemaProblem::Fraction { marker: marker.name.clone(), name: target.name().to_owned() }
                }
                Misfit::Negative => SchemaProblem::Negative { marker: marker.name.clone() },
                Misfit::Pattern(reason) => SchemaProblem::BadPattern { marker: marker.name.clone(), reason },
                Misfit::Unique => SchemaProblem::UniqueItems { name: target.name().to_owned() },
            });
        }
        match short {
            "Enum" => self.enumerated(schema, marker, target)?,
            "k8s:enum" => enum_of_type(schema, target)?,
            "XEmbeddedResource" | "EmbeddedResource" => schema.set(Keyword::EmbeddedResource, true),
            "XIntOrString" => schema.set(Keyword::IntOrString, true),
            "XPreserveUnknownFields" | "kubebuilder:pruning:PreserveUnknownFields" => {
                schema.set(Keyword::PreserveUnknownFields, true);
            }
            "XValidation" => schema.rules.push(rule(marker)),
            "k8s:immutable" => {
                schema.rules.push(Rule::new("self == oldSelf", "field is immutable").at(&marker.place));
            }
            "nullable" => schema.set(Keyword::Nullable, true),
            "kubebuilder:example" => schema.example = marker.value().map(values::json),
            "kubebuilder:title" => schema.title = title(marker, target)?,
            "kubebuilder:externalDocs" => schema.external_docs = Some(external_docs(marker)?),
            "AtMostOneOf" | "ExactlyOneOf" | "AtLeastOneOf" => match self.options.one_of {
                OneOfStyle::Rules => rules::one_of(schema, short, marker),
                OneOfStyle::Alternatives => rules::alternatives(schema, short, marker),
            },
            "k8s:required" => bounds::not_empty(schema),
            "default" => upstream_default(schema, marker),
            "kubebuilder:default" => own_default(schema, marker),
            "listType" | "k8s:listType" => list_type(schema, marker, target)?,
            "listMapKey" | "k8s:listMapKey" => list_map_key(schema, marker, target)?,
            "mapType" => map_type(schema, marker, target)?,
            "structType" => struct_type(schema, marker, target)?,
            _ => {}
        }
        Ok(())
    }

    /// `Enum=a;b`. On a Rust enum of words the words are known; another list contradicts it.
    fn enumerated(
        &mut self,
        schema: &mut Schema,
        marker: &Marker,
        target: Target<'_>,
    ) -> Result<(), SchemaProblem> {
        let Some(MarkerValue::List(values)) = marker.value() else { return Ok(()) };
        let values: Vec<Value> = values.iter().map(values::json).collect();
        if let Target::Type(TypeDef { kind: TypeKind::Enum(..), .. }) = target
            && let Some(Value::Array(known)) = schema.get(Keyword::Enum)
        {
            let is_missing = |value: &&Value| !known.contains(value);
            let is_left_out = |value: &&Value| !values.contains(value);
            let odd = values.iter().find(is_missing).or_else(|| known.iter().find(is_left_out));
            if let Some(odd) = odd {
                let value = odd.as_str().map_or_else(|| odd.to_string(), str::to_owned);
                return Err(SchemaProblem::EnumDisagrees { name: target.name().to_owned(), value });
            }
        }
        if !values.is_empty() {
            schema.set(Keyword::Enum, Value::Array(values));
        }
        Ok(())
    }
}

fn misapplied(marker: &Marker, target: Target<'_>, wanted: &'static str, schema: &Schema) -> SchemaProblem {
    SchemaProblem::Misapplied {
        marker: marker.name.clone(),
        name: target.name().to_owned(),
        wanted,
        found: bounds::described(schema),
    }
}

/// The words of the enum, sorted.
fn enum_of_type(schema: &mut Schema, target: Target<'_>) -> Result<(), SchemaProblem> {
    let name = target.name().to_owned();
    let Target::Type(definition) = target else { return Err(SchemaProblem::EnumOnField { name }) };
    let TypeKind::Enum(_, variants) = &definition.kind else {
        return Err(SchemaProblem::EnumNotAnEnum { name });
    };
    if variants.iter().any(|variant| variant.shape != VariantShape::Unit) {
        return Err(SchemaProblem::EnumNotAnEnum { name });
    }
    if let Some(Value::Array(words)) = schema.keywords.get_mut(&Keyword::Enum) {
        words.sort_by(|left, right| left.as_str().cmp(&right.as_str()));
    }
    Ok(())
}

fn text(marker: &Marker, name: &str) -> Option<String> {
    marker.argument(name).and_then(MarkerValue::as_text).map(str::to_owned)
}

/// The rule that a marker says.
pub(super) fn rule(marker: &Marker) -> Rule {
    let given = |name: &str| text(marker, name).filter(|text| !text.is_empty());
    Rule {
        rule: text(marker, "rule").unwrap_or_default(),
        message: given("message"),
        message_expression: given("messageExpression"),
        reason: given("reason"),
        field_path: given("fieldPath"),
        optional_old_self: marker.argument("optionalOldSelf").map(|value| *value == MarkerValue::Bool(true)),
        place: Some(marker.place_of("rule").clone()),
    }
}

fn title(marker: &Marker, target: Target<'_>) -> Result<String, SchemaProblem> {
    match marker.value() {
        Some(MarkerValue::Text(title)) => Ok(title.clone()),
        _ => Err(SchemaProblem::TitleNotText { name: target.name().to_owned() }),
    }
}

fn external_docs(marker: &Marker) -> Result<ExternalDocs, SchemaProblem> {
    let url = text(marker, "url").unwrap_or_default();
    let scheme = url.split_once(':').map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    };
    let is_uri = url.starts_with('/') || scheme.is_some_and(is_scheme);
    if !is_uri || url.chars().any(char::is_whitespace) {
        return Err(SchemaProblem::BadUrl { url });
    }
    Ok(ExternalDocs { url, description: text(marker, "description").unwrap_or_default() })
}

/// `default=` with JSON behind it; references into Go code are passed over.
fn upstream_default(schema: &mut Schema, marker: &Marker) {
    let text = marker.value().and_then(MarkerValue::as_text).unwrap_or_default();
    // What is no JSON is a reference to a constant.
    match serde_json::from_str::<Value>(text) {
        Err(_) | Ok(Value::Null) => {}
        Ok(value) => schema.set(Keyword::Default, values::whole(value)),
    }
}

fn own_default(schema: &mut Schema, marker: &Marker) {
    let Some(value) = marker.value() else { return };
    let mut value = values::json(value);
    if bounds::kind(schema) == "array" && value == Value::Object(serde_json::Map::new()) {
        value = Value::Array(Vec::new());
    }
    schema.set(Keyword::Default, value);
}

fn list_type(schema: &mut Schema, marker: &Marker, target: Target<'_>) -> Result<(), SchemaProblem> {
    if bounds::kind(schema) != "array" {
        return Err(misapplied(marker, target, "a list", schema));
    }
    if let Some(MarkerValue::Text(kind)) = marker.value() {
        schema.set(Keyword::ListType, kind.as_str());
    }
    Ok(())
}

fn list_map_key(schema: &mut Schema, marker: &Marker, target: Target<'_>) -> Result<(), SchemaProblem> {
    if bounds::kind(schema) != "array" {
        return Err(misapplied(marker, target, "a list", schema));
    }
    let keyed = has(target.markers(), "listType") || has(target.markers(), "k8s:listType");
    let of_target = schema.reference.as_deref().and_then(|target| target.text(Keyword::ListType));
    let list_type = if keyed { schema.text(Keyword::ListType) } else { of_target };
    if list_type != Some("map") {
        return Err(SchemaProblem::KeyOfNoMap { name: target.name().to_owned() });
    }
    if let Some(MarkerValue::Text(key)) = marker.value()
        && !schema.list_map_keys.contains(key)
    {
        schema.list_map_keys.push(key.clone());
    }
    Ok(())
}

fn map_type(schema: &mut Schema, marker: &Marker, target: Target<'_>) -> Result<(), SchemaProblem> {
    if bounds::kind(schema) != "object" {
        return Err(misapplied(marker, target, "a map", schema));
    }
    if let Some(MarkerValue::Text(kind)) = marker.value() {
        schema.set(Keyword::MapType, kind.as_str());
    }
    Ok(())
}

fn struct_type(schema: &mut Schema, marker: &Marker, target: Target<'_>) -> Result<(), SchemaProblem> {
    if !matches!(bounds::kind(schema), "object" | "") {
        return Err(misapplied(marker, target, "a struct", schema));
    }
    if let Some(MarkerValue::Text(kind)) = marker.value() {
        schema.set(Keyword::MapType, kind.as_str());
    }
    Ok(())
}
