//! Protobuf to JSON values.
//!
//! In: the bytes of a message. Out: the members that the bytes set, as a client that sends JSON would have written them. What an unset
//! member stands for is not decided here. Unknown fields are passed over, fields that come twice are merged, as protobuf has it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{
    descriptor::{Field, Form, Kind, Label, Message},
    error::ProtobufError,
    wire::{BYTES, FIXED64, Key, Reader, VARINT},
};

type Result<T> = std::result::Result<T, ProtobufError>;

/// How deeply messages may be nested: as deep as JSON may be.
const DEEPEST: usize = 128;

/// Reads a message into the members of an object.
pub(super) fn members(
    bytes: &[u8],
    message: &'static Message,
    out: &mut Map<String, Value>,
    depth: usize,
) -> Result<()> {
    if depth > DEEPEST {
        return Err(ProtobufError::TooDeep(message.name));
    }
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let key = reader.key(message.name)?;
        match message.field(key.number) {
            Some(field) => member(&mut reader, key, field, out, depth)?,
            None => reader.skip(key.wire)?,
        }
    }
    Ok(())
}

fn member(
    reader: &mut Reader<'_>,
    key: Key,
    field: &'static Field,
    out: &mut Map<String, Value>,
    depth: usize,
) -> Result<()> {
    match field.label {
        Label::Inline => {
            let bytes = expect(reader, key, field, BYTES)?;
            field.message().map_or(Ok(()), |inner| members(bytes, inner, out, depth + 1))
        }
        Label::Map => {
            let bytes = expect(reader, key, field, BYTES)?;
            let (name, value) = entry(bytes, field, depth + 1)?;
            if let Value::Object(map) = entry_of(out, field.name, Value::Object(Map::new())) {
                map.insert(name, value);
            }
            Ok(())
        }
        Label::Repeated => {
            let list = entry_of(out, field.name, Value::Array(Vec::new()));
            let Value::Array(list) = list else { return reader.skip(key.wire) };
            if key.wire == BYTES
                && matches!(field.kind, Kind::Int32 | Kind::Int64 | Kind::Bool | Kind::Double)
            {
                let mut packed = Reader::new(reader.bytes()?);
                while !packed.is_empty() {
                    let wire = if field.kind == Kind::Double { FIXED64 } else { VARINT };
                    list.push(value(&mut packed, Key { wire, ..key }, field, Value::Null, depth)?);
                }
                return Ok(());
            }
            let item = value(reader, key, field, Value::Null, depth)?;
            list.push(item);
            Ok(())
        }
        Label::Always | Label::Pointer => {
            let before = out.remove(field.name).unwrap_or_default();
            let value = value(reader, key, field, before, depth)?;
            if field.label == Label::Pointer || field.kind == Kind::Bytes || !is_zero(&value) {
                out.insert(field.name.to_owned(), value);
            }
            Ok(())
        }
    }
}

/// Whether a scalar that is always written says nothing.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn entry_of<'a>(out: &'a mut Map<String, Value>, name: &str, empty: Value) -> &'a mut Value {
    out.entry(name).or_insert(empty)
}

/// Bytes, where the key says that bytes follow.
fn expect<'a>(reader: &mut Reader<'a>, key: Key, field: &Field, wire: u8) -> Result<&'a [u8]> {
    fits(key, field, wire)?;
    reader.bytes()
}

fn fits(key: Key, field: &Field, wire: u8) -> Result<()> {
    if key.wire == wire {
        return Ok(());
    }
    Err(ProtobufError::WrongWireType { wire: key.wire, field: field.go_name() })
}

/// One value; of a message that came before, what it left.
fn value(
    reader: &mut Reader<'_>,
    key: Key,
    field: &'static Field,
    before: Value,
    depth: usize,
) -> Result<Value> {
    let wire = match field.kind {
        Kind::Bool | Kind::Int32 | Kind::Int64 => VARINT,
        Kind::Double => FIXED64,
        Kind::String | Kind::Bytes | Kind::Message(_) => BYTES,
    };
    fits(key, field, wire)?;
    Ok(match field.kind {
        Kind::String => text(reader.bytes()?).into(),
        Kind::Bytes => STANDARD.encode(reader.bytes()?).into(),
        Kind::Bool => (reader.varint()? != 0).into(),
        // Integers are cut to their size, as upstream does.
        Kind::Int32 => (reader.varint()? as i32).into(),
        Kind::Int64 => (reader.varint()? as i64).into(),
        Kind::Double => number(reader.double()?)?,
        Kind::Message(_) => {
            let bytes = reader.bytes()?;
            match field.message() {
                Some(inner) => formed(bytes, inner, before, depth + 1)?,
                None => Value::Null,
            }
        }
    })
}

/// A number; without a fraction where it has none, as Go writes it.
fn number(value: f64) -> Result<Value> {
    /// Up to here every integer is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Ok((value as i64).into());
    }
    let number = serde_json::Number::from_f64(value);
    Ok(number.ok_or_else(|| ProtobufError::Json(format!("json: unsupported value: {value}")))?.into())
}

/// A text; each byte that is none becomes a replacement character, as Go writes it.
fn text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    out
}

/// One entry of a map.
fn entry(bytes: &[u8], field: &'static Field, depth: usize) -> Result<(String, Value)> {
    let mut reader = Reader::new(bytes);
    let mut name = String::new();
    let mut found = None;
    while !reader.is_empty() {
        let key = reader.key(field.name)?;
        match key.number {
            1 => name = text(expect(&mut reader, key, field, BYTES)?),
            2 => found = Some(value(&mut reader, key, field, Value::Null, depth)?),
            _ => reader.skip(key.wire)?,
        }
    }
    Ok((name, found.map_or_else(|| unset(field, depth), Ok)?))
}

/// What an entry without a value holds.
fn unset(field: &'static Field, depth: usize) -> Result<Value> {
    Ok(match field.kind {
        Kind::String | Kind::Bytes => "".into(),
        Kind::Bool => false.into(),
        Kind::Int32 | Kind::Int64 | Kind::Double => 0.into(),
        Kind::Message(_) => match field.message() {
            Some(inner) => formed(&[], inner, Value::Null, depth)?,
            None => Value::Null,
        },
    })
}

/// A message in the form of its JSON.
fn formed(bytes: &[u8], message: &'static Message, before: Value, depth: usize) -> Result<Value> {
    let mut out = match (message.form, before) {
        (Form::Raw, _) => return raw(bytes, message),
        (Form::Struct, Value::Object(out)) => out,
        _ => Map::new(),
    };
    members(bytes, message, &mut out, depth)?;
    if message.form == Form::Struct {
        return Ok(Value::Object(out));
    }
    let mut take = |name: &str| out.remove(name);
    Ok(match message.form {
        Form::Struct | Form::Raw => Value::Null,
        Form::Time => moment(bytes, take("seconds"), None)?,
        Form::MicroTime => moment(bytes, take("seconds"), Some(take("nanos")))?,
        Form::Text => take("string").unwrap_or_else(|| "0".into()),
        Form::IntOrString => match take("type").and_then(|kind| kind.as_i64()).unwrap_or_default() {
            0 => take("intVal").unwrap_or_else(|| 0.into()),
            _ => take("strVal").unwrap_or_else(|| "".into()),
        },
        Form::List => take("items").unwrap_or_else(|| Value::Array(Vec::new())),
        Form::Schemas => take("jSONSchemas").or_else(|| take("schema")).unwrap_or_default(),
        Form::SchemaOrBool => take("schema").or_else(|| take("allows")).unwrap_or(Value::Bool(false)),
        Form::SchemaOrStrings => take("property").or_else(|| take("schema")).unwrap_or_default(),
    })
}

/// A moment; null where it is not set. `nanos` is told where more than seconds are kept.
fn moment(bytes: &[u8], seconds: Option<Value>, nanos: Option<Option<Value>>) -> Result<Value> {
    /// The first second of Go's calendar: a moment that is not set.
    const UNSET: i64 = -62_135_596_800;
    let number = |value: Option<Value>| value.and_then(|value| value.as_i64()).unwrap_or_default();
    let seconds = number(seconds);
    let micro = nanos.is_some();
    let nanos = number(nanos.flatten()) / 1000 * 1000;
    if bytes.is_empty() || (seconds == UNSET && nanos == 0) {
        return Ok(Value::Null);
    }
    let nanos = i32::try_from(nanos).unwrap_or_default();
    let moment = Timestamp::new(seconds, 0)
        .and_then(|moment| moment.checked_add(jiff::SignedDuration::new(0, nanos)))
        .map_err(|_| ProtobufError::Year)?;
    if !(0..=9999).contains(&moment.to_zoned(jiff::tz::TimeZone::UTC).year()) {
        return Err(ProtobufError::Year);
    }
    let layout = if micro { "%Y-%m-%dT%H:%M:%S%.6fZ" } else { "%Y-%m-%dT%H:%M:%SZ" };
    Ok(moment.strftime(layout).to_string().into())
}

/// JSON that is kept as text.
fn raw(bytes: &[u8], message: &'static Message) -> Result<Value> {
    let mut reader = Reader::new(bytes);
    let mut text: &[u8] = &[];
    while !reader.is_empty() {
        let key = reader.key(message.name)?;
        match message.field(key.number) {
            Some(field) => text = expect(&mut reader, key, field, BYTES)?,
            None => reader.skip(key.wire)?,
        }
    }
    if text.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(text).map_err(|error| {
        ProtobufError::Json(format!("json: error calling MarshalJSON for type {}: {error}", message.name))
    })
}
