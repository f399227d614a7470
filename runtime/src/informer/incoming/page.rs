//! One page of a list.
//!
//! In: its body. Out: what it says of itself, and its objects one by one. Never: a list of them.

use serde::{
    Deserialize,
    de::{Error as _, IgnoredAny},
};

use super::{cursor::Cursor, text};
use crate::client;

/// The body of a page.
pub(in crate::informer) struct Page<'p> {
    text: &'p str,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::informer) struct PageMeta {
    #[serde(default)]
    pub(in crate::informer) resource_version: Option<String>,
    /// Where the next page begins; empty on the last one.
    #[serde(default, rename = "continue")]
    pub(in crate::informer) token: Option<String>,
}

impl<'p> Page<'p> {
    /// # Errors
    /// If it is no text.
    pub(in crate::informer) fn new(body: &'p [u8]) -> client::Result<Self> {
        text(body).map(|text| Self { text })
    }

    /// What the page says of itself. Servers write that before the objects, so that this is quick.
    ///
    /// # Errors
    /// If this is no list.
    pub(in crate::informer) fn meta(&self) -> client::Result<PageMeta> {
        let mut found = None;
        let read = Cursor::new(self.text).members(|name, cursor| match name {
            "metadata" => {
                found = Some(cursor.value::<PageMeta>()?.0);
                // Enough was read.
                Err(serde_json::Error::custom("found"))
            }
            _ => cursor.value::<IgnoredAny>().map(drop),
        });
        match (found, read) {
            (Some(meta), _) => Ok(meta),
            (None, Err(error)) => Err(client::Error::Decode(error)),
            (None, Ok(())) => Err(client::Error::Decode(serde_json::Error::missing_field("metadata"))),
        }
    }

    /// Lets `read` read each object.
    ///
    /// # Errors
    /// If the page is no JSON to its end; then what was read is of no use.
    pub(in crate::informer) fn objects(
        &self,
        mut read: impl FnMut(&mut Cursor<'p>) -> serde_json::Result<()>,
    ) -> client::Result<()> {
        let mut cursor = Cursor::new(self.text);
        let read = cursor.members(|name, cursor| match name {
            "items" => cursor.items(&mut read),
            _ => cursor.value::<IgnoredAny>().map(drop),
        });
        read.and_then(|()| cursor.end()).map_err(client::Error::Decode)
    }
}
