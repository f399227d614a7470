//! Taking apart what the server sends, as far as is needed.
//!
//! In: the body of a page, a line of a watch. Out: the raw JSON of each object, and its identity. Never: decoding an
//! object; the reflector does that once, or not at all.

use std::{borrow::Cow, collections::BTreeMap};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{client, object::ObjectKey, store::ResourceVersion};

/// The annotation of the bookmark that ends a streamed list.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// One page of a list.
#[derive(Deserialize)]
pub(super) struct Page<'p> {
    pub(super) metadata: PageMeta,
    #[serde(borrow, default)]
    pub(super) items: Option<Vec<&'p RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageMeta {
    #[serde(default)]
    pub(super) resource_version: Option<String>,
    #[serde(default, rename = "continue")]
    pub(super) token: Option<String>,
}

impl<'p> Page<'p> {
    pub(super) fn parse(body: &'p [u8]) -> client::Result<Self> {
        // UTF-8 is checked once for the page, not string by string.
        match std::str::from_utf8(body) {
            Ok(text) => serde_json::from_str(text).map_err(client::Error::Decode),
            Err(_) => serde_json::from_slice(body).map_err(client::Error::Decode),
        }
    }
}

/// One event of a watch.
pub(super) enum Incoming<'l> {
    /// An object as it is now.
    Present(&'l RawValue),
    /// An object as it was when it was deleted, or when it stopped to match.
    Gone(&'l RawValue),
    /// Nothing else has happened up to this version.
    Bookmark(Bookmark),
}

pub(super) struct Bookmark {
    pub(super) version: Option<ResourceVersion>,
    /// Whether this ends a streamed list.
    pub(super) ends_list: bool,
}

#[derive(Deserialize)]
struct Line<'l> {
    #[serde(borrow)]
    r#type: Cow<'l, str>,
    #[serde(borrow)]
    object: &'l RawValue,
}

#[derive(Deserialize)]
struct BookmarkObject {
    metadata: BookmarkMeta,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BookmarkMeta {
    #[serde(default)]
    resource_version: Option<String>,
    #[serde(default)]
    annotations: Option<BTreeMap<String, String>>,
}

impl<'l> Incoming<'l> {
    /// # Errors
    /// What the server says went wrong, or that this is no event.
    pub(super) fn parse(line: &'l [u8]) -> client::Result<Self> {
        let event: Line = match std::str::from_utf8(line).map(serde_json::from_str) {
            Ok(Ok(event)) => event,
            Ok(Err(error)) => return Err(bare_status(line).unwrap_or(client::Error::Decode(error))),
            // Let the parser say where.
            Err(_) => serde_json::from_slice(line).map_err(client::Error::Decode)?,
        };
        match &*event.r#type {
            "ADDED" | "MODIFIED" => Ok(Self::Present(event.object)),
            "DELETED" => Ok(Self::Gone(event.object)),
            "BOOKMARK" => bookmark(event.object).map(Self::Bookmark),
            "ERROR" => Err(bare_status(event.object.get().as_bytes()).unwrap_or_else(unknown_error)),
            _ => Ok(Self::Bookmark(Bookmark { version: None, ends_list: false })),
        }
    }
}

fn bookmark(object: &RawValue) -> client::Result<Bookmark> {
    let BookmarkObject { metadata } = serde_json::from_str(object.get()).map_err(client::Error::Decode)?;
    let annotations = metadata.annotations.unwrap_or_default();
    Ok(Bookmark {
        version: version(metadata.resource_version.as_deref().unwrap_or_default()),
        ends_list: annotations.get(INITIAL_EVENTS_END).is_some_and(|value| value == "true"),
    })
}

/// A Status in place of an event.
fn bare_status(json: &[u8]) -> Option<client::Error> {
    let status: client::Status = serde_json::from_slice(json).ok()?;
    (status.is_failure() || status.code >= 400).then(|| client::Error::from_status(status))
}

fn unknown_error() -> client::Error {
    client::Error::from_status(client::Status::failure("the watch failed", "InternalError").with_code(500))
}

fn version(text: &str) -> Option<ResourceVersion> {
    (!text.is_empty()).then(|| ResourceVersion::from(text))
}

/// Which object this is, and which version of it.
pub(super) struct Identity<'o> {
    pub(super) key: ObjectKey,
    pub(super) uid: Cow<'o, str>,
    pub(super) version: Option<ResourceVersion>,
}

#[derive(Deserialize)]
struct Identified<'o> {
    #[serde(borrow)]
    metadata: Meta<'o>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'o> {
    #[serde(borrow)]
    name: Cow<'o, str>,
    #[serde(borrow, default)]
    namespace: Cow<'o, str>,
    #[serde(borrow, default)]
    uid: Cow<'o, str>,
    #[serde(borrow, default)]
    resource_version: Cow<'o, str>,
}

impl<'o> Identity<'o> {
    /// Reads the identity and skips everything else.
    pub(super) fn read(object: &'o RawValue) -> serde_json::Result<Self> {
        let Identified { metadata } = serde_json::from_str(object.get())?;
        Ok(Self {
            key: ObjectKey::new(&metadata.namespace, &metadata.name),
            uid: metadata.uid,
            version: version(&metadata.resource_version),
        })
    }
}
