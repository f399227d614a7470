//! The envelope around every message: four bytes, and the kind of what follows.
//!
//! In: a body. Out: what it says of its kind, and the message inside, unread; and back.

use super::{
    error::ProtobufError,
    wire::{BYTES, Reader, put_bytes, put_key, put_varint, varint_length},
};

type Result<T> = std::result::Result<T, ProtobufError>;

/// How every body begins.
const PREFIX: &[u8] = b"k8s\0";

/// A body that has been opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Envelope<'a> {
    /// Empty where the sender leaves it to the path.
    pub api_version: &'a str,
    /// Empty where the sender leaves it to the path.
    pub kind: &'a str,
    /// The message.
    pub message: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// Opens a body.
    pub(crate) fn open(body: &'a [u8]) -> Result<Self> {
        if body.is_empty() {
            return Err(ProtobufError::Empty);
        }
        let rest = body.strip_prefix(PREFIX).ok_or(ProtobufError::NoPrefix)?;
        if rest.is_empty() {
            return Err(ProtobufError::EmptyBody);
        }
        let mut envelope = Self::default();
        let mut reader = Reader::new(rest);
        while !reader.is_empty() {
            let key = reader.key("Unknown")?;
            match (key.number, key.wire) {
                (1, BYTES) => envelope.read_type(reader.bytes()?)?,
                (2, BYTES) => envelope.message = reader.bytes()?,
                (1..=4, wire) if wire != BYTES => {
                    let names = ["TypeMeta", "Raw", "ContentEncoding", "ContentType"];
                    let place = usize::try_from(key.number - 1).unwrap_or_default();
                    let field = names.get(place).copied().unwrap_or_default().to_owned();
                    return Err(ProtobufError::WrongWireType { wire, field });
                }
                (_, wire) => reader.skip(wire)?,
            }
        }
        Ok(envelope)
    }

    fn read_type(&mut self, bytes: &'a [u8]) -> Result<()> {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let key = reader.key("TypeMeta")?;
            let text = |bytes| std::str::from_utf8(bytes).unwrap_or("\u{fffd}");
            match (key.number, key.wire) {
                (1, BYTES) => self.api_version = text(reader.bytes()?),
                (2, BYTES) => self.kind = text(reader.bytes()?),
                (_, wire) => reader.skip(wire)?,
            }
        }
        Ok(())
    }

    /// How many bytes [`Self::seal`] writes.
    pub(super) fn sealed_length(&self) -> usize {
        let kind = self.kind_length();
        let fixed = PREFIX.len() + 1 + varint_length(kind as u64) + kind;
        fixed + 1 + varint_length(self.message.len() as u64) + self.message.len() + 4
    }

    fn kind_length(&self) -> usize {
        let field = |text: &str| 1 + varint_length(text.len() as u64) + text.len();
        field(self.api_version) + field(self.kind)
    }

    /// Appends the body.
    pub(super) fn seal(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(PREFIX);
        put_key(out, 1, BYTES);
        put_varint(out, self.kind_length() as u64);
        put_bytes(out, 1, self.api_version.as_bytes());
        put_bytes(out, 2, self.kind.as_bytes());
        put_bytes(out, 2, self.message);
        put_bytes(out, 3, b"");
        put_bytes(out, 4, b"");
    }
}
