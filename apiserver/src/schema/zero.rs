//! The form that objects of built-in kinds have in a real server, whose fields are Go structs: some are always there.
//!
//! In: a type. Out: what an object of it holds before anything is set.

use serde_json::{Map, Value};

use super::{
    Scalar, TypeSchema,
    types::{Field, Shape},
};

/// How deep structs that hold themselves are followed.
const DEEPEST: usize = 12;

impl TypeSchema {
    /// What an object of this type holds before anything is set: structs that are always there, and null for required lists and maps.
    /// Custom kinds hold nothing.
    #[must_use]
    pub fn zero(&self) -> Value {
        self.zero_at(0)
    }

    fn zero_at(&self, depth: usize) -> Value {
        let mut out = Map::new();
        if depth < DEEPEST && !self.name().is_empty() {
            for (name, field) in self.fields() {
                if let Some(value) = field.zero(depth) {
                    out.insert(name.to_owned(), value);
                }
            }
        }
        Value::Object(out)
    }
}

impl Field {
    /// What an unset field holds; none where it is left out.
    pub(crate) fn zero(&self, depth: usize) -> Option<Value> {
        let schema = self.schema();
        let always =
            self.default.as_ref().is_some_and(|default| default.as_object().is_some_and(Map::is_empty));
        if always && matches!(schema.shape(), Shape::Struct(_)) {
            return Some(schema.zero_at(depth + 1));
        }
        if !self.required {
            return None;
        }
        Some(match schema.scalar() {
            Some(Scalar::Int32 | Scalar::Int64 | Scalar::Number) if self.default.is_some() => 0.into(),
            Some(Scalar::Boolean) if self.default.is_some() => false.into(),
            Some(Scalar::String) => "".into(),
            _ => Value::Null,
        })
    }
}
