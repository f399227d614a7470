//! The messages of protobuf that expressions may make though no schema knows them: `google.protobuf.Int64Value{value: 1}`.
//!
//! In: the name of a message, its fields. Out: their types and that of the whole, and the value that the message stands for.

use super::{EvalError, Moment, Type, Val, message::Message};

const PREFIX: &str = "google.protobuf.";

/// The one word of an enumeration that is known, which is 0.
pub(super) const NULL_VALUE: &str = "google.protobuf.NullValue.NULL_VALUE";

fn objects() -> Type {
    Type::map(Type::String, Type::Dyn)
}

/// What a wrapper wraps.
fn wrapped(name: &str) -> Option<Type> {
    Some(match name {
        "BoolValue" => Type::Bool,
        "Int32Value" | "Int64Value" => Type::Int,
        "UInt32Value" | "UInt64Value" => Type::UInt,
        "FloatValue" | "DoubleValue" => Type::Double,
        "StringValue" => Type::String,
        "BytesValue" => Type::Bytes,
        _ => return None,
    })
}

/// The type of what a message stands for; none where there is no such message.
pub(super) fn known_type(name: &str) -> Option<Type> {
    let own = name.strip_prefix(PREFIX)?;
    Some(match own {
        "Timestamp" => Type::Timestamp,
        "Duration" => Type::Duration,
        "Struct" => objects(),
        "ListValue" => Type::list(Type::Dyn),
        "Value" | "Any" => Type::Dyn,
        "Empty" => Type::Message(name.into()),
        _ => Type::Wrapper(wrapped(own)?.into()),
    })
}

/// The type of a field of a message.
pub(super) fn known_field(name: &str, field: &str) -> Option<Type> {
    let own = name.strip_prefix(PREFIX)?;
    Some(match (own, field) {
        ("Timestamp" | "Duration", "seconds" | "nanos") | ("Value", "null_value") => Type::Int,
        ("Struct", "fields") | ("Value", "struct_value") => objects(),
        ("ListValue", "values") | ("Value", "list_value") => Type::list(Type::Dyn),
        ("Value", "number_value") => Type::Double,
        ("Value", "bool_value") => Type::Bool,
        ("Value", "string_value") | ("Any", "type_url") => Type::String,
        ("Any", "value") => Type::Bytes,
        (own, "value") => wrapped(own)?,
        _ => return None,
    })
}

/// The value that a message stands for; none where the message is no known one.
pub(super) fn made<'v>(name: &'v str, fields: &[(&'v str, Val<'v>)]) -> Option<Result<Val<'v>, EvalError>> {
    let own = name.strip_prefix(PREFIX)?;
    let given = |field: &str| fields.iter().find(|(name, _)| *name == field).map(|(_, value)| value.clone());
    let number = |field: &str| match given(field) {
        Some(Val::Int(number)) => number,
        _ => 0,
    };
    let total = || number("seconds").checked_mul(1_000_000_000)?.checked_add(number("nanos"));
    let fits =
        |value: Option<Val<'v>>, what: &str| value.ok_or_else(|| EvalError::new(format!("{what} overflow")));
    Some(match own {
        "Timestamp" => {
            let moment = Moment::from_second(number("seconds"));
            let moment = moment.and_then(|moment| moment.shifted(number("nanos")));
            fits(moment.map(Val::Timestamp), "timestamp")
        }
        "Duration" => fits(total().map(Val::Duration), "duration"),
        "Struct" => Ok(given("fields").unwrap_or_else(|| Val::Map(Vec::new().into()))),
        "ListValue" => Ok(given("values").unwrap_or_else(|| Val::list(Vec::new()))),
        "Value" => Ok(match fields.last() {
            Some(("null_value", _)) | None => Val::Null,
            Some((_, value)) => value.clone(),
        }),
        "Any" => Err(EvalError::new("unsupported conversion to ref.Val: (*dynamicpb.Message)")),
        "Empty" => Ok(Val::Message(Message { name, fields: Vec::new() }.into())),
        _ => {
            let empty = match wrapped(own)? {
                Type::Bool => Val::Bool(false),
                Type::UInt => Val::UInt(0),
                Type::Double => Val::Double(0.0),
                Type::String => Val::text(""),
                Type::Bytes => Val::Bytes([].into()),
                _ => Val::Int(0),
            };
            Ok(given("value").unwrap_or(empty))
        }
    })
}
