//! `patch=`: a strategic merge patch on the entry of a webhook.
//!
//! Maps are merged, `null` removes, lists replace; match conditions are merged by name. Every name in it must be a field
//! of a webhook, and every value of the kind that the field has.

use super::webhooks::Named;
use crate::diagnostic::ManifestProblem;
use crate::model::WebhookKind;
use crate::naming::nearest;
use serde_json::{Map, Value};

/// What a field holds.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Integer,
    Texts,
    /// Names of the user's with texts.
    TextMap,
    Object(Fields),
    List(Fields),
}

type Fields = &'static [(&'static str, Shape)];

const REQUIREMENT: Fields = &[("key", Shape::Text), ("operator", Shape::Text), ("values", Shape::Texts)];
const SELECTOR: Fields = &[("matchExpressions", Shape::List(REQUIREMENT)), ("matchLabels", Shape::TextMap)];
const CONDITION: Fields = &[("expression", Shape::Text), ("name", Shape::Text)];
const SERVICE: Fields =
    &[("name", Shape::Text), ("namespace", Shape::Text), ("path", Shape::Text), ("port", Shape::Integer)];
const CLIENT_CONFIG: Fields =
    &[("caBundle", Shape::Text), ("service", Shape::Object(SERVICE)), ("url", Shape::Text)];
const RULE: Fields = &[
    ("apiGroups", Shape::Texts),
    ("apiVersions", Shape::Texts),
    ("operations", Shape::Texts),
    ("resources", Shape::Texts),
    ("scope", Shape::Text),
];
const WEBHOOK: Fields = &[
    ("admissionReviewVersions", Shape::Texts),
    ("clientConfig", Shape::Object(CLIENT_CONFIG)),
    ("failurePolicy", Shape::Text),
    ("matchConditions", Shape::List(CONDITION)),
    ("matchPolicy", Shape::Text),
    ("name", Shape::Text),
    ("namespaceSelector", Shape::Object(SELECTOR)),
    ("objectSelector", Shape::Object(SELECTOR)),
    ("reinvocationPolicy", Shape::Text),
    ("rules", Shape::List(RULE)),
    ("sideEffects", Shape::Text),
    ("timeoutSeconds", Shape::Integer),
];

/// Patches an entry; what is wrong with the patch goes to `report`, and the entry stays as it is then.
pub(super) fn patch(
    entry: &mut Map<String, Value>,
    text: &str,
    kind: WebhookKind,
    report: &mut dyn FnMut(Named),
) {
    let patch = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(patch)) => patch,
        Ok(_) => {
            let reason = "it is something else".to_owned();
            return report(Box::new(|webhook| ManifestProblem::BadPatch { webhook, reason }));
        }
        Err(error) => {
            let reason = error.to_string();
            return report(Box::new(|webhook| ManifestProblem::BadPatch { webhook, reason }));
        }
    };
    let mut checker = Checker { sound: true, kind, report };
    checker.object(&patch, WEBHOOK, "");
    if checker.sound {
        merge(entry, patch);
    }
}

struct Checker<'a> {
    sound: bool,
    kind: WebhookKind,
    report: &'a mut dyn FnMut(Named),
}

impl Checker<'_> {
    fn object(&mut self, patch: &Map<String, Value>, fields: Fields, path: &str) {
        for (name, value) in patch {
            let field = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if name == "$patch" && matches!(value.as_str(), Some("delete" | "replace")) {
                continue;
            }
            let only_mutating = name == "reinvocationPolicy" && self.kind == WebhookKind::Validating;
            match fields.iter().find(|(known, _)| known == name).filter(|_| !only_mutating) {
                Some((_, shape)) => self.value(value, *shape, &field),
                None => {
                    let known = fields.iter().map(|(known, _)| *known);
                    let nearest = nearest(name, known).filter(|_| !only_mutating).map(str::to_owned);
                    self.wrong(Box::new(|webhook| ManifestProblem::UnknownPatchField {
                        webhook,
                        field,
                        nearest,
                    }));
                }
            }
        }
    }

    fn value(&mut self, value: &Value, shape: Shape, field: &str) {
        match (shape, value) {
            (_, Value::Null) | (Shape::Text, Value::String(_)) => {}
            (Shape::Integer, Value::Number(number)) if number.is_i64() => {}
            (Shape::Texts, Value::Array(items)) if items.iter().all(Value::is_string) => {}
            (Shape::TextMap, Value::Object(map))
                if map.values().all(|value| value.is_string() || value.is_null()) => {}
            (Shape::Object(fields), Value::Object(map)) => self.object(map, fields, field),
            (Shape::List(fields), Value::Array(items)) => {
                for (at, item) in items.iter().enumerate() {
                    let field = format!("{field}[{at}]");
                    match item {
                        Value::Object(map) => self.object(map, fields, &field),
                        other => self.wrong_type("an object", other, &field),
                    }
                }
            }
            (shape, other) => self.wrong_type(expected(shape), other, field),
        }
    }

    fn wrong_type(&mut self, expected: &'static str, found: &Value, field: &str) {
        let (found, field) = (kind_of(found), field.to_owned());
        self.wrong(Box::new(move |webhook| ManifestProblem::PatchType { webhook, field, expected, found }));
    }

    fn wrong(&mut self, problem: Named) {
        self.sound = false;
        (self.report)(problem);
    }
}

fn expected(shape: Shape) -> &'static str {
    match shape {
        Shape::Text => "a text",
        Shape::Integer => "a whole number",
        Shape::Texts => "a list of texts",
        Shape::TextMap => "a map of texts",
        Shape::Object(_) => "an object",
        Shape::List(_) => "a list of objects",
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Merges a patch that is known to be sound.
fn merge(target: &mut Map<String, Value>, mut patch: Map<String, Value>) {
    match patch.remove("$patch").as_ref().and_then(Value::as_str) {
        Some("delete") => return target.clear(),
        Some(_) => target.clear(),
        None => {}
    }
    for (name, value) in patch {
        match value {
            Value::Null => {
                target.remove(&name);
            }
            Value::Object(inner) => {
                let held = target.entry(name.clone()).or_insert_with(|| Value::Object(Map::new()));
                if !held.is_object() {
                    *held = Value::Object(Map::new());
                }
                if let Some(held) = held.as_object_mut() {
                    merge(held, inner);
                }
                if target.get(&name).and_then(Value::as_object).is_some_and(Map::is_empty)
                    && !is_pointer(&name)
                {
                    target.remove(&name);
                }
            }
            Value::Array(items) => {
                let is_gone = |item: &Value| item.get("$patch").is_some();
                let items: Vec<Value> =
                    items.into_iter().filter(|item| !is_gone(item)).map(without_nulls).collect();
                if items.is_empty() {
                    target.remove(&name);
                } else {
                    target.insert(name, Value::Array(items));
                }
            }
            other => {
                target.insert(name, other);
            }
        }
    }
}

/// Objects that are kept when they are empty, because that means something: a selector that selects all.
fn is_pointer(name: &str) -> bool {
    ["namespaceSelector", "objectSelector", "service"].contains(&name)
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(map.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        other => other,
    }
}
