//! One definition as plain data.

use super::ConversionService;
use crate::model::Scope;
use crate::schema::Schema;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A custom resource definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The API group; may be empty.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// The kind of lists.
    pub list_kind: String,
    /// The name of the resource.
    pub plural: String,
    /// Its name for one object.
    pub singular: String,
    /// Short names.
    pub short_names: Vec<String>,
    /// Categories, such as `all`.
    pub categories: Vec<String>,
    /// Whether objects live in namespaces.
    pub scope: Scope,
    /// Labels of the definition itself.
    pub labels: BTreeMap<String, String>,
    /// Annotations of the definition itself.
    pub annotations: BTreeMap<String, String>,
    /// `spec.preserveUnknownFields`.
    pub preserve_unknown_fields: Option<bool>,
    /// Who converts objects between versions.
    pub conversion: Option<ConversionService>,
    /// The versions, sorted by name.
    pub versions: Vec<DefinedVersion>,
}

/// A version of a definition.
#[derive(Debug, Clone, PartialEq)]
pub struct DefinedVersion {
    /// Its name.
    pub name: String,
    /// Whether clients may use it.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
    /// Whether it is deprecated, and what clients are told.
    pub deprecated: Option<Option<String>>,
    /// Columns of `kubectl get`.
    pub columns: Vec<Column>,
    /// Paths of fields that selectors may name.
    pub selectable: Vec<String>,
    /// Subresources, where anything is said of them.
    pub subresources: Option<Subresources>,
    /// The schema.
    pub schema: Schema,
}

/// A column of `kubectl get`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// The type of the value.
    pub kind: String,
    /// The path of the value.
    pub path: String,
    /// A few words; may be empty.
    pub description: String,
    /// The format of the value; may be empty.
    pub format: String,
    /// 0, or more for wide output only.
    pub priority: i64,
}

/// What objects have beside themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subresources {
    /// The status.
    pub status: bool,
    /// The scale.
    pub scale: Option<Scale>,
}

/// Where the numbers of a scale are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    /// The wished number.
    pub spec_path: String,
    /// The seen number.
    pub status_path: String,
    /// The label selector.
    pub selector_path: Option<String>,
}

impl Definition {
    /// The name of the definition: `ats.example.com`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }

    /// The name of its file: `example.com_ats.yaml`.
    pub fn file_name(&self) -> String {
        format!("{}_{}.yaml", self.group, self.plural)
    }

    /// The object that is applied to a server.
    pub fn to_value(&self) -> Value {
        let mut metadata = Map::new();
        metadata.insert("name".to_owned(), Value::from(self.name()));
        for (key, map) in [("labels", &self.labels), ("annotations", &self.annotations)] {
            if !map.is_empty() {
                metadata.insert(key.to_owned(), json!(map));
            }
        }
        let mut names = Map::new();
        for (key, text) in [
            ("kind", &self.kind),
            ("listKind", &self.list_kind),
            ("plural", &self.plural),
            ("singular", &self.singular),
        ] {
            names.insert(key.to_owned(), Value::from(text.as_str()));
        }
        for (key, list) in [("shortNames", &self.short_names), ("categories", &self.categories)] {
            if !list.is_empty() {
                names.insert(key.to_owned(), json!(list));
            }
        }
        // Values are moved into one another: `json!` would copy each once more at every level.
        let mut spec = Map::new();
        spec.insert("group".to_owned(), Value::from(self.group.as_str()));
        spec.insert("names".to_owned(), Value::Object(names));
        let scope = match self.scope {
            Scope::Namespaced => "Namespaced",
            Scope::Cluster => "Cluster",
        };
        spec.insert("scope".to_owned(), Value::from(scope));
        spec.insert("versions".to_owned(), self.versions.iter().map(DefinedVersion::to_value).collect());
        if let Some(flag) = self.preserve_unknown_fields {
            spec.insert("preserveUnknownFields".to_owned(), Value::Bool(flag));
        }
        if let Some(service) = &self.conversion {
            spec.insert("conversion".to_owned(), service.to_value());
        }
        let mut object = Map::new();
        object.insert("apiVersion".to_owned(), Value::from("apiextensions.k8s.io/v1"));
        object.insert("kind".to_owned(), Value::from("CustomResourceDefinition"));
        object.insert("metadata".to_owned(), Value::Object(metadata));
        object.insert("spec".to_owned(), Value::Object(spec));
        Value::Object(object)
    }
}

impl DefinedVersion {
    fn to_value(&self) -> Value {
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
        put("name", Value::from(self.name.as_str()));
        put("served", Value::Bool(self.served));
        put("storage", Value::Bool(self.storage));
        let schema = Map::from_iter([("openAPIV3Schema".to_owned(), self.schema.to_value())]);
        put("schema", Value::Object(schema));
        if let Some(warning) = &self.deprecated {
            put("deprecated", Value::Bool(true));
            if let Some(warning) = warning {
                put("deprecationWarning", Value::from(warning.as_str()));
            }
        }
        if !self.columns.is_empty() {
            put("additionalPrinterColumns", self.columns.iter().map(Column::to_value).collect());
        }
        if !self.selectable.is_empty() {
            let fields = self.selectable.iter().map(|path| json!({ "jsonPath": path }));
            put("selectableFields", fields.collect());
        }
        if let Some(subresources) = &self.subresources {
            put("subresources", subresources.to_value());
        }
        Value::Object(map)
    }
}

impl Column {
    fn to_value(&self) -> Value {
        let mut column = json!({ "name": self.name, "type": self.kind, "jsonPath": self.path });
        if let Some(column) = column.as_object_mut() {
            for (key, text) in [("description", &self.description), ("format", &self.format)] {
                if !text.is_empty() {
                    column.insert(key.to_owned(), Value::from(text.as_str()));
                }
            }
            if self.priority != 0 {
                column.insert("priority".to_owned(), Value::from(self.priority));
            }
        }
        column
    }
}

impl Subresources {
    fn to_value(&self) -> Value {
        let mut map = Map::new();
        if self.status {
            map.insert("status".to_owned(), json!({}));
        }
        if let Some(scale) = &self.scale {
            let mut paths = json!({
                "specReplicasPath": scale.spec_path,
                "statusReplicasPath": scale.status_path,
            });
            if let (Some(selector), Some(paths)) = (&scale.selector_path, paths.as_object_mut()) {
                paths.insert("labelSelectorPath".to_owned(), Value::from(selector.as_str()));
            }
            map.insert("scale".to_owned(), paths);
        }
        Value::Object(map)
    }
}
