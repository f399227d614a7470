//! What holds for objects of kinds that are defined by their schemas.
//!
//! In: an object in the form of its schema, for updates also the stored one. Out: what is wrong with it, and what its writer is told.

use serde_json::Value;

use crate::{
    protocol::{FieldError, Fields, Status},
    registry::Custom,
    schema::structural::{Old, Path, check_embedded, check_lists, is_blocking, validate},
};

use super::{Context, dispatch::Side};

const UNCHECKED: &str = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/// What a look at an object has found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub errors: Vec<FieldError>,
    pub warnings: Vec<String>,
}

/// Refuses new objects of a kind that is going away.
pub(super) fn may_create(context: &Context<'_>) -> Result<(), Status> {
    let Some(custom) = context.resource.custom.as_ref().filter(|custom| custom.terminating) else {
        return Ok(());
    };
    debug_assert!(!custom.definition.is_empty());
    let body: Value = serde_json::from_slice(context.request.body()).unwrap_or_default();
    let name = body.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let why = "create not allowed while custom resource definition is terminating";
    Err(Status::forbidden(context.resource.name(), name, why))
}

/// Checks an object that is about to be created.
pub(super) fn check_new(custom: &Custom, object: &Fields) -> Findings {
    let value = Value::Object(object.clone());
    let schema = &custom.schema;
    let mut errors = validate(&value, schema, Old::Unknown, "");
    check_embedded(&value, schema, &Path::Root(""), &mut errors);
    check_lists(&value, schema, &Path::Root(""), &mut errors);
    rules(custom, &mut errors);
    Findings { errors, warnings: Vec::new() }
}

/// Checks an object that is about to replace another.
pub(super) fn check_change(custom: &Custom, (object, old): (&Fields, &Fields), side: Side) -> Findings {
    let schema = &custom.schema;
    let value = Value::Object(object.clone());
    let before = Value::Object(old.clone());
    let mut errors = if side == Side::Status {
        match (schema.properties.get("status"), value.get("status")) {
            (Some(schema), Some(status)) => {
                let before = before.get("status").map_or(Old::Unknown, Old::Known);
                validate(status, schema, before, "status")
            }
            _ => Vec::new(),
        }
    } else {
        let mut errors = validate(&value, schema, Old::Known(&before), "");
        check_embedded(&value, schema, &Path::Root(""), &mut errors);
        errors
    };
    let mut old_errors = Vec::new();
    check_lists(&before, schema, &Path::Root(""), &mut old_errors);
    if old_errors.is_empty() {
        check_lists(&value, schema, &Path::Root(""), &mut errors);
    }
    rules(custom, &mut errors);
    Findings { errors, warnings: Vec::new() }
}

/// Runs the rules of a kind, unless the object is too broken for them.
fn rules(custom: &Custom, errors: &mut Vec<FieldError>) {
    let has_rules = custom.schema.any(&|schema| !schema.rules.is_empty());
    if has_rules && errors.iter().any(is_blocking) {
        errors.push(FieldError::invalid_printed("<nil>", "null", UNCHECKED));
    }
}
