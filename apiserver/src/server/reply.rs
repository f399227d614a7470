//! `Reply`: what the server answers, before it becomes HTTP.
//!
//! In: a code and what it carries. Out: the same, to be written by the service. Lists stay in parts until no lock is held.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;
use serde_json::Value;

use crate::{
    printers::{Columns, Row, TableForm},
    protocol::{
        Encoding, ObjectView, Status, escape_html,
        protobuf::{self, ProtobufError},
        read_as_yaml, to_yaml,
    },
    store::{Stored, Watcher},
};

use super::LogQuery;

/// A request: method, path, query, headers and the whole body.
pub(crate) type Request = http::Request<Bytes>;

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub code: u16,
    pub content: Content,
    pub warnings: Vec<String>,
    pub retry_after: Option<u32>,
    /// Further headers.
    pub headers: HeaderMap,
    /// What the client wants it to be written in, where that has been found out.
    pub encoding: Option<Encoding>,
}

/// What an answer carries.
#[derive(Debug)]
pub(crate) enum Content {
    /// JSON, ready to send.
    Json(Bytes),
    /// YAML, ready to send.
    Yaml(Bytes),
    /// Protobuf, ready to send.
    Protobuf(Bytes),
    /// Plain text.
    Text(&'static str),
    /// Nothing at all, not even a type.
    Nothing,
    /// The log of a container, to be asked for where the container runs.
    Log(Box<LogQuery>),
    /// JSON of a list, still to be joined.
    List(ListContent),
    /// JSON of a table, still to be written.
    Table(Box<TableContent>),
    /// Something of this media type, ready to send in no other form.
    Document(&'static str, Bytes),
    /// Events.
    Watch(Box<WatchContent>),
}

/// What stands around the items of a list.
#[derive(Debug)]
pub(crate) struct ListFrame {
    /// Everything before the first item.
    pub opening: String,
    /// Everything after the last item.
    pub closing: String,
}

/// The parts of a list.
#[derive(Debug)]
pub(crate) struct ListContent {
    pub frame: Box<ListFrame>,
    /// How each item begins.
    pub item_head: Arc<str>,
    pub objects: Vec<Arc<Stored>>,
    /// How much of each object is wanted.
    pub part: Part,
}

/// What a table is made of.
#[derive(Debug)]
pub(crate) struct TableContent {
    pub form: TableForm,
    /// The inside of the table's metadata.
    pub metadata: String,
    pub objects: Vec<Arc<Stored>>,
    pub now: Timestamp,
}

/// How much of an object is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Metadata,
}

impl From<ObjectView> for Part {
    fn from(view: ObjectView) -> Self {
        match view.metadata() {
            None => Self::Whole,
            Some(_) => Self::Metadata,
        }
    }
}

/// A watch that begins.
#[derive(Debug)]
pub(crate) struct WatchContent {
    pub watcher: Watcher,
    /// When the stream ends, in seconds.
    pub timeout: Option<u64>,
    pub encoding: Encoding,
}

impl Reply {
    /// An answer with a JSON value.
    pub(crate) fn value(code: u16, value: &Value) -> Self {
        let mut json = serde_json::to_vec(value).unwrap_or_default();
        escape_html(&mut json, 0);
        Self::json(code, json.into())
    }

    /// An answer with JSON text.
    pub(crate) fn json(code: u16, json: Bytes) -> Self {
        Self::with(code, Content::Json(json))
    }

    /// An answer with any content.
    pub(crate) fn with(code: u16, content: Content) -> Self {
        Self {
            code,
            content,
            warnings: Vec::new(),
            retry_after: None,
            headers: HeaderMap::new(),
            encoding: None,
        }
    }

    /// The same answer with warnings before all others.
    pub(crate) fn forewarned(mut self, warnings: impl IntoIterator<Item = String>) -> Self {
        let later = std::mem::take(&mut self.warnings);
        self.warned(warnings).warned(later)
    }

    /// The same answer with warnings, of which each is told once.
    pub(crate) fn warned(mut self, warnings: impl IntoIterator<Item = String>) -> Self {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        self
    }

    /// The same answer with a header, if the value can be one.
    pub(crate) fn header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.append(name, value);
        }
        self
    }

    /// The same answer with the hint that browsers shall not guess its type.
    pub(crate) fn no_sniff(self) -> Self {
        self.header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
    }

    /// The same answer, to be written in another encoding.
    pub(crate) fn in_encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// The same answer, written as the client wants it, where it can be. What cannot be stays JSON.
    pub(crate) fn encoded(mut self) -> Self {
        self.content = match (self.encoding.unwrap_or_default(), self.content) {
            (Encoding::Json, content) => content,
            (encoding, Content::Watch(watch)) => {
                Content::Watch(Box::new(WatchContent { encoding, ..*watch }))
            }
            (Encoding::Yaml, content) => match content.into_yaml() {
                Ok(content) => content,
                Err(why) => {
                    self.code = 500;
                    Content::Yaml(to_yaml(&unwritten(why)).into())
                }
            },
            (Encoding::Protobuf, content) => content.into_protobuf(),
        };
        self
    }

    /// The same answer with its JSON, where it is a whole one, written in another way.
    pub(crate) fn mapped(mut self, write: impl Fn(&[u8]) -> Bytes) -> Self {
        self.content = match self.content {
            Content::Json(json) => Content::Json(write(&json)),
            Content::List(list) => Content::Json(write(&list.join())),
            Content::Table(table) => Content::Json(write(&table.join())),
            other => other,
        };
        self
    }

    /// The 503 of a path for which another server would have to answer.
    pub(crate) fn unavailable() -> Self {
        Self::with(503, Content::Text("service unavailable\n")).no_sniff()
    }

    /// The 404 of a path that nobody serves.
    pub(crate) fn page_not_found() -> Self {
        Self::with(404, Content::Text("404 page not found\n")).no_sniff()
    }
}

impl From<Status> for Reply {
    fn from(mut status: Status) -> Self {
        let retry_after = status.details().and_then(|details| details.retry_after_seconds);
        let warnings = status.take_warnings();
        let mut json = status.to_json();
        escape_html(&mut json, 0);
        Self { retry_after, ..Self::json(status.code(), json.into()) }.warned(warnings)
    }
}

/// What a real server answers where it cannot write an answer: it leaves out what others have.
fn unwritten(why: &str) -> Value {
    serde_json::json!({
        "apiVersion": "v1",
        "code": 500,
        "kind": "Status",
        "message": why,
        "metadata": {},
        "status": "Failure",
    })
}

impl Content {
    fn into_yaml(self) -> Result<Self, &'static str> {
        let json = match &self {
            Self::Json(json) => json.clone(),
            Self::List(list) => list.join(),
            Self::Table(table) => table.join(),
            _ => return Ok(self),
        };
        Ok(Self::Yaml(to_yaml(&read_as_yaml(&json)?).into()))
    }

    fn into_protobuf(self) -> Self {
        let written = match &self {
            Self::Json(json) => protobuf::encode(json),
            Self::List(list) => list.to_protobuf(),
            Self::Table(table) => protobuf::encode(&table.join()),
            _ => return self,
        };
        match written {
            Ok(bytes) => Self::Protobuf(bytes.into()),
            Err(error) => {
                tracing::warn!(%error, "an answer stays JSON");
                self
            }
        }
    }
}

impl TableContent {
    /// Writes the table.
    pub(crate) fn join(&self) -> Bytes {
        let rows: Vec<Row<'_>> = self
            .objects
            .iter()
            .map(|object| Row { metadata: object.metadata(), tail: object.tail() })
            .collect();
        self.form.write(&self.metadata, &rows, Columns::Told, self.now).into()
    }
}

impl ListContent {
    /// As protobuf. The objects are read as they are stored; what of them is not in the message is passed over.
    fn to_protobuf(&self) -> Result<Vec<u8>, ProtobufError> {
        let items: Vec<Bytes> = match self.part {
            Part::Whole => self.objects.iter().map(|object| object.json()).collect(),
            Part::Metadata => {
                let alone = |object: &Arc<Stored>| [b"{", object.metadata(), b"}"].concat().into();
                self.objects.iter().map(alone).collect()
            }
        };
        protobuf::list(protobuf::List {
            opening: &self.frame.opening,
            items: items.iter().map(|json| &json[..]),
        })
    }

    /// Joins the parts.
    pub(crate) fn join(&self) -> Bytes {
        let size: usize =
            self.objects.iter().map(|object| self.part(object).len() + self.item_head.len() + 2).sum();
        let ListFrame { opening, closing } = &*self.frame;
        if self.part == Part::Metadata
            && self.objects.is_empty()
            && let (Some(opening), Some(closing)) = (opening.strip_suffix('['), closing.strip_prefix(']'))
        {
            // A real server makes this list of nothing, and says so.
            return [opening, "null", closing].concat().into();
        }
        let mut out = Vec::with_capacity(opening.len() + size + closing.len());
        out.extend_from_slice(opening.as_bytes());
        for (index, object) in self.objects.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(self.item_head.as_bytes());
            out.extend_from_slice(self.part(object));
            if self.part == Part::Metadata {
                out.push(b'}');
            }
        }
        out.extend_from_slice(closing.as_bytes());
        out.into()
    }

    fn part<'a>(&self, object: &'a Stored) -> &'a [u8] {
        match self.part {
            Part::Whole => object.tail(),
            Part::Metadata => object.metadata(),
        }
    }
}
