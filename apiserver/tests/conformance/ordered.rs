//! `Ordered`: JSON whose members keep the order in which they were written.
//!
//! In: the bytes of an answer. Out: a tree in which uids and versions can be numbered as they come. It changes nothing but what
//! [`Ordered::remove`] is asked to.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Ordered {
    Object(Vec<(String, Self)>),
    Array(Vec<Self>),
    Leaf(Value),
}

impl Ordered {
    /// An answer; what is no JSON is kept as a text.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_else(|_| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            Self::Object(vec![("<text>".to_owned(), Self::Leaf(text.into()))])
        })
    }

    /// The member of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(known, _)| known == name).map(|(_, value)| value),
            Self::Array(_) | Self::Leaf(_) => None,
        }
    }

    /// The value at a path such as `a.b[0].c`; null where there is none.
    pub(crate) fn at(&self, path: &str) -> Value {
        let mut parts = path.split(['.', '[', ']']).filter(|part| !part.is_empty());
        let found = parts.try_fold(self, |value, part| match value {
            Self::Array(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)),
            other => other.get(part),
        });
        found.map(Self::plain).unwrap_or_default()
    }

    /// Removes what stands at a path, in every item of the lists on the way.
    pub(crate) fn remove(&mut self, path: &[&str]) {
        match (self, path) {
            (Self::Array(items), _) => items.iter_mut().for_each(|item| item.remove(path)),
            (Self::Object(members), [last]) => members.retain(|(name, _)| name != last),
            (Self::Object(members), [first, rest @ ..]) => {
                let below = members.iter_mut().filter(|(name, _)| name == first);
                below.for_each(|(_, value)| value.remove(rest));
            }
            _ => {}
        }
    }

    /// The value without the order.
    pub(crate) fn plain(&self) -> Value {
        match self {
            Self::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), value.plain())).collect())
            }
            Self::Array(items) => items.iter().map(Self::plain).collect(),
            Self::Leaf(value) => value.clone(),
        }
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Tree)
    }
}

struct Tree;

impl<'de> Visitor<'de> for Tree {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ordered, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Ordered::Object(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ordered, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Ordered::Array(items))
    }

    fn visit_str<E>(self, text: &str) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(text.into()))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(flag.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(number.into()))
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Leaf(Value::Null))
    }
}
