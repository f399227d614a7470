//! Taking apart what the server sends, as far as is needed.
//!
//! In: the body of a page, a line of a watch. Out: the JSON of each object with its identity, in one pass over the bytes.
//! Never: decoding an object; the intake does that once, or not at all.

mod cursor;
mod event;
mod object;
mod page;

pub(super) use event::{Bookmark, Incoming};
pub(super) use object::{Identity, Raw};
pub(super) use page::{Page, PageMeta};

use crate::{client, store::ResourceVersion};

/// Text from bytes. UTF-8 is checked once for the whole, not string by string.
fn text(bytes: &[u8]) -> client::Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| client::Error::Decode(serde::de::Error::custom(error)))
}

fn version(text: &str) -> Option<ResourceVersion> {
    (!text.is_empty()).then(|| ResourceVersion::from(text))
}
