//! From one type to another.

use super::{EvalError, Result, Val, shown};
use crate::cel::{Moment, parse_duration};

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
