//! Schemas that are written out as JSON are refused where kube-apiserver 1.37.2 refuses them: `definitions.jsonl.gz` of the API server's own
//! tests has what it said of odd definitions, of which those are asked about here that are odd within the schema of `spec`.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use flate2::read::GzDecoder;
use kube_codegen::crd::{CrdOptions, Refusals};
use kube_codegen::schema::{Floats, SchemaOptions};
use kube_codegen::{Inputs, PackageInput, Wanted, load_definitions};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};

/// Where the schema stands in a definition.
const SPEC: &str = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";

/// What a server refuses and we write, since kube takes it out of what schemars says, and so do we: what is written then is accepted.
const TAKEN_OUT: [&str; 3] = [
    r#"[["/properties/o/additionalProperties",{"set":false}]]"#,
    r#"[["/properties/a/$schema",{"set":"x"}]]"#,
    r#"[["/properties/o/$schema",{"set":"x"}]]"#,
];

/// Of what kinds the odd schemas are that a server takes and we refuse.
fn is_refused_by_us_alone(changes: &Value) -> bool {
    let said = changes.to_string();
    // Keywords that a server passes over, which hide a slip.
    let unknown = ["/foo\"", "/x-kubernetes-foo\"", "/definitions\"", "/patternProperties\""];
    let is_unknown = unknown.iter().any(|keyword| said.contains(keyword));
    // `items` that is no schema, which a server reads as none.
    let is_no_schema = said.contains("/items\",{\"set\":true}");
    // Defaults that no Rust type can hold: a server lets lists pass where it looks for a format, and anything where a number or a text is
    // expected.
    let is_unfit = said.contains("\"default\":")
        && (said.contains("\"format\":\"date\"") || said.contains("x-kubernetes-int-or-string"));
    is_unknown || is_no_schema || is_unfit
}

/// A schema that is odd, as it was made of a plain one, and whether a server takes it.
struct Asked {
    changes: Value,
    schema: Value,
    fits: bool,
}

fn plain() -> Value {
    json!({"type": "object", "properties": {
        "a": {"type": "string"},
        "i": {"type": "integer"},
        "l": {"type": "array", "items": {"type": "string"}},
        "o": {"type": "object", "properties": {"x": {"type": "string"}}},
    }})
}

/// Makes one change at a path.
fn change(value: &mut Value, path: &str, what: &Value) {
    let Some(path) = path.strip_prefix('/') else {
        *value = what["set"].clone();
        return;
    };
    let (step, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    let step = step.replace("~1", "/").replace("~0", "~");
    match value {
        Value::Array(items) => {
            let index: usize = step.parse().unwrap();
            if index >= items.len() {
                items.push(Value::Null);
            }
            let last = items.len() - 1;
            change(&mut items[index.min(last)], rest, what);
        }
        Value::Object(entries) if rest.is_empty() && what.get("set").is_none() => {
            entries.remove(&step);
        }
        Value::Object(entries) => change(entries.entry(step).or_insert(Value::Null), rest, what),
        other => {
            *other = json!({ step.clone(): null });
            change(&mut other[step.as_str()], rest, what);
        }
    }
}

fn asked() -> Vec<Asked> {
    let file = File::open("../apiserver/tests/custom/definitions.jsonl.gz").unwrap();
    let mut asked = Vec::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let (mut changes, code, _): (Value, u16, Value) = serde_json::from_str(&line.unwrap()).unwrap();
        let mut schema = plain();
        let mut is_within = true;
        for pair in changes.as_array_mut().unwrap() {
            let path = pair[0].as_str().unwrap().strip_prefix(SPEC).map(str::to_owned);
            let Some(path) = path.filter(|path| path.is_empty() || path.starts_with('/')) else {
                is_within = false;
                break;
            };
            change(&mut schema, &path, &pair[1]);
            pair[0] = path.into();
        }
        if is_within && schema.is_object() {
            asked.push(Asked { changes, schema, fits: code < 300 });
        }
    }
    asked
}

/// A kind with one field for each schema; what stands before the fields, and all of it.
fn source(asked: &[Asked]) -> (String, String) {
    let before = "// +groupName=shop.example.com
// +versionName=v1
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = \"shop.example.com\", version = \"v1\", kind = \"Order\")]
pub struct OrderSpec {
";
    let fields = (0..asked.len()).map(|index| {
        format!("#[schemars(schema_with = \"f{index}\")]\npub f{index}: Option<serde_json::Value>,\n")
    });
    let functions = asked.iter().enumerate().map(|(index, Asked { schema, .. })| {
        format!("fn f{index}(_: &mut SchemaGenerator) -> Schema {{ json_schema!({schema}) }}\n")
    });
    let all = format!("{before}{}}}\n{}", fields.collect::<String>(), functions.collect::<String>());
    (before.to_owned(), all)
}

#[test]
fn schemas_are_refused_that_a_server_refuses_and_no_others_without_a_reason() {
    let asked = asked();
    let (before, all) = source(&asked);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("v1.rs");
    fs::write(&file, all).unwrap();
    let schema = SchemaOptions { floats: Floats::Allowed, ..SchemaOptions::default() };
    let options = CrdOptions { schema, refusals: Refusals::Deny, ..CrdOptions::default() };
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new([PackageInput::new(&file, "", "")]) };
    let found = load_definitions(&inputs, &options).err().unwrap_or_default();
    let lines: BTreeSet<usize> = found.iter().map(|diagnostic| diagnostic.span.line).collect();
    let before = before.lines().count();
    let mut wrong = Vec::new();
    for (index, Asked { changes, fits, .. }) in asked.iter().enumerate() {
        let is_refused = (1..=2).any(|line| lines.contains(&(before + 2 * index + line)));
        let is_fine = match fits {
            true => !is_refused || is_refused_by_us_alone(changes),
            false => is_refused != TAKEN_OUT.contains(&changes.to_string().as_str()),
        };
        if !is_fine {
            wrong.push(format!("{changes}\n  a server: {fits}, we: {}", !is_refused));
        }
    }
    assert!(asked.len() > 600 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
