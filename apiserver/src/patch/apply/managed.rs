//! `metadata.managedFields`: who owns which fields, read and written.
//!
//! In: the entries of an object. Out: a map from owner to fields, and the entries again, sorted.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::super::{error::go_quote, fields::FieldSet};

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

    /// The same owner of an object in another version.
    pub(crate) fn in_version(&self, version: &str) -> Self {
        Self::new(&self.manager, self.operation, version, &self.subresource)
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
    /// Reads the entries of an object; what cannot be read is no entries at all, as a real server has it.
    pub(crate) fn of(object: &Map<String, Value>) -> Result<Self, String> {
        entries(object).map_or_else(|| Ok(Self::default()), Self::decode)
    }

    pub(crate) fn decode(entries: &[Value]) -> Result<Self, String> {
        let mut managed = Self::default();
        for (place, entry) in entries.iter().enumerate() {
            let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
            let operation = match text("operation") {
                "Apply" => Operation::Apply,
                "Update" => Operation::Update,
                _ => return Err("operation must be `Apply` or `Update`".into()),
            };
            let version = text("apiVersion");
            if version.is_empty() {
                return Err("apiVersion must not be empty".into());
            }
            match text("fieldsType") {
                "FieldsV1" => {}
                "" => return Err(format!("missing fieldsType in managed fields entry {place}")),
                other => {
                    return Err(format!(
                        "invalid fieldsType {} in managed fields entry {place}",
                        go_quote(other)
                    ));
                }
            }
            let set = match entry.get("fieldsV1") {
                None | Some(Value::Null) => FieldSet::default(),
                Some(document) => FieldSet::from_fields_v1(document)?,
            };
            let owner = Owner {
                manager: text("manager").to_owned(),
                ..Owner::new("-", operation, version, text("subresource"))
            };
            let time = text("time").parse().ok();
            managed.entries.insert(owner, Entry { set, version: version.to_owned(), time });
        }
        Ok(managed)
    }

    /// The entries, sorted: appliers first, then by time, by name, by version, by subresource.
    pub(crate) fn encode(&self) -> Vec<Value> {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by(|(left_owner, left), (right_owner, right)| {
            let seconds = |entry: &Entry| entry.time.map_or(0, Timestamp::as_second);
            (left_owner.operation.cmp(&right_owner.operation))
                .then_with(|| seconds(left).cmp(&seconds(right)))
                .then_with(|| left_owner.manager.cmp(&right_owner.manager))
                .then_with(|| left.version.cmp(&right.version))
                .then_with(|| left_owner.subresource.cmp(&right_owner.subresource))
        });
        entries.into_iter().map(|(owner, entry)| entry.encode(owner)).collect()
    }

    /// Writes the entries into an object, in the place of those that it has.
    pub(crate) fn write_to(&self, object: &mut Map<String, Value>) {
        remove_from(object);
        if self.entries.is_empty() {
            return;
        }
        let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
        if !metadata.is_object() {
            *metadata = Value::Object(Map::new());
        }
        metadata["managedFields"] = Value::Array(self.encode());
    }
}

impl Entry {
    fn encode(&self, owner: &Owner) -> Value {
        let mut entry = json!({
            "apiVersion": self.version,
            "fieldsType": "FieldsV1",
            "fieldsV1": self.set.to_fields_v1(),
            "operation": owner.operation.name(),
        });
        if !owner.manager.is_empty() {
            entry["manager"] = owner.manager.as_str().into();
        }
        if !owner.subresource.is_empty() {
            entry["subresource"] = owner.subresource.as_str().into();
        }
        if let Some(time) = self.time {
            entry["time"] = seconds(time).into();
        }
        entry
    }
}

/// A moment to the second, as objects write it: what is over a whole second is cut off, so that it sorts as it reads.
fn seconds(time: Timestamp) -> String {
    Timestamp::from_second(time.as_second()).map_or_else(|_| time.to_string(), |time| time.to_string())
}

/// The entries of an object.
pub(crate) fn entries(object: &Map<String, Value>) -> Option<&[Value]> {
    object.get("metadata")?.get("managedFields")?.as_array().map(Vec::as_slice)
}

/// Takes the entries out of an object.
pub(crate) fn remove_from(object: &mut Map<String, Value>) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        metadata.remove("managedFields");
    }
}
