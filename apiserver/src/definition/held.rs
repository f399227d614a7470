//! What is checked of a definition and never written: empty lists and maps in its schemas.
//!
//! A real server checks definitions in its own types, in which an empty list is something else than none, and stores them in a form
//! that has neither. In: a definition in the form that is checked. Out: the form that is stored, and what was taken out of it, so that
//! it can be put back until the checks are done.

use serde_json::{Map, Value};

use crate::protocol::Fields;

/// What was taken out: the way to the object that had it, its name, and the value itself.
#[derive(Debug, Default)]
pub(crate) struct Aside(Vec<(Vec<Step>, String, Value)>);

#[derive(Clone, Debug)]
enum Step {
    Member(String),
    Item(usize),
}

/// Members that are not written when they are empty.
const LISTS_AND_MAPS: [&str; 11] = [
    "allOf",
    "anyOf",
    "definitions",
    "dependencies",
    "enum",
    "oneOf",
    "patternProperties",
    "properties",
    "required",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-validations",
];

/// Takes out what is not written.
pub(crate) fn set_aside(object: &mut Fields) -> Aside {
    let mut aside = Aside::default();
    let spec = object.get_mut("spec").and_then(Value::as_object_mut);
    let versions = spec.and_then(|spec| spec.get_mut("versions")).and_then(Value::as_array_mut);
    let mut way = vec![Step::Member("spec".to_owned()), Step::Member("versions".to_owned())];
    for (index, version) in versions.into_iter().flatten().enumerate() {
        let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") else { continue };
        way.push(Step::Item(index));
        way.extend(["schema", "openAPIV3Schema"].map(|name| Step::Member(name.to_owned())));
        aside.take(schema, &mut way);
        way.truncate(2);
    }
    aside
}

impl Aside {
    fn take(&mut self, schema: &mut Value, way: &mut Vec<Step>) {
        let Some(members) = schema.as_object_mut() else { return };
        members.retain(|name, value| {
            let goes = match name.as_str() {
                // A schema beside which a list may stand; written is the schema alone.
                "items" => value.is_null() || value.as_array().is_some_and(Vec::is_empty),
                name => LISTS_AND_MAPS.contains(&name) && is_empty(value),
            };
            if goes {
                self.0.push((way.clone(), name.clone(), value.take()));
            }
            !goes
        });
        for (name, value) in members {
            way.push(Step::Member(name.clone()));
            match (name.as_str(), value) {
                ("additionalProperties" | "items" | "not", value) => self.take(value, way),
                ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                    for (index, schema) in schemas.iter_mut().enumerate() {
                        way.push(Step::Item(index));
                        self.take(schema, way);
                        way.pop();
                    }
                }
                ("properties", Value::Object(properties)) => {
                    for (name, schema) in properties {
                        way.push(Step::Member(name.clone()));
                        self.take(schema, way);
                        way.pop();
                    }
                }
                _ => {}
            }
            way.pop();
        }
    }

    /// Puts everything back where it was.
    pub(crate) fn put_back(self, object: &mut Fields) {
        for (way, name, value) in self.0 {
            let mut steps = way.iter();
            let Some(Step::Member(first)) = steps.next() else { continue };
            let place = steps.fold(object.get_mut(first), |place, step| match step {
                Step::Member(name) => place?.get_mut(name),
                Step::Item(index) => place?.get_mut(index),
            });
            if let Some(members) = place.and_then(Value::as_object_mut) {
                members.insert(name, value);
            }
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}
