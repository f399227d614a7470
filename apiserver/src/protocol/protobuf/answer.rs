//! Whole answers: objects, lists, events of a watch.
//!
//! In: the JSON of each. Out: bytes as they are sent.

use serde::Deserialize;

use super::{
    descriptor::{self, Kind, Label},
    encode::Encoder,
    envelope::Envelope,
    error::ProtobufError,
    wire::{BYTES, prefix_length, put_bytes, put_key},
};

type Result<T> = std::result::Result<T, ProtobufError>;

/// A list, in parts.
#[derive(Clone, Debug)]
pub(crate) struct List<'a, I> {
    /// The JSON up to the items: `{"kind":"PodList","apiVersion":"v1","metadata":{...},"items":[`.
    pub opening: &'a str,
    /// The JSON of each item.
    pub items: I,
}

/// What an object says of itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Head {
    #[serde(rename = "apiVersion")]
    api_version: String,
    kind: String,
}

impl Head {
    fn read(json: &[u8]) -> Result<Self> {
        if let Some(head) = Self::beginning(json) {
            return Ok(head);
        }
        serde_json::from_slice(json).map_err(|error| ProtobufError::Json(error.to_string()))
    }

    /// Kind and version where they come first, as they do in all that is stored.
    fn beginning(json: &[u8]) -> Option<Self> {
        let (kind, rest) = text(json.strip_prefix(b"{\"kind\":\"")?)?;
        let (api_version, _) = text(rest.strip_prefix(b",\"apiVersion\":\"")?)?;
        Some(Self { api_version, kind })
    }
}

/// A plain text up to its closing mark.
fn text(json: &[u8]) -> Option<(String, &[u8])> {
    let end = json.iter().position(|byte| *byte == b'"')?;
    let (text, rest) = json.split_at_checked(end)?;
    let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\\'))?;
    Some((text.to_owned(), rest.get(1..)?))
}

/// Writes an object, in its envelope.
pub(crate) fn object(json: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(json.len());
    write_object(json, &mut out)?;
    Ok(out)
}

fn write_object(json: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let head = Head::read(json)?;
    let message = descriptor::kind(&head.api_version, &head.kind).ok_or_else(|| head.unknown())?;
    let mut encoder = Encoder::default();
    encoder.out.reserve(json.len());
    encoder.object(json, message)?;
    head.envelope(&encoder.out).seal(out);
    Ok(())
}

impl Head {
    fn unknown(&self) -> ProtobufError {
        ProtobufError::NoMessage { api_version: self.api_version.clone(), kind: self.kind.clone() }
    }

    fn envelope<'a>(&'a self, message: &'a [u8]) -> Envelope<'a> {
        Envelope { api_version: &self.api_version, kind: &self.kind, message }
    }
}

/// Writes a list, in its envelope.
pub(crate) fn list<'a>(list: List<'a, impl Iterator<Item = &'a [u8]>>) -> Result<Vec<u8>> {
    let opening = list.opening.as_bytes();
    let whole = [opening, b"]}"].concat();
    let head = Head::read(&whole)?;
    let message = descriptor::kind(&head.api_version, &head.kind).ok_or_else(|| head.unknown())?;
    let items = message.fields.iter().find(|field| field.label == Label::Repeated && field.name == "items");
    let (items, item) = items
        .and_then(|field| Some((field, field.message()?)))
        .filter(|(field, _)| matches!(field.kind, Kind::Message(_)))
        .ok_or_else(|| head.unknown())?;
    let mut encoder = Encoder::default();
    encoder.object(&whole, message)?;
    for json in list.items {
        put_key(&mut encoder.out, items.number, BYTES);
        let start = encoder.out.len();
        encoder.object(json, item)?;
        prefix_length(&mut encoder.out, start);
    }
    let envelope = head.envelope(&encoder.out);
    let mut out = Vec::with_capacity(envelope.sealed_length());
    envelope.seal(&mut out);
    Ok(out)
}

/// Writes an event of a watch, with its length in front. In: the line that a watch of JSON sends.
pub(crate) fn event(line: &[u8]) -> Result<Vec<u8>> {
    let malformed = || ProtobufError::Json("no event".to_owned());
    let (kind, rest) = line.strip_prefix(b"{\"type\":\"").and_then(text).ok_or_else(malformed)?;
    let object = rest.strip_prefix(b",\"object\":").ok_or_else(malformed)?.trim_ascii_end();
    let object = object.strip_suffix(b"}").ok_or_else(malformed)?;
    let mut envelope = Vec::with_capacity(object.len());
    write_object(object, &mut envelope)?;
    let mut out = vec![0; 4];
    out.reserve(envelope.len() + 32);
    put_bytes(&mut out, 1, kind.as_bytes());
    put_key(&mut out, 2, BYTES);
    let start = out.len();
    put_bytes(&mut out, 1, &envelope);
    prefix_length(&mut out, start);
    let length = u32::try_from(out.len() - 4).unwrap_or(u32::MAX).to_be_bytes();
    if let Some(front) = out.first_chunk_mut() {
        *front = length;
    }
    Ok(out)
}
