//! Custom resource definitions as files, one a kind.

use crate::crd::Definition;
use crate::output::{Generator, Manifest};
use serde_json::Value;

/// The annotation by which tools know generated definitions.
const ANNOTATION: &str = "controller-gen.kubebuilder.io/version";

/// Whether definitions say which tool made them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Attribution {
    /// An annotation says it.
    #[default]
    Annotated,
    /// Nothing does.
    None,
}

/// The manifests of definitions, one a kind.
pub fn files(definitions: &[Definition], attribution: Attribution) -> Vec<Manifest> {
    let manifest = |definition: &Definition| Manifest {
        name: definition.file_name(),
        generator: Generator::Crd,
        documents: vec![document(definition, attribution)],
    };
    definitions.iter().map(manifest).collect()
}

/// A definition as an object.
pub fn document(definition: &Definition, attribution: Attribution) -> Value {
    let mut value = definition.to_value();
    if attribution == Attribution::Annotated
        && let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut)
    {
        let annotations =
            metadata.entry("annotations").or_insert_with(|| Value::Object(serde_json::Map::new()));
        if let Some(annotations) = annotations.as_object_mut() {
            annotations.insert(ANNOTATION.to_owned(), Value::from("kube-codegen"));
        }
    }
    value
}
