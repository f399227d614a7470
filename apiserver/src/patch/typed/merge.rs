//! An applied object merged into a live one: nothing is removed, the applied values win, applied order wins in lists.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::{Form, as_list, as_map, child, form, is_atomic, item_element, items};
use crate::{patch::fields::PathElement, schema::TypeSchema};

/// Merges `applied` into `live`.
///
/// # Errors
///
/// When an item of a keyed list has no key, or two applied ones have the same.
pub(crate) fn merge(
    live: &Map<String, Value>,
    applied: &Value,
    schema: &TypeSchema,
) -> Result<Value, String> {
    let merged = match (form(schema, Some(applied)), applied) {
        (Form::Map, Value::Object(applied)) if !is_atomic(schema, Form::Map) => {
            walk_map(Some(live), Some(applied), schema)?
        }
        _ => Some(applied.clone()),
    };
    Ok(merged.unwrap_or_default())
}

/// None where nothing is left.
fn walk(live: Option<&Value>, applied: Option<&Value>, schema: &TypeSchema) -> Result<Option<Value>, String> {
    let form = form(schema, applied.or(live));
    let leaf = || Ok(applied.or(live).cloned());
    let empty = match form {
        Form::Map => as_map(live).is_none_or(Map::is_empty) && as_map(applied).is_none_or(Map::is_empty),
        Form::List => as_list(live).is_none_or(Vec::is_empty) && as_list(applied).is_none_or(Vec::is_empty),
        Form::Scalar => true,
    };
    if empty || is_atomic(schema, form) {
        return leaf();
    }
    match form {
        Form::Map => walk_map(as_map(live), as_map(applied), schema),
        Form::List => Lists::new(as_list(live), as_list(applied), schema)?.merge(),
        Form::Scalar => leaf(),
    }
}

fn walk_map(
    live: Option<&Map<String, Value>>,
    applied: Option<&Map<String, Value>>,
    schema: &TypeSchema,
) -> Result<Option<Value>, String> {
    let names: BTreeSet<&String> = live.into_iter().chain(applied).flat_map(Map::keys).collect();
    let mut out = Map::new();
    for name in names {
        let (live, applied) = (live.and_then(|map| map.get(name)), applied.and_then(|map| map.get(name)));
        if let Some(value) = walk(live, applied, child(schema, name))? {
            out.insert(name.clone(), value);
        }
    }
    Ok((!out.is_empty()).then_some(Value::Object(out)))
}

/// Two lists to be merged item by item.
struct Lists<'a> {
    live: Vec<(PathElement, &'a Value)>,
    applied: Vec<(PathElement, &'a Value)>,
    /// None where several live items have one key: such are not merged into.
    live_by_key: BTreeMap<PathElement, Option<&'a Value>>,
    applied_keys: BTreeSet<PathElement>,
    below: &'a TypeSchema,
    out: Vec<Value>,
}

impl<'a> Lists<'a> {
    fn new(
        live: Option<&'a Vec<Value>>,
        applied: Option<&'a Vec<Value>>,
        schema: &'a TypeSchema,
    ) -> Result<Self, String> {
        let index = |list: Option<&'a Vec<Value>>| {
            let keyed = |(place, item): (usize, &'a Value)| {
                let element =
                    item_element(schema, item).map_err(|text| format!("element {place}: {text}"))?;
                Ok::<_, String>((element, item))
            };
            list.into_iter().flatten().enumerate().map(keyed).collect::<Result<Vec<_>, _>>()
        };
        let (applied, live) = (index(applied)?, index(live)?);
        let mut applied_keys = BTreeSet::new();
        for (element, _) in &applied {
            if !applied_keys.insert(element.clone()) {
                return Err(format!("duplicate entries for key {element}"));
            }
        }
        let mut live_by_key = BTreeMap::new();
        for (element, item) in &live {
            live_by_key.entry(element.clone()).and_modify(|found| *found = None).or_insert(Some(*item));
        }
        Ok(Self { live, applied, live_by_key, applied_keys, below: items(schema), out: Vec::new() })
    }

    fn take(&mut self, live: Option<&Value>, applied: Option<&Value>) -> Result<(), String> {
        if let Some(value) = walk(live, applied, self.below)? {
            self.out.push(value);
        }
        Ok(())
    }

    /// Items of both lists in the order of the applied one; live-only items stay where they are between them.
    fn merge(mut self) -> Result<Option<Value>, String> {
        let (live, applied) = (std::mem::take(&mut self.live), std::mem::take(&mut self.applied));
        let shared = applied
            .iter()
            .map(|(element, _)| element)
            .filter(|element| self.live_by_key.contains_key(element));
        let mut shared: VecDeque<PathElement> = shared.cloned().collect();
        let mut done = BTreeSet::new();
        let (mut left, mut right) = (0, 0);
        loop {
            match (live.get(left), applied.get(right)) {
                (None, None) => break,
                (Some((element, item)), next) => {
                    let in_both = self.applied_keys.contains(element);
                    let meets = next.is_some_and(|(wanted, _)| wanted == element);
                    if !in_both {
                        self.take(Some(item), None)?;
                        left += 1;
                        continue;
                    }
                    if meets {
                        left += 1;
                    } else if next.is_some() && shared.front().is_some_and(|wanted| wanted != element) {
                        // Shared, but another one's turn: it comes where the applied list has it.
                        left += 1;
                        continue;
                    } else if done.contains(element) {
                        left += 1;
                    }
                }
                (None, Some(_)) => {}
            }
            let Some((element, item)) = applied.get(right) else { continue };
            done.insert(element.clone());
            let live = self.live_by_key.get(element).map(|found| found.cloned().unwrap_or_default());
            self.take(live.as_ref(), Some(item))?;
            right += 1;
            if shared.front() == Some(element) {
                shared.pop_front();
            }
        }
        Ok((!self.out.is_empty()).then_some(Value::Array(self.out)))
    }
}
