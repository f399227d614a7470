//! The order of members, which is that of the structs of a real server.
//!
//! In: an object and its type. Out: its JSON with the members of built-in types in the order in which a real server writes them, all others by
//! name. The orders are data: `data/order.bin`, deflated text, one type a line with its members, made by `hack/field-order.py`.

use std::{collections::HashMap, io::Read, sync::LazyLock};

use serde_json::{Map, Value};

use super::types::{Field, Shape, TypeSchema};

static DATA: &[u8] = include_bytes!("../../data/order.bin");
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::new();
    let read = flate2::read::DeflateDecoder::new(DATA).read_to_string(&mut text);
    if read.is_ok() { text } else { String::new() }
});
static ORDERS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| TEXT.lines().filter_map(|line| line.split_once(' ')).collect());

/// The place of members that the data does not name: after all others.
pub(super) const LAST: u16 = u16::MAX;

/// The members of a definition in their order; none where they come by name.
pub(super) fn of(definition: &str) -> Vec<&'static str> {
    ORDERS.get(definition).map(|members| members.split(' ').collect()).unwrap_or_default()
}

/// Writes the members of an object, without braces, but for some.
pub(crate) fn write_members(
    out: &mut Vec<u8>,
    members: &Map<String, Value>,
    schema: &TypeSchema,
    skipped: &[&str],
) {
    let Shape::Struct(known) = schema.shape() else { return plain_members(out, members, skipped) };
    let place = |name: &str| {
        let field = known.fields.get(name);
        (field.map_or(LAST, |field| field.place), field)
    };
    let mut all: Vec<(u16, &String, &Value, Option<&Field>)> = Vec::with_capacity(members.len());
    for (name, value) in members.iter().filter(|(name, _)| !skipped.contains(&name.as_str())) {
        let (place, field) = place(name);
        all.push((place, name, value, field));
    }
    all.sort_by_key(|(place, ..)| *place);
    for (index, (_, name, value, field)) in all.into_iter().enumerate() {
        begin(out, index, name);
        match field {
            Some(field) => write(out, value, field.slot.get()),
            None => plain(out, value),
        }
    }
}

/// A value as JSON, escaped as Go does it.
pub(crate) fn written(value: &Value, schema: &TypeSchema) -> String {
    let mut out = Vec::new();
    write(&mut out, value, schema);
    crate::protocol::escape_html(&mut out, 0);
    String::from_utf8(out).unwrap_or_default()
}

fn plain_members(out: &mut Vec<u8>, members: &Map<String, Value>, skipped: &[&str]) {
    let shown = members.iter().filter(|(name, _)| !skipped.contains(&name.as_str()));
    for (index, (name, value)) in shown.enumerate() {
        begin(out, index, name);
        plain(out, value);
    }
}

fn begin(out: &mut Vec<u8>, index: usize, name: &str) {
    if index > 0 {
        out.push(b',');
    }
    if name.bytes().all(|letter| letter >= b' ' && letter != b'"' && letter != b'\\') {
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
        return;
    }
    // Writing JSON into memory fails for no value that JSON can hold.
    let _ = serde_json::to_writer(&mut *out, name);
    out.push(b':');
}

fn plain(out: &mut Vec<u8>, value: &Value) {
    let _ = serde_json::to_writer(out, value);
}

fn write(out: &mut Vec<u8>, value: &Value, schema: &TypeSchema) {
    match (value, schema.shape()) {
        (Value::Object(members), Shape::Struct(_)) => {
            out.push(b'{');
            write_members(out, members, schema, &[]);
            out.push(b'}');
        }
        (Value::Object(members), Shape::Map { values, .. }) => {
            out.push(b'{');
            for (index, (name, value)) in members.iter().enumerate() {
                begin(out, index, name);
                write(out, value, values.get());
            }
            out.push(b'}');
        }
        (Value::Array(items), Shape::List { items: of, .. }) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(out, item, of.get());
            }
            out.push(b']');
        }
        (value, _) => plain(out, value),
    }
}
