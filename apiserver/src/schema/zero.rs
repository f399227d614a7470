//! The form that objects of built-in kinds have in a real server, whose fields are Go structs: some are always there.
//!
//! In: a type. Out: what an object of it holds before anything is set.

use serde_json::Value;

use super::{
    Scalar, TypeSchema,
    types::{Field, Shape},
};

impl TypeSchema {
    /// What an object of this type holds before anything is set: structs that are always there, and null for required lists and maps.
    /// Custom kinds hold nothing.
    #[must_use]
    pub fn zero(&self) -> &Value {
        let node = self.node();
        node.zero.get_or_init(|| {
            let fields = self.is_go_struct().then(|| self.fields()).into_iter().flatten();
            let members = fields.filter_map(|(name, field)| Some((name.to_owned(), field.zero()?)));
            Value::Object(members.collect())
        })
    }
}

impl Field {
    /// What an unset field holds; none where it is left out.
    pub(crate) fn zero(&self) -> Option<Value> {
        let go = self.go.as_ref()?;
        if go.omit_zero || (go.pointer && go.omit_empty) {
            return None;
        }
        if go.pointer {
            return Some(Value::Null);
        }
        let schema = self.schema();
        match (schema.shape(), schema.scalar()) {
            (Shape::Struct(_), _) if schema.is_go_struct() => Some(schema.zero().clone()),
            // A moment is a struct, and null when unset.
            (_, Some(Scalar::Time | Scalar::MicroTime)) => Some(Value::Null),
            (_, Some(Scalar::Quantity)) => Some("0".into()),
            (_, Some(Scalar::IntOrString)) => Some(0.into()),
            _ if go.omit_empty => None,
            (_, Some(Scalar::String | Scalar::Duration)) => Some("".into()),
            (_, Some(Scalar::Int32 | Scalar::Int64 | Scalar::Number)) => Some(0.into()),
            (_, Some(Scalar::Boolean)) => Some(false.into()),
            _ => Some(Value::Null),
        }
    }
}
