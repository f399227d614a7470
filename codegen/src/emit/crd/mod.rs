//! Custom resource definitions as files, one a kind.

use crate::crd::Definition;
use crate::output::{Files, Generator, Header, yaml};
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

/// The files of definitions.
pub fn files(definitions: &[Definition], attribution: Attribution, header: &Header) -> Files {
    let mut files = Files::new();
    for definition in definitions {
        let text = format!("{}{}", header.yaml_lines(Generator::Crd), document(definition, attribution));
        files.insert(definition.file_name(), text);
    }
    files
}

/// A definition as a YAML document, with the line that opens it.
pub fn document(definition: &Definition, attribution: Attribution) -> String {
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
    yaml::documents([&value])
}
