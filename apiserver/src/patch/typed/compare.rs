//! What differs between two values of one type.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Form, as_list, as_map, child, form, is_atomic, item_element, items};
use crate::{
    patch::fields::{FieldSet, PathElement, same_value},
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
    pub(crate) fn without(&self, fields: &FieldSet) -> Self {
        Self {
            removed: self.removed.without_subtrees(fields),
            modified: self.modified.without_subtrees(fields),
            added: self.added.without_subtrees(fields),
        }
    }
}

/// Compares an old value with a new one.
///
/// # Errors
///
/// When an item of a keyed list has no key.
pub(crate) fn compare(old: &Value, new: &Value, schema: &TypeSchema) -> Result<Comparison, String> {
    let mut walker = Walker { path: Vec::new(), found: Comparison::default() };
    walker.walk(Some(old), Some(new), schema)?;
    Ok(walker.found)
}

struct Walker {
    path: Vec<PathElement>,
    found: Comparison,
}

impl Walker {
    fn walk(&mut self, old: Option<&Value>, new: Option<&Value>, schema: &TypeSchema) -> Result<(), String> {
        let (old_form, new_form) = (form(schema, old.or(new)), form(schema, new.or(old)));
        if old_form != new_form {
            self.walk_as(old_form, old, new, schema)?;
        }
        let leaf = self.walk_as(new_form, old, new, schema)?;
        if !leaf && old.is_none() {
            self.found.added.insert(&self.path);
        } else if !leaf && new.is_none() {
            self.found.removed.insert(&self.path);
        }
        Ok(())
    }

    /// Returns whether the values were taken as one.
    fn walk_as(
        &mut self,
        form: Form,
        old: Option<&Value>,
        new: Option<&Value>,
        schema: &TypeSchema,
    ) -> Result<bool, String> {
        let empty = match form {
            Form::Map => as_map(old).is_none_or(Map::is_empty) && as_map(new).is_none_or(Map::is_empty),
            Form::List => as_list(old).is_none_or(Vec::is_empty) && as_list(new).is_none_or(Vec::is_empty),
            Form::Scalar => true,
        };
        if empty || is_atomic(schema, form) {
            self.leaf(old, new);
            return Ok(true);
        }
        match form {
            Form::Map => self.walk_map(as_map(old), as_map(new), schema)?,
            Form::List => self.walk_list(as_list(old), as_list(new), schema)?,
            Form::Scalar => {}
        }
        Ok(false)
    }

    fn leaf(&mut self, old: Option<&Value>, new: Option<&Value>) {
        match (old, new) {
            (None, _) => self.found.added.insert(&self.path),
            (_, None) => self.found.removed.insert(&self.path),
            (Some(old), Some(new)) if !same_value(old, new) => self.found.modified.insert(&self.path),
            _ => {}
        }
    }

    fn walk_map(
        &mut self,
        old: Option<&Map<String, Value>>,
        new: Option<&Map<String, Value>>,
        schema: &TypeSchema,
    ) -> Result<(), String> {
        let names: BTreeSet<&String> = old.into_iter().chain(new).flat_map(Map::keys).collect();
        for name in names {
            self.path.push(PathElement::field(name));
            let (old, new) = (old.and_then(|map| map.get(name)), new.and_then(|map| map.get(name)));
            self.walk(old, new, &child(schema, name))?;
            self.path.pop();
        }
        Ok(())
    }

    fn walk_list(
        &mut self,
        old: Option<&Vec<Value>>,
        new: Option<&Vec<Value>>,
        schema: &TypeSchema,
    ) -> Result<(), String> {
        let mut elements: BTreeMap<PathElement, (Vec<&Value>, Vec<&Value>)> = BTreeMap::new();
        for (place, item) in old.into_iter().flatten().enumerate() {
            let element = item_element(schema, item).map_err(|text| format!("element {place}: {text}"))?;
            elements.entry(element).or_default().0.push(item);
        }
        for (place, item) in new.into_iter().flatten().enumerate() {
            let element = item_element(schema, item).map_err(|text| format!("element {place}: {text}"))?;
            elements.entry(element).or_default().1.push(item);
        }
        let below = items(schema);
        for (element, (old, new)) in elements {
            self.path.push(element);
            self.walk_item(&old, &new, &below)?;
            self.path.pop();
        }
        Ok(())
    }

    /// The items of one key: one on each side, or several, which are taken as one value.
    fn walk_item(&mut self, old: &[&Value], new: &[&Value], below: &TypeSchema) -> Result<(), String> {
        match (old, new) {
            ([_, _, ..], [_, _, ..]) => {
                let same =
                    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same_value(old, new));
                if !same {
                    self.found.modified.insert(&self.path);
                }
            }
            ([_, _, ..], _) => {
                if let Some(new) = new.first() {
                    self.walk(None, Some(new), below)?;
                }
                self.found.removed.insert(&self.path);
            }
            (_, [_, _, ..]) => {
                if let Some(old) = old.first() {
                    self.walk(Some(old), None, below)?;
                }
                self.found.added.insert(&self.path);
            }
            _ => self.walk(old.first().copied(), new.first().copied(), below)?,
        }
        Ok(())
    }
}
