//! What is written of fields that are not set: upstream writes most of them, empty.
//!
//! In: a field or a message. Out: its bytes.

use super::{
    descriptor::{Field, Form, Kind, Label, Message},
    special,
    wire::{FIXED64, put_bytes, put_integer, put_key},
};

/// Appends a field that is not set; nothing where it is left out.
pub(super) fn field(field: &'static Field, out: &mut Vec<u8>) {
    let is_list = field.message().is_some_and(|message| message.form == Form::List);
    match field.label {
        Label::Always if field.kind == Kind::Bytes || is_list => {}
        Label::Always | Label::Inline => value(field.number, field, out),
        Label::Pointer | Label::Repeated | Label::Map => {}
    }
}

/// Appends the empty value of a field under a number.
pub(super) fn value(number: u32, field: &'static Field, out: &mut Vec<u8>) {
    match field.kind {
        Kind::String | Kind::Bytes => put_bytes(out, number, b""),
        Kind::Bool | Kind::Int32 | Kind::Int64 => put_integer(out, number, 0),
        Kind::Double => {
            put_key(out, number, FIXED64);
            out.extend_from_slice(&[0; 8]);
        }
        Kind::Message(_) => {
            let body = field.message().map(body).unwrap_or_default();
            put_bytes(out, number, body);
        }
    }
}

/// The bytes of a message in which nothing is set.
fn body(message: &'static Message) -> &'static [u8] {
    message.zero.get_or_init(|| {
        let mut out = Vec::new();
        match message.form {
            Form::Struct => message.fields.iter().for_each(|inner| field(inner, &mut out)),
            Form::Text => put_bytes(&mut out, 1, b"0"),
            Form::IntOrString => special::integer(0, &mut out),
            Form::SchemaOrBool => put_integer(&mut out, 1, 0),
            _ => {}
        }
        out
    })
}
