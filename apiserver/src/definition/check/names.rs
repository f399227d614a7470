//! Names of kinds.

use serde_json::Value;

use super::{list, text};
use crate::protocol::{FieldError, names::dns_1035_label_errors};

/// Checks the names that are there.
pub(super) fn check(names: &Value, field: &str, errors: &mut Vec<FieldError>) {
    for name in ["plural", "singular"] {
        let value = text(names, name);
        let broken = dns_1035_label_errors(value);
        if !value.is_empty() && !broken.is_empty() {
            errors.push(FieldError::invalid_text(format!("{field}.{name}"), value, broken.join(",")));
        }
    }
    for name in ["kind", "listKind"] {
        let value = text(names, name);
        let broken = dns_1035_label_errors(&value.to_lowercase());
        if !value.is_empty() && !broken.is_empty() {
            let why = format!("may have mixed case, but should otherwise match: {}", broken.join(","));
            errors.push(FieldError::invalid_text(format!("{field}.{name}"), value, why));
        }
    }
    check_list(names, (field, "shortNames"), errors);
    let kind = text(names, "kind");
    if !kind.is_empty() && kind == text(names, "listKind") {
        let why = "kind and listKind may not be the same";
        errors.push(FieldError::invalid_text(format!("{field}.listKind"), kind, why));
    }
    check_list(names, (field, "categories"), errors);
}

fn check_list(names: &Value, (field, name): (&str, &str), errors: &mut Vec<FieldError>) {
    for (index, value) in list(names, name).iter().filter_map(Value::as_str).enumerate() {
        let broken = dns_1035_label_errors(value);
        if !broken.is_empty() {
            errors.push(FieldError::invalid_text(
                format!("{field}.{name}[{index}]"),
                value,
                broken.join(","),
            ));
        }
    }
}
