//! `metadata.managedFields`: who owns which fields, read and written.
//!
//! In: the entries of an object. Out: a map from owner to fields, and the entries again, sorted.
//!
//! Inside the server most objects carry their entries *closed*: as the text of the list, in the place of the list. Nobody but this file
//! looks into them, and a tree of values for each would cost more than all the rest of a write.

use std::{borrow::Cow, collections::BTreeMap};

use jiff::Timestamp;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Map, Value};

use super::super::{error::go_quote, fields::FieldSet};

/// The member of metadata.
const MEMBER: &str = "managedFields";

/// Who owns fields: one entry of `managedFields` has one owner.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner {
    pub(crate) manager: String,
    pub(crate) operation: Operation,
    /// Empty for appliers, who keep one entry whatever version they send.
    version: String,
    pub(crate) subresource: String,
}

/// How an owner came to own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    Apply,
    #[default]
    Update,
}

/// What an owner owns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entry {
    pub(crate) set: FieldSet,
    pub(crate) version: String,
    pub(crate) time: Option<Timestamp>,
}

/// All owners of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ManagedFields {
    pub(crate) entries: BTreeMap<Owner, Entry>,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

impl Owner {
    pub(crate) fn new(manager: &str, operation: Operation, version: &str, subresource: &str) -> Self {
        let manager = if manager.is_empty() { "unknown" } else { manager };
        let version = if operation == Operation::Apply { "" } else { version };
        Self {
            manager: manager.to_owned(),
            operation,
            version: version.to_owned(),
            subresource: subresource.to_owned(),
        }
    }

    /// The owner as messages about conflicts name it.
    pub(crate) fn describe(&self) -> String {
        let mut text = go_quote(&self.manager);
        if !self.subresource.is_empty() {
            text += &format!(" with subresource {}", go_quote(&self.subresource));
        }
        if self.operation == Operation::Update {
            text += &format!(" using {}", self.version);
        }
        text
    }
}

impl ManagedFields {
    /// Reads the entries of an object, open or closed; what is no list is no entries at all, as a real server has it.
    pub(crate) fn of(object: &Map<String, Value>) -> Result<Self, String> {
        match member(object) {
            Some(Value::Array(entries)) => Self::decode(entries),
            Some(Value::String(text)) => Self::read(text),
            _ => Ok(Self::default()),
        }
    }

    pub(crate) fn decode(entries: &[Value]) -> Result<Self, String> {
        let mut managed = Self::default();
        for (place, entry) in entries.iter().enumerate() {
            let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().into();
            let written = Written {
                manager: text("manager"),
                operation: text("operation"),
                api_version: text("apiVersion"),
                time: text("time"),
                fields_type: text("fieldsType"),
                subresource: text("subresource"),
                fields_v1: None,
            };
            let set = match entry.get("fieldsV1") {
                None | Some(Value::Null) => Ok(FieldSet::default()),
                Some(document) => FieldSet::from_fields_v1(document),
            };
            managed.take(place, written, set)?;
        }
        Ok(managed)
    }

    /// Reads entries that are closed.
    fn read(text: &str) -> Result<Self, String> {
        let Ok(entries) = serde_json::from_str::<Vec<Written<'_>>>(text) else {
            return Self::decode(&serde_json::from_str::<Vec<Value>>(text).unwrap_or_default());
        };
        let mut managed = Self::default();
        for (place, mut written) in entries.into_iter().enumerate() {
            let set = written.fields_v1.take().unwrap_or_default();
            managed.take(place, written, Ok(set))?;
        }
        Ok(managed)
    }

    /// Adds an entry, if it is one.
    fn take(
        &mut self,
        place: usize,
        written: Written<'_>,
        set: Result<FieldSet, String>,
    ) -> Result<(), String> {
        let operation = match &*written.operation {
            "Apply" => Operation::Apply,
            "Update" => Operation::Update,
            _ => return Err("operation must be `Apply` or `Update`".into()),
        };
        if written.api_version.is_empty() {
            return Err("apiVersion must not be empty".into());
        }
        match &*written.fields_type {
            "FieldsV1" => {}
            "" => return Err(format!("missing fieldsType in managed fields entry {place}")),
            other => {
                return Err(format!(
                    "invalid fieldsType {} in managed fields entry {place}",
                    go_quote(other)
                ));
            }
        }
        let owner = Owner {
            manager: written.manager.into_owned(),
            ..Owner::new("-", operation, &written.api_version, &written.subresource)
        };
        let time = written.time.parse().ok();
        self.entries.insert(owner, Entry { set: set?, version: written.api_version.into_owned(), time });
        Ok(())
    }

    /// The entries, sorted: appliers first, then by time, by name, by version, by subresource.
    fn sorted(&self) -> Vec<(&Owner, &Entry)> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by(|(left_owner, left), (right_owner, right)| {
            let seconds = |entry: &Entry| entry.time.map_or(0, Timestamp::as_second);
            (left_owner.operation.cmp(&right_owner.operation))
                .then_with(|| seconds(left).cmp(&seconds(right)))
                .then_with(|| left_owner.manager.cmp(&right_owner.manager))
                .then_with(|| left.version.cmp(&right.version))
                .then_with(|| left_owner.subresource.cmp(&right_owner.subresource))
        });
        entries
    }

    /// The entries as a list.
    pub(crate) fn encode(&self) -> Vec<Value> {
        serde_json::from_str(&self.close(Order::Sorted)).unwrap_or_default()
    }

    /// The entries as the text of a list.
    fn close(&self, order: Order) -> String {
        let mut out = Vec::with_capacity(1024);
        for (owner, entry) in self.sorted() {
            out.push(if out.is_empty() { b'[' } else { b',' });
            entry.write(owner, order, &mut out);
        }
        out.push(b']');
        String::from_utf8(out).unwrap_or_default()
    }

    /// Writes the entries into an object, closed, in the place of those that it has.
    pub(crate) fn write_to(&self, object: &mut Map<String, Value>, order: Order) {
        remove_from(object);
        if self.entries.is_empty() {
            return;
        }
        let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
        if !metadata.is_object() {
            *metadata = Value::Object(Map::new());
        }
        metadata[MEMBER] = self.close(order).into();
    }

    /// Whether owners are the same but for when they wrote.
    fn is_like(&self, other: &Self) -> bool {
        let timeless = |(owner, entry): (&Owner, &Entry)| (owner.clone(), entry.version.clone());
        self.entries.len() == other.entries.len()
            && self.entries.iter().map(timeless).eq(other.entries.iter().map(timeless))
            && self.entries.values().zip(other.entries.values()).all(|(left, right)| left.set == right.set)
    }
}

/// An entry as it is written.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Written<'a> {
    #[serde(borrow)]
    manager: Cow<'a, str>,
    #[serde(borrow)]
    operation: Cow<'a, str>,
    #[serde(borrow)]
    api_version: Cow<'a, str>,
    #[serde(borrow)]
    time: Cow<'a, str>,
    #[serde(borrow)]
    fields_type: Cow<'a, str>,
    #[serde(borrow)]
    subresource: Cow<'a, str>,
    fields_v1: Option<FieldSet>,
}

/// The order of an entry's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// That of a real server's struct: of objects of built-in kinds.
    Declared,
    /// By name: of custom objects.
    Sorted,
}

impl Order {
    fn members(self) -> [&'static str; 7] {
        match self {
            Self::Declared => {
                ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"]
            }
            Self::Sorted => {
                ["apiVersion", "fieldsType", "fieldsV1", "manager", "operation", "subresource", "time"]
            }
        }
    }
}

impl Entry {
    fn write(&self, owner: &Owner, order: Order, out: &mut Vec<u8>) {
        let time = self.time.map(seconds).unwrap_or_default();
        let mut separator = b'{';
        for name in order.members() {
            let text = match name {
                "manager" => owner.manager.as_str(),
                "operation" => owner.operation.name(),
                "apiVersion" => self.version.as_str(),
                "time" => time.as_str(),
                "subresource" => owner.subresource.as_str(),
                "fieldsType" => "FieldsV1",
                _ => "{}",
            };
            if text.is_empty() && name != "apiVersion" {
                continue;
            }
            out.push(std::mem::replace(&mut separator, b','));
            out.push(b'"');
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            match name {
                "fieldsV1" => self.set.write_fields_v1(out),
                // Writing JSON into memory fails for no text.
                _ => drop(serde_json::to_writer(&mut *out, text)),
            }
        }
        out.push(b'}');
    }
}

/// A moment to the second, as objects write it: what is over a whole second is cut off, so that it sorts as it reads.
fn seconds(time: Timestamp) -> String {
    Timestamp::from_second(time.as_second()).map_or_else(|_| time.to_string(), |time| time.to_string())
}

fn member(object: &Map<String, Value>) -> Option<&Value> {
    object.get("metadata")?.get(MEMBER)
}

fn member_mut(object: &mut Map<String, Value>) -> Option<&mut Value> {
    object.get_mut("metadata")?.get_mut(MEMBER)
}

/// The entries of an object, where they are open: those that a client has sent.
pub(crate) fn sent(object: &Map<String, Value>) -> Option<&[Value]> {
    member(object)?.as_array().map(Vec::as_slice)
}

/// Opens the entries of an object: from here on they are a list as clients know it.
pub(crate) fn open(object: &mut Map<String, Value>) {
    if let Some(entries) = member_mut(object)
        && let Value::String(text) = entries
    {
        *entries = serde_json::from_str(text).unwrap_or_default();
    }
}

/// Takes the entries out of an object, open or closed.
pub(crate) fn remove_from(object: &mut Map<String, Value>) -> Option<Value> {
    object.get_mut("metadata")?.as_object_mut()?.remove(MEMBER)
}

/// Puts entries back that were taken out.
pub(crate) fn put_back(object: &mut Map<String, Value>, entries: Option<Value>) {
    if let Some(entries) = entries
        && let Some(Value::Object(metadata)) = object.get_mut("metadata")
    {
        metadata.insert(MEMBER.to_owned(), entries);
    }
}

/// Whether the entries of two states say the same, whenever it was written.
pub(crate) fn same_owners(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    if member(old) == member(new) {
        return true;
    }
    match (ManagedFields::of(old), ManagedFields::of(new)) {
        (Ok(own), Ok(other)) => own.is_like(&other) && count(old) == count(new),
        _ => false,
    }
}

/// How many entries are written: there may be two of one owner.
fn count(object: &Map<String, Value>) -> usize {
    match member(object) {
        Some(Value::Array(entries)) => entries.len(),
        Some(Value::String(text)) => serde_json::from_str::<Vec<IgnoredAny>>(text).map_or(0, |all| all.len()),
        _ => 0,
    }
}
