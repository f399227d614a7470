//! Definitions of types: structs, enums and newtypes with their fields and serde facts.

use super::{Marker, Place, TypeExpr, TypePath};
use serde::Serialize;
use std::collections::BTreeSet;

/// The definition of one named type.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypeDef {
    /// The path by which others name it.
    pub path: TypePath,
    /// Its documentation without marker lines; lines are separated by `\n`.
    pub docs: String,
    /// Its documentation as users of the API read it: without notes to other authors (what authors note for
    /// themselves, and all below `---`), its lines as written.
    pub description: String,
    /// Its generic parameters.
    pub generics: Vec<Generic>,
    /// What it is made of.
    pub kind: TypeKind,
    /// The serde attributes of the whole type.
    pub container: Container,
    /// Last segments of the derived traits: `Clone`, `Default`, `JsonSchema`.
    pub derives: BTreeSet<String>,
    /// The markers on it.
    pub markers: Vec<Marker>,
    /// What its attributes say of its schema and what the source alone does not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<SchemaGap>,
    /// Where its schema comes from: from what serde writes, unless it has an `impl JsonSchema` of its own.
    #[serde(skip_serializing_if = "SchemaSource::is_type")]
    pub schema: SchemaSource,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether other crates can name it under `path`.
    pub public: bool,
    /// Where it is declared.
    pub place: Place,
}

impl TypeDef {
    /// The fields of a struct with named fields; none for anything else.
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            TypeKind::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// The field with this Rust name.
    pub fn field(&self, ident: &str) -> Option<&Field> {
        self.fields().iter().find(|field| field.ident == ident)
    }
}

/// Where a definition comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Origin {
    /// One of the type packages.
    Package,
    /// The struct which `#[derive(CustomResource)]` writes.
    KubeDerive,
    /// The source of another crate; it may serialise what was never set.
    Foreign,
}

/// What a type is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum TypeKind {
    /// `struct T { .. }`.
    Struct(Vec<Field>),
    /// `struct T(A);`: on the wire the same as `A`, with or without `#[serde(transparent)]`. The field has the name of the
    /// type.
    Newtype(Box<Field>),
    /// `struct T(A, B);`.
    Tuple(Vec<TypeExpr>),
    /// `struct T;`.
    Unit,
    /// An enum.
    Enum(EnumTagging, Vec<Variant>),
}

/// A generic parameter of a type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Generic {
    /// Its name: `T`, `'a`, `N`.
    pub name: String,
    /// The whole declaration as written: `T: Clone`, `const N: usize`.
    pub declaration: String,
}

/// The serde attributes of a whole type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Container {
    /// `#[serde(transparent)]`.
    pub transparent: bool,
    /// `#[serde(default)]`: every field that is missing is taken from the type's default.
    pub default: bool,
    /// `#[serde(deny_unknown_fields)]`.
    pub deny_unknown_fields: bool,
    /// `#[serde(from = "..", into = "..")]`, `remote` or a hand-written impl: the wire form is not that of the fields.
    pub custom: bool,
}

/// One named field of a struct or of a struct variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Field {
    /// Its Rust name without `r#`.
    pub ident: String,
    /// Its names on the wire.
    pub wire: WireName,
    /// Its documentation without marker lines.
    pub docs: String,
    /// Its documentation as users of the API read it.
    pub description: String,
    /// Its type.
    pub ty: TypeExpr,
    /// Whether a document may leave it out. First hit of: the markers `kubebuilder:validation:Optional` and
    /// `:Required`, `optional`, `required`, the package's default, then `Option<T>` or `#[serde(default)]`.
    pub optional: bool,
    /// Its serde attributes.
    pub serde: FieldSerde,
    /// Where its schema comes from.
    pub schema: SchemaSource,
    /// What its attributes say of its schema and what the source alone does not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<SchemaGap>,
    /// Whether other crates can reach it.
    pub public: bool,
    /// The markers on it.
    pub markers: Vec<Marker>,
    /// Where it is declared.
    pub place: Place,
}

/// The names of a field or variant on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WireName {
    /// The name that is written.
    pub serialize: String,
    /// The name that is read.
    pub deserialize: String,
    /// Other names that are read.
    pub aliases: Vec<String>,
}

impl Field {
    /// Whether it is never on the wire.
    pub fn is_skipped(&self) -> bool {
        (self.serde.skip_serializing && self.serde.skip_deserializing) || self.schema == SchemaSource::Skipped
    }

    /// The type that its schema is made of.
    pub fn schema_type(&self) -> &TypeExpr {
        match &self.schema {
            SchemaSource::Other(ty) | SchemaSource::Extended(ty, _) => ty,
            _ => &self.ty,
        }
    }
}

impl WireName {
    /// One name for both directions.
    pub fn same(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { deserialize: name.clone(), serialize: name, aliases: Vec::new() }
    }
}

/// The serde attributes of a field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FieldSerde {
    /// `flatten`.
    pub flatten: bool,
    /// `skip` or `skip_serializing`: never written.
    pub skip_serializing: bool,
    /// `skip` or `skip_deserializing`: never read.
    pub skip_deserializing: bool,
    /// `skip_serializing_if = "path"`, the path as written.
    pub skip_serializing_if: Option<String>,
    /// `default` or `default = "path"`.
    pub default: Option<FieldDefault>,
    /// `with`, `serialize_with` or `deserialize_with`: the wire form is not that of the type.
    pub custom: bool,
    /// `with = "path"`, the path as written.
    pub with: Option<String>,
    /// `serialize_with = "path"`, the path as written.
    pub serialize_with: Option<String>,
    /// `deserialize_with = "path"`, the path as written.
    pub deserialize_with: Option<String>,
}

/// Where the schema of a field or a type comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub enum SchemaSource {
    /// From its type.
    #[default]
    Type,
    /// From another type: `#[schemars(with = "..")]`.
    Other(TypeExpr),
    /// From a function, which is not run here: `#[schemars(schema_with = "..")]`.
    Function(String),
    /// From a function that holds nothing but JSON.
    Literal(serde_json::Value),
    /// From a function that adds these extensions to the schema of a type.
    Extended(TypeExpr, serde_json::Value),
    /// It has none: `#[schemars(skip)]`.
    Skipped,
}

/// The function of a type whose own `impl JsonSchema` makes its schema.
pub const OWN_IMPL: &str = "impl JsonSchema";

impl SchemaSource {
    /// Whether it is the type itself that says it.
    pub fn is_type(&self) -> bool {
        *self == Self::Type
    }
}

/// What an attribute says of a schema and what the source alone does not tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaGap {
    /// The attribute and its key: `#[schemars(transform)]`.
    pub attribute: String,
    /// Why it is not known.
    pub reason: GapReason,
    /// Where it stands.
    pub place: Place,
}

/// Why something is not known of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum GapReason {
    /// It is worked out by code.
    Computed,
    /// It gives the schema another form than serde gives the value.
    OtherWire,
    /// kube's derive is told to write no schema: `schema = "disabled"`.
    Disabled,
    /// kube's derive is told that the schema is written by hand: `schema = "manual"`.
    Manual,
}

/// Where a missing field takes its value from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum FieldDefault {
    /// `Default::default()`.
    Trait,
    /// `default = "path"`.
    Function(String),
}

/// How an enum shows its variant on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum EnumTagging {
    /// serde's default: the variant's name is the key or the text.
    External,
    /// `tag = ".."`.
    Internal(String),
    /// `tag = "..", content = ".."`.
    Adjacent(String, String),
    /// `untagged`.
    Untagged,
}

/// One variant of an enum.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Variant {
    /// Its Rust name without `r#`.
    pub ident: String,
    /// Its names on the wire.
    pub wire: WireName,
    /// Its documentation without marker lines.
    pub docs: String,
    /// Its documentation as users of the API read it.
    pub description: String,
    /// What it holds.
    pub shape: VariantShape,
    /// `#[serde(skip)]` and its halves: never written or never read.
    pub skip: bool,
    /// The markers on it.
    pub markers: Vec<Marker>,
    /// Where it is declared.
    pub place: Place,
}

/// What a variant holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum VariantShape {
    /// `V`.
    Unit,
    /// `V(A)`. The field has the name of the variant.
    Newtype(Box<Field>),
    /// `V(A, B)`.
    Tuple(Vec<TypeExpr>),
    /// `V { .. }`.
    Struct(Vec<Field>),
}
