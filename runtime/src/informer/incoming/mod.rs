//! Taking apart what the server sends, as far as is needed.
//!
//! In: the body of a page, a line of a watch. Out: a cursor before each object, and the JSON of an object with its identity, in one pass
//! over the bytes. Never: a judgement whether an object has to be decoded; that is the intake's.

mod cursor;
mod event;
mod lean;
mod object;
mod page;

pub(super) use cursor::Cursor;
pub(super) use event::{Bookmark, Incoming};
pub(super) use lean::Lean;
pub(super) use object::{Identity, Raw};
pub(super) use page::{Page, PageMeta};

use crate::{client, store::ResourceVersion};

/// Text from bytes. UTF-8 is checked once for the whole, not string by string.
fn text(bytes: &[u8]) -> client::Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| client::Error::Decode(serde::de::Error::custom(error)))
}

pub(super) fn version(text: &str) -> Option<ResourceVersion> {
    (!text.is_empty()).then(|| ResourceVersion::from(text))
}
