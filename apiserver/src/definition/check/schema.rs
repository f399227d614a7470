//! The schema of a version.

use serde_json::Value;

use super::{fitting, rules::Costs, structural, text, walk};
use crate::{
    definition::internal,
    protocol::{FieldError, printed},
    schema::structural::{Structural, whole_numbers},
};

/// What may stand beside the properties of a kind whose status is a part of its own.
const AT_ROOT: [(&str, &str); 22] = [
    ("description", "Description"),
    ("type", "Type"),
    ("format", "Format"),
    ("title", "Title"),
    ("maximum", "Maximum"),
    ("exclusiveMaximum", "ExclusiveMaximum"),
    ("minimum", "Minimum"),
    ("exclusiveMinimum", "ExclusiveMinimum"),
    ("maxLength", "MaxLength"),
    ("minLength", "MinLength"),
    ("pattern", "Pattern"),
    ("maxItems", "MaxItems"),
    ("minItems", "MinItems"),
    ("uniqueItems", "UniqueItems"),
    ("multipleOf", "MultipleOf"),
    ("required", "Required"),
    ("items", "Items"),
    ("properties", "Properties"),
    ("externalDocs", "ExternalDocs"),
    ("example", "Example"),
    ("x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"),
    ("x-kubernetes-validations", "XValidations"),
];

/// Checks the `schema` of a version or of all versions; `status` is whether the kind's status is a part of its own.
pub(super) fn check(part: &Value, field: &str, status: bool, errors: &mut Vec<FieldError>) {
    let Some(json) = part.get("openAPIV3Schema").filter(|json| json.is_object()) else { return };
    let field = format!("{field}.openAPIV3Schema");
    let before = errors.len();
    if status {
        check_root(json, &field, errors);
    }
    if json.get("nullable") == Some(&Value::Bool(true)) {
        errors
            .push(FieldError::forbidden(format!("{field}.nullable"), "nullable cannot be true at the root"));
    }
    let mut costs = None;
    let unreadable = structural::unsupported(json);
    let schema = Structural::read(json);
    if unreadable.is_none() {
        let found = structural::check(json, &field);
        if found.is_empty() {
            let found = fitting::check(&schema, &field);
            if found.is_empty() {
                costs = Some(Costs::default());
            }
            errors.extend(found);
        } else {
            errors.extend(found);
        }
    }
    let found = walk::check(json, &schema, &field, costs.as_mut());
    errors.extend(found);
    if errors.len() == before
        && let Some(why) = unreadable
    {
        errors.push(FieldError::invalid_printed(field.clone(), printed(&"".into()), why));
    }
    if let Some(costs) = costs {
        costs.check_total(&field, errors);
    }
}

fn check_root(json: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let kind = text(json, "type");
    if !kind.is_empty() && kind != "object" {
        let why = "only \"object\" is allowed as the type at the root of the schema if the status subresource is enabled";
        errors.push(FieldError::invalid_text(format!("{field}.type"), kind, why));
        return;
    }
    let members = json.as_object().into_iter().flatten();
    let odd = members.map(|(name, _)| name).any(|name| AT_ROOT.iter().all(|(known, _)| known != name));
    if odd {
        let names: Vec<&str> = AT_ROOT.iter().map(|(_, name)| *name).collect();
        let why = format!(
            "only [{}] fields are allowed at the root of the schema if the status subresource is enabled",
            names.join(" ")
        );
        errors.push(FieldError::invalid_printed(field, internal::schema(&whole_numbers(json.clone())), why));
    }
}
