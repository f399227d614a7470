//! Sizes: how many letters, bytes, items or members a value has, and where in the declaration of `self` it comes from.
//!
//! Plain numbers and places. Sums stop at the largest number, except where a real server's own sums begin anew.

use crate::cel::{Decl, DeclKind, Type};

/// The fewest and the most elements of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub min: u64,
    pub max: u64,
}

impl Size {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { min: 0, max: u64::MAX };
    /// What holds for no value yet: the start of a union.
    pub(super) const NONE: Self = Self { min: u64::MAX, max: 0 };

    pub(super) fn fixed(size: u64) -> Self {
        Self { min: size, max: size }
    }

    pub(super) fn up_to(max: u64) -> Self {
        Self { min: 0, max }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { min: self.min.saturating_add(other.min), max: self.max.saturating_add(other.max) }
    }

    pub(super) fn times(self, other: Self) -> Self {
        Self { min: self.min.saturating_mul(other.min), max: self.max.saturating_mul(other.max) }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// What going through the largest of these costs.
    pub(super) fn cost(self, factor: f64) -> u64 {
        scaled(self.max, factor)
    }
}

/// A number of elements times what each costs, rounded up.
pub(super) fn scaled(size: u64, factor: f64) -> u64 {
    let product = (size as f64 * factor).ceil();
    if product >= u64::MAX as f64 { u64::MAX } else { product as u64 }
}

/// How large the keys and values of a list or map are that an expression makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entries {
    pub container: Container,
    pub keys: Size,
    pub values: Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    List,
    Map,
}

impl Entries {
    /// Those of a value that is one or the other; known where both are.
    pub(super) fn union(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (one, other) = (one?, other?);
        Some(Self {
            container: one.container,
            keys: one.keys.union(other.keys),
            values: one.values.union(other.values),
        })
    }
}

/// Where a value comes from. A real server follows a path of names and forgets its first one, whatever that was: so the first step
/// from nowhere leads to what `self` is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin<'e> {
    /// No path.
    Nowhere,
    /// A part of what was declared.
    Declared(&'e Decl),
    /// The keys of a declared map, which have no bound: taken for none at all.
    Keys,
    /// A path that leads to nothing that was declared.
    Lost,
}

/// One step along a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'s> {
    Name(&'s str),
    Element,
    Key,
    Index,
}

impl<'e> Origin<'e> {
    pub(super) fn root(declared: Option<&'e Decl>) -> Self {
        declared.map_or(Self::Lost, Self::Declared)
    }

    pub(super) fn step(self, step: Step<'_>, root: Self) -> Self {
        let Self::Declared(decl) = self else {
            return if matches!(self, Self::Nowhere) { root } else { Self::Lost };
        };
        match step {
            Step::Name(name) => {
                decl.field(name).map_or(Self::Lost, |field| Self::Declared(field.decl.as_ref()))
            }
            Step::Element => decl.element().map_or(Self::Lost, |decl| Self::Declared(decl.as_ref())),
            Step::Key if matches!(decl.kind, DeclKind::Map { .. }) => Self::Keys,
            Step::Key | Step::Index => Self::Lost,
        }
    }

    /// What the declaration says of the size.
    pub(super) fn size(self) -> Option<Size> {
        match self {
            Self::Declared(decl) => Some(Size::up_to(decl.max_elements.unwrap_or_default())),
            Self::Keys => Some(Size::up_to(0)),
            Self::Nowhere | Self::Lost => None,
        }
    }
}

/// Whether values of a type all have the same size.
pub(super) fn is_scalar(kind: &Type) -> bool {
    match kind {
        Type::Bool | Type::Double | Type::Duration | Type::Int | Type::Timestamp | Type::UInt => true,
        Type::Optional(inner) | Type::Wrapper(inner) => is_scalar(inner),
        _ => false,
    }
}
