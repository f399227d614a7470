//! Type expressions: what stands behind the colon of a field, resolved.

use super::TypePath;
use serde::Serialize;

/// A type as it is used by a field, with imports, aliases and `crate::`/`super::` resolved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum TypeExpr {
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `i8` to `u128`, `isize`, `usize`.
    Integer(Integer),
    /// `f32`, `f64`.
    Float(Float),
    /// `String`.
    String,
    /// `serde_json::Value`.
    Json,
    /// k8s-openapi's `ObjectMeta`.
    ObjectMeta,
    /// k8s-openapi's `ListMeta`.
    ListMeta,
    /// The runtime's `TypeMeta<T>`.
    TypeMeta(Box<TypeExpr>),
    /// `Option<T>`.
    Option(Box<TypeExpr>),
    /// `Box<T>`, `Arc<T>`, `Rc<T>`: the same as `T` on the wire.
    Pointer(PointerKind, Box<TypeExpr>),
    /// `Vec<T>` and its like.
    List(ListKind, Box<TypeExpr>),
    /// `BTreeSet<T>`, `HashSet<T>`.
    Set(SetKind, Box<TypeExpr>),
    /// `BTreeMap<K, V>`, `HashMap<K, V>`.
    Map(MapKind, Box<TypeExpr>, Box<TypeExpr>),
    /// `[T; length]`; the length as written.
    Array(Box<TypeExpr>, String),
    /// `(A, B)`; `()` has no members.
    Tuple(Vec<TypeExpr>),
    /// A named type. Where [`Model::types`](super::Model::types) has its definition, generators may take it apart;
    /// otherwise it is a leaf and is used as it is.
    Named {
        /// Its absolute path.
        path: TypePath,
        /// Its type arguments.
        arguments: Vec<TypeExpr>,
    },
    /// A generic parameter of the type in which the field stands.
    Parameter(String),
    /// Anything else (`dyn Trait`, `fn()`, references, macros), as written. It cannot be named from another crate.
    Other(String),
}

/// A name that stands for a type.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Alias {
    /// Its parameters; none where the arguments go to the type that it stands for.
    pub parameters: Vec<String>,
    /// The type.
    pub stands_for: TypeExpr,
}

impl TypeExpr {
    /// A named type without arguments.
    pub fn named(path: TypePath) -> Self {
        Self::Named { path, arguments: Vec::new() }
    }

    /// The type without the `Option`, `Box`, `Arc` and `Rc` around it.
    pub fn inner(&self) -> &Self {
        match self {
            Self::Option(inner) | Self::Pointer(_, inner) => inner.inner(),
            other => other,
        }
    }

    /// Whether there is an `Option` at the top, be it below a pointer.
    pub fn is_option(&self) -> bool {
        match self {
            Self::Option(_) => true,
            Self::Pointer(_, inner) => inner.is_option(),
            _ => false,
        }
    }

    /// The path of a named type.
    pub fn path(&self) -> Option<&TypePath> {
        match self {
            Self::Named { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The types directly inside this one.
    pub fn children(&self) -> Vec<&Self> {
        match self {
            Self::TypeMeta(one) | Self::Option(one) | Self::Pointer(_, one) | Self::List(_, one) => vec![one],
            Self::Set(_, one) | Self::Array(one, _) => vec![one],
            Self::Map(_, key, value) => vec![key, value],
            Self::Tuple(members) => members.iter().collect(),
            Self::Named { arguments, .. } => arguments.iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// The integer types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the variants are Rust's own names")]
pub enum Integer {
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
}

impl Integer {
    /// All of them with their Rust names.
    pub const ALL: [(&'static str, Self); 12] = [
        ("i8", Self::I8),
        ("i16", Self::I16),
        ("i32", Self::I32),
        ("i64", Self::I64),
        ("i128", Self::I128),
        ("isize", Self::Isize),
        ("u8", Self::U8),
        ("u16", Self::U16),
        ("u32", Self::U32),
        ("u64", Self::U64),
        ("u128", Self::U128),
        ("usize", Self::Usize),
    ];

    /// The Rust name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// The floating point types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the variants are Rust's own names")]
pub enum Float {
    F32,
    F64,
}

/// Pointers that serde sees through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the variants are Rust's own names")]
pub enum PointerKind {
    Box,
    Arc,
    Rc,
}

/// Lists of any length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the variants are Rust's own names")]
pub enum ListKind {
    Vec,
    VecDeque,
    LinkedList,
}

/// Sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the variants are Rust's own names")]
pub enum SetKind {
    BTreeSet,
    HashSet,
}

/// Maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the variants are Rust's own names")]
pub enum MapKind {
    BTreeMap,
    HashMap,
}
