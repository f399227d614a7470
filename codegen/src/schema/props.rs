//! A schema as plain data: what `openAPIV3Schema` of a custom resource definition may hold.

use super::Keyword;
use crate::model::Place;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One node of a schema.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schema {
    /// The finished schema of a named type which this node refines; gone once the node is finished.
    pub reference: Option<Arc<Self>>,
    /// `description`.
    pub description: String,
    /// `title`.
    pub title: String,
    /// `externalDocs`.
    pub external_docs: Option<ExternalDocs>,
    /// `example`.
    pub example: Option<Value>,
    /// `properties`.
    pub properties: BTreeMap<String, Self>,
    /// `required`.
    pub required: BTreeSet<String>,
    /// `items`.
    pub items: Option<Box<Self>>,
    /// `additionalProperties`.
    pub additional: Option<Additional>,
    /// `allOf`.
    pub all_of: Vec<Self>,
    /// `anyOf`.
    pub any_of: Vec<Self>,
    /// `oneOf`.
    pub one_of: Vec<Self>,
    /// `not`: none of these holds.
    pub none_of: Vec<Self>,
    /// `x-kubernetes-validations`.
    pub rules: Vec<Rule>,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<String>,
    /// Everything with a plain value.
    pub keywords: BTreeMap<Keyword, Value>,
}

/// `additionalProperties`.
#[derive(Debug, Clone, PartialEq)]
pub enum Additional {
    /// Anything.
    Any,
    /// Values of this form.
    Schema(Box<Schema>),
}

/// `externalDocs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalDocs {
    /// Where.
    pub url: String,
    /// A few words; may be empty.
    pub description: String,
}

/// An entry of `x-kubernetes-validations`. Rules are the same that say the same, wherever they come from.
#[derive(Debug, Clone, Default)]
pub struct Rule {
    /// The CEL expression.
    pub rule: String,
    /// `message`.
    pub message: Option<String>,
    /// `messageExpression`.
    pub message_expression: Option<String>,
    /// `reason`.
    pub reason: Option<String>,
    /// `fieldPath`.
    pub field_path: Option<String>,
    /// `optionalOldSelf`.
    pub optional_old_self: Option<bool>,
    /// Where it stands in the source; none for rules of Kubernetes' own types.
    pub place: Option<Place>,
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        let said = |rule: &Self| (rule.reason.clone(), rule.field_path.clone(), rule.optional_old_self);
        self.rule == other.rule
            && self.message == other.message
            && self.message_expression == other.message_expression
            && said(self) == said(other)
    }
}

impl Rule {
    /// A rule with a message.
    pub fn new(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self { rule: rule.into(), message: Some(message.into()), ..Self::default() }
    }

    /// The same with its place in the source.
    #[must_use]
    pub fn at(mut self, place: &Place) -> Self {
        self.place = Some(place.clone());
        self
    }

    fn to_value(&self) -> Value {
        let mut map = Map::new();
        map.insert("rule".to_owned(), Value::from(self.rule.as_str()));
        let texts = [
            ("message", &self.message),
            ("messageExpression", &self.message_expression),
            ("reason", &self.reason),
            ("fieldPath", &self.field_path),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                map.insert(name.to_owned(), Value::from(text.as_str()));
            }
        }
        if let Some(flag) = self.optional_old_self {
            map.insert("optionalOldSelf".to_owned(), Value::from(flag));
        }
        Value::Object(map)
    }
}

impl Schema {
    /// A copy but for its own texts and its example.
    pub(super) fn without_texts(&self) -> Self {
        Self {
            reference: self.reference.clone(),
            description: String::new(),
            title: String::new(),
            external_docs: None,
            example: None,
            properties: self.properties.clone(),
            required: self.required.clone(),
            items: self.items.clone(),
            additional: self.additional.clone(),
            all_of: self.all_of.clone(),
            any_of: self.any_of.clone(),
            one_of: self.one_of.clone(),
            none_of: self.none_of.clone(),
            rules: self.rules.clone(),
            list_map_keys: self.list_map_keys.clone(),
            keywords: self.keywords.clone(),
        }
    }

    /// A node that has nothing but a type.
    pub fn of_type(name: &str) -> Self {
        Self::default().with(Keyword::Type, name)
    }

    /// The same with a keyword.
    #[must_use]
    pub fn with(mut self, keyword: Keyword, value: impl Into<Value>) -> Self {
        self.set(keyword, value);
        self
    }

    /// Sets a keyword.
    pub fn set(&mut self, keyword: Keyword, value: impl Into<Value>) {
        self.keywords.insert(keyword, value.into());
    }

    /// A keyword.
    pub fn get(&self, keyword: Keyword) -> Option<&Value> {
        self.keywords.get(&keyword)
    }

    /// A keyword with a text.
    pub fn text(&self, keyword: Keyword) -> Option<&str> {
        self.get(keyword).and_then(Value::as_str)
    }

    /// Whether a flag is set.
    pub fn is(&self, keyword: Keyword) -> bool {
        self.get(keyword) == Some(&Value::Bool(true))
    }

    /// `type`; empty when there is none.
    pub fn kind(&self) -> &str {
        self.text(Keyword::Type).unwrap_or_default()
    }

    /// The nodes directly below, apart from alternatives.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        let additional = match &mut self.additional {
            Some(Additional::Schema(schema)) => Some(&mut **schema),
            _ => None,
        };
        self.properties.values_mut().chain(self.items.as_deref_mut()).chain(additional)
    }

    /// The nodes directly below, apart from alternatives.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        let additional = match &self.additional {
            Some(Additional::Schema(schema)) => Some(&**schema),
            _ => None,
        };
        self.properties.values().chain(self.items.as_deref()).chain(additional)
    }

    /// As it is written in a definition.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        let mut put = |name: &str, value: Value| map.insert(name.to_owned(), value);
        for (name, text) in [("description", &self.description), ("title", &self.title)] {
            if !text.is_empty() {
                put(name, Value::from(text.as_str()));
            }
        }
        if let Some(docs) = &self.external_docs {
            put("externalDocs", docs.to_value());
        }
        if let Some(example) = &self.example {
            put("example", example.clone());
        }
        if !self.properties.is_empty() {
            let each = self.properties.iter().map(|(name, schema)| (name.clone(), schema.to_value()));
            put("properties", Value::Object(each.collect()));
        }
        if !self.required.is_empty() {
            put("required", self.required.iter().map(String::as_str).collect());
        }
        if let Some(items) = &self.items {
            put("items", items.to_value());
        }
        match &self.additional {
            Some(Additional::Any) => put("additionalProperties", Value::Bool(true)),
            Some(Additional::Schema(schema)) => put("additionalProperties", schema.to_value()),
            None => None,
        };
        for (name, list) in [("allOf", &self.all_of), ("anyOf", &self.any_of), ("oneOf", &self.one_of)] {
            if !list.is_empty() {
                put(name, list.iter().map(Self::to_value).collect());
            }
        }
        match self.none_of.as_slice() {
            [] => {}
            [only] => {
                put("not", only.to_value());
            }
            several => {
                let any = several.iter().map(Self::to_value).collect();
                put("not", Value::Object(Map::from_iter([("anyOf".to_owned(), any)])));
            }
        }
        if !self.rules.is_empty() {
            put("x-kubernetes-validations", self.rules.iter().map(Rule::to_value).collect());
        }
        if !self.list_map_keys.is_empty() {
            put("x-kubernetes-list-map-keys", self.list_map_keys.iter().map(String::as_str).collect());
        }
        for (keyword, value) in &self.keywords {
            put(keyword.name(), value.clone());
        }
        Value::Object(map)
    }
}

impl ExternalDocs {
    fn to_value(&self) -> Value {
        let mut map = Map::new();
        map.insert("url".to_owned(), Value::from(self.url.as_str()));
        if !self.description.is_empty() {
            map.insert("description".to_owned(), Value::from(self.description.as_str()));
        }
        Value::Object(map)
    }
}
