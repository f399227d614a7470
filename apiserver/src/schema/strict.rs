//! JSON read with an eye on what decoding would lose: keys that come twice, and fields that the type does not have.
//!
//! In: text, and the type if one is wanted. Out: the value and the findings, in the order of the text.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::TypeSchema;

/// A value, and what strict field validation has to say of its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Strict {
    /// The value; of keys that come twice the last counts.
    pub value: Value,
    /// Such as `unknown field "spec.x"` and `duplicate field "spec.y"`.
    pub findings: Vec<String>,
}

/// Reads a document. With a type, unknown fields are told too, and objects that come twice are merged, as a decoder into a struct does.
///
/// # Errors
///
/// When the text is no JSON.
pub fn parse_strict(text: &[u8], schema: Option<&TypeSchema>) -> Result<Strict, serde_json::Error> {
    let findings = RefCell::new(Vec::new());
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let node = Node {
        findings: &findings,
        above: None,
        step: Step::Top,
        schema,
        silent: false,
        merges: schema.is_some(),
    };
    let value = node.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(Strict { value, findings: findings.into_inner() })
}

/// A place in the document: a chain up to its top, so that paths are made for findings alone.
struct Node<'a> {
    findings: &'a RefCell<Vec<String>>,
    above: Option<&'a Node<'a>>,
    step: Step<'a>,
    schema: Option<&'a TypeSchema>,
    /// Below an unknown field nothing is told.
    silent: bool,
    merges: bool,
}

/// The last step to a place.
#[derive(Clone, Copy)]
enum Step<'a> {
    Top,
    Member(&'a str),
    Item(usize),
}

impl Node<'_> {
    fn path(&self) -> String {
        let mut path = self.above.map_or_else(String::new, Node::path);
        match self.step {
            Step::Top => {}
            Step::Member(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Item(place) => path.push_str(&format!("[{place}]")),
        }
        path
    }

    /// Tells something about this place, unless something unknown is above it.
    fn report(&self, what: &str) {
        if self.above.is_some_and(|above| above.silent) {
            return;
        }
        let text = format!("{what} field \"{}\"", self.path());
        let mut findings = self.findings.borrow_mut();
        if !findings.contains(&text) {
            findings.push(text);
        }
    }

    /// The node of a member, and whether the type knows it.
    fn member<'b>(&'b self, name: &'b str) -> (Node<'b>, bool) {
        let schema = self.schema.and_then(|schema| schema.child(name));
        let known = schema.is_some() || self.schema.is_none_or(|schema| schema.map_kind().is_none());
        (self.below(Step::Member(name), schema, self.silent || !known), known)
    }

    fn item(&self, place: usize) -> Node<'_> {
        let schema = self.schema.and_then(TypeSchema::items);
        self.below(Step::Item(place), schema, self.silent)
    }

    fn below<'b>(&'b self, step: Step<'b>, schema: Option<&'b TypeSchema>, silent: bool) -> Node<'b> {
        Node { findings: self.findings, above: Some(self), step, schema, silent, merges: self.merges }
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = list.next_element_seed(self.item(out.len()))? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut out: Map<String, Value> = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            let (node, known) = self.member(&name);
            if !known {
                node.report("unknown");
            } else if out.contains_key(&name) {
                node.report("duplicate");
            }
            let value = object.next_value_seed(node)?;
            match (out.get_mut(&name), value) {
                (Some(Value::Object(earlier)), Value::Object(later)) if self.merges => earlier.extend(later),
                (_, value) => {
                    out.insert(name, value);
                }
            }
        }
        Ok(Value::Object(out))
    }
}
