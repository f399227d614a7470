//! Whether the defaults of a schema fit the schema they stand in.
//!
//! In: a schema. Out: the faults. Defaults of an object's own apiVersion, kind and metadata are tried in an object around them.

use serde_json::{Map, Value};

use super::rules;
use crate::{
    protocol::FieldError,
    schema::structural::{
        Path, Structural, check_embedded, coerce_embedded, is_blocking, prune, validate_default,
    },
};

/// Where a node is in the innermost object around it.
#[derive(Clone)]
struct Inside<'a> {
    object: &'a Structural,
    steps: Vec<Step<'a>>,
    /// It is of what every object has.
    common: bool,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Member(&'a str),
    Item,
}

impl<'a> Inside<'a> {
    fn object(object: &'a Structural) -> Self {
        Self { object, steps: Vec::new(), common: false }
    }

    fn below(&self, step: Step<'a>) -> Self {
        let mut below = self.clone();
        below.steps.push(step);
        if let (true, Step::Member("metadata" | "apiVersion" | "kind")) = (self.object.embedded, step) {
            below.common |= self.steps.is_empty();
        }
        below
    }

    /// The object with a value where the node is.
    fn around(&self, value: &Value) -> Value {
        let wrap = |value, step: &Step<'_>| match step {
            Step::Member(name) => Value::Object(Map::from_iter([((*name).to_owned(), value)])),
            Step::Item => Value::Array(vec![value]),
        };
        let mut object = self.steps.iter().rev().fold(value.clone(), wrap);
        if let Some(members) = object.as_object_mut() {
            for (name, value) in [("apiVersion", "validation/v1"), ("kind", "Validation")] {
                members.entry(name).or_insert_with(|| value.into());
            }
        }
        object
    }
}

/// Checks that defaults fit their own schemas.
pub(super) fn check(schema: &Structural, field: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    // A default of the whole is held against what every object has.
    let whole = Structural { embedded: true, ..schema.clone() };
    node(&whole, &Inside::object(&whole), field, &mut errors);
    errors
}

fn node<'a>(schema: &'a Structural, inside: &Inside<'a>, field: &str, errors: &mut Vec<FieldError>) {
    let own = schema.embedded.then(|| Inside::object(schema));
    let inside = own.as_ref().unwrap_or(inside);
    if let Some(default) = &schema.default {
        let field = format!("{field}.default");
        match inside.common {
            true => fits_common(default, (schema, inside), &field, errors),
            false => fits_alone(default, schema, &field, errors),
        }
    }
    if let Some(items) = schema.items.as_deref() {
        node(items, &inside.below(Step::Item), &format!("{field}.items"), errors);
    }
    for (name, property) in &schema.properties {
        let inside = inside.below(Step::Member(name));
        node(property, &inside, &format!("{field}.properties[{name}]"), errors);
    }
}

/// A default in what every object has.
fn fits_common(
    default: &Value,
    (schema, inside): (&Structural, &Inside<'_>),
    field: &str,
    errors: &mut Vec<FieldError>,
) {
    let mut object = inside.around(default);
    let root = Path::Root("");
    let mut found = Vec::new();
    match coerce_embedded(&mut object, inside.object, &root, &mut Vec::new()) {
        Err(error) => found.push(error),
        Ok(()) => check_embedded(&object, inside.object, &root, &mut found),
    }
    if found.is_empty() {
        errors.extend(fits_schema(default, schema, field));
        return;
    }
    let whys: Vec<String> = found.iter().map(FieldError::to_string).collect();
    let why = match whys.as_slice() {
        [why] => why.clone(),
        whys => format!("[{}]", whys.join(", ")),
    };
    errors.push(FieldError::invalid(field, default, format!("must result in valid metadata: {why}")));
}

fn fits_alone(default: &Value, schema: &Structural, field: &str, errors: &mut Vec<FieldError>) {
    let mut pruned = default.clone();
    prune(&mut pruned, schema, None);
    if pruned != *default {
        errors.push(FieldError::invalid(field, default, "must not have unknown fields"));
    }
    let path = Path::Root(field);
    let mut copy = default.clone();
    if let Err(error) = coerce_embedded(&mut copy, schema, &path, &mut Vec::new()) {
        errors.push(error);
        return;
    }
    let mut found = Vec::new();
    check_embedded(default, schema, &path, &mut found);
    if found.is_empty() {
        found = fits_schema(default, schema, field);
    }
    errors.extend(found);
}

fn fits_schema(default: &Value, schema: &Structural, field: &str) -> Vec<FieldError> {
    let mut found = validate_default(default, schema, field);
    if found.is_empty() {
        found = rules::of_default(default, schema, field);
    }
    debug_assert!(found.iter().all(|error| !error.field.is_empty() || is_blocking(error)));
    found
}
