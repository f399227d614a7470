//! YAML to JSON values, with an eye on keys that come twice: a real server takes the last one and says so.
//!
//! In: bytes. Out: the value, and one finding a repeated key, by line. It does not know what the value should be.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use serde_saphyr::{DuplicateKeyPolicy, Spanned, options};

/// Reads YAML; the findings are such as `line 7: key "x" already set in map`.
pub(crate) fn yaml(body: &[u8]) -> Result<(Value, Vec<String>), String> {
    let text = std::str::from_utf8(body).map_err(|error| error.to_string())?;
    let findings = RefCell::new(Vec::new());
    let settings = options! { duplicate_keys: DuplicateKeyPolicy::PassThrough };
    let value = serde_saphyr::with_deserializer_from_str_with_options(text, settings, |deserializer| {
        Node { findings: &findings }.deserialize(deserializer)
    });
    let value = value.map_err(|error| format!("error converting YAML to JSON: {error}"))?;
    Ok((value, findings.into_inner()))
}

#[derive(Clone, Copy)]
struct Node<'a> {
    findings: &'a RefCell<Vec<String>>,
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
        formatter.write_str("any YAML value")
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

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = list.next_element_seed(self)? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(key) = object.next_key::<Spanned<String>>()? {
            let value = object.next_value_seed(self)?;
            let line = key.defined.line();
            let finding = format!("line {line}: key \"{}\" already set in map", key.value);
            if out.insert(key.value, value).is_some() {
                self.findings.borrow_mut().push(finding);
            }
        }
        Ok(Value::Object(out))
    }
}
