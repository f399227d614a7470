//! The versions of a definition, each by itself and together.

use serde_json::Value;

use super::{list, paths, schema, text};
use crate::{
    definition::internal,
    protocol::{FieldError, names::dns_1035_label_errors},
    schema::structural::Structural,
};

const MOST_SELECTABLE: usize = 8;

/// What versions may say each for itself; where all say the same, a real server takes it for all of them at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Schema,
    Subresources,
    Columns,
    Selectable,
}

impl Part {
    fn member(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Subresources => "subresources",
            Self::Columns => "additionalPrinterColumns",
            Self::Selectable => "selectableFields",
        }
    }

    fn of(self, version: &Value) -> Option<&Value> {
        version.get(self.member()).filter(|part| part.as_array().is_none_or(|list| !list.is_empty()))
    }

    /// What all versions say alike.
    fn shared(self, versions: &[Value]) -> Option<&Value> {
        let first = self.of(versions.first()?)?;
        let alike = |version: &Value| self.of(version).is_some_and(|part| is_alike(part, first));
        versions.iter().all(alike).then_some(first)
    }

    /// What a version says for itself alone.
    fn own<'a>(self, version: &'a Value, versions: &[Value]) -> Option<&'a Value> {
        if self.shared(versions).is_some() { None } else { self.of(version) }
    }
}

/// Whether two parts say the same: an empty list or map says nothing.
fn is_alike(one: &Value, other: &Value) -> bool {
    let nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            // Each member is looked at once, or deep schemas would take for ever.
            one.iter().all(|(name, value)| match other.get(name) {
                Some(other) => is_alike(value, other),
                None => nothing(value),
            }) && other.iter().all(|(name, value)| one.contains_key(name) || nothing(value))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_alike(one, other))
        }
        (one, other) => one == other,
    }
}

/// Whether a version has a status of its own.
fn has_status(version: &Value) -> bool {
    version.pointer("/subresources/status").is_some()
}

/// Checks every version, and that they fit together.
pub(super) fn check(spec: &Value, errors: &mut Vec<FieldError>) {
    let versions = list(spec, "versions");
    for (index, version) in versions.iter().enumerate() {
        if version.pointer("/schema/openAPIV3Schema").is_none() {
            let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
            errors.push(FieldError::required(field, ""));
        }
    }
    let mut schemas = versions.iter().filter_map(|version| version.pointer("/schema/openAPIV3Schema"));
    if spec.get("preserveUnknownFields") == Some(&Value::Bool(true)) && schemas.any(has_default) {
        let why = "must be false in order to use defaults in the schema";
        errors.push(FieldError::invalid_printed("spec.preserveUnknownFields", "true", why));
    }
    for (index, version) in versions.iter().enumerate() {
        let field = format!("spec.versions[{index}]");
        let name = text(version, "name");
        let broken = dns_1035_label_errors(name);
        if !broken.is_empty() {
            errors.push(FieldError::invalid_text(format!("{field}.name"), name, broken.join(",")));
        }
        check_one(version, versions, &field, errors);
    }
    let shown =
        || internal::versions(spec.get("versions"), |version| Part::Schema.own(version, versions).is_some());
    let names: Vec<&str> = versions.iter().map(|version| text(version, "name")).collect();
    if names.iter().enumerate().any(|(index, name)| names.iter().take(index).any(|other| other == name)) {
        errors.push(FieldError::invalid_printed(
            "spec.versions",
            shown(),
            "must contain unique version names",
        ));
    }
    if versions.iter().filter(|version| version.get("storage") == Some(&Value::Bool(true))).count() != 1 {
        let why = "must have exactly one version marked as storage version";
        errors.push(FieldError::invalid_printed("spec.versions", shown(), why));
    }
    if let Some(name) = names.first().filter(|name| !name.is_empty()) {
        let broken = dns_1035_label_errors(name);
        if !broken.is_empty() {
            errors.push(FieldError::invalid_text("spec.version", name, broken.join(",")));
        }
    }
}

/// Whether a schema has a default anywhere.
fn has_default(schema: &Value) -> bool {
    let Value::Object(members) = schema else { return false };
    members.iter().any(|(name, value)| match (name.as_str(), value) {
        ("default", value) => !value.is_null(),
        ("properties" | "patternProperties" | "definitions" | "dependencies", Value::Object(named)) => {
            named.values().any(has_default)
        }
        ("allOf" | "anyOf" | "oneOf" | "items", Value::Array(schemas)) => schemas.iter().any(has_default),
        ("items" | "not" | "additionalProperties" | "additionalItems", schema) => has_default(schema),
        _ => false,
    })
}

fn check_one(version: &Value, versions: &[Value], field: &str, errors: &mut Vec<FieldError>) {
    check_deprecation(version, field, errors);
    if let Some(part) = Part::Schema.own(version, versions) {
        let status = match Part::Subresources.shared(versions) {
            Some(shared) => shared.get("status").is_some(),
            None => has_status(version),
        };
        schema::check(part, &format!("{field}.schema"), status, errors);
    }
    if let Some(part) = Part::Subresources.own(version, versions) {
        check_subresources(part, &format!("{field}.subresources"), errors);
    }
    if let Some(part) = Part::Columns.own(version, versions) {
        check_columns(part, &format!("{field}.additionalPrinterColumns"), errors);
    }
    if let Some(part) = Part::Selectable.own(version, versions) {
        let schema = Part::Schema.own(version, versions);
        check_selectable(part, schema, &format!("{field}.selectableFields"), errors);
    }
}

/// Checks what all versions say alike.
pub(super) fn check_shared(spec: &Value, errors: &mut Vec<FieldError>) {
    let versions = list(spec, "versions");
    let shared_schema = Part::Schema.shared(versions);
    if let Some(part) = shared_schema {
        schema::check(part, "spec.validation", versions.iter().any(has_status), errors);
    }
    if let Some(part) = Part::Subresources.shared(versions) {
        check_subresources(part, "spec.subresources", errors);
    }
    if let Some(part) = Part::Columns.shared(versions) {
        check_columns(part, "spec.additionalPrinterColumns", errors);
    }
    if let Some(part) = Part::Selectable.shared(versions) {
        check_selectable(part, shared_schema, "spec.selectableFields", errors);
    }
}

/// Checks that the stored versions are versions.
pub(super) fn check_stored(status: &Value, spec: &Value, errors: &mut Vec<FieldError>) {
    const FIELD: &str = "status.storedVersions";
    let stored: Vec<&str> = list(status, "storedVersions").iter().filter_map(Value::as_str).collect();
    if stored.is_empty() {
        errors.push(FieldError::invalid_printed(FIELD, "null", "must have at least one stored version"));
        return;
    }
    let versions = list(spec, "versions");
    let mut left = stored.clone();
    for version in versions {
        let name = text(version, "name");
        let known = left.iter().position(|other| *other == name);
        if version.get("storage") == Some(&Value::Bool(true)) && known.is_none() {
            let why = format!("must have the storage version {name}");
            errors.push(FieldError::invalid(FIELD, &stored.clone().into(), why));
        }
        // A second version of the same name finds nothing any more.
        known.map(|known| left.remove(known));
    }
    for (index, name) in stored.iter().enumerate() {
        if versions.iter().any(|version| text(version, "name") == *name) {
            continue;
        }
        let why = format!(
            "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until a storage \
             migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
        );
        errors.push(FieldError::invalid_text(format!("{FIELD}[{index}]"), name, why));
    }
}

fn check_deprecation(version: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let Some(warning) = version.get("deprecationWarning").and_then(Value::as_str) else { return };
    let field = format!("{field}.deprecationWarning");
    let mut fail = |why: String| errors.push(FieldError::invalid_text(field.clone(), warning, why));
    if version.get("deprecated") != Some(&Value::Bool(true)) {
        fail("can only be set for deprecated versions".to_owned());
        return;
    }
    if warning.len() > 256 {
        fail("must be <= 256 characters long".to_owned());
    }
    if warning.is_empty() {
        fail("must not be an empty string".to_owned());
    }
    let odd = warning
        .char_indices()
        .find(|(_, letter)| letter.is_control() || (letter.is_whitespace() && *letter != ' '));
    if let Some((index, _)) = odd {
        fail(format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {index}"
        ));
    }
}

fn check_subresources(subresources: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let Some(scale) = subresources.get("scale") else { return };
    let field = format!("{field}.scale");
    for (name, under, required) in [
        ("specReplicasPath", &[".spec."] as &[&str], true),
        ("statusReplicasPath", &[".status."], true),
        ("labelSelectorPath", &[".spec.", ".status."], false),
    ] {
        let path = text(scale, name);
        let field = format!("{field}.{name}");
        if path.is_empty() {
            if required {
                errors.push(FieldError::required(field, ""));
            }
        } else if let Some(why) = paths::not_simple(path) {
            errors.push(FieldError::invalid_text(field, path, why));
        } else if !under.iter().any(|start| path.starts_with(start)) {
            let why = match under {
                [only] => format!("should be a json path under {}", only.trim_end_matches('.')),
                _ => "should be a json path under either .spec or .status".to_owned(),
            };
            errors.push(FieldError::invalid_text(field, path, why));
        }
    }
}

fn check_columns(columns: &Value, field: &str, errors: &mut Vec<FieldError>) {
    const TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
    const FORMATS: &[&str] = &["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
    for (index, column) in columns.as_array().into_iter().flatten().enumerate() {
        let field = format!("{field}[{index}]");
        if text(column, "name").is_empty() {
            errors.push(FieldError::required(format!("{field}.name"), ""));
        }
        let kind = text(column, "type");
        let known = format!("must be one of {}", TYPES.join(","));
        if kind.is_empty() {
            errors.push(FieldError::required(format!("{field}.type"), known));
        } else if !TYPES.contains(&kind) {
            errors.push(FieldError::invalid_text(format!("{field}.type"), kind, known));
        }
        let format = text(column, "format");
        if !format.is_empty() && !FORMATS.contains(&format) {
            let why = format!("must be one of {}", FORMATS.join(","));
            errors.push(FieldError::invalid_text(format!("{field}.format"), format, why));
        }
        let path = text(column, "jsonPath");
        if path.is_empty() {
            errors.push(FieldError::required(format!("{field}.JSONPath"), ""));
        } else if let Some(why) = paths::not_simple(path) {
            errors.push(FieldError::invalid_text(format!("{field}.JSONPath"), path, why));
        }
    }
}

fn check_selectable(fields: &Value, part: Option<&Value>, field: &str, errors: &mut Vec<FieldError>) {
    let Some(json) = part.and_then(|part| part.get("openAPIV3Schema")) else {
        // What all versions say alike is looked at apart from what each says for itself.
        let why = match field {
            "spec.selectableFields" => "may only be set when validations.schema is included",
            _ => "may only be set when `version.schema.openAPIV3Schema` is not included",
        };
        errors.push(FieldError::invalid_text(field, "", why));
        return;
    };
    let root = Structural::read(json);
    let mut seen: Vec<String> = Vec::new();
    for (index, selectable) in fields.as_array().into_iter().flatten().enumerate() {
        let path = text(selectable, "jsonPath");
        let field = format!("{field}[{index}].jsonPath");
        if path.is_empty() {
            errors.push(FieldError::required(field, ""));
            continue;
        }
        let found = match paths::resolve(path, &root, paths::Notation::Dots) {
            Ok(found) => found,
            Err(why) => {
                let why = format!("is an invalid path: {why}");
                errors.push(FieldError::invalid_text(field, path, why));
                continue;
            }
        };
        if found.root == "metadata" {
            let why = "must not point to fields in metadata";
            errors.push(FieldError::invalid_text(field.clone(), path, why));
        }
        if !["string", "boolean", "integer"].contains(&found.schema.kind.as_str()) {
            let why = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
            errors.push(FieldError::invalid_text(field.clone(), path, why));
        }
        if seen.contains(&found.path) {
            errors.push(FieldError::duplicate(field, &path.into()));
        } else {
            seen.push(found.path);
        }
    }
    if seen.len() > MOST_SELECTABLE {
        errors.push(FieldError {
            field: field.to_owned(),
            class: crate::protocol::FieldErrorClass::TooMany,
            value: seen.len().to_string(),
            detail: format!("must have at most {MOST_SELECTABLE} items"),
        });
    }
}
