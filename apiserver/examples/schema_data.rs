//! Makes `apiserver/data/schemas.bin` out of the OpenAPI v3 documents of a real API server.
//!
//! `cargo run -p kube-codegen-apiserver --example schema_data -- FOLDER apiserver/data/schemas.bin`, where FOLDER holds the documents, one
//! a group version (`kubectl get --raw /openapi/v3/apis/apps/v1 > FOLDER/apis-apps-v1.json` and so on). Needed only when Kubernetes moves on.

use std::{collections::BTreeMap, error::Error, fs, io::Write, path::Path};

use flate2::{Compression, write::DeflateEncoder};
use serde_json::{Map, Value, json};

const KEPT: [&str; 17] = [
    "$ref",
    "type",
    "format",
    "required",
    "properties",
    "items",
    "additionalProperties",
    "default",
    "enum",
    "nullable",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-patch-strategy",
    "x-kubernetes-patch-merge-key",
    "x-kubernetes-int-or-string",
    "x-kubernetes-preserve-unknown-fields",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: schema_data FOLDER OUTPUT".into());
    };
    let mut collected = Collected::default();
    let mut files: Vec<_> = fs::read_dir(&folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(fs::DirEntry::path);
    for file in files {
        collected.read(&file.path())?;
    }
    fs::write(output, collected.pack()?)?;
    Ok(())
}

#[derive(Default)]
struct Collected {
    kinds: BTreeMap<String, String>,
    sections: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Collected {
    fn read(&mut self, path: &Path) -> Result<(), Box<dyn Error>> {
        let document: Value = serde_json::from_slice(&fs::read(path)?)?;
        let Some(schemas) = document.pointer("/components/schemas").and_then(Value::as_object) else {
            return Ok(());
        };
        for (name, schema) in schemas {
            for kind in schema["x-kubernetes-group-version-kind"].as_array().into_iter().flatten() {
                let part = |name: &str| kind[name].as_str().unwrap_or_default().to_owned();
                let key = format!("{}/{}/{}", part("group"), part("version"), part("kind"));
                self.kinds.insert(key, name.clone());
            }
            if let Some((package, short)) = name.rsplit_once('.') {
                self.sections.entry(package.to_owned()).or_default().insert(short.to_owned(), reduce(schema));
            }
        }
        Ok(())
    }

    fn pack(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut body = Vec::new();
        let mut places = BTreeMap::new();
        for (name, section) in &self.sections {
            let packed = deflate(&serde_json::to_vec(section)?)?;
            places.insert(name, (body.len(), packed.len()));
            body.extend(packed);
        }
        let head = deflate(&serde_json::to_vec(&json!({ "kinds": self.kinds, "sections": places }))?)?;
        let mut all = u32::try_from(head.len())?.to_le_bytes().to_vec();
        all.extend(head);
        all.extend(body);
        Ok(all)
    }
}

fn deflate(data: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}

/// A schema without its texts.
fn reduce(schema: &Value) -> Value {
    let Some(object) = schema.as_object() else { return schema.clone() };
    let mut out = Map::new();
    if let Some([only]) = object.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        out.insert("$ref".into(), short(&only["$ref"]));
    }
    for (name, value) in object.iter().filter(|(name, _)| KEPT.contains(&name.as_str())) {
        let value = match name.as_str() {
            "$ref" => short(value),
            "properties" => value
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, value)| (key.clone(), reduce(value)))
                .collect(),
            "items" | "additionalProperties" => reduce(value),
            _ => value.clone(),
        };
        out.insert(name.clone(), value);
    }
    Value::Object(out)
}

fn short(reference: &Value) -> Value {
    let text = reference.as_str().unwrap_or_default();
    text.rsplit('/').next().unwrap_or(text).into()
}
