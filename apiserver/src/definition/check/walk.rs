//! Every node of a schema: keywords, types, lists, maps, and then its rules.
//!
//! In: the JSON of a schema, and the same as a structural one. Out: the faults; those of rules come last, and only where the schema
//! itself has none.

use serde_json::Value;

use super::{list, rules, rules::Costs, text};
use crate::{definition::internal, protocol::FieldError, schema::structural::Structural};

const TYPES: &[&str] = &["array", "boolean", "integer", "number", "object", "string"];
const OBJECT: [&str; 3] = ["metadata", "kind", "apiVersion"];

/// What is known on the way down.
#[derive(Clone, Debug, Default)]
struct Way {
    root: bool,
    /// Why defaults are not allowed here.
    no_defaults: Option<String>,
    in_metadata: bool,
    /// The outermost node below which old and new values cannot be told to be the same.
    uncorrelated: Option<String>,
}

impl Way {
    fn below(&self) -> Self {
        Self { root: false, ..self.clone() }
    }

    fn uncorrelated_at(mut self, field: &str) -> Self {
        self.uncorrelated.get_or_insert_with(|| field.to_owned());
        self
    }
}

/// Faults of schemas and of rules, kept apart.
#[derive(Debug, Default)]
struct Faults {
    schema: Vec<FieldError>,
    rules: Vec<FieldError>,
}

impl Faults {
    fn append(&mut self, other: Self) {
        self.schema.extend(other.schema);
        self.rules.extend(other.rules);
    }
}

/// Checks a whole schema. Without `costs` rules are not looked at.
pub(super) fn check(
    json: &Value,
    schema: &Structural,
    field: &str,
    costs: Option<&mut Costs>,
) -> Vec<FieldError> {
    let way = Way { root: true, ..Way::default() };
    let scope = costs.as_deref().map(|_| rules::Scope::root(schema));
    let mut walker = Walker { costs };
    let faults = walker.node(json, &way, field, scope.as_ref());
    faults.schema.into_iter().chain(faults.rules).collect()
}

struct Walker<'c> {
    costs: Option<&'c mut Costs>,
}

impl Walker<'_> {
    fn node(&mut self, json: &Value, way: &Way, field: &str, scope: Option<&rules::Scope<'_>>) -> Faults {
        let mut faults = Faults::default();
        keywords(json, way, field, &mut faults.schema);
        if let Some(additional) = json.get("additionalProperties") {
            let properties = json.get("properties").and_then(Value::as_object);
            if properties.is_some_and(|properties| !properties.is_empty()) && *additional != Value::Bool(true)
            {
                let why = "additionalProperties and properties are mutual exclusive";
                faults.schema.push(FieldError::forbidden(format!("{field}.additionalProperties"), why));
            }
            if additional.is_object() {
                let mut below = way.below();
                if way.in_metadata {
                    below.no_defaults =
                        Some("inside additionalProperties applying to object metadata".to_owned());
                }
                let scope = scope.and_then(rules::Scope::values);
                let field = format!("{field}.additionalProperties");
                faults.append(self.node(additional, &below, &field, scope.as_ref()));
            }
        }
        for (name, property) in json.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let scope = scope.and_then(|scope| scope.member(name));
            let below = property_way(json, way, (field, name));
            faults.append(self.node(
                property,
                &below,
                &format!("{field}.properties[{name}]"),
                scope.as_ref(),
            ));
        }
        self.apart(json, way, field, &mut faults);
        self.items(json, way, (field, scope), &mut faults);
        for (name, schema) in members(json, "dependencies") {
            let field = format!("{field}.dependencies[{name}]");
            faults.append(self.node(schema, &way.below(), &field, None));
        }
        extensions(json, field, &mut faults.schema);
        rules::words(json, field, &mut faults.schema);
        if faults.schema.is_empty()
            && let (Some(costs), Some(scope)) = (self.costs.as_deref_mut(), scope)
        {
            let place = rules::Place { field, uncorrelated: way.uncorrelated.as_deref() };
            rules::compile(json, scope, &place, costs, &mut faults.rules);
        }
        faults
    }

    /// Schemas that speak of the same values, or of none.
    fn apart(&mut self, json: &Value, way: &Way, field: &str, faults: &mut Faults) {
        if let Some(not) = json.get("not") {
            faults.append(self.node(not, &way.below(), &format!("{field}.not"), None));
        }
        for junctor in ["allOf", "oneOf", "anyOf"] {
            for (index, schema) in list(json, junctor).iter().enumerate() {
                let field = format!("{field}.{junctor}[{index}]");
                faults.append(self.node(schema, &way.below(), &field, None));
            }
        }
        for (name, schema) in members(json, "definitions") {
            let field = format!("{field}.definitions[{name}]");
            faults.append(self.node(schema, &way.below(), &field, None));
        }
    }

    fn items(
        &mut self,
        json: &Value,
        way: &Way,
        (field, scope): (&str, Option<&rules::Scope<'_>>),
        faults: &mut Faults,
    ) {
        let mut below = way.below();
        if text(json, "x-kubernetes-list-type") != "map" {
            below = below.uncorrelated_at(field);
        }
        match json.get("items") {
            Some(items @ Value::Object(_)) => {
                let scope = scope.and_then(rules::Scope::items);
                faults.append(self.node(items, &below, &format!("{field}.items"), scope.as_ref()));
            }
            Some(Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    faults.append(self.node(schema, &below, &format!("{field}.items[{index}]"), None));
                }
            }
            _ => {}
        }
    }
}

/// The members of a map of schemas.
fn members<'a>(json: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let members = json.get(name).and_then(Value::as_object).into_iter().flatten();
    members.filter(|(_, schema)| schema.is_object())
}

fn property_way(json: &Value, way: &Way, (field, name): (&str, &str)) -> Way {
    let mut below = way.below();
    if !["", "granular", "atomic"].contains(&text(json, "x-kubernetes-map-type")) {
        below = below.uncorrelated_at(field);
    }
    let embedded = json.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true));
    if (way.root || embedded) && OBJECT.contains(&name) {
        below.in_metadata = true;
        if way.root {
            below.no_defaults = Some(format!("in top-level {name}"));
        }
    }
    below
}

fn keywords(json: &Value, way: &Way, field: &str, errors: &mut Vec<FieldError>) {
    let kind = text(json, "type");
    if !kind.is_empty() && !TYPES.contains(&kind) {
        errors.push(FieldError::not_supported(format!("{field}.type"), &kind.into(), TYPES));
    }
    if let Some(why) =
        way.no_defaults.as_ref().filter(|_| json.get("default").is_some_and(|value| !value.is_null()))
    {
        errors.push(FieldError::forbidden(format!("{field}.default"), format!("must not be set {why}")));
    }
    for name in ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"] {
        let set = match json.get(name) {
            None | Some(Value::Null) => false,
            Some(Value::String(text)) if name == "id" => !text.is_empty(),
            Some(Value::Object(members)) if ["patternProperties", "definitions"].contains(&name) => {
                !members.is_empty()
            }
            Some(_) => true,
        };
        if set {
            errors.push(FieldError::forbidden(format!("{field}.{name}"), format!("{name} is not supported")));
        }
    }
    if kind == "null" {
        let why = "type cannot be set to null, use nullable as an alternative";
        errors.push(FieldError::forbidden(format!("{field}.type"), why));
    }
    if !list(json, "items").is_empty() {
        let why = "items must be a schema object and not an array";
        errors.push(FieldError::forbidden(format!("{field}.items"), why));
    }
    if way.in_metadata && json.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true)) {
        let why = "must not be used inside of resource meta";
        errors.push(FieldError::forbidden(format!("{field}.x-kubernetes-embedded-resource"), why));
    }
    if json.get("uniqueItems") == Some(&Value::Bool(true)) {
        let why = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
        errors.push(FieldError::forbidden(format!("{field}.uniqueItems"), why));
    }
}

fn extensions(json: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let kind = text(json, "type");
    let fits = |name: &str, wanted: &str, errors: &mut Vec<FieldError>| {
        let field = format!("{field}.type");
        let why = format!("must be {wanted} if {name} is specified");
        match kind {
            "" => errors.push(FieldError::required(field, why)),
            kind if kind != wanted => errors.push(FieldError::invalid_text(field, kind, why)),
            _ => return true,
        }
        false
    };
    if json.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(false)) {
        let field = format!("{field}.x-kubernetes-preserve-unknown-fields");
        errors.push(FieldError::invalid_printed(field, "false", "must be true or undefined"));
    }
    if let Some(map_type) = json.get("x-kubernetes-map-type") {
        fits("x-kubernetes-map-type", "object", errors);
        if !["atomic", "granular"].contains(&map_type.as_str().unwrap_or_default()) {
            let field = format!("{field}.x-kubernetes-map-type");
            errors.push(FieldError::not_supported(field, map_type, &["atomic", "granular"]));
        }
    }
    let list_type = json.get("x-kubernetes-list-type");
    let list_text = text(json, "x-kubernetes-list-type");
    let items = json.get("items").filter(|items| items.is_object());
    if list_type.is_some()
        && fits("x-kubernetes-list-type", "array", errors)
        && list_text == "set"
        && let Some(items) = items
    {
        set_items(items, field, errors);
    }
    if let Some(list_type) = list_type.filter(|_| !["atomic", "set", "map"].contains(&list_text)) {
        let field = format!("{field}.x-kubernetes-list-type");
        errors.push(FieldError::not_supported(field, list_type, &["atomic", "set", "map"]));
    }
    if !list(json, "x-kubernetes-list-map-keys").is_empty() && list_text != "map" {
        let field = format!("{field}.x-kubernetes-list-type");
        let why = "must be map if x-kubernetes-list-map-keys is non-empty";
        errors.push(match list_type {
            None => FieldError::required(field, why),
            Some(list_type) => FieldError::invalid(field, list_type, why),
        });
    }
    if list_text == "map" {
        map_items(json, items, field, errors);
    }
    if let Some(items) = items.filter(|_| ["map", "set"].contains(&list_text)) {
        keys(json, items, (list_text, field), errors);
    }
}

/// The items of a set must be values that are one thing.
fn set_items(items: &Value, field: &str, errors: &mut Vec<FieldError>) {
    let why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    let list_type = items.get("x-kubernetes-list-type").unwrap_or(&Value::Null);
    match text(items, "type") {
        "array" if !list_type.is_null() && list_type != "atomic" => {
            errors.push(FieldError::invalid(format!("{field}.items.x-kubernetes-list-type"), list_type, why));
        }
        "object" if text(items, "x-kubernetes-map-type") != "atomic" => {
            errors.push(FieldError::invalid(format!("{field}.items.x-kubernetes-map-type"), list_type, why));
        }
        _ => {}
    }
}

fn map_items(json: &Value, items: Option<&Value>, field: &str, errors: &mut Vec<FieldError>) {
    let keys = list(json, "x-kubernetes-list-map-keys");
    let place = format!("{field}.x-kubernetes-list-map-keys");
    if keys.is_empty() {
        errors
            .push(FieldError::required(place.clone(), "must not be empty if x-kubernetes-list-type is map"));
    }
    let Some(items) = items else {
        let field = format!("{field}.items");
        errors.push(match json.get("items") {
            None => FieldError::required(field, "must have a schema if x-kubernetes-list-type is map"),
            Some(other) => {
                let why = "must only have a single schema if x-kubernetes-list-type is map";
                FieldError::invalid_printed(field, internal::items(other), why)
            }
        });
        return;
    };
    let kind = text(items, "type");
    if kind != "object" {
        let why = "must be object if parent array's x-kubernetes-list-type is map";
        errors.push(FieldError::invalid_text(format!("{field}.items.type"), kind, why));
        return;
    }
    for (index, key) in keys.iter().enumerate() {
        let name = key.as_str().unwrap_or_default();
        match items.get("properties").and_then(|properties| properties.get(name)) {
            Some(property) if ["array", "object"].contains(&text(property, "type")) => {
                let field = format!("{field}.items.properties[{name}].type");
                let why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
                errors.push(FieldError::invalid_text(field, kind, why));
            }
            Some(_) => {}
            None => {
                let why = "entries must all be names of item properties";
                errors.push(FieldError::invalid(place.clone(), &keys.into(), why));
            }
        }
        if keys.iter().take(index).any(|other| other == key) {
            errors.push(FieldError::invalid(
                place.clone(),
                &keys.into(),
                "must not contain duplicate entries",
            ));
        }
    }
}

/// The keys of a map must always be there.
fn keys(json: &Value, items: &Value, (list_type, field): (&str, &str), errors: &mut Vec<FieldError>) {
    if items.get("nullable") == Some(&Value::Bool(true)) {
        let why = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        errors.push(FieldError::forbidden(format!("{field}.items.nullable"), why));
    }
    if list_type != "map" {
        return;
    }
    for name in list(json, "x-kubernetes-list-map-keys").iter().filter_map(Value::as_str) {
        let Some(property) = items.get("properties").and_then(|properties| properties.get(name)) else {
            continue;
        };
        let required = list(items, "required").iter().any(|other| other == name);
        let has_default = property.get("default").is_some_and(|value| !value.is_null());
        let place = format!("{field}.items.properties[{name}]");
        if !required && !has_default {
            let why = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
            errors.push(FieldError::required(format!("{place}.default"), why));
        }
        if property.get("nullable") == Some(&Value::Bool(true)) {
            let why = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            errors.push(FieldError::forbidden(format!("{place}.nullable"), why));
        }
    }
}
