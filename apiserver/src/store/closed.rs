//! Objects whose owners are closed: `metadata.managedFields` is the text of the list, in the place of the list.
//!
//! In: the JSON of an object. Out: its fields. What the text says is not looked at here; see `patch::apply`.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use crate::protocol::Fields;

pub(super) const OWNERS: &str = "managedFields";

/// The fields of an object, its owners closed; none where it is no object.
pub(super) fn read_closed(json: &[u8]) -> Fields {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    Part::Object.deserialize(&mut deserializer).unwrap_or_default()
}

/// Whether the owners of an object are closed, or there are none.
pub(super) fn is_closed(fields: &Fields) -> bool {
    fields.get("metadata").and_then(|metadata| metadata.get(OWNERS)).is_none_or(Value::is_string)
}

/// What is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Object,
    Metadata,
}

impl<'de> DeserializeSeed<'de> for Part {
    type Value = Fields;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Part {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Fields, A::Error> {
        let mut out = Fields::new();
        while let Some(name) = members.next_key::<String>()? {
            let value = match (self, name.as_str()) {
                (Self::Object, "metadata") => members.next_value_seed(Self::Metadata)?.into(),
                (Self::Metadata, OWNERS) => members.next_value::<&RawValue>()?.get().into(),
                _ => members.next_value::<Value>()?,
            };
            out.insert(name, value);
        }
        Ok(out)
    }
}
