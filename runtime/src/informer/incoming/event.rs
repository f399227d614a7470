//! One event of a watch.
//!
//! In: a line, and how to read an object. Out: what the line says. Never: a failure of the server as an event; it is an error.

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, de::IgnoredAny};

use super::{cursor::Cursor, text, version};
use crate::{client, store::ResourceVersion};

/// The annotation of the bookmark that ends a streamed list.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// One event of a watch.
pub(in crate::informer) enum Incoming<O> {
    /// An object as it is now.
    Present(O),
    /// An object as it was when it was deleted, or when it stopped to match.
    Gone(O),
    /// Nothing else has happened up to this version.
    Bookmark(Bookmark),
}

pub(in crate::informer) struct Bookmark {
    pub(in crate::informer) version: Option<ResourceVersion>,
    /// Whether this ends a streamed list.
    pub(in crate::informer) ends_list: bool,
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

#[derive(Deserialize)]
struct Type<'l>(#[serde(borrow)] Cow<'l, str>);

/// What a line holds.
struct Line<'l, O> {
    r#type: Option<Cow<'l, str>>,
    object: Option<Object<'l, O>>,
}

enum Object<'l, O> {
    /// Read on the way.
    Read(O),
    /// Its text: it is something else, or came before the type.
    Text(&'l str),
}

impl<O> Incoming<O> {
    /// Lets `read_object` read the object, where it is one of those that are watched.
    ///
    /// # Errors
    /// What the server says went wrong, or that this is no event.
    pub(in crate::informer) fn parse<'l>(
        line: &'l [u8],
        mut read_object: impl FnMut(&mut Cursor<'l>) -> serde_json::Result<O>,
    ) -> client::Result<Self> {
        let text = text(line)?;
        let read = Line::read(text, &mut read_object).map_err(client::Error::Decode);
        let Line { r#type: Some(r#type), object: Some(object) } = read.map_err(|error| bare(text, error))?
        else {
            let missing = serde::de::Error::custom("expected an event with a type and an object");
            return Err(bare(text, client::Error::Decode(missing)));
        };
        match (&*r#type, object) {
            ("ADDED" | "MODIFIED", object) => object.read(read_object).map(Self::Present),
            ("DELETED", object) => object.read(read_object).map(Self::Gone),
            ("BOOKMARK", Object::Text(object)) => bookmark(object).map(Self::Bookmark),
            ("ERROR", Object::Text(object)) => Err(status(object).unwrap_or_else(unknown_error)),
            _ => Ok(Self::Bookmark(Bookmark { version: None, ends_list: false })),
        }
    }
}

impl<'l, O> Line<'l, O> {
    fn read(
        text: &'l str,
        mut read_object: impl FnMut(&mut Cursor<'l>) -> serde_json::Result<O>,
    ) -> serde_json::Result<Self> {
        let (mut line, mut cursor) = (Self { r#type: None, object: None }, Cursor::new(text));
        cursor.members(|name, cursor| {
            match name {
                "type" => line.r#type = Some(cursor.value::<Type>()?.0.0),
                "object" if matches!(line.r#type.as_deref(), Some("ADDED" | "MODIFIED" | "DELETED")) => {
                    line.object = Some(Object::Read(read_object(cursor)?));
                }
                "object" => line.object = Some(Object::Text(cursor.value::<IgnoredAny>()?.1)),
                _ => drop(cursor.value::<IgnoredAny>()?),
            }
            Ok(())
        })?;
        cursor.end()?;
        Ok(line)
    }
}

impl<'l, O> Object<'l, O> {
    fn read(self, mut read: impl FnMut(&mut Cursor<'l>) -> serde_json::Result<O>) -> client::Result<O> {
        match self {
            Self::Read(object) => Ok(object),
            Self::Text(json) => read(&mut Cursor::new(json)).map_err(client::Error::Decode),
        }
    }
}

fn bookmark(object: &str) -> client::Result<Bookmark> {
    let BookmarkObject { metadata } = serde_json::from_str(object).map_err(client::Error::Decode)?;
    let annotations = metadata.annotations.unwrap_or_default();
    Ok(Bookmark {
        version: version(metadata.resource_version.as_deref().unwrap_or_default()),
        ends_list: annotations.get(INITIAL_EVENTS_END).is_some_and(|value| value == "true"),
    })
}

/// The Status that stands in place of an event, if that is what this is.
fn bare(line: &str, error: client::Error) -> client::Error {
    status(line).unwrap_or(error)
}

fn status(json: &str) -> Option<client::Error> {
    let status: client::Status = serde_json::from_str(json).ok()?;
    (status.is_failure() || status.code >= 400).then(|| client::Error::from_status(status))
}

fn unknown_error() -> client::Error {
    client::Error::from_status(client::Status::failure("the watch failed", "InternalError").with_code(500))
}
