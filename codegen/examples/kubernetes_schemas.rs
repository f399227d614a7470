//! Makes `codegen/data/kubernetes.bin`, the schemas of Kubernetes' own types, out of the OpenAPI documents of a server.
//!
//! `cargo run -p kube-codegen --example kubernetes_schemas -- V2 V3 codegen/data/kubernetes.json codegen/data/kubernetes.bin`. V2 is the
//! version 2 document (`kubectl get --raw /openapi/v2`), V3 a folder with the version 3 documents, one a group version; only the
//! defaults are taken from those. `kubernetes.json` has what the documents do not tell and controller-gen takes from the Go types:
//! bounds, map types and texts of named scalars. Needed only when Kubernetes moves on.

use flate2::{Compression, write::DeflateEncoder};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, error::Error, fs, io::Write, path::Path};

const KEPT: [&str; 10] = [
    "type",
    "format",
    "required",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-validations",
];

const PREFIX: &str = "#/definitions/";

/// Structs with this member inline `LocalObjectReference`, and with it what is said of its fields.
const INLINED: &str = "Name of the referent. This field is effectively required";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [v2, v3, additions, output] = arguments.as_slice() else {
        return Err("usage: kubernetes_schemas V2 V3 ADDITIONS OUTPUT".into());
    };
    let document: Value = serde_json::from_slice(&fs::read(v2)?)?;
    let definitions = document["definitions"].as_object().ok_or("no definitions")?;
    let mut schemas: BTreeMap<String, Value> =
        definitions.iter().map(|(name, schema)| (name.clone(), reduced(schema))).collect();
    for (name, schema) in &mut schemas {
        inlined(name, schema);
    }
    defaults(Path::new(v3), &mut schemas)?;
    let additions: BTreeMap<String, Value> = serde_json::from_slice(&fs::read(additions)?)?;
    for (name, addition) in additions {
        merge(schemas.get_mut(&name).ok_or(name)?, &addition);
    }
    let mut text = String::new();
    for (name, schema) in &schemas {
        text.push_str(&format!("{name}\t{schema}\n"));
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes())?;
    fs::write(output, encoder.finish()?)?;
    Ok(())
}

/// A schema without what custom resource definitions do not have: patch strategies, enums (they grow with Kubernetes).
fn reduced(schema: &Value) -> Value {
    let mut out = Map::new();
    for (name, value) in schema.as_object().into_iter().flatten() {
        let value = match name.as_str() {
            "description" => Value::from(described(value.as_str().unwrap_or_default())),
            "$ref" => Value::from(value.as_str().unwrap_or_default().trim_start_matches(PREFIX)),
            "properties" => {
                let members = value.as_object().into_iter().flatten();
                members.map(|(name, member)| (name.clone(), reduced(member))).collect()
            }
            "items" | "additionalProperties" => reduced(value),
            kept if KEPT.contains(&kept) => value.clone(),
            _ => continue,
        };
        out.insert(name.clone(), value);
    }
    Value::Object(out)
}

/// A text without the list of enum values that OpenAPI documents add.
fn described(text: &str) -> &str {
    text.split("Possible enum values:").next().unwrap_or(text).trim_end()
}

fn inlined(name: &str, schema: &mut Value) {
    let member = schema["properties"]["name"]["description"].as_str().unwrap_or_default();
    if member.starts_with(INLINED) && name.starts_with("io.k8s.api.core.v1.") {
        schema["x-kubernetes-map-type"] = Value::from("atomic");
    }
}

/// Defaults of members that may be left out. Those of the others, and empty objects, say only what Go's zero values are.
fn defaults(folder: &Path, schemas: &mut BTreeMap<String, Value>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let document: Value = serde_json::from_slice(&fs::read(entry?.path())?)?;
        let Some(found) = document.pointer("/components/schemas").and_then(Value::as_object) else {
            continue;
        };
        for (name, schema) in found {
            let Some(known) = schemas.get_mut(name) else { continue };
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for (member, property) in schema["properties"].as_object().into_iter().flatten() {
                let default = &property["default"];
                let is_empty = default.is_null() || *default == Value::Object(Map::new());
                if !is_empty && !required.contains(&Value::from(member.as_str())) {
                    known["properties"][member.as_str()]["default"] = default.clone();
                }
            }
        }
    }
    Ok(())
}

/// Lays an addition over a schema; `null` takes away.
fn merge(schema: &mut Value, addition: &Value) {
    let (Some(schema), Some(addition)) = (schema.as_object_mut(), addition.as_object()) else { return };
    for (name, value) in addition {
        match schema.get_mut(name) {
            Some(known) if known.is_object() && value.is_object() => merge(known, value),
            _ if value.is_null() => {
                schema.remove(name);
            }
            _ => {
                schema.insert(name.clone(), value.clone());
            }
        }
    }
}
