//! From one type to another.

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{EvalError, Opaque, Result, Val};
use crate::{
    cel::{Moment, parse_duration},
    protocol::{go_float, quoted},
};

pub(super) fn call<'v>(function: &str, args: &[Val<'v>]) -> Option<Result<'v>> {
    let value = match args {
        [value] => value,
        _ => return None,
    };
    Some(match function {
        "int" => integer(value),
        "uint" => unsigned(value),
        "double" => double(value),
        "bool" => boolean(value),
        "string" => string(value),
        "bytes" => match value {
            Val::Text(text) => Ok(Val::Bytes(text.as_bytes().into())),
            Val::Bytes(_) => Ok(value.clone()),
            _ => Err(EvalError::overload()),
        },
        "duration" => match value {
            Val::Duration(_) => Ok(value.clone()),
            Val::Text(text) => parse_duration(text)
                .map(Val::Duration)
                .ok_or_else(|| unconvertible("google.protobuf.Duration")),
            _ => Err(EvalError::overload()),
        },
        "timestamp" => match value {
            Val::Timestamp(_) => Ok(value.clone()),
            Val::Int(seconds) => Moment::from_second(*seconds)
                .map(Val::Timestamp)
                .ok_or_else(|| EvalError::new("timestamp overflow")),
            Val::Text(text) => Moment::read(text)
                .and_then(Moment::in_range)
                .map(Val::Timestamp)
                .ok_or_else(|| unconvertible("google.protobuf.Timestamp")),
            _ => Err(EvalError::overload()),
        },
        _ => return None,
    })
}

/// A text that says no value of this type.
fn unconvertible(name: &str) -> EvalError {
    EvalError::new(format!("type conversion error from 'string' to '{name}'"))
}

fn range() -> EvalError {
    EvalError::new("integer overflow")
}

fn integer<'v>(value: &Val<'v>) -> Result<'v> {
    Ok(Val::Int(match value {
        Val::Int(value) => *value,
        Val::UInt(value) => i64::try_from(*value).map_err(|_| range())?,
        Val::Double(value) if value.is_finite() && value.abs() < 9.3e18 => *value as i64,
        Val::Double(_) => return Err(range()),
        Val::Text(text) => text.parse().map_err(|_| unconvertible("int"))?,
        Val::Timestamp(moment) => moment.as_second(),
        Val::Duration(nanoseconds) => *nanoseconds,
        _ => return Err(EvalError::overload()),
    }))
}

fn unsigned<'v>(value: &Val<'v>) -> Result<'v> {
    let range = || EvalError::new("unsigned integer overflow");
    Ok(Val::UInt(match value {
        Val::UInt(value) => *value,
        Val::Int(value) => u64::try_from(*value).map_err(|_| range())?,
        Val::Double(value) if (0.0..1.8e19).contains(value) => *value as u64,
        Val::Double(_) => return Err(range()),
        Val::Text(text) => text.parse().map_err(|_| unconvertible("uint"))?,
        _ => return Err(EvalError::overload()),
    }))
}

fn double<'v>(value: &Val<'v>) -> Result<'v> {
    Ok(Val::Double(match value {
        Val::Double(value) => *value,
        Val::Int(value) => *value as f64,
        Val::UInt(value) => *value as f64,
        Val::Text(text) => text.parse().map_err(|_| unconvertible("double"))?,
        _ => return Err(EvalError::overload()),
    }))
}

fn boolean<'v>(value: &Val<'v>) -> Result<'v> {
    match value {
        Val::Bool(_) => Ok(value.clone()),
        Val::Text(text) => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Val::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Val::Bool(false)),
            _ => Err(unconvertible("bool")),
        },
        _ => Err(EvalError::overload()),
    }
}

fn string<'v>(value: &Val<'v>) -> Result<'v> {
    match value {
        Val::Text(_) => Ok(value.clone()),
        Val::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Val::text(text)),
            Err(_) => Err(EvalError::new("invalid UTF-8 in bytes, cannot convert to string")),
        },
        Val::Null | Val::List(_) | Val::Array(..) | Val::Map(_) | Val::Members(..) | Val::Optional(_) => {
            Err(EvalError::overload())
        }
        other => Ok(Val::text(shown(other))),
    }
}

/// A value inside a list or map, as an expression would write it.
fn literal(value: &Val<'_>) -> String {
    match value {
        Val::Text(text) => quoted(text),
        Val::Bytes(bytes) => format!("b{}", quoted(&String::from_utf8_lossy(bytes))),
        Val::Double(value) => format!("{value:.6}"),
        Val::Duration(_) => format!("duration({})", quoted(&shown(value))),
        Val::Timestamp(_) => format!("timestamp({})", quoted(&shown(value))),
        other => shown(other),
    }
}

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
        Val::List(_) | Val::Array(..) => {
            let items = value.items().and_then(std::result::Result::ok).unwrap_or_default();
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Val::Map(_) | Val::Members(..) => {
            let pairs = value.pairs().and_then(std::result::Result::ok).unwrap_or_default();
            let mut pairs: Vec<String> =
                pairs.iter().map(|(key, value)| format!("{}:{}", literal(key), literal(value))).collect();
            pairs.sort();
            format!("{{{}}}", pairs.join(", "))
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
