//! Field sets: the tree in which managed fields say who owns what.
//!
//! In: `FieldsV1` documents. Out: the part of a JSON value that the tree names. Never: a guess about the schema;
//! what can be known of it is read off the trees of all managers.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;
use serde_json::{Map, Value};

use super::ExtractError;

/// One step down a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// A field of an object, or an entry of a map.
    Field(String),
    /// The list item with these values of its key fields; kept as text, since JSON values have no order.
    Key(String),
    /// The item of a set that has this value, as JSON text.
    Item(String),
    /// The list item at this place.
    Index(usize),
}

/// A set of fields. A node without children stands for the whole value at its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldSet {
    children: BTreeMap<Step, FieldSet>,
}

impl FieldSet {
    /// Adds the fields of a managed-fields entry.
    pub(super) fn add(&mut self, entry: &ManagedFieldsEntry) -> Result<(), ExtractError> {
        let manager = || entry.manager.clone().unwrap_or_default();
        if let Some(fields_type) = entry.fields_type.as_deref().filter(|name| *name != "FieldsV1") {
            let fields_type = fields_type.to_owned();
            return Err(ExtractError::UnknownFieldsType { manager: manager(), fields_type });
        }
        let Some(fields) = &entry.fields_v1 else { return Ok(()) };
        self.add_tree(&fields.0)
            .map_err(|MalformedKey(key)| ExtractError::MalformedKey { manager: manager(), key })
    }

    fn add_tree(&mut self, tree: &Value) -> Result<(), MalformedKey> {
        let Value::Object(tree) = tree else { return Err(MalformedKey(tree.to_string())) };
        for (key, below) in tree {
            // `.` says that the value itself is owned. Every node that is in the tree is, so it adds nothing.
            if key != "." {
                self.children.entry(parse_step(key)?).or_default().add_tree(below)?;
            }
        }
        Ok(())
    }

    /// The part of a value below the root that is in this set; `None` if there is no such part.
    ///
    /// Where a node has no children here but some in `everybodys`, others own entries of it, so only its being there
    /// is owned: an empty map or list.
    fn pick(&self, value: &Value, everybodys: &FieldSet) -> Option<Value> {
        if self.children.is_empty() {
            return Some(if everybodys.children.is_empty() { value.clone() } else { emptied(value) });
        }
        match value {
            Value::Object(fields) => Some(Value::Object(self.pick_fields(fields, everybodys))),
            Value::Array(items) => Some(self.pick_items(items, everybodys)),
            // The set was made for another version of the type; nothing here answers to it.
            _ => None,
        }
    }

    /// The fields that are in this set; `everybodys` is the union over all managers at the same place.
    pub(super) fn pick_fields(
        &self,
        fields: &Map<String, Value>,
        everybodys: &FieldSet,
    ) -> Map<String, Value> {
        let owned = self.children.iter().filter_map(|(step, below)| {
            let Step::Field(name) = step else { return None };
            let part = below.pick(fields.get(name)?, everybodys.child(step))?;
            Some((name.clone(), part))
        });
        owned.collect()
    }

    /// Walks the items in their order, since that is the order in which the manager would send them.
    fn pick_items(&self, items: &[Value], everybodys: &FieldSet) -> Value {
        let mut picked: Vec<(usize, Value)> = Vec::new();
        for (step, below) in &self.children {
            let Some((at, item)) = find_item(items, step) else { continue };
            if let Some(part) = below.pick_item(item, step, everybodys.child(step)) {
                picked.push((at, part));
            }
        }
        picked.sort_by_key(|(at, _)| *at);
        Value::Array(picked.into_iter().map(|(_, part)| part).collect())
    }

    /// Picks from a list item; one found by its key fields keeps them, as it could not be found again without.
    fn pick_item(&self, item: &Value, step: &Step, everybodys: &FieldSet) -> Option<Value> {
        // Without children here or elsewhere the item is owned as a whole, as owner references are.
        let whole = self.children.is_empty() && everybodys.children.is_empty();
        let (Step::Key(key), Value::Object(fields), false) = (step, item, whole) else {
            return self.pick(item, everybodys);
        };
        let key: Map<String, Value> = serde_json::from_str(key).unwrap_or_default();
        let mut part = self.pick_fields(fields, everybodys);
        for name in key.keys() {
            if let Some(value) = fields.get(name) {
                part.insert(name.clone(), value.clone());
            }
        }
        Some(Value::Object(part))
    }

    fn child(&self, step: &Step) -> &FieldSet {
        static EMPTY: FieldSet = FieldSet { children: BTreeMap::new() };
        self.children.get(step).unwrap_or(&EMPTY)
    }
}

/// A key of a field tree that cannot be read.
#[derive(Debug)]
struct MalformedKey(String);

fn parse_step(key: &str) -> Result<Step, MalformedKey> {
    let malformed = || MalformedKey(key.to_owned());
    let (kind, text) = key.split_once(':').ok_or_else(malformed)?;
    match kind {
        "f" => Ok(Step::Field(text.to_owned())),
        "k" => match serde_json::from_str::<Map<String, Value>>(text) {
            Ok(fields) if !fields.is_empty() => Ok(Step::Key(Value::Object(fields).to_string())),
            _ => Err(malformed()),
        },
        "v" => match serde_json::from_str::<Value>(text) {
            Ok(value) => Ok(Step::Item(value.to_string())),
            Err(_) => Err(malformed()),
        },
        "i" => text.parse().map(Step::Index).map_err(|_| malformed()),
        _ => Err(malformed()),
    }
}

/// The place and value of the item that a step names.
fn find_item<'v>(items: &'v [Value], step: &Step) -> Option<(usize, &'v Value)> {
    match step {
        Step::Field(_) => None,
        Step::Index(at) => items.get(*at).map(|item| (*at, item)),
        Step::Item(text) => {
            let wanted: Value = serde_json::from_str(text).ok()?;
            items.iter().enumerate().find(|(_, item)| **item == wanted)
        }
        Step::Key(text) => {
            let wanted: Map<String, Value> = serde_json::from_str(text).ok()?;
            let mut all = items.iter().enumerate();
            all.clone()
                .find(|(_, item)| has_key(item, &wanted, Missing::Refuse))
                .or_else(|| all.find(|(_, item)| has_key(item, &wanted, Missing::Accept)))
        }
    }
}

/// What to make of an item that lacks a key field: the server may have filled in a default for the key alone.
#[derive(Clone, Copy)]
enum Missing {
    Refuse,
    Accept,
}

fn has_key(item: &Value, wanted: &Map<String, Value>, missing: Missing) -> bool {
    let mut found = 0;
    for (name, value) in wanted {
        match (item.get(name), missing) {
            (Some(present), _) if present == value => found += 1,
            (Some(_), _) | (None, Missing::Refuse) => return false,
            (None, Missing::Accept) => {}
        }
    }
    found > 0
}

fn emptied(value: &Value) -> Value {
    match value {
        Value::Object(_) => Value::Object(Map::new()),
        Value::Array(_) => Value::Array(Vec::new()),
        other => other.clone(),
    }
}
