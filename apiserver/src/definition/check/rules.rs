//! The rules of a schema: their words, whether they compile, what they may cost.

use serde_json::Value;

use super::{list, paths, text};
use crate::{protocol::FieldError, schema::structural::Structural};

/// What the rules of a whole schema may cost, added up.
#[derive(Debug, Default)]
pub(super) struct Costs {}

impl Costs {
    /// Says where rules cost too much together.
    pub(super) fn check_total(&self, _field: &str, _errors: &mut Vec<FieldError>) {}
}

/// Where rules stand.
#[expect(dead_code, reason = "what the errors of rules are made from")]
pub(super) struct Place<'a> {
    pub field: &'a str,
    /// The node below which old values are not known, where there is one.
    pub uncorrelated: Option<&'a str>,
}

/// What `self` is for the rules of a node.
pub(super) struct Scope<'a> {
    schema: &'a Structural,
}

impl<'a> Scope<'a> {
    pub(super) fn root(schema: &'a Structural) -> Self {
        Self { schema }
    }

    pub(super) fn member(&self, name: &str) -> Option<Self> {
        Some(Self { schema: self.schema.properties.get(name)? })
    }

    pub(super) fn values(&self) -> Option<Self> {
        Some(Self { schema: self.schema.additional.as_ref()?.schema()? })
    }

    pub(super) fn items(&self) -> Option<Self> {
        Some(Self { schema: self.schema.items.as_deref()? })
    }
}

/// Checks what stands in rules besides their expressions.
pub(super) fn words(json: &Value, field: &str, errors: &mut Vec<FieldError>) {
    const REASONS: &[&str] =
        &["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
    let broken = |text: &str| text.contains(['\n', '\r']);
    for (index, rule) in list(json, "x-kubernetes-validations").iter().enumerate() {
        let field = format!("{field}.x-kubernetes-validations[{index}]");
        let (message, expression) = (text(rule, "message"), text(rule, "messageExpression"));
        let (trimmed, trimmed_rule) = (message.trim(), text(rule, "rule").trim());
        let place = format!("{field}.message");
        if trimmed_rule.is_empty() {
            errors.push(FieldError::required(format!("{field}.rule"), "rule is not specified"));
        } else if !message.is_empty() && trimmed.is_empty() {
            errors.push(FieldError::invalid_text(place, message, "must be non-empty if specified"));
        } else if broken(trimmed) {
            errors.push(FieldError::invalid_text(place, message, "must not contain line breaks"));
        } else if broken(trimmed_rule) && trimmed.is_empty() {
            errors
                .push(FieldError::required(place, "message must be specified if rule contains line breaks"));
        }
        if !expression.is_empty() && expression.trim().is_empty() {
            let why = "messageExpression must be non-empty if specified";
            errors.push(FieldError::required(format!("{field}.messageExpression"), why));
        }
        if let Some(reason) =
            rule.get("reason").and_then(Value::as_str).filter(|reason| !REASONS.contains(reason))
        {
            errors.push(FieldError::not_supported(format!("{field}.reason"), &reason.into(), REASONS));
        }
        let path = text(rule, "fieldPath");
        let place = format!("{field}.fieldPath");
        if path.is_empty() {
            continue;
        }
        if path.trim().is_empty() {
            errors.push(FieldError::invalid_text(place.clone(), path, "must be non-empty if specified"));
        }
        if broken(path) {
            errors.push(FieldError::invalid_text(place.clone(), path, "must not contain line breaks"));
        }
        if !paths::leads_somewhere(path, &Structural::read(json)) {
            errors.push(FieldError::invalid_text(place, path, "must be a valid path"));
        }
    }
}

/// Compiles the rules of a node and reckons what they may cost.
pub(super) fn compile(
    _json: &Value,
    _scope: &Scope<'_>,
    _place: &Place<'_>,
    _costs: &mut Costs,
    _errors: &mut Vec<FieldError>,
) {
}

/// Runs the rules of a schema over its own default.
pub(super) fn of_default(_default: &Value, _schema: &Structural, _field: &str) -> Vec<FieldError> {
    Vec::new()
}
