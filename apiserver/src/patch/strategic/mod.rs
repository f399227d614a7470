//! Strategic merge patch: like a merge patch, but lists merge by the keys that their type names, and directives say what else to do.
//!
//! In: a patch, a document, the type of the document. Out: the document after it, or the error a real server answers. Only built-in kinds
//! have the marks that it follows.

mod list;

use serde_json::{Map, Value};

use self::list::{ListRule, merge_list, reorder};
use super::{PatchError, typed::go_value};
use crate::schema::{Strategies, TypeSchema};

const DIRECTIVE: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const DELETE_FROM_LIST: &str = "$deleteFromPrimitiveList";
const ELEMENT_ORDER: &str = "$setElementOrder";

type Object = Map<String, Value>;

/// A patch of the shape of the object, with directives.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategicPatch(Object);

impl StrategicPatch {
    /// Takes a parsed body.
    ///
    /// # Errors
    ///
    /// When it is no object.
    pub fn from_value(body: Value) -> Result<Self, PatchError> {
        match body {
            Value::Object(members) => Ok(Self(members)),
            Value::Null => Ok(Self(Object::new())),
            other => {
                let found = crate::schema::go_json_kind(&other);
                let text =
                    format!("json: cannot unmarshal {found} into Go value of type map[string]interface {{}}");
                Err(PatchError::BadRequest(text))
            }
        }
    }

    /// The document after the patch.
    ///
    /// # Errors
    ///
    /// 400 for directives of a wrong form, 500 for unknown ones, for items without their merge key, for fields that do not exist.
    pub fn apply(&self, document: &Value, schema: &TypeSchema) -> Result<Value, PatchError> {
        let members = document.as_object().cloned().unwrap_or_default();
        merge_object(members, self.0.clone(), schema).map(Value::Object)
    }

    /// The patch as a real server prints it where the patched document cannot be decoded.
    #[must_use]
    pub fn printed(&self) -> String {
        go_value(&Value::Object(self.0.clone()))
    }
}

fn internal(text: impl Into<String>) -> PatchError {
    PatchError::Internal(text.into())
}

fn bad_format(of: &str) -> PatchError {
    PatchError::BadRequest(format!("invalid patch format of {of}"))
}

fn unknown_directive(directive: &Value, patch: &Object) -> PatchError {
    let (directive, patch) = (go_value(directive), go_value(&Value::Object(patch.clone())));
    internal(format!("unknown patch type: {directive} in map: {patch}"))
}

fn bad_type(wanted: &str, found: &Value) -> PatchError {
    let found = match found {
        Value::Null => "%!s(<nil>)",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    };
    internal(format!("expected a {wanted}, but received a {found}"))
}

/// The type and the marks of a member.
fn lookup<'a>(schema: &'a TypeSchema, name: &str) -> Result<(&'a TypeSchema, Strategies), PatchError> {
    if let Some(field) = schema.field(name) {
        return Ok((field.schema(), field.strategies().clone()));
    }
    match schema.child(name) {
        Some(child) => Ok((child, Strategies::default())),
        None => {
            let kind = schema.name().rsplit('.').next().unwrap_or_default();
            Err(internal(format!("unable to find api field in struct {kind} for the json field \"{name}\"")))
        }
    }
}

fn list_rule(schema: &TypeSchema, name: &str) -> Result<(ListRule, Strategies), PatchError> {
    let (schema, strategies) = lookup(schema, name)?;
    let items = TypeSchema::or_deduced(schema.items()).clone();
    Ok((ListRule { items, merge_key: strategies.merge_key.clone() }, strategies))
}

fn merge_object(mut original: Object, mut patch: Object, schema: &TypeSchema) -> Result<Object, PatchError> {
    match patch.get(DIRECTIVE) {
        None => {}
        Some(Value::String(directive)) if directive == "replace" => {
            patch.remove(DIRECTIVE);
            return Ok(patch);
        }
        Some(Value::String(directive)) if directive == "delete" => return Ok(Object::new()),
        Some(other) => return Err(unknown_directive(other, &patch)),
    }
    retain_keys(&mut original, &mut patch)?;
    let orders: Vec<String> = patch.keys().filter(|key| key.starts_with(ELEMENT_ORDER)).cloned().collect();
    for order in orders {
        merge_ordered(&mut original, &mut patch, &order, schema)?;
    }
    for (name, change) in patch {
        merge_member(&mut original, &name, change, schema)?;
    }
    Ok(original)
}

/// `$retainKeys`: members of the original that it does not list go.
fn retain_keys(original: &mut Object, patch: &mut Object) -> Result<(), PatchError> {
    let Some(kept) = patch.remove(RETAIN_KEYS) else { return Ok(()) };
    let Value::Array(kept) = kept else { return Err(bad_format("retainKeys")) };
    let listed = |name: &str| kept.iter().any(|kept| kept.as_str() == Some(name));
    for (name, change) in patch.iter() {
        let directive = name.starts_with(DELETE_FROM_LIST) || name.starts_with(ELEMENT_ORDER);
        if !change.is_null() && !directive && !listed(name) {
            return Err(bad_format("retainKeys"));
        }
    }
    original.retain(|name, _| listed(name));
    Ok(())
}

/// `$setElementOrder/<list>`: the list is merged, and its items put into that order.
fn merge_ordered(
    original: &mut Object,
    patch: &mut Object,
    key: &str,
    schema: &TypeSchema,
) -> Result<(), PatchError> {
    let order = patch.remove(key).unwrap_or_default();
    let Value::Array(order) = order else { return Err(bad_type("[]interface {}", &order)) };
    let Some((ELEMENT_ORDER, name)) = key.split_once('/') else {
        return Err(bad_format("setElementOrder list"));
    };
    let as_list = |value: Option<&Value>| match value {
        None => Ok(None),
        Some(Value::Array(items)) => Ok(Some(items.clone())),
        Some(other) => Err(bad_type("[]interface {}", other)),
    };
    let (old, change) = (as_list(original.get(name))?, as_list(patch.get(name))?);
    let (rule, strategies) = list_rule(schema, name)?;
    list::check_order(change.as_deref().unwrap_or_default(), &order, &rule)?;
    let (merged, server_order) = match (old, change) {
        (None, None) => return Ok(()),
        (Some(old), None) => (old.clone(), old),
        (None, Some(change)) => (without_directives_in(change), Vec::new()),
        (Some(old), Some(change)) if strategies.merge => (merge_list(old.clone(), change, &rule)?, old),
        (Some(old), Some(change)) => (change, old),
    };
    original.insert(name.to_owned(), Value::Array(reorder(merged, &order, &server_order, &rule)?));
    patch.remove(name);
    Ok(())
}

fn merge_member(
    original: &mut Object,
    key: &str,
    mut change: Value,
    schema: &TypeSchema,
) -> Result<(), PatchError> {
    let (name, deletes) = match key.strip_prefix(DELETE_FROM_LIST) {
        Some(rest) => (rest.strip_prefix('/').ok_or_else(|| bad_format("primitive list"))?, true),
        None => (key, false),
    };
    if change.is_null() {
        original.remove(name);
        return Ok(());
    }
    let Some(current) = original.get_mut(name) else {
        if !deletes {
            discard_nulls(&mut change);
            if let Some(change) = without_directives(change) {
                original.insert(name.to_owned(), change);
            }
        }
        return Ok(());
    };
    match (current, change) {
        (Value::Object(current), Value::Object(change)) => {
            let (below, strategies) = lookup(schema, name)?;
            *current = if strategies.replace {
                change
            } else {
                merge_object(std::mem::take(current), change, below)?
            };
        }
        (Value::Array(current), Value::Array(change)) => {
            let (rule, strategies) = list_rule(schema, name)?;
            *current = match (deletes, strategies.merge) {
                (true, _) => list::delete_from(std::mem::take(current), &change),
                (false, true) => merge_list(std::mem::take(current), change, &rule)?,
                (false, false) => change,
            };
        }
        (_, _) if deletes => {}
        (current, mut change) => {
            discard_nulls(&mut change);
            match without_directives(change) {
                Some(change) => *current = change,
                None => {
                    original.remove(name);
                }
            }
        }
    }
    Ok(())
}

/// Drops null members at any depth.
fn discard_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(discard_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(discard_nulls),
        _ => {}
    }
}

/// A value without the objects that hold a directive; none if it is one itself.
fn without_directives(value: Value) -> Option<Value> {
    match value {
        Value::Object(members) => {
            if members.contains_key(DIRECTIVE) {
                return None;
            }
            let kept =
                members.into_iter().filter_map(|(name, member)| Some((name, without_directives(member)?)));
            Some(Value::Object(kept.collect()))
        }
        Value::Array(items) => Some(Value::Array(without_directives_in(items))),
        scalar => Some(scalar),
    }
}

fn without_directives_in(items: Vec<Value>) -> Vec<Value> {
    items.into_iter().filter_map(without_directives).collect()
}
