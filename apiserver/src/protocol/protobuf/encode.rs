//! JSON text to protobuf.
//!
//! In: the JSON of an object in the form in which it is stored, read once, without a tree of values. Out: the bytes of its message, fields
//! in the order of their numbers, fields that are not set written as upstream writes them. It sets nothing.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{
    descriptor::{Field, Form, Kind, Label, Message, Path},
    error::ProtobufError,
    special,
    wire::{BYTES, FIXED64, prefix_length, put_bytes, put_integer, put_key},
    zero,
};

/// Where messages are put together. Using one for many objects saves making its parts anew.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    pub out: Vec<u8>,
    scratch: Vec<u8>,
    chunks: Vec<Chunk>,
}

/// One field that has been written, in the order of the JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Chunk {
    path: Path,
    start: usize,
    end: usize,
}

impl Encoder {
    /// Appends the message that the JSON of an object holds.
    pub(super) fn object(&mut self, json: &[u8], message: &'static Message) -> Result<(), ProtobufError> {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let seed = Body { encoder: self, message };
        seed.deserialize(&mut reader)
            .and_then(|()| reader.end())
            .map_err(|error| ProtobufError::Json(error.to_string()))
    }

    /// Brings the fields written since `base` into order, and those that are always there between them.
    fn settle(&mut self, message: &'static Message, base: usize, first: usize) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        if let Some(chunks) = self.chunks.get_mut(first..) {
            chunks.sort_unstable();
            assemble(message, chunks, 0, &self.out, &mut scratch);
        }
        self.chunks.truncate(first);
        self.out.truncate(base);
        self.out.extend_from_slice(&scratch);
        self.scratch = scratch;
    }
}

/// Copies the fields of a message in the order of their numbers.
fn assemble(message: &'static Message, chunks: &[Chunk], level: usize, from: &[u8], out: &mut Vec<u8>) {
    let mut rest = chunks;
    for (index, field) in message.fields.iter().enumerate() {
        let count = rest.iter().take_while(|chunk| chunk.path.step(level) == Some(index)).count();
        let (own, others) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        rest = others;
        match (field.label, field.message(), own.last()) {
            (Label::Inline, Some(inner), _) => {
                put_key(out, field.number, BYTES);
                let start = out.len();
                assemble(inner, own, level + 1, from, out);
                prefix_length(out, start);
            }
            (_, _, Some(chunk)) if chunk.end > chunk.start => {
                out.extend_from_slice(from.get(chunk.start..chunk.end).unwrap_or_default());
            }
            _ => zero::field(field, out),
        }
    }
}

/// Reads an object of a message.
struct Body<'e> {
    encoder: &'e mut Encoder,
    message: &'static Message,
}

impl<'de> DeserializeSeed<'de> for Body<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Body<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "an object of {}", self.message.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Self { encoder, message } = self;
        let (base, first) = (encoder.out.len(), encoder.chunks.len());
        let mut hint = 0;
        while let Some(path) = object.next_key_seed(Name { message, hint: &mut hint })? {
            let Some((path, field)) = path else {
                object.next_value::<IgnoredAny>()?;
                continue;
            };
            let start = encoder.out.len();
            object.next_value_seed(Member { encoder: &mut *encoder, field, part: Part::Whole })?;
            let end = encoder.out.len();
            encoder.chunks.push(Chunk { path, start, end });
        }
        encoder.settle(message, base, first);
        Ok(())
    }
}

/// Reads the name of a member.
struct Name<'h> {
    message: &'static Message,
    hint: &'h mut usize,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<(Path, &'static Field)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<(Path, &'static Field)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a member")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        let path = self.message.path(name, self.hint);
        Ok(path.and_then(|path| Some((path, path.field(self.message)?))))
    }
}

/// How much of a field a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// All of it: of a list, the list.
    Whole,
    /// An item of a list, or a value of a map.
    Item,
}

/// Reads the value of a field and writes the field, key included.
struct Member<'e> {
    encoder: &'e mut Encoder,
    field: &'static Field,
    part: Part,
}

impl Member<'_> {
    fn form(&self) -> Option<(Form, &'static Message)> {
        self.field.message().map(|message| (message.form, message))
    }

    /// Writes a message whose bytes `write` appends.
    fn message(self, write: impl FnOnce(&mut Vec<u8>)) {
        let number = self.number();
        let out = &mut self.encoder.out;
        put_key(out, number, BYTES);
        let start = out.len();
        write(out);
        prefix_length(out, start);
    }

    /// Values of maps are the second field of their entry.
    fn number(&self) -> u32 {
        if self.field.label == Label::Map { 2 } else { self.field.number }
    }

    fn item(&mut self) -> Member<'_> {
        Member { encoder: &mut *self.encoder, field: self.field, part: Part::Item }
    }

    fn unfit<E: serde::de::Error>(&self, what: &str) -> E {
        E::custom(format_args!("{what} for field {}", self.field.name))
    }
}

impl<'de> DeserializeSeed<'de> for Member<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let whole = self.part == Part::Whole && matches!(self.field.label, Label::Repeated | Label::Map);
        match self.form() {
            Some((Form::Raw, message)) if !whole => {
                let raw: &serde_json::value::RawValue = serde::Deserialize::deserialize(deserializer)?;
                let number = message.fields.first().map_or(1, |field| field.number);
                match (raw.get(), self.part) {
                    ("null", Part::Whole) => {}
                    ("null", Part::Item) => self.message(|_| {}),
                    (text, _) => self.message(|out| put_bytes(out, number, text.as_bytes())),
                }
                Ok(())
            }
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Member<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a value of the field {}", self.field.name)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        // Bytes that are not there are not written, not even as a value of a map.
        if self.part == Part::Item && self.field.kind != Kind::Bytes {
            let number = self.number();
            zero::value(number, self.field, &mut self.encoder.out);
        }
        Ok(())
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        let number = self.number();
        match (self.field.kind, self.form()) {
            (Kind::Bool, _) => put_integer(&mut self.encoder.out, number, value.into()),
            (_, Some((Form::SchemaOrBool, _))) => self.message(|out| put_integer(out, 1, value.into())),
            _ => return Err(self.unfit("a boolean")),
        }
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        let number = self.number();
        match (self.field.kind, self.form()) {
            // A negative number is written as a word of 64 bits, also where 32 are kept.
            (Kind::Int32 | Kind::Int64, _) => put_integer(&mut self.encoder.out, number, value as u64),
            (Kind::Double, _) => return self.visit_f64(value as f64),
            (_, Some((Form::IntOrString, _))) => self.message(|out| special::integer(value, out)),
            (_, Some((Form::Text, _))) => return self.visit_str(&value.to_string()),
            _ => return Err(self.unfit("a number")),
        }
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => self.visit_f64(value as f64),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        if self.field.kind != Kind::Double {
            return Err(self.unfit("a fraction"));
        }
        let number = self.number();
        let out = &mut self.encoder.out;
        put_key(out, number, FIXED64);
        out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        let number = self.number();
        match (self.field.kind, self.form()) {
            (Kind::String, _) => put_bytes(&mut self.encoder.out, number, value.as_bytes()),
            (Kind::Bytes, _) => {
                let bytes = special::bytes(value).ok_or_else(|| self.unfit("no base64"))?;
                put_bytes(&mut self.encoder.out, number, &bytes);
            }
            (_, Some((Form::Time | Form::MicroTime, message))) => {
                let micro = message.form == Form::MicroTime;
                let moment = special::Moment::read(value).ok_or_else(|| self.unfit("no moment"))?;
                self.message(|out| if micro { moment.write(out) } else { moment.write_seconds(out) });
            }
            (_, Some((Form::Text, _))) => self.message(|out| put_bytes(out, 1, value.as_bytes())),
            (_, Some((Form::IntOrString, _))) => self.message(|out| special::text(value, out)),
            _ => return Err(self.unfit("a text")),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        if self.part == Part::Whole && self.field.label == Label::Repeated {
            while list.next_element_seed(self.item())?.is_some() {}
            return Ok(());
        }
        let place = match self.form() {
            Some((Form::List, message)) => message.field(1),
            Some((Form::Schemas | Form::SchemaOrStrings, message)) => message.field(2),
            _ => None,
        };
        let Some(items) = place else { return Err(self.unfit("a list")) };
        let number = self.number();
        let encoder = self.encoder;
        put_key(&mut encoder.out, number, BYTES);
        let start = encoder.out.len();
        while list
            .next_element_seed(Member { encoder: &mut *encoder, field: items, part: Part::Item })?
            .is_some()
        {}
        prefix_length(&mut encoder.out, start);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<(), A::Error> {
        if self.part == Part::Whole && self.field.label == Label::Map {
            return self.entries(object);
        }
        let number = self.number();
        let Some((form, message)) = self.form() else { return Err(self.unfit("an object")) };
        let encoder = self.encoder;
        put_key(&mut encoder.out, number, BYTES);
        let start = encoder.out.len();
        match form {
            Form::Struct => Body { encoder: &mut *encoder, message }.visit_map(object)?,
            Form::Schemas | Form::SchemaOrBool | Form::SchemaOrStrings => {
                let place = if form == Form::SchemaOrBool { 2 } else { 1 };
                if form == Form::SchemaOrBool {
                    put_integer(&mut encoder.out, 1, 1);
                }
                let field = message.field(place).ok_or_else(|| A::Error::custom("no schema"))?;
                Member { encoder: &mut *encoder, field, part: Part::Item }.visit_map(object)?;
            }
            _ => return Err(A::Error::custom(format_args!("an object for {}", message.name))),
        }
        prefix_length(&mut encoder.out, start);
        Ok(())
    }
}

impl Member<'_> {
    fn entries<'de, A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<std::borrow::Cow<'_, str>>()? {
            put_key(&mut self.encoder.out, self.field.number, BYTES);
            let start = self.encoder.out.len();
            put_bytes(&mut self.encoder.out, 1, name.as_bytes());
            map.next_value_seed(self.item())?;
            prefix_length(&mut self.encoder.out, start);
        }
        Ok(())
    }
}
