//! `Type`: the types of CEL, and how they fit each other.

use std::{fmt, sync::Arc};

use super::{Decl, DeclKind};

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Null,
    Bool,
    Int,
    UInt,
    Double,
    String,
    Bytes,
    Timestamp,
    Duration,
    /// Any of them; what it is shows when the rule runs.
    Dyn,
    List(Arc<Type>),
    Map(Arc<Type>, Arc<Type>),
    /// An object with named fields.
    Object(Arc<Decl>),
    Optional(Arc<Type>),
    /// A value without parts that may be absent: a message of protobuf around it.
    Wrapper(Arc<Type>),
    /// The type of a type.
    Kind(Arc<Type>),
    /// A type of a library, such as `kubernetes.Quantity`.
    Opaque(&'static str),
    /// An object that an expression makes, such as `Object.spec`.
    Message(Arc<str>),
    /// A type that is not yet known.
    Var(u32),
    /// What a broken part of an expression has: it fits everything, so that one fault is told once.
    Broken,
}

impl Type {
    pub(crate) fn list(items: Self) -> Self {
        Self::List(Arc::new(items))
    }

    pub(crate) fn map(keys: Self, values: Self) -> Self {
        Self::Map(Arc::new(keys), Arc::new(values))
    }

    pub(crate) fn optional(inner: Self) -> Self {
        Self::Optional(Arc::new(inner))
    }

    pub(super) fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Broken)
    }

    /// The type as it is told where an expression has another one than it should.
    pub(crate) fn declared(&self) -> String {
        match self {
            Self::Null => "null_type".to_owned(),
            Self::Timestamp => "google.protobuf.Timestamp".to_owned(),
            Self::Duration => "google.protobuf.Duration".to_owned(),
            Self::List(items) => format!("list({})", items.declared()),
            Self::Map(keys, values) => format!("map({}, {})", keys.declared(), values.declared()),
            Self::Optional(inner) => format!("optional_type({})", inner.declared()),
            Self::Kind(inner) => format!("type({})", inner.declared()),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::UInt => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::Dyn | Self::Var(_) => "dyn",
            Self::Broken => "!error!",
            Self::Object(decl) => match decl.kind {
                DeclKind::Object { name, .. } if !name.is_empty() => name,
                _ => "object",
            },
            Self::Message(name) => name,
            Self::Opaque(name) => name,
            Self::List(items) => return write!(f, "list({items})"),
            Self::Map(keys, values) => return write!(f, "map({keys}, {values})"),
            Self::Optional(inner) => return write!(f, "optional_type({inner})"),
            Self::Wrapper(inner) => return write!(f, "wrapper({inner})"),
            Self::Kind(inner) => return write!(f, "type({inner})"),
        })
    }
}

/// What is known of the types that are not yet known.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings(Vec<Option<Type>>);

impl Bindings {
    /// A new unknown type.
    pub(super) fn fresh(&mut self) -> u32 {
        self.0.push(None);
        u32::try_from(self.0.len() - 1).unwrap_or_default()
    }

    /// A type with everything that is known put in; what is not is dynamic.
    pub(super) fn resolved(&self, of: &Type) -> Type {
        match of {
            Type::Var(id) => match self.0.get(*id as usize) {
                Some(Some(known)) => self.resolved(known),
                _ => Type::Dyn,
            },
            Type::List(items) => Type::list(self.resolved(items)),
            Type::Map(keys, values) => Type::map(self.resolved(keys), self.resolved(values)),
            Type::Optional(inner) => Type::optional(self.resolved(inner)),
            Type::Kind(inner) => Type::Kind(Arc::new(self.resolved(inner))),
            other => other.clone(),
        }
    }

    fn shallow(&self, of: &Type) -> Type {
        match of {
            Type::Var(id) => match self.0.get(*id as usize) {
                Some(Some(known)) => self.shallow(known),
                _ => of.clone(),
            },
            other => other.clone(),
        }
    }

    /// Whether a value of the second type can be where the first is wanted; binds what is not yet known.
    pub(super) fn fits(&mut self, wanted: &Type, given: &Type) -> bool {
        let (wanted, given) = (self.shallow(wanted), self.shallow(given));
        match (&wanted, &given) {
            (Type::Var(left), Type::Var(right)) if left == right => true,
            (Type::Var(id), other) | (other, Type::Var(id)) => {
                if let Some(place) = self.0.get_mut(*id as usize) {
                    *place = Some(other.clone());
                }
                true
            }
            (wanted, given) if wanted.is_dyn() || given.is_dyn() => true,
            // Null stands for what may be absent.
            (Type::Wrapper(_) | Type::Message(_), Type::Null)
            | (Type::Null, Type::Wrapper(_) | Type::Message(_)) => true,
            (Type::Wrapper(wanted), given) => self.fits(wanted, given),
            (wanted, Type::Wrapper(given)) => self.fits(wanted, given),
            (
                Type::Object(_) | Type::Timestamp | Type::Duration | Type::Opaque(_) | Type::Optional(_),
                Type::Null,
            )
            | (
                Type::Null,
                Type::Object(_) | Type::Timestamp | Type::Duration | Type::Opaque(_) | Type::Optional(_),
            ) => true,
            (Type::List(wanted), Type::List(given)) | (Type::Optional(wanted), Type::Optional(given)) => {
                self.fits(wanted, given)
            }
            (Type::Map(wanted_keys, wanted), Type::Map(given_keys, given)) => {
                self.fits(wanted_keys, given_keys) && self.fits(wanted, given)
            }
            (Type::Kind(_), Type::Kind(_)) => true,
            (wanted, given) => wanted == given,
        }
    }

    /// The type of a list or map literal whose parts are of two types.
    pub(super) fn joined(&mut self, left: &Type, right: &Type) -> Option<Type> {
        let before = self.clone();
        if self.fits(left, right) {
            let wider = if self.shallow(right).is_dyn() { right } else { left };
            return Some(wider.clone());
        }
        *self = before;
        None
    }
}

impl Bindings {
    /// A type with everything that is known put in; what is not known stays open.
    pub(super) fn resolved_open(&self, of: &Type) -> Type {
        match self.shallow(of) {
            Type::List(items) => Type::list(self.resolved_open(&items)),
            Type::Map(keys, values) => Type::map(self.resolved_open(&keys), self.resolved_open(&values)),
            Type::Optional(inner) => Type::optional(self.resolved_open(&inner)),
            other => other,
        }
    }
}
