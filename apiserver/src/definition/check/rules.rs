//! The rules of a schema: their words, whether they compile, what they may cost.

use std::sync::Arc;

use serde_json::Value;

use super::{list, paths, text};
use crate::{
    cel::MAX_REQUEST,
    definition::internal,
    protocol::{FieldError, FieldErrorClass},
    schema::structural::{CompiledRule, Path, Root, Rules, Structural, compile_rule, declare},
};

/// What one expression may cost.
const PER_RULE: u64 = 10_000_000;
/// What all expressions of a schema may cost together.
const PER_SCHEMA: u64 = 100_000_000;
/// How many of the dearest rules are told.
const TOLD: usize = 4;

/// What the rules of a whole schema may cost, added up.
#[derive(Debug, Default)]
pub(super) struct Costs {
    total: u64,
    /// The dearest, with their fields.
    dearest: Vec<(u64, String)>,
}

impl Costs {
    fn add(&mut self, field: String, cost: u64) {
        self.total = self.total.saturating_add(cost);
        // What is less than a hundredth of what is allowed does not matter.
        if cost < PER_SCHEMA / 100 {
            return;
        }
        self.dearest.push((cost, field));
        self.dearest.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        self.dearest.truncate(TOLD);
    }

    /// Says where rules cost too much together.
    pub(super) fn check_total(&self, field: &str, errors: &mut Vec<FieldError>) {
        if self.total <= PER_SCHEMA {
            return;
        }
        for (_, field) in &self.dearest {
            let why =
                "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            errors.push(FieldError::forbidden(field.clone(), why));
        }
        let name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        errors.push(FieldError::forbidden(field, too_dear(name, self.total, PER_SCHEMA)));
    }
}

fn too_dear(name: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{name} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where \
         arrays, maps, and strings are declared)"
    )
}

/// Where rules stand.
pub(super) struct Place<'a> {
    pub field: &'a str,
    /// The node below which old values are not known, where there is one.
    pub uncorrelated: Option<&'a str>,
}

/// What `self` is for the rules of a node, and how often the node can be in an object.
pub(super) struct Scope<'a> {
    schema: &'a Structural,
    root: Root,
    /// None where nothing bounds it.
    times: Option<u64>,
}

impl<'a> Scope<'a> {
    pub(super) fn root(schema: &'a Structural) -> Self {
        Self { schema, root: Root::Whole, times: Some(1) }
    }

    fn below(&self, schema: &'a Structural, most: Option<Option<i64>>) -> Self {
        let times = match most {
            None => self.times,
            Some(most) => {
                let most = most.map(|most| u64::try_from(most).unwrap_or_default());
                self.times.zip(most).map(|(times, most)| times.saturating_mul(most))
            }
        };
        Self { schema, root: Root::of(schema), times }
    }

    pub(super) fn member(&self, name: &str) -> Option<Self> {
        Some(self.below(self.schema.properties.get(name)?, None))
    }

    pub(super) fn values(&self) -> Option<Self> {
        let values = self.schema.additional.as_ref()?.schema()?;
        Some(self.below(values, Some(self.schema.limits.max_properties)))
    }

    pub(super) fn items(&self) -> Option<Self> {
        Some(self.below(self.schema.items.as_deref()?, Some(self.schema.limits.max_items)))
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
    json: &Value,
    scope: &Scope<'_>,
    place: &Place<'_>,
    costs: &mut Costs,
    errors: &mut Vec<FieldError>,
) {
    let rules = list(json, "x-kubernetes-validations");
    if rules.is_empty() {
        return;
    }
    let Some(decl) = declare(scope.schema, scope.root) else {
        let why = "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural \
                   schema to CEL declarations";
        errors.push(FieldError {
            field: format!("{}.x-kubernetes-validations", place.field),
            class: FieldErrorClass::Internal,
            value: String::new(),
            detail: why.to_owned(),
        });
        return;
    };
    let times = scope.times.unwrap_or(MAX_REQUEST / (decl.min_size + 1));
    let decl = Arc::new(decl);
    for (index, (rule, json)) in scope.schema.rules.iter().zip(rules).enumerate() {
        let compiled = compile_rule(rule, &decl);
        let place = Place { field: &format!("{}.x-kubernetes-validations[{index}]", place.field), ..*place };
        check_rule(&compiled, (json, times), &place, costs, errors);
    }
}

fn check_rule(
    compiled: &CompiledRule,
    (json, times): (&Value, u64),
    place: &Place<'_>,
    costs: &mut Costs,
    errors: &mut Vec<FieldError>,
) {
    let field = format!("{}.rule", place.field);
    let cost = match &compiled.program {
        Ok(Some(program)) => program.max_cost().saturating_mul(times),
        _ => 0,
    };
    if cost > PER_RULE {
        errors.push(FieldError::forbidden(field.clone(), too_dear("estimated rule cost", cost, PER_RULE)));
    }
    costs.add(field.clone(), cost);
    if let Err(error) = &compiled.program {
        errors.push(FieldError::invalid_printed(field.clone(), internal::rule(json), error.to_string()));
    }
    let message = format!("{}.messageExpression", place.field);
    match &compiled.message {
        Some(Err(error)) => {
            errors.push(FieldError::invalid_printed(message, internal::rule(json), error.to_string()));
        }
        Some(Ok(program)) => {
            let cost = program.max_cost();
            if cost > PER_RULE {
                let why = too_dear("estimated messageExpression cost", cost, PER_RULE);
                errors.push(FieldError::forbidden(message.clone(), why));
            }
            costs.add(message, cost);
        }
        None => {}
    }
    if compiled.uses_old_self {
        if let Some(above) = place.uncorrelated {
            let why =
                format!("oldSelf cannot be used on the uncorrelatable portion of the schema within {above}");
            errors.push(FieldError::invalid_text(field, &compiled.rule.rule, why));
        }
    } else if let Some(set) = compiled.rule.optional_old_self {
        let field = format!("{}.optionalOldSelf", place.field);
        let why = "may not be set if oldSelf is not used in rule";
        errors.push(FieldError::invalid(field, &set.into(), why));
    }
}

/// Runs the rules of a schema over its own default.
pub(super) fn of_default(default: &Value, schema: &Structural, field: &str) -> Vec<FieldError> {
    let mut unmade = Vec::new();
    undeclared(default, schema, &Path::Root(field), &mut unmade);
    if !unmade.is_empty() {
        return unmade;
    }
    match Rules::compile(schema, Root::of(schema)) {
        Some(rules) => rules.run_default((default, schema), &Path::Root(field)).errors,
        None => Vec::new(),
    }
}

/// Rules about values of which nothing can be said, where a default has such values.
fn undeclared(value: &Value, schema: &Structural, path: &Path<'_>, errors: &mut Vec<FieldError>) {
    const WHY: &str =
        "rule compiler initialization error: failed to convert to declType for CEL validation rules";
    if !schema.rules.is_empty() && declare(schema, Root::of(schema)).is_none() {
        errors.push(FieldError::invalid_text(path.field(), &schema.kind, WHY));
        return;
    }
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if let Some(below) = schema.items.as_deref() {
                    undeclared(item, below, &path.index(index), errors);
                }
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                if let Some(below) = schema.member(name) {
                    undeclared(member, below, &path.member(name), errors);
                }
            }
        }
        _ => {}
    }
}
