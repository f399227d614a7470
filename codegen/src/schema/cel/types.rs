//! The types of values, as far as a schema says them, and how they fit each other.

use crate::schema::{Additional, Keyword, Schema};

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ty<'s> {
    /// Any; what it is shows when the rule runs.
    Dyn,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Timestamp,
    Duration,
    /// The type of a type.
    Type(Box<Ty<'s>>),
    List(Box<Ty<'s>>),
    Map(Box<Ty<'s>>, Box<Ty<'s>>),
    /// An object with the fields of a schema.
    Object(Node<'s>),
    Optional(Box<Ty<'s>>),
    /// A type of a library: `quantity`, `url`, `ip`, `cidr`, `semver`, `format`.
    Library(&'static str),
    /// One that is not yet known.
    Var(usize),
}

/// Of how many types one can be made; rules that people write stay far below.
const LARGEST: usize = 1000;

/// A place in a schema. Two places are two types, whatever stands there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'s>(&'s Schema);

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl<'s> Node<'s> {
    /// What stands there.
    pub(super) fn schema(self) -> &'s Schema {
        self.0
    }
}

impl<'s> Ty<'s> {
    /// The type of a value with this schema.
    pub(super) fn of(schema: &'s Schema) -> Self {
        match schema.kind() {
            "boolean" => Self::Bool,
            "integer" => Self::Int,
            "number" => Self::Double,
            "string" => match schema.text(Keyword::Format) {
                Some("date" | "date-time" | "datetime") => Self::Timestamp,
                Some("duration") => Self::Duration,
                Some("byte") => Self::Bytes,
                _ => Self::Text,
            },
            "array" => Self::list(schema.items.as_deref().map_or(Self::Dyn, Self::of)),
            "object" => match &schema.additional {
                Some(Additional::Schema(values)) => Self::map(Self::Text, Self::of(values)),
                Some(Additional::Any) => Self::map(Self::Text, Self::Dyn),
                None => Self::Object(Node(schema)),
            },
            _ => Self::Dyn,
        }
    }

    pub(super) fn list(items: Self) -> Self {
        Self::List(Box::new(items))
    }

    /// A map; of maps whose keys and values double with each step, any value.
    pub(super) fn map(keys: Self, values: Self) -> Self {
        let found = Self::Map(Box::new(keys), Box::new(values));
        if found.is_within(&mut { LARGEST }) { found } else { Self::Dyn }
    }

    /// Whether it is made of no more types than are left.
    fn is_within(&self, left: &mut usize) -> bool {
        let Some(less) = left.checked_sub(1) else { return false };
        *left = less;
        match self {
            Self::List(inner) | Self::Optional(inner) | Self::Type(inner) => inner.is_within(left),
            Self::Map(keys, values) => keys.is_within(left) && values.is_within(left),
            _ => true,
        }
    }

    pub(super) fn optional(inner: Self) -> Self {
        Self::Optional(Box::new(inner))
    }

    /// The type of a type.
    pub(super) fn of_type(inner: Self) -> Self {
        Self::Type(Box::new(inner))
    }

    /// In words.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Dyn | Self::Var(_) => "any value",
            Self::Null => "`null`",
            Self::Bool => "true or false",
            Self::Int => "a whole number",
            Self::Uint => "an unsigned number",
            Self::Double => "a number with a fraction",
            Self::Text => "a text",
            Self::Bytes => "bytes",
            Self::Timestamp => "a point in time",
            Self::Duration => "a duration",
            Self::Type(_) => "a type",
            Self::List(_) => "a list",
            Self::Map(..) => "a map",
            Self::Object(_) => "an object",
            Self::Optional(_) => "an optional",
            Self::Library("ip") => "an IP address",
            Self::Library("cidr") => "a range of addresses",
            Self::Library("url") => "a URL",
            Self::Library("metadata") => "the metadata",
            Self::Library(name) => return format!("a {name}"),
        }
        .to_owned()
    }

    /// Whether a value of the other type can be one of this kind, whatever is in it.
    pub(super) fn is_kind_of(&self, other: &Ty<'_>) -> bool {
        match (self, other) {
            (_, Ty::Dyn | Ty::Var(_)) => true,
            (Self::List(_), Ty::List(_)) | (Self::Map(..), Ty::Map(..)) => true,
            (Self::Optional(_), Ty::Optional(_)) => true,
            (Self::Library(one), Ty::Library(other)) => one == other,
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other) && !one.is_library(),
        }
    }

    fn is_library(&self) -> bool {
        matches!(self, Self::Library(_))
    }

    /// Whether a value of this type may be `null`. A field that may be is no such value: it is absent then.
    fn can_be_null(&self) -> bool {
        use Ty::{Duration, Library, Null, Object, Optional, Timestamp};
        matches!(self, Null | Object(_) | Timestamp | Duration | Library(_) | Optional(_))
    }

    /// Whether it says no more than the other: of the two, this is the wider one.
    fn is_wider_than(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn | Self::Var(_), _) => true,
            (_, Self::Dyn | Self::Var(_)) => false,
            (Self::List(one), Self::List(other)) | (Self::Optional(one), Self::Optional(other)) => {
                one.is_wider_than(other)
            }
            (Self::Map(keys, values), Self::Map(other_keys, others)) => {
                keys.is_wider_than(other_keys) && values.is_wider_than(others)
            }
            (Self::Null, other) => !other.can_be_null() || *other == Self::Null,
            _ => true,
        }
    }
}

/// What is known of the types that were not known at first.
#[derive(Debug, Clone, Default)]
pub(super) struct Bindings<'s>(Vec<Option<Ty<'s>>>);

impl<'s> Bindings<'s> {
    /// A new unknown type.
    pub(super) fn fresh(&mut self) -> usize {
        self.0.push(None);
        self.0.len() - 1
    }

    /// A type with everything put in that is known.
    pub(super) fn resolved(&self, of: &Ty<'s>) -> Ty<'s> {
        match of {
            Ty::Var(id) => match self.0.get(*id) {
                Some(Some(known)) => self.resolved(known),
                _ => of.clone(),
            },
            Ty::List(items) => Ty::list(self.resolved(items)),
            Ty::Map(keys, values) => Ty::map(self.resolved(keys), self.resolved(values)),
            Ty::Optional(inner) => Ty::optional(self.resolved(inner)),
            Ty::Type(inner) => Ty::of_type(self.resolved(inner)),
            other => other.clone(),
        }
    }

    /// The same, and what nothing is known of can be anything.
    pub(super) fn settled(&self, of: &Ty<'s>) -> Ty<'s> {
        match self.resolved(of) {
            Ty::Var(_) => Ty::Dyn,
            Ty::List(items) => Ty::list(self.settled(&items)),
            Ty::Map(keys, values) => Ty::map(self.settled(&keys), self.settled(&values)),
            Ty::Optional(inner) => Ty::optional(self.settled(&inner)),
            Ty::Type(inner) => Ty::of_type(self.settled(&inner)),
            other => other,
        }
    }

    /// Whether a value of the second type can be where the first is wanted; from then on more may be known.
    pub(super) fn fits(&mut self, wanted: &Ty<'s>, given: &Ty<'s>) -> bool {
        match (wanted, given) {
            (Ty::Var(one), Ty::Var(other)) if one == other => true,
            (wanted, Ty::Var(id)) => self.bind(*id, wanted),
            (Ty::Var(id), given) => self.bind(*id, given),
            (Ty::Dyn, _) | (_, Ty::Dyn) => true,
            (Ty::Null, other) | (other, Ty::Null) => other.can_be_null(),
            (Ty::List(wanted), Ty::List(given)) | (Ty::Optional(wanted), Ty::Optional(given)) => {
                self.fits(wanted, given)
            }
            (Ty::Map(wanted_keys, wanted), Ty::Map(given_keys, given)) => {
                self.fits(wanted_keys, given_keys) && self.fits(wanted, given)
            }
            (Ty::Type(_), Ty::Type(_)) => true,
            (wanted, given) => wanted == given,
        }
    }

    /// Holds an unknown type against another one. What is wider stays.
    fn bind(&mut self, id: usize, to: &Ty<'s>) -> bool {
        let id = self.last(id);
        let to = self.resolved(to);
        let before = match self.0.get(id) {
            Some(Some(known)) => self.resolved(known),
            _ => return to == Ty::Var(id) || (!has(&to, id) && self.set(id, to)),
        };
        match to {
            Ty::Var(other) => !has(&before, other) && self.set(other, before),
            to => self.fits(&before, &to) && self.set(id, wider(before, to)),
        }
    }

    /// The last of the unknown types that stand for each other.
    fn last(&self, id: usize) -> usize {
        match self.0.get(id) {
            Some(Some(Ty::Var(next))) => self.last(*next),
            _ => id,
        }
    }

    fn set(&mut self, id: usize, to: Ty<'s>) -> bool {
        if let Some(place) = self.0.get_mut(id) {
            *place = Some(to);
        }
        true
    }

    /// One type for the parts of a list or map that is written out.
    pub(super) fn joined(&mut self, before: Option<Ty<'s>>, found: Ty<'s>) -> Ty<'s> {
        let Some(before) = before else { return found };
        let known = self.clone();
        if self.fits(&before, &found) {
            return wider(self.resolved(&before), self.resolved(&found));
        }
        *self = known;
        Ty::Dyn
    }
}

/// The wider one of two types that fit each other.
fn wider<'s>(one: Ty<'s>, other: Ty<'s>) -> Ty<'s> {
    if one.is_wider_than(&other) { one } else { other }
}

/// Whether a type is made of this unknown one.
fn has(of: &Ty<'_>, id: usize) -> bool {
    match of {
        Ty::Var(other) => *other == id,
        Ty::List(inner) | Ty::Optional(inner) | Ty::Type(inner) => has(inner, id),
        Ty::Map(keys, values) => has(keys, id) || has(values, id),
        _ => false,
    }
}
