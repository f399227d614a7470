//! Whether a value fits a schema, as a server asks it of defaults: after the defaults below it, and with nothing in it that
//! would be pruned.

use super::matching::finds;
use super::{Additional, Keyword, Schema};
use serde_json::Value;

/// Why a value does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Misfit {
    /// Where in the value; empty for the value itself.
    pub(super) path: String,
    /// What is wrong, in words.
    pub(super) reason: String,
}

/// Checks a value.
///
/// # Errors
/// The first thing that does not fit.
pub(super) fn fits(value: &Value, schema: &Schema, path: &str) -> Result<(), Misfit> {
    let wrong = |reason: String| Err(Misfit { path: path.to_owned(), reason });
    if value.is_null() {
        return if schema.is(Keyword::Nullable) { Ok(()) } else { wrong("it is null".to_owned()) };
    }
    if schema.is(Keyword::IntOrString) {
        if !value.is_string() && !is_whole(value) {
            return wrong("a whole number or a text is expected".to_owned());
        }
    } else if !is_of(value, schema.kind()) {
        return wrong(format!("{} is expected", words(schema.kind())));
    }
    if let Some(Value::Array(allowed)) = schema.get(Keyword::Enum)
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(Value::to_string).collect();
        return wrong(format!("one of {} is expected", allowed.join(", ")));
    }
    if let Some(reason) = bound(value, schema) {
        return wrong(reason);
    }
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                if let Some(schema) = &schema.items {
                    fits(item, schema, &format!("{path}[{at}]"))?;
                }
            }
        }
        Value::Object(entries) => members(entries, schema, path)?,
        _ => {}
    }
    schema.all_of.iter().try_for_each(|branch| fits_branch(value, branch, path))?;
    let holds = |branch: &Schema| holds(value, branch);
    let is_one = schema.one_of.is_empty() || schema.one_of.iter().filter(|branch| holds(branch)).count() == 1;
    let is_any = schema.any_of.is_empty() || schema.any_of.iter().any(holds);
    if !is_one || !is_any || schema.none_of.iter().any(holds) {
        return wrong("it is none of the alternatives, or more than one".to_owned());
    }
    Ok(())
}

/// Whether a value is what an alternative asks for.
fn holds(value: &Value, branch: &Schema) -> bool {
    let is_allowed = match branch.get(Keyword::Enum) {
        Some(Value::Array(allowed)) => allowed.contains(value),
        _ => true,
    };
    let is_below = match value {
        Value::Object(entries) => {
            let member = |(name, member): (&String, &Schema)| {
                entries.get(name).is_none_or(|value| holds(value, member))
            };
            branch.required.iter().all(|name| entries.contains_key(name))
                && branch.properties.iter().all(member)
        }
        Value::Array(items) => {
            branch.items.as_deref().is_none_or(|branch| items.iter().all(|item| holds(item, branch)))
        }
        _ => true,
    };
    is_allowed
        && is_below
        && is_of(value, branch.kind())
        && bound(value, branch).is_none()
        && branch.all_of.iter().all(|inner| holds(value, inner))
        && (branch.any_of.is_empty() || branch.any_of.iter().any(|inner| holds(value, inner)))
        && (branch.one_of.is_empty() || branch.one_of.iter().filter(|inner| holds(value, inner)).count() == 1)
        && !branch.none_of.iter().any(|inner| holds(value, inner))
}

/// A branch of `allOf` has bounds only.
fn fits_branch(value: &Value, branch: &Schema, path: &str) -> Result<(), Misfit> {
    match bound(value, branch) {
        Some(reason) => Err(Misfit { path: path.to_owned(), reason }),
        None => Ok(()),
    }
}

fn members(entries: &serde_json::Map<String, Value>, schema: &Schema, path: &str) -> Result<(), Misfit> {
    let wrong = |reason: String| Err(Misfit { path: path.to_owned(), reason });
    for name in &schema.required {
        let defaulted =
            schema.properties.get(name).is_some_and(|member| member.get(Keyword::Default).is_some());
        if !entries.contains_key(name) && !defaulted {
            return wrong(format!("`{name}` is required, and has no default of its own"));
        }
    }
    for (name, value) in entries {
        let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match (schema.properties.get(name), &schema.additional) {
            (Some(member), _) => fits(value, member, &below)?,
            (None, Some(Additional::Schema(member))) => fits(value, member, &below)?,
            (None, Some(Additional::Any)) => {}
            (None, None) if schema.is(Keyword::PreserveUnknownFields) => {}
            (None, None) if schema.is(Keyword::EmbeddedResource) && is_meta(name) => {}
            (None, None) => return wrong(format!("there is no field `{name}`")),
        }
    }
    Ok(())
}

fn is_meta(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

/// A whole number of 64 bits; one with an exponent is one as far as all whole numbers are told apart there.
fn is_whole(value: &Value) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let is_exact = |number: f64| number.fract() == 0.0 && number.abs() <= LARGEST;
    value.is_i64() || (value.is_f64() && value.as_f64().is_some_and(is_exact))
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => is_whole(value),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

fn words(kind: &str) -> &str {
    match kind {
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "`true` or `false`",
        "array" => "a list",
        "object" => "an object",
        other => other,
    }
}

/// Whether a value has a format. Where no type is said, servers hold formats to be those of texts.
fn has_format(value: &Value, format: &str, kind: &str) -> bool {
    match (value, kind) {
        (Value::String(text), "string" | "") => kube_codegen_formats::has(format, text),
        (Value::Number(_) | Value::Bool(_), "") => false,
        (Value::Number(number), "integer") => {
            let fits = |number| (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number);
            format != "int32" || number.as_f64().is_some_and(fits)
        }
        (Value::Number(number), "number") => {
            format != "float" || number.as_f64().is_some_and(|number| (number as f32).is_finite())
        }
        _ => true,
    }
}

/// The bound that a value passes.
fn bound(value: &Value, schema: &Schema) -> Option<String> {
    let number = |keyword| schema.get(keyword).and_then(Value::as_f64);
    if let Some(found) = value.as_f64() {
        let (least, greatest) = (number(Keyword::Minimum), number(Keyword::Maximum));
        let below = |least: &f64| found < *least || (found <= *least && schema.is(Keyword::ExclusiveMinimum));
        let above = |greatest: &f64| {
            found > *greatest || (found >= *greatest && schema.is(Keyword::ExclusiveMaximum))
        };
        if let Some(least) = least.filter(below) {
            return Some(format!("it is below the minimum of {least}"));
        }
        if let Some(greatest) = greatest.filter(above) {
            return Some(format!("it is above the maximum of {greatest}"));
        }
        if let Some(step) = number(Keyword::MultipleOf).filter(|step| *step != 0.0 && found % step != 0.0) {
            return Some(format!("it is no multiple of {step}"));
        }
    }
    if let (Value::String(text), Some(pattern)) = (value, schema.text(Keyword::Pattern))
        && finds(pattern, text) == Some(false)
    {
        return Some(format!("it does not match the pattern `{pattern}`"));
    }
    if let Some(format) = schema.text(Keyword::Format)
        && !has_format(value, format, schema.kind())
    {
        return Some(format!("it does not have the format `{format}`"));
    }
    let (count, least, greatest, what) = match value {
        Value::String(text) => (text.chars().count(), Keyword::MinLength, Keyword::MaxLength, "characters"),
        Value::Array(items) => (items.len(), Keyword::MinItems, Keyword::MaxItems, "items"),
        Value::Object(entries) => (entries.len(), Keyword::MinProperties, Keyword::MaxProperties, "members"),
        _ => return None,
    };
    let count = count as u64;
    let limit = |keyword| schema.get(keyword).and_then(Value::as_u64);
    if let Some(least) = limit(least).filter(|least| count < *least) {
        return Some(format!("it has {count} {what}, and {least} are the least"));
    }
    limit(greatest)
        .filter(|greatest| count > *greatest)
        .map(|greatest| format!("it has {count} {what}, and {greatest} are the most"))
}
