//! `Stored`: one version of one object, as bytes.
//!
//! In: an object's fields. Out: its JSON, written once inside the event that announced it, with what selectors and preconditions look at
//! beside it. Reads, lists and watches copy bytes or share them; nothing here is parsed again except to be changed.

use std::{borrow::Cow, cmp::Ordering, sync::Arc};

use bytes::Bytes;
use parking_lot::Mutex;
use serde_json::Value;

use crate::protocol::{Fields, escape_html, may_need_escapes};

use super::{
    closed::{is_closed, read_closed},
    ownership::{Ending, Owner, owners},
    texts::Texts,
    written::{write_member, write_metadata},
};

/// What a watch says about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Added,
    Modified,
    Deleted,
}

impl Change {
    pub(super) fn opening(self) -> &'static str {
        match self {
            Self::Added => "{\"type\":\"ADDED\",\"object\":",
            Self::Modified => "{\"type\":\"MODIFIED\",\"object\":",
            Self::Deleted => "{\"type\":\"DELETED\",\"object\":",
        }
    }
}

/// The members that are written before all others.
const BEFORE: [&str; 3] = ["kind", "apiVersion", "metadata"];
const CLOSING: &[u8] = b"}\n";

/// An object that is about to be stored.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    /// `namespace/name`, or the name alone where the kind is cluster-scoped.
    pub key: Arc<str>,
    /// `{"kind":"Pod","apiVersion":"v1",`: how the JSON begins.
    pub head: Arc<str>,
    /// The object; `kind` and `apiVersion` are taken from the head.
    pub fields: Cow<'a, Fields>,
    /// The values of the fields that selectors may name, in the order of the kind's list.
    pub selectable: Texts,
    /// See [`Stored::shape`].
    pub shape: u64,
    /// Who writes the members that come after metadata, where they do not come by name.
    pub hand: Option<Box<dyn Hand>>,
}

/// Writes members of an object, each but for the first after a comma.
pub(crate) trait Hand: std::fmt::Debug {
    /// Writes all but those that are named.
    fn write(&self, out: &mut Vec<u8>, fields: &Fields, skipped: &[&str]);
}

impl<'a> Draft<'a> {
    /// A draft without fields that selectors may name.
    pub(crate) fn new(key: Arc<str>, head: Arc<str>, fields: &'a Fields) -> Self {
        Self { key, head, fields: Cow::Borrowed(fields), selectable: Texts::default(), shape: 0, hand: None }
    }
}

/// One version of one object.
#[derive(Debug)]
pub(crate) struct Stored {
    pub key: Arc<str>,
    pub version: u64,
    pub uid: Box<str>,
    /// A name for the schema that it was written under; 0 where kinds have but one.
    pub shape: u64,
    /// Whom its metadata names as owners.
    pub owners: Box<[Owner]>,
    /// Whether it is on its way out, and what that waits for.
    pub ending: Ending,
    /// Every label's name, sorted, and its value.
    labels: Texts,
    selectable: Texts,
    /// `{"type":"ADDED","object":{...}}\n`
    frame: Bytes,
    change: Change,
    /// Length of the head inside the object's JSON.
    head: u32,
    /// Where the digits of the version begin inside the object's JSON.
    version_at: u32,
    /// Where the `metadata` member ends inside the object's JSON.
    metadata_end: u32,
    /// The fields, as long as they are remembered.
    remembered: Mutex<Option<Fields>>,
}

impl Stored {
    /// Writes an object down under a version.
    pub(crate) fn write(draft: Draft<'_>, version: u64, change: Change) -> Self {
        let opening = change.opening();
        let mut out = Vec::with_capacity(4096);
        out.extend_from_slice(opening.as_bytes());
        out.extend_from_slice(draft.head.as_bytes());
        let metadata = draft.fields.get("metadata").and_then(Value::as_object);
        let version_at = write_metadata(&mut out, metadata, version, draft.shape != 0);
        let version_at = escape_around(&mut out, opening.len(), version_at);
        let metadata_end = out.len();
        let mut rest = draft.fields.iter().filter(|(name, _)| !BEFORE.contains(&name.as_str())).peekable();
        if let Some(hand) = draft.hand.as_ref().filter(|_| rest.peek().is_some()) {
            out.push(b',');
            hand.write(&mut out, &draft.fields, &BEFORE);
        } else {
            for (name, value) in rest {
                out.push(b',');
                write_member(&mut out, name, value);
            }
        }
        escape_html(&mut out, metadata_end);
        out.push(b'}');
        out.extend_from_slice(CLOSING);
        out.shrink_to_fit();
        let text = |name| metadata.and_then(|metadata| metadata.get(name)).and_then(Value::as_str);
        let offset = |position: usize| u32::try_from(position - opening.len()).unwrap_or(u32::MAX);
        Self {
            key: draft.key,
            version,
            uid: text("uid").unwrap_or_default().into(),
            owners: owners(metadata),
            ending: Ending::of(metadata),
            labels: labels(metadata),
            selectable: draft.selectable,
            shape: draft.shape,
            change,
            head: u32::try_from(draft.head.len()).unwrap_or_default(),
            version_at: offset(version_at),
            metadata_end: offset(metadata_end),
            frame: Bytes::from(out),
            remembered: Mutex::default(),
        }
    }

    /// The same object in another form, under the same version.
    pub(crate) fn shown_as(&self, head: Arc<str>, fields: &Fields) -> Self {
        let mut draft = Draft::new(Arc::clone(&self.key), head, fields);
        draft.selectable = self.selectable.clone();
        draft.shape = self.shape;
        Self::write(draft, self.version, self.change)
    }

    /// The same content under another version, as the last word about an object that is gone.
    pub(crate) fn buried(&self, version: u64) -> Self {
        let json = self.json();
        let start = self.version_at as usize;
        let old = digits(self.version).len();
        let new = digits(version);
        let opening = Change::Deleted.opening();
        let mut out = Vec::with_capacity(opening.len() + json.len() + 8);
        out.extend_from_slice(opening.as_bytes());
        out.extend_from_slice(json.get(..start).unwrap_or_default());
        out.extend_from_slice(new.as_bytes());
        out.extend_from_slice(json.get(start + old..).unwrap_or_default());
        out.extend_from_slice(CLOSING);
        out.shrink_to_fit();
        let longer = i64::try_from(new.len()).unwrap_or_default() - i64::try_from(old).unwrap_or_default();
        Self {
            key: Arc::clone(&self.key),
            version,
            uid: self.uid.clone(),
            shape: self.shape,
            owners: self.owners.clone(),
            ending: self.ending,
            labels: self.labels.clone(),
            selectable: self.selectable.clone(),
            frame: Bytes::from(out),
            change: Change::Deleted,
            head: self.head,
            version_at: self.version_at,
            metadata_end: u32::try_from(i64::from(self.metadata_end) + longer).unwrap_or(u32::MAX),
            remembered: Mutex::default(),
        }
    }

    /// The whole object; shares the stored bytes.
    pub(crate) fn json(&self) -> Bytes {
        let start = self.change.opening().len();
        self.frame.slice(start..self.frame.len().saturating_sub(CLOSING.len()).max(start))
    }

    /// The object from its `metadata` on, closing brace included.
    pub(crate) fn tail(&self) -> &[u8] {
        let start = self.change.opening().len() + self.head as usize;
        let end = self.frame.len().saturating_sub(CLOSING.len());
        self.frame.get(start..end).unwrap_or_default()
    }

    /// The `metadata` member alone: `"metadata":{...}`.
    pub(crate) fn metadata(&self) -> &[u8] {
        let length = (self.metadata_end.saturating_sub(self.head)) as usize;
        self.tail().get(..length).unwrap_or_default()
    }

    /// The text before `metadata`.
    pub(crate) fn head(&self) -> &[u8] {
        let start = self.change.opening().len();
        self.frame.get(start..start + self.head as usize).unwrap_or_default()
    }

    /// The object as one event of a watch that reads it under `head`; shared where nothing differs from how it was stored.
    pub(crate) fn event(&self, change: Change, head: &str) -> Bytes {
        if change == self.change && self.head() == head.as_bytes() {
            return self.frame.clone();
        }
        let tail = self.tail();
        let opening = change.opening();
        let mut out = Vec::with_capacity(opening.len() + head.len() + tail.len() + CLOSING.len());
        out.extend_from_slice(opening.as_bytes());
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(tail);
        out.extend_from_slice(CLOSING);
        Bytes::from(out)
    }

    /// The object's metadata as one event.
    pub(crate) fn metadata_event(&self, change: Change, head: &str) -> Bytes {
        let mut out = Vec::with_capacity(self.metadata().len() + 128);
        out.extend_from_slice(change.opening().as_bytes());
        out.extend_from_slice(head.as_bytes());
        out.extend_from_slice(self.metadata());
        out.push(b'}');
        out.extend_from_slice(CLOSING);
        Bytes::from(out)
    }

    /// Reads the object.
    pub(crate) fn fields(&self) -> Fields {
        serde_json::from_slice(&self.json()).unwrap_or_default()
    }

    /// Reads the object in order to change it: its owners stay closed.
    pub(crate) fn closed_fields(&self) -> Fields {
        let remembered = self.remembered.lock().take();
        remembered.unwrap_or_else(|| read_closed(&self.json()))
    }

    /// Remembers the fields that the object was written from, for whoever changes it next.
    pub(super) fn remember(&self, mut fields: Fields) {
        if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
            metadata.insert("resourceVersion".to_owned(), digits(self.version).into());
        }
        if is_closed(&fields) {
            debug_assert!(
                read_closed(&self.json()) == fields || self.json().windows(2).any(|pair| pair == b"\\u"),
                "what is remembered of {} is not what is read",
                self.key
            );
            *self.remembered.lock() = Some(fields);
        }
    }

    /// Forgets them again.
    pub(super) fn forget(&self) {
        self.remembered.lock().take();
    }

    /// All labels, sorted.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.labels.len() / 2).filter_map(|place| self.label_at(place))
    }

    fn label_at(&self, place: usize) -> Option<(&str, &str)> {
        Some((self.labels.get(2 * place)?, self.labels.get(2 * place + 1)?))
    }

    /// The value of a label.
    pub(crate) fn label(&self, key: &str) -> Option<&str> {
        let mut from = 0;
        let mut to = self.labels.len() / 2;
        while from < to {
            let middle = from.midpoint(to);
            let (name, value) = self.label_at(middle)?;
            match name.cmp(key) {
                Ordering::Less => from = middle + 1,
                Ordering::Greater => to = middle,
                Ordering::Equal => return Some(value),
            }
        }
        None
    }

    /// The value of the selectable field with this index.
    pub(crate) fn field(&self, index: usize) -> &str {
        self.selectable.get(index).unwrap_or_default()
    }

    /// The namespace, empty where there is none.
    pub(crate) fn namespace(&self) -> &str {
        self.key.split_once('/').map(|(namespace, _)| namespace).unwrap_or_default()
    }

    /// The name.
    pub(crate) fn name(&self) -> &str {
        self.key.split_once('/').map_or(&*self.key, |(_, name)| name)
    }
}

/// Escapes what stands at `from` and after it; says where the place that was at `mark` is then.
fn escape_around(out: &mut Vec<u8>, from: usize, mark: usize) -> usize {
    if !out.get(from..).is_some_and(may_need_escapes) {
        return mark;
    }
    let mut tail = out.split_off(mark.min(out.len()));
    escape_html(out, from);
    escape_html(&mut tail, 0);
    let mark = out.len();
    out.append(&mut tail);
    mark
}

fn labels(metadata: Option<&Fields>) -> Texts {
    let labels = metadata.and_then(|metadata| metadata.get("labels")).and_then(Value::as_object);
    let mut labels: Vec<(&str, &str)> = labels
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
        .collect();
    labels.sort_unstable();
    labels.into_iter().flat_map(|(key, value)| [key, value]).collect()
}

fn digits(version: u64) -> String {
    version.to_string()
}
