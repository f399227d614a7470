//! Sets as `fieldsV1` documents: `f:` a field, `k:` a list item by key, `v:` by value, `i:` by index, `.` the node itself.
//!
//! In: sets, or documents in whatever form serde reads. Out: documents as JSON, written without a tree of values between, or sets.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor},
};
use serde_json::Value;

use super::{FieldSet, KeyValue, PathElement, set::Node};

/// How deep a document may go.
const DEEPEST: usize = 500;

impl FieldSet {
    /// The document of the set.
    #[must_use]
    pub fn to_fields_v1(&self) -> Value {
        let mut out = Vec::new();
        self.write_fields_v1(&mut out);
        serde_json::from_slice(&out).unwrap_or_default()
    }

    /// Writes the document of the set.
    pub(crate) fn write_fields_v1(&self, out: &mut Vec<u8>) {
        write_members(out, self, Itself::Out);
    }

    /// The set of a document.
    ///
    /// # Errors
    ///
    /// When it is no such document, with the reason.
    pub fn from_fields_v1(document: &Value) -> Result<Self, String> {
        Self::deserialize(document).map_err(|error| error.to_string())
    }
}

/// Whether a node is in the set, beside those below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Itself {
    In,
    Out,
}

fn write_members(out: &mut Vec<u8>, set: &FieldSet, itself: Itself) {
    out.push(b'{');
    let mut comma = false;
    if itself == Itself::In && !set.is_empty() {
        out.extend_from_slice(b"\".\":{}");
        comma = true;
    }
    for node in set.nodes() {
        if std::mem::replace(&mut comma, true) {
            out.push(b',');
        }
        write_name(out, &node.element);
        out.push(b':');
        write_members(out, &node.below, if node.is_member { Itself::In } else { Itself::Out });
    }
    out.push(b'}');
}

fn write_name(out: &mut Vec<u8>, element: &PathElement) {
    let plain = |letter: u8| letter >= b' ' && letter != b'"' && letter != b'\\';
    match element {
        PathElement::Field(name) if name.bytes().all(plain) => {
            out.extend_from_slice(b"\"f:");
            out.extend_from_slice(name.as_bytes());
            out.push(b'"');
        }
        // Nearly all keys are one text.
        PathElement::Key(parts)
            if let [(name, KeyValue(Value::String(value)))] = parts.as_slice()
                && name
                    .bytes()
                    .chain(value.bytes())
                    .all(|letter| plain(letter) && !b"<>&\xe2".contains(&letter)) =>
        {
            out.extend_from_slice(b"\"k:{\\\"");
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\\\":\\\"");
            out.extend_from_slice(value.as_bytes());
            out.extend_from_slice(b"\\\"}\"");
        }
        // Writing JSON into memory fails for no text.
        _ => drop(serde_json::to_writer(out, &element.encode())),
    }
}

impl<'de> Deserialize<'de> for FieldSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Members(0).deserialize(deserializer).map(|(set, _)| set)
    }
}

/// Reads what is below a node at this depth, and whether the node itself is in.
struct Members(usize);

impl<'de> DeserializeSeed<'de> for Members {
    type Value = (FieldSet, bool);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if self.0 > DEEPEST {
            return Err(D::Error::custom("nested too deep"));
        }
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = (FieldSet, bool);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of fieldsV1")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut nodes = Vec::with_capacity(members.size_hint().unwrap_or(4));
        let (mut itself, mut empty) = (false, true);
        while let Some(name) = members.next_key_seed(Name)? {
            empty = false;
            match name {
                Step::Itself => {
                    itself = true;
                    members.next_value::<IgnoredAny>()?;
                }
                Step::Unknown => {
                    members.next_value::<IgnoredAny>()?;
                }
                Step::To(element) => {
                    let (below, is_member) = members.next_value_seed(Members(self.0 + 1))?;
                    nodes.push(Node { element, is_member, below });
                }
            }
        }
        Ok((nodes.into_iter().collect(), itself || empty))
    }
}

/// What the name of a member stands for.
enum Step {
    Itself,
    To(PathElement),
    /// Of a kind that is not known yet.
    Unknown,
}

struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Step;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Step, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Step;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a path element")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Step, E> {
        if name == "." {
            return Ok(Step::Itself);
        }
        match PathElement::decode(name).map_err(E::custom)? {
            Some(element) => Ok(Step::To(element)),
            None => Ok(Step::Unknown),
        }
    }
}
