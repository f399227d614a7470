//! The types of Kubernetes itself, from data made of a server's OpenAPI documents (`examples/kubernetes_schemas.rs`), and
//! the few whose form on the wire is not that of their fields.

use super::{Additional, Keyword, Rule, Schema, merge};
use crate::model::TypePath;
use flate2::read::DeflateDecoder;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;
use std::sync::OnceLock;

/// One line a type: its name in OpenAPI, a tab, its schema.
const DATA: &[u8] = include_bytes!("../../data/kubernetes.bin");

const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// Whether metadata within a spec has its fields in the schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EmbeddedObjectMeta {
    /// It is an object without fields: what is in it gets lost.
    #[default]
    Bare,
    /// Name, namespace, labels, annotations and finalizers.
    Fields,
}

/// The types that have been asked for.
#[derive(Debug, Default)]
pub(super) struct Kubernetes {
    finished: HashMap<String, Arc<Schema>>,
    open: Vec<String>,
    embedded: EmbeddedObjectMeta,
}

impl Kubernetes {
    pub(super) fn new(embedded: EmbeddedObjectMeta) -> Self {
        Self { embedded, ..Self::default() }
    }

    /// The schema of a type of k8s-openapi; `None` for any other path.
    pub(super) fn schema(&mut self, path: &TypePath) -> Option<Arc<Schema>> {
        if path.crate_name != "k8s_openapi" {
            return None;
        }
        if path.modules.is_empty() {
            let bytes = Schema::of_type("string").with(Keyword::Format, "byte");
            return (path.name == "ByteString").then(|| Arc::new(bytes));
        }
        let modules = path.modules.iter().map(|module| match module.as_str() {
            "api" => "io.k8s.api",
            "apimachinery" => "io.k8s.apimachinery",
            "apiextensions_apiserver" => "io.k8s.apiextensions-apiserver",
            "kube_aggregator" => "io.k8s.kube-aggregator",
            other => other,
        });
        let mut name = modules.collect::<Vec<_>>().join(".");
        name.push('.');
        name.push_str(path.name.trim_start_matches("r#"));
        // `apimachinery::pkg::api::resource` has a second `api` in it.
        self.definition(&name.replace(".pkg.io.k8s.api.", ".pkg.api."))
    }

    fn definition(&mut self, name: &str) -> Option<Arc<Schema>> {
        if let Some(schema) = self.finished.get(name) {
            return Some(Arc::clone(schema));
        }
        if self.open.iter().any(|open| open == name) {
            return Some(Arc::new(Schema::of_type("object").with(Keyword::PreserveUnknownFields, true)));
        }
        let schema = match fixed(name, self.embedded) {
            Some(schema) => schema,
            None => {
                let value: Value = serde_json::from_str(index().get(name)?).ok()?;
                self.open.push(name.to_owned());
                let schema = merge::finish(self.node(&value), &mut Vec::new());
                self.open.pop();
                schema
            }
        };
        let schema = Arc::new(schema);
        self.finished.insert(name.to_owned(), Arc::clone(&schema));
        Some(schema)
    }

    fn node(&mut self, value: &Value) -> Schema {
        let mut schema = Schema::default();
        for (name, value) in value.as_object().into_iter().flatten() {
            match name.as_str() {
                "description" => schema.description = value.as_str().unwrap_or_default().to_owned(),
                "$ref" => schema.reference = value.as_str().and_then(|name| self.definition(name)),
                "properties" => {
                    let members = value.as_object().into_iter().flatten();
                    schema.properties =
                        members.map(|(name, member)| (name.clone(), self.node(member))).collect();
                }
                "items" => schema.items = Some(Box::new(self.node(value))),
                "additionalProperties" => {
                    schema.additional = Some(Additional::Schema(Box::new(self.node(value))));
                }
                "x-kubernetes-validations" => {
                    schema.rules = value.as_array().into_iter().flatten().map(rule).collect();
                }
                "required" => schema.required = texts(value).collect(),
                "x-kubernetes-list-map-keys" => schema.list_map_keys = texts(value).collect(),
                _ => {
                    let keyword = Keyword::ALL.into_iter().find(|keyword| keyword.name() == name);
                    if let Some(keyword) = keyword {
                        schema.set(keyword, value.clone());
                    }
                }
            }
        }
        schema
    }
}

fn rule(value: &Value) -> Rule {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    Rule::new(text("rule"), text("message"))
}

fn texts(value: &Value) -> impl Iterator<Item = String> + '_ {
    value.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned))
}

/// The lines of the data by the names of their types.
fn index() -> &'static HashMap<&'static str, &'static str> {
    static TEXT: OnceLock<String> = OnceLock::new();
    static INDEX: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let text = TEXT.get_or_init(|| {
            let mut text = String::new();
            // The data is part of the program; what cannot be read of it is as good as absent.
            let _read = DeflateDecoder::new(DATA).read_to_string(&mut text);
            text
        });
        text.lines().filter_map(|line| line.split_once('\t')).collect()
    })
}

/// The types whose form is fixed by how they are written, not by their fields.
fn fixed(name: &str, embedded: EmbeddedObjectMeta) -> Option<Schema> {
    let (package, short) = name.rsplit_once('.')?;
    let text = || Schema::of_type("string");
    let mixed = || Schema {
        any_of: vec![Schema::of_type("integer"), Schema::of_type("string")],
        ..Schema::default().with(Keyword::IntOrString, true)
    };
    let in_meta = package == "io.k8s.apimachinery.pkg.apis.meta.v1";
    match short {
        "Time" | "MicroTime" if in_meta => Some(text().with(Keyword::Format, "date-time")),
        "Duration" if in_meta => Some(text()),
        "ObjectMeta" if in_meta => Some(object_meta(embedded)),
        "FieldsV1" if in_meta => Some(Schema::of_type("object")),
        "Quantity" if package.ends_with(".api.resource") => Some(mixed().with(Keyword::Pattern, QUANTITY)),
        "IntOrString" if package.ends_with(".util.intstr") => Some(mixed()),
        "RawExtension" if package.ends_with(".pkg.runtime") => {
            Some(Schema::of_type("object").with(Keyword::PreserveUnknownFields, true))
        }
        "JSON" if package.starts_with("io.k8s.apiextensions-apiserver") => {
            Some(Schema::default().with(Keyword::PreserveUnknownFields, true))
        }
        _ => None,
    }
}

/// Metadata that is part of a spec.
pub(super) fn object_meta(embedded: EmbeddedObjectMeta) -> Schema {
    let mut schema = Schema::of_type("object");
    if embedded == EmbeddedObjectMeta::Bare {
        return schema;
    }
    let text = || Schema::of_type("string");
    let map =
        || Schema { additional: Some(Additional::Schema(Box::new(text()))), ..Schema::of_type("object") };
    let list = Schema { items: Some(Box::new(text())), ..Schema::of_type("array") };
    let members = [
        ("annotations", map()),
        ("finalizers", list),
        ("labels", map()),
        ("name", text()),
        ("namespace", text()),
    ];
    schema.properties = members.into_iter().map(|(name, member)| (name.to_owned(), member)).collect();
    schema
}
