//! What holds for objects of kinds that are defined by their schemas.
//!
//! In: an object in the form of its schema, for updates also the stored one. Out: what is wrong with it, and what its writer is told.

use serde_json::Value;

use crate::{
    patch::{go_type, go_value},
    protocol::{FieldError, Fields, Status, names::qualified_name_errors, quoted},
    registry::{Custom, ScalePaths},
    schema::structural::{Old, Path, check_embedded, check_lists, is_blocking, validate},
    strategy::at,
};

use super::{Context, dispatch::Side};

const UNCHECKED: &str = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/// What a look at an object has found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub errors: Vec<FieldError>,
    /// What is told also where the object is refused.
    pub warnings: Vec<String>,
    /// What is told of an object that is taken.
    pub later: Vec<String>,
}

impl Findings {
    fn warned(mut self, warnings: Vec<String>) -> Self {
        self.later.extend(warnings);
        self
    }
}

/// What a kind says of its objects, and where their scale lies.
type Kind<'a> = (&'a Custom, Option<&'a ScalePaths>);

/// Which part of an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    All,
    Status,
}

/// Says where something on the way to a path is no object.
pub(super) fn no_object(object: &Fields, path: &str) -> Option<String> {
    let (first, rest) = path.split_once('.')?;
    let mut place = object.get(first)?;
    let mut way = format!(".{first}");
    for name in rest.split('.') {
        way = format!("{way}.{name}");
        if place.is_null() {
            return None;
        }
        let Value::Object(members) = place else {
            let (shown, kind) = (go_value(place), go_type(place));
            return Some(format!(
                "{way} accessor error: {shown} is of the type {kind}, expected map[string]interface{{}}"
            ));
        };
        place = members.get(name)?;
    }
    None
}

/// Checks the numbers of a scale, and its selector.
fn check_scale(scale: Option<&ScalePaths>, (object, part): (&Fields, Part), errors: &mut Vec<FieldError>) {
    let Some(scale) = scale else { return };
    let paths: &[&Vec<String>] =
        if part == Part::All { &[&scale.spec, &scale.status] } else { &[&scale.status] };
    for path in paths {
        let path = path.join(".");
        let field = format!(".{path}");
        let value = at(object, &path);
        let number = value.and_then(Value::as_i64).unwrap_or_default();
        let why = match (value, no_object(object, &path)) {
            (_, Some(odd)) => odd,
            (Some(value), None) if value.as_i64().is_none() => {
                let shown = go_value(value);
                format!(".{path} accessor error: {shown} is of the type {}, expected int64", go_type(value))
            }
            _ if number < 0 => "should be a non-negative integer".to_owned(),
            _ if number > i64::from(i32::MAX) => format!("should be less than or equal to {}", i32::MAX),
            _ => continue,
        };
        errors.push(FieldError::invalid(field, &number.into(), why));
    }
    if let Some(path) = &scale.selector {
        let path = path.join(".");
        if let Some(why) = no_object(object, &path) {
            errors.push(FieldError::invalid_text(format!(".{path}"), "", why));
        } else if let Some(value) = at(object, &path).filter(|value| !value.is_string()) {
            let shown = go_value(value);
            let why =
                format!(".{path} accessor error: {shown} is of the type {}, expected string", go_type(value));
            errors.push(FieldError::invalid_text(format!(".{path}"), "", why));
        }
    }
}

/// Finalizers that a real server lets pass here, and warns of.
fn finalizer_warnings(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let names = |object: &Fields| -> Vec<String> {
        let list = at(object, "metadata.finalizers").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let before = old.map(names).unwrap_or_default();
    let mut added: Vec<String> = names(object).into_iter().filter(|name| !before.contains(name)).collect();
    added.sort();
    added.dedup();
    let mut warnings = Vec::new();
    for name in added {
        let field = format!("metadata.finalizers: {}", quoted(&name));
        warnings.extend(qualified_name_errors(&name).into_iter().map(|why| format!("{field}: {why}")));
        if name.contains('/') || ["orphan", "foregroundDeletion", "kubernetes"].contains(&name.as_str()) {
            continue;
        }
        let path = if name.contains('.') { " including a path (/)" } else { "" };
        warnings.push(format!(
            "{field}: prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other finalizer writers"
        ));
    }
    warnings
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
pub(super) fn check_new((custom, scale): Kind<'_>, object: &Fields) -> Findings {
    let value = Value::Object(object.clone());
    let schema = &custom.form.schema;
    let mut errors = validate(&value, schema, Old::Unknown, "");
    check_scale(scale, (object, Part::All), &mut errors);
    check_embedded(&value, schema, &Path::Root(""), &mut errors);
    check_lists(&value, schema, &Path::Root(""), &mut errors);
    let found = rules(custom, (&value, None), errors);
    found.warned(finalizer_warnings(object, None))
}

/// Checks an object that is about to replace another.
pub(super) fn check_change(
    (custom, scale): Kind<'_>,
    (object, old): (&Fields, &Fields),
    side: Side,
) -> Findings {
    let schema = &custom.form.schema;
    let mut value = Value::Object(object.clone());
    let before = Value::Object(old.clone());
    // A real server has the version in both.
    if let (Some(meta), Some(version)) = (
        value.get_mut("metadata").and_then(Value::as_object_mut),
        before.pointer("/metadata/resourceVersion"),
    ) {
        meta.entry("resourceVersion").or_insert_with(|| version.clone());
    }
    let part = if side == Side::Status { Part::Status } else { Part::All };
    let mut errors = if side == Side::Status {
        match (schema.properties.get("status"), value.get("status")) {
            (Some(schema), Some(status)) => {
                let before = before.get("status").map_or(Old::Unknown, Old::Known);
                validate(status, schema, before, "status")
            }
            _ => Vec::new(),
        }
    } else {
        validate(&value, schema, Old::Known(&before), "")
    };
    check_scale(scale, (object, part), &mut errors);
    if part == Part::All {
        check_embedded(&value, schema, &Path::Root(""), &mut errors);
    }
    let mut old_errors = Vec::new();
    check_lists(&before, schema, &Path::Root(""), &mut old_errors);
    if old_errors.is_empty() {
        check_lists(&value, schema, &Path::Root(""), &mut errors);
    }
    let found = rules(custom, (&value, Some(&before)), errors);
    found.warned(finalizer_warnings(object, Some(old)))
}

/// Runs the rules of a kind, unless the object is too broken for them.
fn rules(custom: &Custom, (value, old): (&Value, Option<&Value>), mut errors: Vec<FieldError>) -> Findings {
    let Some(rules) = &custom.rules else { return Findings { errors, ..Findings::default() } };
    if errors.iter().any(is_blocking) {
        errors.push(FieldError::invalid_printed("<nil>", "null", UNCHECKED));
        return Findings { errors, ..Findings::default() };
    }
    let verdict = rules.run((value, &custom.form.schema), old, &Path::Root(""));
    errors.extend(verdict.errors);
    Findings { errors, warnings: verdict.warnings, later: Vec::new() }
}
