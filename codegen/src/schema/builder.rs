//! The builder: from the types of the model to schemas, each named type once.
//!
//! A named type is finished (references resolved, branches merged) before anything that uses it, so that markers on a
//! field know what they stand on. What is wrong is noted with the place of the field or marker at fault.

use super::kubernetes::{self, Kubernetes};
use super::merge::{embedded_first, finish, hint};
use super::{Additional, Floats, Keyword, Schema, SchemaOptions, known, substitute};
use crate::diagnostic::{Diagnostics, Problem, SchemaProblem, Span};
use crate::model::{
    GapReason, Model, Origin, Place, Resource, SchemaGap, SchemaSource, TypeDef, TypeExpr, TypeKind, TypePath,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Builds schemas.
#[derive(Debug)]
pub struct Builder<'a> {
    pub(super) model: &'a Model,
    pub(super) options: &'a SchemaOptions,
    pub(super) diagnostics: Diagnostics,
    kubernetes: Kubernetes,
    finished: HashMap<String, Arc<Schema>>,
    /// The types that are being built, to find loops.
    open: Vec<String>,
}

/// Where a type is used.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site<'s> {
    /// The field or type, for messages.
    pub(super) name: &'s str,
    /// Where it is declared.
    pub(super) place: &'s Place,
    /// Whether unknown fields are kept here, so that a type may hold itself.
    pub(super) open_ended: OpenEnded,
}

/// Whether a schema may stop short of what the type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenEnded {
    /// Unknown fields are kept.
    Yes,
    /// They are not.
    No,
}

impl<'a> Builder<'a> {
    /// A builder for the types of a model.
    pub fn new(model: &'a Model, options: &'a SchemaOptions) -> Self {
        Self {
            model,
            options,
            diagnostics: Diagnostics::new(),
            kubernetes: Kubernetes::new(options.embedded_object_meta),
            finished: HashMap::new(),
            open: Vec::new(),
        }
    }

    /// What was wrong.
    pub fn into_diagnostics(self) -> Diagnostics {
        self.diagnostics
    }

    /// The schema of a kind.
    pub fn root(&mut self, resource: &Resource) -> Schema {
        let model = self.model;
        let Some(definition) = model.root(resource) else { return Schema::default() };
        let schema = self.type_schema(definition);
        // A kind is hardly ever a part of something else; it is made again where it is.
        self.finished.remove(&definition.path.to_string());
        Arc::try_unwrap(schema).unwrap_or_else(|shared| Schema::clone(&shared))
    }

    /// The schema of a type of the model.
    pub fn type_schema(&mut self, definition: &TypeDef) -> Arc<Schema> {
        self.defined(definition, &[], self.site_of(definition))
    }

    /// A definition as the place of what is in it.
    pub(super) fn site_of<'d>(&self, definition: &'d TypeDef) -> Site<'d> {
        Site { name: &definition.path.name, place: &definition.place, open_ended: OpenEnded::No }
    }

    /// Adds a problem.
    pub(super) fn report(&mut self, problem: impl Into<Problem>, place: &Place) {
        self.diagnostics.add(problem, span(place));
    }

    /// A type as a field uses it; a named type comes as a reference with a hint at its form.
    pub(super) fn expr(&mut self, ty: &TypeExpr, site: Site<'_>) -> Schema {
        match ty {
            TypeExpr::Bool => Schema::of_type("boolean"),
            TypeExpr::String | TypeExpr::Char => self.text(ty),
            TypeExpr::Integer(kind) => self.integer(*kind, site),
            TypeExpr::Float(_) => self.float(site),
            TypeExpr::Json => referring(Schema::default().with(Keyword::PreserveUnknownFields, true)),
            TypeExpr::ObjectMeta => self.object_meta(),
            TypeExpr::TypeMeta(_) => super::structs::type_meta(),
            TypeExpr::Option(inner) | TypeExpr::Pointer(_, inner) => self.expr(inner, site),
            TypeExpr::List(_, inner) | TypeExpr::Array(inner, _) => self.list(ty, inner, site),
            TypeExpr::Set(_, inner) => self.list(ty, inner, site),
            TypeExpr::Map(_, key, value) => self.map(key, value, site),
            TypeExpr::Named { path, arguments } => self.named(path, arguments, site),
            TypeExpr::ListMeta => self.list_meta(),
            // `Box<str>`, `Cow<'static, str>`.
            TypeExpr::Other(text) if text == "str" => Schema::of_type("string"),
            TypeExpr::Tuple(_) | TypeExpr::Parameter(_) | TypeExpr::Other(_) => {
                let what = unsupported(ty);
                self.report(SchemaProblem::Unsupported { name: site.name.to_owned(), what }, site.place);
                Schema::default()
            }
        }
    }

    fn text(&self, ty: &TypeExpr) -> Schema {
        let schema = Schema::of_type("string");
        match ty {
            TypeExpr::Char => schema.with(Keyword::MinLength, 1).with(Keyword::MaxLength, 1),
            _ => schema,
        }
    }

    fn object_meta(&self) -> Schema {
        referring(kubernetes::object_meta(self.options.embedded_object_meta))
    }

    fn list_meta(&mut self) -> Schema {
        let path = TypePath::parse("k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta");
        let fixed = path.and_then(|path| self.kubernetes.schema(&path));
        Schema { reference: fixed, ..Schema::default() }
    }

    fn float(&mut self, site: Site<'_>) -> Schema {
        if self.options.floats == Floats::Refused {
            self.report(SchemaProblem::Float { name: site.name.to_owned() }, site.place);
        }
        Schema::of_type("number")
    }

    /// Bytes are text in base64; all other lists are arrays.
    fn list(&mut self, ty: &TypeExpr, inner: &TypeExpr, site: Site<'_>) -> Schema {
        let items = self.expr(inner, site);
        let mut schema = Schema { items: Some(Box::new(items)), ..Schema::of_type("array") };
        if matches!(ty, TypeExpr::Set(..)) && self.is_scalar(inner) {
            schema.set(Keyword::ListType, "set");
        }
        schema
    }

    /// Whether a type is a single value, so that a server can compare it.
    fn is_scalar(&self, ty: &TypeExpr) -> bool {
        match ty.inner() {
            TypeExpr::Bool | TypeExpr::Char | TypeExpr::Integer(_) | TypeExpr::String => true,
            TypeExpr::Named { path, .. } if self.model.aliases.contains_key(path) => {
                self.model.aliases.get(path).is_some_and(|alias| self.is_scalar(&alias.stands_for))
            }
            TypeExpr::Named { path, .. } => match self.model.definition(path).map(|found| &found.kind) {
                Some(TypeKind::Newtype(only)) => self.is_scalar(only.schema_type()),
                Some(TypeKind::Enum(_, variants)) => {
                    variants.iter().all(|variant| variant.shape == crate::model::VariantShape::Unit)
                }
                _ => false,
            },
            _ => false,
        }
    }

    pub(super) fn map(&mut self, key: &TypeExpr, value: &TypeExpr, site: Site<'_>) -> Schema {
        if let Some(found) = self.key_fault(key, 0) {
            self.report(SchemaProblem::MapKey { name: site.name.to_owned(), found }, site.place);
            return Schema::of_type("object");
        }
        let value = self.expr(value, site);
        Schema { additional: Some(Additional::Schema(Box::new(value))), ..Schema::of_type("object") }
    }

    /// Why a type cannot be the key of a map: keys are text.
    fn key_fault(&self, key: &TypeExpr, depth: usize) -> Option<String> {
        match key.inner() {
            TypeExpr::String | TypeExpr::Char => None,
            TypeExpr::Other(text) if text == "str" => None,
            TypeExpr::Named { path, arguments } if depth < 32 => match self.model.definition(path) {
                Some(definition) => match &definition.kind {
                    _ if definition.container.custom => None,
                    TypeKind::Newtype(only) if only.serde.custom => None,
                    TypeKind::Newtype(only) => self.key_fault(only.schema_type(), depth + 1),
                    TypeKind::Enum(_, variants)
                        if variants
                            .iter()
                            .all(|variant| variant.shape == crate::model::VariantShape::Unit) =>
                    {
                        None
                    }
                    _ => Some(format!("`{}`", path.name)),
                },
                None if self.model.aliases.contains_key(path) => {
                    let alias = self.model.aliases.get(path);
                    alias.and_then(|alias| self.key_fault(&alias.stands_for, depth + 1))
                }
                None => match (known::schema(path), known::made(path, arguments)) {
                    (Some(schema), _) if schema.kind() == "string" => None,
                    (_, Some(known::Made::Same(inner))) => self.key_fault(inner, depth + 1),
                    _ => Some(format!("`{}`", path.name)),
                },
            },
            other => Some(unsupported(other)),
        }
    }

    fn named(&mut self, path: &TypePath, arguments: &[TypeExpr], site: Site<'_>) -> Schema {
        let model = self.model;
        if let Some(definition) = model.definition(path) {
            let target = self.defined(definition, arguments, site);
            return Schema { reference: Some(Arc::clone(&target)), ..hint(&target) };
        }
        if let Some(fixed) = self.kubernetes.schema(path) {
            if path.name == "ByteString" {
                // In Go bytes are no type of their own.
                return Schema::clone(&fixed);
            }
            return Schema { reference: Some(fixed), ..Schema::default() };
        }
        if let Some(fixed) = known::schema(path) {
            return if known::is_of_kubernetes(path) { referring(fixed) } else { fixed };
        }
        if let Some(made) = known::made(path, arguments) {
            return self.made(made, site);
        }
        if let Some(alias) = model.aliases.get(path) {
            return self.expr(&substitute::alias(alias, arguments), site);
        }
        let problem = SchemaProblem::NoSchema { name: site.name.to_owned(), path: path.to_string() };
        self.report(problem, site.place);
        Schema::default()
    }

    /// The finished schema of a definition with its type arguments.
    fn defined(&mut self, definition: &TypeDef, arguments: &[TypeExpr], site: Site<'_>) -> Arc<Schema> {
        let key = if arguments.is_empty() {
            definition.path.to_string()
        } else {
            format!("{}<{arguments:?}>", definition.path)
        };
        if let Some(schema) = self.finished.get(&key) {
            return Arc::clone(schema);
        }
        if self.open.contains(&key) || self.open.len() > DEPTH_LIMIT {
            if site.open_ended == OpenEnded::No {
                let (name, found) = (site.name.to_owned(), definition.path.name.clone());
                // A type that grows with each round is another one each time.
                let of_itself = self.open.iter().filter(|open| is_of(open, definition)).nth(1).is_some();
                let problem = match of_itself || self.open.contains(&key) {
                    true => SchemaProblem::Recursive { name, found },
                    false => SchemaProblem::TooDeep { name, found },
                };
                self.report(problem, site.place);
            }
            return Arc::new(Schema::of_type("object").with(Keyword::PreserveUnknownFields, true));
        }
        self.open.push(key.clone());
        let substituted = substitute::arguments(definition, arguments);
        let definition = substituted.as_ref().unwrap_or(definition);
        let mut schema = self.definition(definition);
        if !schema.all_of.is_empty() && !is_kind(definition) {
            schema = embedded_first(schema);
        }
        let mut schema = Arc::new(self.finish(schema, &definition.path.name, &definition.place));
        self.open.pop();
        if !is_within(&schema, &mut { SIZE_LIMIT }) {
            let name = definition.path.name.clone();
            self.report(SchemaProblem::TooLarge { name, most: SIZE_LIMIT }, &definition.place);
            schema = Arc::new(Schema::of_type("object"));
        }
        self.check_type(&schema, definition);
        self.finished.insert(key, Arc::clone(&schema));
        schema
    }

    /// A definition with its text and its markers.
    fn definition(&mut self, definition: &TypeDef) -> Schema {
        let site = self.site_of(definition);
        let mut schema = match self.by_hand(definition) {
            Some(schema) => schema,
            None => match &definition.kind {
                TypeKind::Struct(fields) => self.structure(definition, fields),
                TypeKind::Newtype(only) => self.only(definition, only),
                TypeKind::Enum(tagging, variants) => self.enumeration(definition, tagging, variants),
                TypeKind::Tuple(_) | TypeKind::Unit => {
                    let what = match definition.kind {
                        TypeKind::Unit => "a struct without fields, which is `null` on the wire",
                        _ => "a tuple",
                    };
                    let problem =
                        SchemaProblem::Unsupported { name: site.name.to_owned(), what: what.to_owned() };
                    self.report(problem, site.place);
                    Schema::default()
                }
            },
        };
        if !definition.description.is_empty() {
            schema.description.clone_from(&definition.description);
        }
        self.type_markers(&mut schema, definition);
        schema
    }

    /// A type whose wire form is written by hand has what its markers say.
    fn by_hand(&mut self, definition: &TypeDef) -> Option<Schema> {
        let has = |name: &str| definition.markers.iter().any(|marker| marker.name == name);
        let is_text = |derive: &str| definition.derives.contains(derive);
        if definition.schema == SchemaSource::Type
            && (is_text("SerializeDisplay") || is_text("DeserializeFromStr"))
        {
            return Some(Schema::of_type("string"));
        }
        let is_said = has("kubebuilder:validation:Type") || has("kubebuilder:pruning:PreserveUnknownFields");
        let by_kube = |gap: &&SchemaGap| matches!(gap.reason, GapReason::Disabled | GapReason::Manual);
        for gap in definition.gaps.iter().filter(|gap| !(is_said && by_kube(gap))) {
            self.gap(gap, &definition.path.name);
        }
        if definition.gaps.iter().any(|gap| by_kube(&gap)) {
            return Some(Schema::default());
        }
        if definition.schema != SchemaSource::Type {
            return Some(self.own_schema(definition, is_said));
        }
        if !definition.container.custom {
            return None;
        }
        if !is_said {
            let problem = SchemaProblem::HandWritten { name: definition.path.name.clone() };
            self.report(problem, &definition.place);
        }
        Some(Schema::default())
    }

    /// Reports what is not known of a schema.
    pub(super) fn gap(&mut self, gap: &SchemaGap, name: &str) {
        let (name, attribute) = (name.to_owned(), gap.attribute.clone());
        let problem = match gap.reason {
            GapReason::Computed => SchemaProblem::Computed { name, attribute },
            GapReason::OtherWire => SchemaProblem::OtherWire { name, attribute },
            GapReason::Disabled => SchemaProblem::SchemaDisabled { name, attribute },
            GapReason::Manual => SchemaProblem::SchemaByHand { name, attribute },
        };
        self.report(problem, &gap.place);
    }

    /// Resolves references; contradictions are reported at a place.
    pub(super) fn finish(&mut self, schema: Schema, name: &str, place: &Place) -> Schema {
        let mut wrong = Vec::new();
        let schema = finish(schema, &mut wrong);
        for found in wrong {
            let problem = SchemaProblem::Contradiction {
                name: name.to_owned(),
                first: found.first,
                second: found.second,
            };
            self.report(problem, place);
        }
        schema
    }
}

/// A use of a type with this schema.
fn referring(schema: Schema) -> Schema {
    Schema { reference: Some(Arc::new(schema)), ..Schema::default() }
}

/// Whether a definition is that of a kind.
fn is_kind(definition: &TypeDef) -> bool {
    let has_meta = || definition.fields().iter().any(|field| matches!(field.ty, TypeExpr::TypeMeta(_)));
    definition.origin == Origin::KubeDerive || has_meta()
}

/// How deep named types may be nested.
const DEPTH_LIMIT: usize = 200;

/// How many nodes a schema may have: more than fit into the largest request that a server takes.
const SIZE_LIMIT: usize = 100_000;

/// Whether a schema has at most so many nodes; what it has is taken off.
fn is_within(schema: &Schema, left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else { return false };
    *left = less;
    schema.children().all(|child| is_within(child, left))
}

/// Whether what is being built is a definition, with whatever arguments.
fn is_of(open: &str, definition: &TypeDef) -> bool {
    open.strip_prefix(&definition.path.to_string())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('<'))
}

/// A type that has no form in a schema, in words.
pub(super) fn unsupported(ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Tuple(members) if members.is_empty() => "`()`, which is `null` on the wire".to_owned(),
        TypeExpr::Tuple(_) => "a tuple".to_owned(),
        TypeExpr::Integer(kind) => format!("`{}`", kind.name()),
        TypeExpr::Bool => "`bool`".to_owned(),
        TypeExpr::Float(_) => "a float".to_owned(),
        TypeExpr::Other(text) | TypeExpr::Parameter(text) => format!("`{text}`"),
        TypeExpr::List(..) | TypeExpr::Set(..) | TypeExpr::Array(..) => "a list".to_owned(),
        TypeExpr::Map(..) => "a map".to_owned(),
        other => other.path().map_or_else(|| "this type".to_owned(), |path| format!("`{}`", path.name)),
    }
}

/// A place of the model as a span for messages.
pub(super) fn span(place: &Place) -> Span {
    Span { file: place.file.clone(), line: place.line, column: place.column, length: place.length }
}
