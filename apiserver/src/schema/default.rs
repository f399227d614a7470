//! Defaults that a schema names: of custom kinds.
//!
//! In: a value and its type. Out: the value with what its schema says of absent fields, only inside objects that are there.

use serde_json::Value;

use super::TypeSchema;

/// Sets absent fields, and null ones that cannot be null, to their defaults.
pub fn set_defaults(value: &mut Value, schema: &TypeSchema) {
    match value {
        Value::Object(members) => {
            for (name, field) in schema.fields() {
                let Some(default) = field.default_value() else { continue };
                let absent =
                    members.get(name).is_none_or(|member| member.is_null() && !field.schema().is_nullable());
                if absent {
                    members.insert(name.to_owned(), default.clone());
                }
            }
            for (name, member) in
                members.iter_mut().filter(|(_, member)| member.is_object() || member.is_array())
            {
                if let Some(below) = schema.child(name).filter(|below| !below.is_deduced()) {
                    set_defaults(member, below);
                }
            }
        }
        Value::Array(items) => {
            if let Some(below) = schema.items().filter(|below| !below.is_deduced()) {
                items.iter_mut().for_each(|item| set_defaults(item, below));
            }
        }
        _ => {}
    }
}
