//! Makes `apiserver/data/schemas.bin` out of the OpenAPI v3 documents of a real API server.
//!
//! `cargo run -p kube-codegen-apiserver --example schema_data -- DOCUMENTS SOURCES apiserver/data/schemas.bin`. DOCUMENTS holds the
//! documents, one a group version (`kubectl get --raw /openapi/v3/apis/apps/v1 > DOCUMENTS/apis-apps-v1.json` and so on). SOURCES holds the
//! Go modules `k8s.io/{api,apimachinery,apiextensions-apiserver,kube-aggregator}` of that version (`go mod download`, then
//! `$(go env GOMODCACHE)/k8s.io`, with nothing but these modules in it): which fields are pointers, and which are left out when empty, is
//! told nowhere else. Needed only when Kubernetes moves on.

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
    let (Some(folder), Some(sources), Some(output)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: schema_data DOCUMENTS SOURCES OUTPUT".into());
    };
    let mut collected = Collected { structs: go::structs(Path::new(&sources))?, ..Collected::default() };
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
    structs: go::Structs,
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
                let mut schema = reduce(schema);
                go::mark(&self.structs, package, short, &mut schema);
                self.sections.entry(package.to_owned()).or_default().insert(short.to_owned(), schema);
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

/// What only the Go source tells of a field.
mod go {
    use std::{collections::BTreeMap, error::Error, fs, path::Path};

    use serde_json::Value;

    /// Package and name of a struct -> its fields.
    pub(super) type Structs = BTreeMap<(String, String), Vec<Field>>;

    pub(super) struct Field {
        /// Empty for embedded structs.
        name: String,
        kind: String,
        options: Vec<String>,
    }

    /// All structs of the modules in a folder.
    pub(super) fn structs(sources: &Path) -> Result<Structs, Box<dyn Error>> {
        let mut out = Structs::new();
        for module in fs::read_dir(sources)? {
            let module = module?.path();
            let name = module.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            let name = name.split('@').next().unwrap_or_default();
            walk(&module, &format!("io.k8s.{name}"), &mut out)?;
        }
        Ok(out)
    }

    fn walk(folder: &Path, package: &str, out: &mut Structs) -> Result<(), Box<dyn Error>> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                walk(&path, &format!("{package}.{name}"), out)?;
            } else if name.ends_with(".go")
                && !name.ends_with("_test.go")
                && !name.starts_with("zz_")
                && !name.contains(".pb.")
            {
                read(&fs::read_to_string(&path)?, package, out);
            }
        }
        Ok(())
    }

    fn read(text: &str, package: &str, out: &mut Structs) {
        let mut current: Option<(String, Vec<Field>)> = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("type ").and_then(|rest| rest.strip_suffix(" struct {")) {
                current = Some((name.to_owned(), Vec::new()));
            } else if line == "}" {
                if let Some((name, fields)) = current.take() {
                    out.insert((package.to_owned(), name), fields);
                }
            } else if let Some((_, fields)) = &mut current {
                fields.extend(field(line));
            }
        }
    }

    fn field(line: &str) -> Option<Field> {
        let (declaration, tag) = line.split_once("`json:\"")?;
        let mut options = tag.split('"').next()?.split(',').map(str::to_owned);
        let name = options.next()?;
        let kind = declaration.split_whitespace().last()?;
        Some(Field { name, kind: kind.to_owned(), options: options.collect() })
    }

    /// Adds `x-go` to the properties of a definition: the Go type, then `o` for omitempty and `z` for omitzero.
    pub(super) fn mark(structs: &Structs, package: &str, name: &str, schema: &mut Value) {
        let Some(fields) = structs.get(&(package.to_owned(), name.to_owned())) else { return };
        for field in fields {
            if field.name.is_empty() && !field.kind.contains('.') {
                mark(structs, package, &field.kind, schema);
            } else if let Some(Value::Object(property)) =
                schema.pointer_mut(&format!("/properties/{}", field.name))
            {
                let has = |wanted: &str| field.options.iter().any(|option| option == wanted);
                let omits = [("omitempty", ",o"), ("omitzero", ",z")]
                    .map(|(option, mark)| if has(option) { mark } else { "" });
                property.insert("x-go".into(), format!("{}{}", field.kind, omits.concat()).into());
            }
        }
    }
}
