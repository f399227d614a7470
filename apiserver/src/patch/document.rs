//! A patched document as refusals show it: what a patch has gone into has its members by name, all else stays as it was written.
//!
//! In: the text of a document, the document after a patch, and where the patch went. Out: the text of the new document. It applies nothing.

use std::fmt::{self, Write as _};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// JSON whose members are in the order in which they were written.
#[derive(Clone, Debug, PartialEq)]
enum Written {
    Scalar(Value),
    List(Vec<Written>),
    Object(Vec<(String, Written)>),
}

/// The text of `new`, which a patch has made of the document with the text `old`. `is_touched` says of the names on the way to an object or
/// list whether the patch went into it.
pub(crate) fn document(old: &str, new: &Value, is_touched: &dyn Fn(&[&str]) -> bool) -> String {
    let old = serde_json::from_str(old).unwrap_or(Written::Scalar(Value::Null));
    let mut out = String::new();
    write(&mut out, (new, Some(&old)), &mut Vec::new(), is_touched);
    out
}

fn write<'v>(
    out: &mut String,
    (new, old): (&'v Value, Option<&Written>),
    path: &mut Vec<&'v str>,
    is_touched: &dyn Fn(&[&str]) -> bool,
) {
    if let Some(old) = old.filter(|_| !is_touched(path))
        && old.to_value() == *new
    {
        return as_written(out, old);
    }
    match (new, old) {
        (Value::Object(members), old) => {
            let known = |name: &str| match old? {
                Written::Object(old) => old.iter().find(|(known, _)| known == name).map(|(_, value)| value),
                _ => None,
            };
            let mut before = '{';
            for (name, value) in members {
                out.push(before);
                before = ',';
                scalar(out, &Value::from(name.as_str()));
                out.push(':');
                path.push(name);
                write(out, (value, known(name)), path, is_touched);
                path.pop();
            }
            out.push_str(if members.is_empty() { "{}" } else { "}" });
        }
        (Value::Array(items), Some(Written::List(old))) => {
            list(out, items, |out, index, item| {
                let same = old.iter().find(|known| known.to_value() == *item);
                let known = same.filter(|_| !is_touched(path)).or_else(|| old.get(index)).or(same);
                write(out, (item, known), &mut Vec::from_iter(path.iter().copied().chain(["-"])), is_touched);
            });
        }
        (Value::Array(items), _) => {
            list(out, items, |out, _, item| write(out, (item, None), &mut Vec::new(), &|_| false));
        }
        (other, _) => scalar(out, other),
    }
}

fn list<T>(out: &mut String, items: &[T], mut each: impl FnMut(&mut String, usize, &T)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(out, index, item);
    }
    out.push(']');
}

fn as_written(out: &mut String, value: &Written) {
    match value {
        Written::Scalar(value) => scalar(out, value),
        Written::List(items) => list(out, items, |out, _, item| as_written(out, item)),
        Written::Object(members) => {
            let mut before = '{';
            for (name, value) in members {
                out.push(before);
                before = ',';
                scalar(out, &Value::from(name.as_str()));
                out.push(':');
                as_written(out, value);
            }
            out.push_str(if members.is_empty() { "{}" } else { "}" });
        }
    }
}

/// A scalar, with those letters escaped that Go escapes.
fn scalar(out: &mut String, value: &Value) {
    for letter in value.to_string().chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
}

impl Written {
    fn to_value(&self) -> Value {
        match self {
            Self::Scalar(value) => value.clone(),
            Self::List(items) => items.iter().map(Self::to_value).collect(),
            Self::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), value.to_value())).collect()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Written;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Written, E> {
        Ok(Written::Scalar(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Written, E> {
        Ok(Written::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Written, E> {
        Ok(Written::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Written, E> {
        Ok(Written::Scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Written, E> {
        Ok(Written::Scalar(Number::from_f64(value).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Written, E> {
        Ok(Written::Scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Written, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Written::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Written, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Written::Object(all))
    }
}
