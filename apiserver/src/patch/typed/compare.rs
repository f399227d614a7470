//! What differs between two values of one type.

use serde_json::{Map, Value};

use super::{Form, as_list, as_map, child, form, is_atomic, item_element, items};
use crate::{
    patch::fields::{FieldSet, Node, PathElement, same_value},
    schema::TypeSchema,
};

/// The fields that differ. No field is in two of the sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub(crate) removed: FieldSet,
    pub(crate) modified: FieldSet,
    pub(crate) added: FieldSet,
}

impl Comparison {
    /// The comparison without some fields and all below them.
    pub(crate) fn without(self, fields: &FieldSet) -> Self {
        if fields.is_empty() {
            return self;
        }
        Self {
            removed: self.removed.without_subtrees(fields),
            modified: self.modified.without_subtrees(fields),
            added: self.added.without_subtrees(fields),
        }
    }
}

/// Compares an old object with a new one, but for who owns their fields.
///
/// # Errors
///
/// When an item of a keyed list has no key.
pub(crate) fn compare(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    schema: &TypeSchema,
) -> Result<Comparison, String> {
    if is_atomic(schema, Form::Map) {
        return Ok(Comparison::default());
    }
    let found = walk_map((Some(old), Some(new)), schema, Part::Object)?;
    let set = |kept: Kept| kept.below.into_iter().collect();
    Ok(Comparison { removed: set(found.removed), modified: set(found.modified), added: set(found.added) })
}

/// Which part of an object is walked through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Object,
    Metadata,
    Other,
}

impl Part {
    fn child(self, name: &str) -> Self {
        match (self, name) {
            (Self::Object, "metadata") => Self::Metadata,
            _ => Self::Other,
        }
    }

    /// Whether a member is none of an object's own.
    fn hides(self, name: &str) -> bool {
        self == Self::Metadata && name == "managedFields"
    }
}

/// What was found of one element.
#[derive(Default)]
struct Found {
    removed: Kept,
    modified: Kept,
    added: Kept,
}

#[derive(Default)]
struct Kept {
    itself: bool,
    below: Vec<Node>,
}

impl Kept {
    fn merge(&mut self, mut other: Self) {
        self.itself |= other.itself;
        self.below.append(&mut other.below);
    }

    fn add(&mut self, found: Self, element: impl FnOnce() -> PathElement) {
        if found.itself || !found.below.is_empty() {
            let below = found.below.into_iter().collect();
            self.below.push(Node { element: element(), is_member: found.itself, below });
        }
    }
}

impl Found {
    fn merge(&mut self, other: Self) {
        self.removed.merge(other.removed);
        self.modified.merge(other.modified);
        self.added.merge(other.added);
    }

    fn add(&mut self, found: Self, element: impl Fn() -> PathElement) {
        self.removed.add(found.removed, &element);
        self.modified.add(found.modified, &element);
        self.added.add(found.added, &element);
    }
}

/// The two states of a value; at least one is there.
type Two<'a, T> = (Option<&'a T>, Option<&'a T>);

fn walk((old, new): Two<'_, Value>, schema: &TypeSchema, part: Part) -> Result<Found, String> {
    match (old, new) {
        // Most of what is written is what was there.
        (Some(old), Some(new)) if old == new => return Ok(Found::default()),
        (None, Some(new)) => return Ok(Found { added: whole(new, schema, part)?, ..Found::default() }),
        (Some(old), None) => return Ok(Found { removed: whole(old, schema, part)?, ..Found::default() }),
        _ => {}
    }
    let (old_form, new_form) = (form(schema, old.or(new)), form(schema, new.or(old)));
    let mut found = walk_as(new_form, (old, new), schema, part)?;
    if old_form != new_form {
        found.merge(walk_as(old_form, (old, new), schema, part)?);
    }
    Ok(found)
}

fn walk_as(form: Form, (old, new): Two<'_, Value>, schema: &TypeSchema, part: Part) -> Result<Found, String> {
    let empty = match form {
        Form::Map => as_map(old).is_none_or(Map::is_empty) && as_map(new).is_none_or(Map::is_empty),
        Form::List => as_list(old).is_none_or(Vec::is_empty) && as_list(new).is_none_or(Vec::is_empty),
        Form::Scalar => true,
    };
    if empty || is_atomic(schema, form) {
        return Ok(leaf(old, new));
    }
    match form {
        Form::Map => walk_map((as_map(old), as_map(new)), schema, part),
        Form::List => walk_list((as_list(old), as_list(new)), schema),
        Form::Scalar => Ok(Found::default()),
    }
}

/// Everything in a value that is on one side alone.
fn whole(value: &Value, schema: &TypeSchema, part: Part) -> Result<Kept, String> {
    let mut found = Kept { itself: true, below: Vec::new() };
    let form = form(schema, Some(value));
    if is_atomic(schema, form) {
        return Ok(found);
    }
    match (form, value) {
        (Form::Map, Value::Object(members)) => {
            for (name, member) in members.iter().filter(|(name, _)| !part.hides(name)) {
                let below = whole(member, child(schema, name), part.child(name))?;
                found.add(below, || PathElement::field(name));
            }
        }
        (Form::List, Value::Array(_)) => {
            let items_of_it = sorted_items((None, value.as_array()), schema)?;
            for same in items_of_it.chunk_by(|(left, ..), (right, ..)| left == right) {
                let Some((element, _, item)) = same.first() else { continue };
                let below = match same.len() {
                    1 => whole(item, items(schema), Part::Other)?,
                    _ => Kept { itself: true, below: Vec::new() },
                };
                found.add(below, || element.clone());
            }
        }
        _ => {}
    }
    Ok(found)
}

fn leaf(old: Option<&Value>, new: Option<&Value>) -> Found {
    let mut found = Found::default();
    match (old, new) {
        (None, _) => found.added.itself = true,
        (_, None) => found.removed.itself = true,
        (Some(old), Some(new)) => found.modified.itself = !same_value(old, new),
    }
    found
}

fn walk_map(
    (old, new): Two<'_, Map<String, Value>>,
    schema: &TypeSchema,
    part: Part,
) -> Result<Found, String> {
    let mut found = Found::default();
    let mut member = |name: &String, states: Two<'_, Value>| {
        if part.hides(name) {
            return Ok(());
        }
        let below = walk(states, child(schema, name), part.child(name))?;
        found.add(below, || PathElement::field(name));
        Ok::<_, String>(())
    };
    for (name, value) in old.into_iter().flatten() {
        member(name, (Some(value), new.and_then(|map| map.get(name))))?;
    }
    let is_old = |name: &str| old.is_some_and(|map| map.contains_key(name));
    for (name, value) in new.into_iter().flatten().filter(|(name, _)| !is_old(name)) {
        member(name, (None, Some(value)))?;
    }
    Ok(found)
}

/// The items of both states, those of one key beside each other.
fn sorted_items<'a>(
    (old, new): Two<'a, Vec<Value>>,
    schema: &TypeSchema,
) -> Result<Vec<(PathElement, Age, &'a Value)>, String> {
    let mut items_of_both = Vec::new();
    for (list, age) in [(old, Age::Old), (new, Age::New)] {
        for (place, item) in list.into_iter().flatten().enumerate() {
            let element = item_element(schema, item).map_err(|text| format!("element {place}: {text}"))?;
            items_of_both.push((element, age, item));
        }
    }
    items_of_both.sort_by(|(left, ..), (right, ..)| left.cmp(right));
    Ok(items_of_both)
}

fn walk_list(states: Two<'_, Vec<Value>>, schema: &TypeSchema) -> Result<Found, String> {
    let items_of_both = sorted_items(states, schema)?;
    let below = items(schema);
    let mut found = Found::default();
    for same in items_of_both.chunk_by(|(left, ..), (right, ..)| left == right) {
        let of_age = |wanted: Age| -> Vec<&Value> {
            same.iter().filter(|(_, age, _)| *age == wanted).map(|(.., item)| *item).collect()
        };
        let Some((element, ..)) = same.first() else { continue };
        found.add(walk_item(&of_age(Age::Old), &of_age(Age::New), below)?, || element.clone());
    }
    Ok(found)
}

/// Which state an item is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    Old,
    New,
}

/// The items of one key: one on each side, or several, which are taken as one value.
fn walk_item(old: &[&Value], new: &[&Value], below: &TypeSchema) -> Result<Found, String> {
    let mut found = Found::default();
    match (old, new) {
        ([_, _, ..], [_, _, ..]) => {
            let same = old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same_value(old, new));
            found.modified.itself = !same;
        }
        ([_, _, ..], _) => {
            if let Some(new) = new.first() {
                found = walk((None, Some(new)), below, Part::Other)?;
            }
            found.removed.itself = true;
        }
        (_, [_, _, ..]) => {
            if let Some(old) = old.first() {
                found = walk((Some(old), None), below, Part::Other)?;
            }
            found.added.itself = true;
        }
        _ => found = walk((old.first().copied(), new.first().copied()), below, Part::Other)?,
    }
    Ok(found)
}
