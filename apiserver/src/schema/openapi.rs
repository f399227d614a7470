//! From OpenAPI v3 schemas to [`TypeSchema`]: of the built-in kinds, and of custom kinds (structural schemas).
//!
//! In: the JSON of a schema, and where named definitions are found. Out: types. It never reads files and never fails: what it does not
//! understand is a type without a schema.

use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;
use serde_json::{Map, Value};

use super::types::{
    Field, GoField, Library, ListKind, MapKind, Named, Node, Scalar, Shape, Slot, Strategies, Struct,
    TypeSchema,
};
use super::{left_out, order};

/// What is kept as it comes.
const RAW: &str = "io.k8s.apimachinery.pkg.runtime.RawExtension";
const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const INT_OR_STRING: &str = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
const TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";
const MICRO_TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
const DURATION: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Duration";
const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/// Turns schemas into types.
pub(crate) struct Reader {
    /// Finds what a `$ref` names.
    pub(crate) library: Library,
}

impl TypeSchema {
    /// The type that a structural schema (the `openAPIV3Schema` of a CustomResourceDefinition) describes. apiVersion, kind and metadata
    /// are added.
    #[must_use]
    pub fn from_openapi(schema: &Value) -> Self {
        let reader = Reader { library: super::builtin::definition };
        reader.root(schema)
    }
}

impl Reader {
    /// The type of a whole object.
    pub(crate) fn root(&self, schema: &Value) -> TypeSchema {
        let mut node = self.node("", schema);
        self.add_object_fields(&mut node);
        TypeSchema::new(node)
    }

    fn add_object_fields(&self, node: &mut Node) {
        if let Shape::Any = node.shape {
            node.shape = Shape::Struct(Struct { open: true, ..Struct::default() });
        }
        if let Shape::Struct(object) = &mut node.shape {
            let text = || Slot::Inline(TypeSchema::of(Shape::Scalar(Scalar::String)));
            object.fields.insert("apiVersion".into(), plain(text()));
            object.fields.insert("kind".into(), plain(text()));
            object.fields.insert("metadata".into(), plain(self.named(META, false)));
        }
    }

    /// The type of a definition.
    pub(crate) fn definition(&self, name: &str, schema: &Value) -> TypeSchema {
        TypeSchema::new(self.node(name, schema))
    }

    fn named(&self, name: &str, granular: bool) -> Slot {
        let (name, library, found) = (name.to_owned(), self.library, OnceLock::new());
        Slot::Named(Arc::new(Named { name, library, granular, found }))
    }

    fn slot(&self, schema: &Value) -> Slot {
        match reference(schema) {
            Some(name) => {
                let kind = schema.get("x-kubernetes-map-type").and_then(Value::as_str);
                self.named(name, kind == Some("granular"))
            }
            None => {
                let mut node = self.node("", schema);
                if node.embedded {
                    self.add_object_fields(&mut node);
                }
                Slot::Inline(TypeSchema::new(node))
            }
        }
    }

    fn node(&self, name: &str, schema: &Value) -> Node {
        let mut shape = self.shape(name, schema);
        if let (RAW, Shape::Struct(raw)) = (name, &mut shape) {
            raw.kind = MapKind::Atomic;
        }
        Node {
            name: name.to_owned(),
            shape,
            enums: schema.get("enum").and_then(Value::as_array).cloned().unwrap_or_default(),
            nullable: flag(schema, "nullable"),
            embedded: flag(schema, "x-kubernetes-embedded-resource"),
            zero: OnceLock::new(),
            defaults: OnceLock::new(),
        }
    }

    fn shape(&self, name: &str, schema: &Value) -> Shape {
        if let Some(scalar) = special(name, schema) {
            return Shape::Scalar(scalar);
        }
        // Those of custom kinds have no type for apply.
        if flag(schema, "x-kubernetes-int-or-string") {
            return Shape::Any;
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => Shape::Scalar(string_scalar(schema)),
            Some("integer") if format(schema) == "int32" => Shape::Scalar(Scalar::Int32),
            Some("integer") => Shape::Scalar(Scalar::Int64),
            Some("number") => Shape::Scalar(Scalar::Number),
            Some("boolean") => Shape::Scalar(Scalar::Boolean),
            Some("array") => Shape::List {
                items: schema
                    .get("items")
                    .map_or_else(|| Slot::Inline(TypeSchema::deduced().clone()), |items| self.slot(items)),
                kind: list_kind(schema),
            },
            Some("object") => self.object(name, schema),
            _ if schema.get("properties").is_some() => self.object(name, schema),
            _ => Shape::Any,
        }
    }

    fn object(&self, name: &str, schema: &Value) -> Shape {
        let kind = match schema.get("x-kubernetes-map-type").and_then(Value::as_str) {
            Some("atomic") => MapKind::Atomic,
            _ => MapKind::Granular,
        };
        let properties =
            schema.get("properties").and_then(Value::as_object).filter(|found| !found.is_empty());
        match (properties, schema.get("additionalProperties")) {
            (None, Some(Value::Object(values))) => {
                Shape::Map { values: self.slot(&Value::Object(values.clone())), kind }
            }
            (Some(properties), _) => Shape::Struct(Struct {
                fields: self.fields(name, properties, schema),
                open: flag(schema, "x-kubernetes-preserve-unknown-fields"),
                kind,
            }),
            (None, _) => Shape::Struct(Struct {
                fields: HashMap::new(),
                open: schema.get("additionalProperties") != Some(&Value::Bool(false)),
                kind,
            }),
        }
    }

    fn fields(
        &self,
        definition: &str,
        properties: &Map<String, Value>,
        schema: &Value,
    ) -> HashMap<String, Field> {
        let order = order::of(definition);
        let place = |name: &str| {
            let found = order.iter().position(|known| *known == name);
            found.and_then(|place| u16::try_from(place).ok()).unwrap_or(order::LAST)
        };
        let required: Vec<&str> = strings(schema, "required").collect();
        let gated = left_out::gated(definition);
        let field = |(name, schema): (&String, &Value)| {
            let field = Field {
                slot: self.slot(schema),
                required: required.contains(&name.as_str()),
                default: schema.get("default").cloned(),
                strategies: strategies(schema),
                go: go_field(schema),
                gated: gated.contains(&name.as_str()),
                place: place(name),
            };
            (name.clone(), field)
        };
        properties.iter().map(field).collect()
    }
}

fn plain(slot: Slot) -> Field {
    Field {
        slot,
        required: false,
        default: None,
        strategies: Strategies::default(),
        go: None,
        gated: false,
        place: order::LAST,
    }
}

fn flag(schema: &Value, name: &str) -> bool {
    schema.get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn format(schema: &Value) -> &str {
    schema.get("format").and_then(Value::as_str).unwrap_or_default()
}

fn strings<'a>(schema: &'a Value, name: &str) -> impl Iterator<Item = &'a str> {
    schema.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The definition a schema refers to, in either of the two ways of writing it.
fn reference(schema: &Value) -> Option<&str> {
    let direct = schema.get("$ref").and_then(Value::as_str);
    let name = direct.or_else(|| match schema.get("allOf")?.as_array()?.as_slice() {
        [only] => only.get("$ref")?.as_str(),
        _ => None,
    })?;
    Some(name.rsplit('/').next().unwrap_or(name))
}

fn special(name: &str, schema: &Value) -> Option<Scalar> {
    match name {
        QUANTITY => return Some(Scalar::Quantity),
        INT_OR_STRING => return Some(Scalar::IntOrString),
        TIME => return Some(Scalar::Time),
        MICRO_TIME => return Some(Scalar::MicroTime),
        DURATION => return Some(Scalar::Duration),
        _ => {}
    }
    (format(schema) == "int-or-string").then_some(Scalar::IntOrString)
}

fn string_scalar(schema: &Value) -> Scalar {
    match format(schema) {
        "byte" => Scalar::Bytes,
        "" => Scalar::String,
        // For apply a text with a format may be any value without parts.
        _ => Scalar::Untyped,
    }
}

fn list_kind(schema: &Value) -> ListKind {
    match schema.get("x-kubernetes-list-type").and_then(Value::as_str) {
        Some("set") => ListKind::Set,
        Some("map") => {
            ListKind::Map { keys: strings(schema, "x-kubernetes-list-map-keys").map(str::to_owned).collect() }
        }
        Some(_) => ListKind::Atomic,
        None => {
            let strategies = strategies(schema);
            match (strategies.merge, strategies.merge_key.is_empty()) {
                (true, true) => ListKind::Set,
                (true, false) => ListKind::Map { keys: vec![strategies.merge_key] },
                (false, _) => ListKind::Atomic,
            }
        }
    }
}

fn strategies(schema: &Value) -> Strategies {
    let names = schema.get("x-kubernetes-patch-strategy").and_then(Value::as_str).unwrap_or_default();
    let has = |wanted: &str| names.split(',').any(|name| name == wanted);
    let merge_key = schema.get("x-kubernetes-patch-merge-key").and_then(Value::as_str).unwrap_or_default();
    Strategies {
        merge: has("merge"),
        replace: has("replace"),
        retain_keys: has("retainKeys"),
        merge_key: merge_key.to_owned(),
    }
}

/// The mark that the data has of built-in fields, such as `*int32,o`.
fn go_field(schema: &Value) -> Option<GoField> {
    let mut parts = schema.get("x-go")?.as_str()?.split(',');
    let kind = parts.next()?;
    let marks: Vec<&str> = parts.collect();
    Some(GoField {
        kind: kind.trim_start_matches('*').to_owned(),
        pointer: kind.starts_with('*'),
        omit_empty: marks.contains(&"o"),
        omit_zero: marks.contains(&"z"),
    })
}
