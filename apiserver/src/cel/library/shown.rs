//! Values as texts.
//!
//! In: a value. Out: its text where one is made of it, and where it is put into another with `%s`, which fewer values can be.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{EvalError, Opaque, Val};
use crate::protocol::{go_float, quoted};

type Result = std::result::Result<String, EvalError>;

/// A value as text.
pub(in crate::cel) fn shown(value: &Val<'_>) -> String {
    match value {
        Val::Null => "null".to_owned(),
        Val::Bool(value) => value.to_string(),
        Val::Int(value) => value.to_string(),
        Val::UInt(value) => value.to_string(),
        Val::Double(value) => go_float(*value),
        Val::Text(text) => text.to_string(),
        Val::Bytes(bytes) => STANDARD.encode(bytes),
        Val::Duration(nanoseconds) => format!("{}s", *nanoseconds as f64 / 1e9),
        Val::Timestamp(moment) => moment.to_string(),
        Val::Type(name) => name.to_string(),
        Val::List(_) | Val::Array(..) | Val::Map(_) | Val::Members(..) => {
            formatted(value).unwrap_or_else(|_| value.type_name().to_owned())
        }
        Val::Message(_) | Val::Check(_) | Val::Lazy(_) | Val::Failed(_) => value.type_name().to_owned(),
        Val::Optional(None) => "optional.none()".to_owned(),
        Val::Optional(Some(value)) => format!("optional({})", shown(value)),
        Val::Opaque(value) => match &**value {
            Opaque::Quantity(amount) => amount.to_string(),
            Opaque::Url(url) => url.to_string(),
            Opaque::Ip(address) => address.to_string(),
            Opaque::Cidr(address, length) => format!("{address}/{length}"),
            Opaque::Semver(version) => version.to_string(),
            Opaque::Format(name) => (*name).to_owned(),
        },
    }
}

/// A value as `%s` puts it into a text.
pub(super) fn formatted(value: &Val<'_>) -> Result {
    match value {
        Val::List(_) | Val::Array(..) => list(value),
        Val::Map(_) | Val::Members(..) => map(value),
        Val::Message(_)
        | Val::Check(_)
        | Val::Lazy(_)
        | Val::Failed(_)
        | Val::Optional(_)
        | Val::Opaque(_) => {
            let words = "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
            let of = value.type_name();
            Err(EvalError::new(format!("error during formatting: {words}, was given {of}")))
        }
        Val::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(EvalError::new("invalid UTF-8 in bytes, cannot convert to string")),
        },
        other => Ok(shown(other)),
    }
}

fn list(value: &Val<'_>) -> Result {
    let items = value.items().unwrap_or_else(|| Ok(Vec::new()))?;
    let items = items.iter().map(literal).collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(format!("[{}]", items.join(", ")))
}

fn map(value: &Val<'_>) -> Result {
    if !value.is_walkable() {
        return Err(EvalError::new("could not find key"));
    }
    let mut texts = Vec::new();
    for (key, value) in value.pairs().unwrap_or_else(|| Ok(Vec::new()))? {
        if !matches!(key, Val::Text(_) | Val::Bool(_) | Val::Int(_) | Val::UInt(_)) {
            let of = key.type_name();
            return Err(EvalError::new(format!("no formatting function for map key of type {of}")));
        }
        texts.push((literal(&key)?, literal(&value)?));
    }
    texts.sort_by(|(left, _), (right, _)| left.cmp(right));
    let texts: Vec<String> = texts.into_iter().map(|(key, value)| format!("{key}:{value}")).collect();
    Ok(format!("{{{}}}", texts.join(", ")))
}

/// A value inside a list or map, as an expression would write it.
fn literal(value: &Val<'_>) -> Result {
    Ok(match value {
        Val::Text(text) => quoted(text),
        Val::Bytes(_) => format!("b{}", quoted(&formatted(value)?)),
        Val::Double(value) if value.is_finite() => format!("{value:.6}"),
        Val::Double(value) => quoted(&go_float(*value)),
        Val::Duration(_) => format!("duration({})", quoted(&shown(value))),
        Val::Timestamp(_) => format!("timestamp({})", quoted(&shown(value))),
        Val::Message(_)
        | Val::Check(_)
        | Val::Lazy(_)
        | Val::Failed(_)
        | Val::Optional(_)
        | Val::Opaque(_) => {
            return Err(EvalError::new(format!("no formatting function for {}", value.type_name())));
        }
        other => formatted(other)?,
    })
}
