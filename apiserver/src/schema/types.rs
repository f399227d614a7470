//! `TypeSchema`: a handle to one type, with navigation to the types below it.
//!
//! In: nodes made from OpenAPI schemas. Out: what a field is (scalar, list, object, map), how lists and maps are owned and merged. It
//! never looks at values.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use hashbrown::HashMap;
use serde_json::Value;

/// One type: of an object, a field, a list item, a map value. Cheap to clone.
#[derive(Clone)]
pub struct TypeSchema(Arc<Node>);

/// What a type is made of.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Name of the definition it comes from; empty for inline types.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) enums: Vec<Value>,
    pub(crate) nullable: bool,
    pub(crate) embedded: bool,
    /// What [`TypeSchema::zero`] has found out.
    pub(crate) zero: OnceLock<Value>,
    /// What [`TypeSchema::plain_defaults`] has found out.
    pub(crate) defaults: OnceLock<Vec<(String, Value)>>,
}

/// The shape of a type.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Scalar(Scalar),
    List { items: Slot, kind: ListKind },
    Struct(Struct),
    Map { values: Slot, kind: MapKind },
    Any,
}

/// An object with named fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Struct {
    /// In no order; they are looked up for every member of every object that is read or written.
    pub(crate) fields: HashMap<String, Field>,
    /// Fields beside the named ones are kept, and typed by what they hold.
    pub(crate) open: bool,
    pub(crate) kind: MapKind,
}

/// A named field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) slot: Slot,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) strategies: Strategies,
    pub(crate) go: Option<GoField>,
    /// Whether it belongs to a feature that is off by default.
    pub(crate) gated: bool,
    /// Its place among the members of the object, as a real server writes them.
    pub(crate) place: u16,
}

/// How a field stands in a real server's Go struct: what decides whether it is written when it is empty.
#[derive(Clone, Debug)]
pub(crate) struct GoField {
    /// The type, such as `[]Container`, without the star of pointers.
    pub(crate) kind: String,
    pub(crate) pointer: bool,
    pub(crate) omit_empty: bool,
    pub(crate) omit_zero: bool,
}

/// The strategic merge marks of a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategies {
    /// Lists and maps are merged.
    pub merge: bool,
    /// Lists and maps are replaced, even where merging would be usual.
    pub replace: bool,
    /// A patch may say which members stay.
    pub retain_keys: bool,
    /// The member that tells the items of a merged list apart; empty for lists of scalars.
    pub merge_key: String,
}

/// Where a type is used: in place, or by the name of a definition that is looked up on first use.
#[derive(Clone)]
pub(crate) enum Slot {
    Inline(TypeSchema),
    Named(Arc<Named>),
}

/// A definition that is looked up once.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) library: Library,
    /// Its members are owned one by one, whatever the definition says.
    pub(crate) granular: bool,
    pub(crate) found: OnceLock<TypeSchema>,
}

/// Finds a definition by name.
pub(crate) type Library = fn(&str) -> Option<TypeSchema>;

/// What a scalar holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Text.
    String,
    /// A 32-bit integer.
    Int32,
    /// A 64-bit integer.
    Int64,
    /// A number with a fraction.
    Number,
    /// True or false.
    Boolean,
    /// An integer or a text.
    IntOrString,
    /// An amount with a unit, such as `100m` or `1Gi`.
    Quantity,
    /// A moment, to the second.
    Time,
    /// A moment, to the microsecond.
    MicroTime,
    /// Bytes in base64.
    Bytes,
    /// A length of time, such as `1m30s`.
    Duration,
    /// Any scalar.
    Untyped,
}

/// How a list is owned and merged by apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// As one value.
    Atomic,
    /// Each value on its own.
    Set,
    /// Each item on its own, told apart by these members.
    Map {
        /// The members that are the key.
        keys: Vec<String>,
    },
}

/// How an object or map is owned and merged by apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapKind {
    /// Each member on its own.
    #[default]
    Granular,
    /// As one value.
    Atomic,
}

impl fmt::Debug for TypeSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.name, &self.0.shape) {
            (name, _) if !name.is_empty() => f.write_str(name),
            (_, shape) => write!(f, "{shape:?}"),
        }
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inline(schema) => schema.fmt(f),
            Self::Named(named) => f.write_str(&named.name),
        }
    }
}

impl Slot {
    pub(crate) fn get(&self) -> &TypeSchema {
        match self {
            Self::Inline(schema) => schema,
            Self::Named(named) => named.found.get_or_init(|| {
                let found = (named.library)(&named.name).unwrap_or_else(|| TypeSchema::deduced().clone());
                if named.granular { found.granular() } else { found }
            }),
        }
    }
}

impl Field {
    /// The type of the field.
    #[must_use]
    pub fn schema(&self) -> &TypeSchema {
        self.slot.get()
    }

    /// Whether the field must be there.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// The value the field takes when it is absent.
    #[must_use]
    pub fn default_value(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// The strategic merge marks.
    #[must_use]
    pub fn strategies(&self) -> &Strategies {
        &self.strategies
    }
}

impl TypeSchema {
    pub(crate) fn new(node: Node) -> Self {
        Self(Arc::new(node))
    }

    pub(crate) fn of(shape: Shape) -> Self {
        Self::new(Node {
            name: String::new(),
            shape,
            enums: Vec::new(),
            nullable: false,
            embedded: false,
            zero: OnceLock::new(),
            defaults: OnceLock::new(),
        })
    }

    /// The same type with members that are owned one by one.
    fn granular(&self) -> Self {
        let mut node = self.node().clone();
        if let Shape::Struct(Struct { kind, .. }) | Shape::Map { kind, .. } = &mut node.shape {
            *kind = MapKind::Granular;
        }
        Self::new(node)
    }

    /// The type of what has no schema: objects are granular, lists atomic, as deep as they go.
    #[must_use]
    pub fn deduced() -> &'static Self {
        static DEDUCED: OnceLock<TypeSchema> = OnceLock::new();
        DEDUCED.get_or_init(|| Self::of(Shape::Any))
    }

    /// The type of texts.
    pub(crate) fn text() -> &'static Self {
        static TEXT: OnceLock<TypeSchema> = OnceLock::new();
        TEXT.get_or_init(|| Self::of(Shape::Scalar(Scalar::String)))
    }

    /// The type that was found, else that of what has no schema.
    pub(crate) fn or_deduced(found: Option<&Self>) -> &Self {
        match found {
            Some(found) => found,
            None => Self::deduced(),
        }
    }

    pub(crate) fn node(&self) -> &Node {
        &self.0
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// The definition's name, such as `io.k8s.api.core.v1.Pod`; empty for inline types.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether this is the type of what has no schema.
    #[must_use]
    pub fn is_deduced(&self) -> bool {
        matches!(self.0.shape, Shape::Any)
    }

    /// Whether objects of this type are Go structs in a real server, rather than custom ones.
    pub(crate) fn is_go_struct(&self) -> bool {
        matches!(self.0.shape, Shape::Struct(_)) && !self.0.name.is_empty() && !self.is_raw()
    }

    /// Whether values of this type are kept as they are given, whatever they are.
    pub(crate) fn is_raw(&self) -> bool {
        const RAW: &[&str] = &[
            "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
            "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
            "io.k8s.apimachinery.pkg.runtime.RawExtension",
        ];
        RAW.contains(&self.name())
    }

    /// The named fields, for objects that have some.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Field)> {
        let fields = match &self.0.shape {
            Shape::Struct(object) => Some(&object.fields),
            _ => None,
        };
        fields.into_iter().flatten().map(|(name, field)| (name.as_str(), field))
    }

    /// A named field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        match &self.0.shape {
            Shape::Struct(object) => object.fields.get(name),
            _ => None,
        }
    }

    /// The type of a member: a named field, a map value, or, where unknown members are kept, the deduced type.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        match &self.0.shape {
            Shape::Struct(object) => match object.fields.get(name) {
                Some(field) => Some(field.schema()),
                None => object.open.then(Self::deduced),
            },
            Shape::Map { values, .. } => Some(values.get()),
            Shape::Any => Some(Self::deduced()),
            Shape::Scalar(_) | Shape::List { .. } => None,
        }
    }

    /// The type of list items.
    #[must_use]
    pub fn items(&self) -> Option<&Self> {
        match &self.0.shape {
            Shape::List { items, .. } => Some(items.get()),
            Shape::Any => Some(Self::deduced()),
            _ => None,
        }
    }

    /// The type of map values, for maps with free keys.
    #[must_use]
    pub fn values(&self) -> Option<&Self> {
        match &self.0.shape {
            Shape::Map { values, .. } => Some(values.get()),
            Shape::Any => Some(Self::deduced()),
            _ => None,
        }
    }

    /// How a list of this type is owned.
    #[must_use]
    pub fn list_kind(&self) -> Option<&ListKind> {
        match &self.0.shape {
            Shape::List { kind, .. } => Some(kind),
            Shape::Any => Some(&ListKind::Atomic),
            _ => None,
        }
    }

    /// How an object or map of this type is owned.
    #[must_use]
    pub fn map_kind(&self) -> Option<MapKind> {
        match &self.0.shape {
            Shape::Struct(object) => Some(object.kind),
            Shape::Map { kind, .. } => Some(*kind),
            Shape::Any => Some(MapKind::Granular),
            _ => None,
        }
    }

    /// What a scalar of this type holds.
    #[must_use]
    pub fn scalar(&self) -> Option<Scalar> {
        match &self.0.shape {
            Shape::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The values allowed, when they are counted.
    #[must_use]
    pub fn enums(&self) -> &[Value] {
        &self.0.enums
    }

    /// Whether null is a value of its own.
    #[must_use]
    pub fn is_nullable(&self) -> bool {
        self.0.nullable
    }

    /// Whether the value is a whole object with apiVersion, kind and metadata.
    #[must_use]
    pub fn is_embedded_resource(&self) -> bool {
        self.0.embedded
    }

    /// Whether members that no schema names are kept.
    #[must_use]
    pub fn preserves_unknown_fields(&self) -> bool {
        match &self.0.shape {
            Shape::Struct(object) => object.open,
            Shape::Any => true,
            _ => false,
        }
    }
}
