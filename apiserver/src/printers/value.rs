//! Looking into objects that are JSON values.
//!
//! In: a value and a path of names with dots. Out: what lies there, or the empty text, number or list: printers never fail.

use jiff::Timestamp;
use serde_json::Value;

use super::age::{human, now_minus};

static NOTHING: Value = Value::Null;

/// What lies at a path; null where nothing does.
pub(super) fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').try_fold(value, |value, name| value.get(name)).unwrap_or(&NOTHING)
}

/// The text at a path.
pub(super) fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    at(value, path).as_str().unwrap_or_default()
}

/// The text at a path, or something else where there is none.
pub(super) fn text_or<'a>(value: &'a Value, path: &str, other: &'a str) -> &'a str {
    match text(value, path) {
        "" => other,
        text => text,
    }
}

/// The whole number at a path.
pub(super) fn int(value: &Value, path: &str) -> i64 {
    at(value, path).as_i64().unwrap_or_default()
}

/// The truth at a path.
pub(super) fn flag(value: &Value, path: &str) -> bool {
    at(value, path).as_bool().unwrap_or_default()
}

/// The list at a path.
pub(super) fn list<'a>(value: &'a Value, path: &str) -> &'a [Value] {
    at(value, path).as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The texts of the list at a path.
pub(super) fn texts<'a>(value: &'a Value, path: &str) -> Vec<&'a str> {
    list(value, path).iter().filter_map(Value::as_str).collect()
}

/// How many members the object or list at a path has.
pub(super) fn count(value: &Value, path: &str) -> usize {
    match at(value, path) {
        Value::Object(members) => members.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    }
}

/// The name of an object.
pub(super) fn name(value: &Value) -> &str {
    text(value, "metadata.name")
}

/// Whether an object is being deleted.
pub(super) fn is_deleted(value: &Value) -> bool {
    !text(value, "metadata.deletionTimestamp").is_empty()
}

/// The age of an object.
pub(super) fn age(value: &Value, now: Timestamp) -> String {
    since(value, "metadata.creationTimestamp", now)
}

/// How long ago the time at a path was.
pub(super) fn since(value: &Value, path: &str, now: Timestamp) -> String {
    match time(value, path) {
        Some(then) => human(now_minus(now, then)),
        None => "<unknown>".to_owned(),
    }
}

/// The time at a path.
pub(super) fn time(value: &Value, path: &str) -> Option<Timestamp> {
    text(value, path).parse().ok()
}

/// The condition of a type, in the list at a path.
pub(super) fn condition<'a>(value: &'a Value, path: &str, kind: &str) -> Option<&'a Value> {
    list(value, path).iter().find(|condition| text(condition, "type") == kind)
}

/// A number or a text, as text.
pub(super) fn int_or_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `a=1,b=2`; `<none>` for no labels.
pub(super) fn labels(value: &Value, path: &str) -> String {
    let pairs = at(value, path).as_object().into_iter().flatten();
    let pairs: Vec<String> =
        pairs.map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default())).collect();
    if pairs.is_empty() { "<none>".to_owned() } else { pairs.join(",") }
}

/// A label selector as text; nothing for one that selects everything.
fn requirements(selector: &Value) -> String {
    let mut all: Vec<(String, String)> = Vec::new();
    for (key, value) in at(selector, "matchLabels").as_object().into_iter().flatten() {
        all.push((key.clone(), format!("{key}={}", value.as_str().unwrap_or_default())));
    }
    for expression in list(selector, "matchExpressions") {
        let key = text(expression, "key");
        let mut values = texts(expression, "values");
        values.sort_unstable();
        let values = values.join(",");
        let shown = match text(expression, "operator") {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            _ => format!("!{key}"),
        };
        all.push((key.to_owned(), shown));
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.into_iter().map(|(_, shown)| shown).collect::<Vec<_>>().join(",")
}

/// The label selector at a path; an empty one is `<none>`, as is one that is not there.
pub(super) fn selector(value: &Value, path: &str) -> String {
    match requirements(at(value, path)).as_str() {
        "" => "<none>".to_owned(),
        shown => shown.to_owned(),
    }
}

/// The label selector at a path; an empty one is the empty text.
pub(super) fn bare_selector(value: &Value, path: &str) -> String {
    requirements(at(value, path))
}

/// Names and images of the containers at a path.
pub(super) fn containers(value: &Value, path: &str) -> (String, String) {
    let all = list(value, path);
    let join = |name: &str| all.iter().map(|one| text(one, name)).collect::<Vec<_>>().join(",");
    (join("name"), join("image"))
}

/// Up to `most` of these, and how many more there are.
pub(super) fn with_more(shown: &[String], all: usize, most: usize) -> String {
    let shown = shown.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(",");
    if all > most { format!("{shown} + {} more...", all - most) } else { shown }
}
