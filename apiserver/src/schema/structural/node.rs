//! `Structural`: one node of a schema, with the nodes below it.
//!
//! In: JSON in the form of a real server's JSONSchemaProps. Out: the node. It never fails: what cannot be read is left out, and the
//! checks of definitions have refused it before.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Pattern;

/// One node of a schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Structural {
    /// `type`; empty where there is none.
    pub kind: String,
    pub format: String,
    pub nullable: bool,
    pub default: Option<Value>,
    pub properties: BTreeMap<String, Structural>,
    pub additional: Option<Additional>,
    pub items: Option<Box<Structural>>,
    pub embedded: bool,
    pub int_or_string: bool,
    pub preserve: bool,
    pub list_type: Option<String>,
    pub list_map_keys: Vec<String>,
    pub map_type: Option<String>,
    pub limits: Limits,
    pub pattern: Option<Pattern>,
    pub enums: Vec<Value>,
    pub required: Vec<String>,
    pub all_of: Vec<Structural>,
    pub any_of: Vec<Structural>,
    pub one_of: Vec<Structural>,
    pub not: Option<Box<Structural>>,
    pub rules: Vec<Rule>,
}

/// `additionalProperties`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Additional {
    Any,
    Forbidden,
    Schema(Box<Structural>),
}

/// The bounds of numbers, texts, lists and objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Limits {
    pub maximum: Option<f64>,
    pub exclusive_maximum: bool,
    pub minimum: Option<f64>,
    pub exclusive_minimum: bool,
    pub multiple_of: Option<f64>,
    pub max_length: Option<i64>,
    pub min_length: Option<i64>,
    pub max_items: Option<i64>,
    pub min_items: Option<i64>,
    pub unique_items: bool,
    pub max_properties: Option<i64>,
    pub min_properties: Option<i64>,
}

/// One entry of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rule {
    pub rule: String,
    pub message: String,
    pub message_expression: String,
    pub reason: Option<String>,
    pub field_path: String,
    pub optional_old_self: Option<bool>,
}

impl Additional {
    /// The schema of additional members, where there is one.
    pub(crate) fn schema(&self) -> Option<&Structural> {
        match self {
            Self::Schema(schema) => Some(schema),
            Self::Any | Self::Forbidden => None,
        }
    }
}

impl Structural {
    /// Reads a schema.
    pub(crate) fn read(json: &Value) -> Self {
        let Some(json) = json.as_object() else { return Self::default() };
        let read = Members(json);
        Self {
            kind: read.text("type"),
            format: read.text("format"),
            nullable: read.flag("nullable"),
            default: json.get("default").filter(|value| !value.is_null()).cloned(),
            properties: read
                .object("properties")
                .map(|(name, schema)| (name.clone(), Self::read(schema)))
                .collect(),
            additional: match json.get("additionalProperties") {
                Some(Value::Bool(true)) => Some(Additional::Any),
                Some(Value::Bool(false)) => Some(Additional::Forbidden),
                Some(schema @ Value::Object(_)) => Some(Additional::Schema(Box::new(Self::read(schema)))),
                _ => None,
            },
            items: json
                .get("items")
                .filter(|items| items.is_object())
                .map(|items| Box::new(Self::read(items))),
            embedded: read.flag("x-kubernetes-embedded-resource"),
            int_or_string: read.flag("x-kubernetes-int-or-string"),
            preserve: read.flag("x-kubernetes-preserve-unknown-fields"),
            list_type: read.optional("x-kubernetes-list-type"),
            list_map_keys: read.texts("x-kubernetes-list-map-keys"),
            map_type: read.optional("x-kubernetes-map-type"),
            limits: read.limits(),
            pattern: read.optional("pattern").filter(|text| !text.is_empty()).map(|text| Pattern::new(&text)),
            enums: read.list("enum").cloned().collect(),
            required: read.texts("required"),
            all_of: read.list("allOf").map(Self::read).collect(),
            any_of: read.list("anyOf").map(Self::read).collect(),
            one_of: read.list("oneOf").map(Self::read).collect(),
            not: json.get("not").filter(|not| not.is_object()).map(|not| Box::new(Self::read(not))),
            rules: read.list("x-kubernetes-validations").map(Rule::read).collect(),
        }
    }

    /// The schema of a member of an object: of the named property, else of additional ones.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        match self.properties.get(name) {
            Some(schema) => Some(schema),
            None => self.additional.as_ref().and_then(Additional::schema),
        }
    }

    /// Whether some node, this one or below, has this property.
    pub(crate) fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        let below = |schema: &Self| schema.any(test);
        test(self)
            || self.items.as_deref().is_some_and(below)
            || self.all_of.iter().any(below)
            || self.any_of.iter().any(below)
            || self.one_of.iter().any(below)
            || self.not.as_deref().is_some_and(below)
            || self.properties.values().any(below)
            || self.additional.as_ref().and_then(Additional::schema).is_some_and(below)
    }
}

impl Rule {
    fn read(json: &Value) -> Self {
        let empty = Map::new();
        let read = Members(json.as_object().unwrap_or(&empty));
        Self {
            rule: read.text("rule"),
            message: read.text("message"),
            message_expression: read.text("messageExpression"),
            reason: read.optional("reason"),
            field_path: read.text("fieldPath"),
            optional_old_self: json.get("optionalOldSelf").and_then(Value::as_bool),
        }
    }
}

/// The members of a schema.
struct Members<'a>(&'a Map<String, Value>);

impl<'a> Members<'a> {
    fn text(&self, name: &str) -> String {
        self.optional(name).unwrap_or_default()
    }

    fn optional(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(Value::as_str).map(str::to_owned)
    }

    fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    fn float(&self, name: &str) -> Option<f64> {
        self.0.get(name).and_then(Value::as_f64)
    }

    fn integer(&self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Value::as_i64)
    }

    fn list(&self, name: &str) -> impl Iterator<Item = &'a Value> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        self.list(name).filter_map(Value::as_str).map(str::to_owned).collect()
    }

    fn object(&self, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.0.get(name).and_then(Value::as_object).into_iter().flatten()
    }

    fn limits(&self) -> Limits {
        Limits {
            maximum: self.float("maximum"),
            exclusive_maximum: self.flag("exclusiveMaximum"),
            minimum: self.float("minimum"),
            exclusive_minimum: self.flag("exclusiveMinimum"),
            multiple_of: self.float("multipleOf"),
            max_length: self.integer("maxLength"),
            min_length: self.integer("minLength"),
            max_items: self.integer("maxItems"),
            min_items: self.integer("minItems"),
            unique_items: self.flag("uniqueItems"),
            max_properties: self.integer("maxProperties"),
            min_properties: self.integer("minProperties"),
        }
    }
}
