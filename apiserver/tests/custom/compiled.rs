//! Rules that can be compiled and rules that cannot: `rules.tsv` has what kube-apiserver 1.37.2 says of each.

use std::fs;

use http::Method;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, ask, definition};

/// What the rules are about.
fn properties() -> Value {
    let text = |most: u64| json!({"type": "string", "maxLength": most});
    json!({
        "s": text(20),
        "i": {"type": "integer"},
        "n": {"type": "number"},
        "b": {"type": "boolean"},
        "l": {"type": "array", "maxItems": 5, "items": text(5)},
        "li": {"type": "array", "maxItems": 5, "items": {"type": "integer"}},
        "m": {"type": "object", "maxProperties": 5, "additionalProperties": text(5)},
        "o": {"type": "object", "properties": {"x": text(5), "y": {"type": "integer"}}},
        "ios": {"x-kubernetes-int-or-string": true},
        "pr": {"x-kubernetes-preserve-unknown-fields": true},
        "d": {"type": "string", "format": "date-time"},
        "du": {"type": "string", "format": "duration"},
        "by": {"type": "string", "format": "byte"},
    })
}

/// What is said of a rule: of each fault its place and words.
fn told(cause: &str) -> String {
    let words = cause.rsplit("\"OptionalOldSelf\":null}: ").next().unwrap_or_default();
    let lines = words.lines().filter(|line| !line.starts_with(" | "));
    lines.map(|line| line.replace("ERROR: <input>:", "")).collect::<Vec<_>>().join("; ")
}

#[tokio::test]
async fn rules_are_judged_as_by_a_real_server() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/custom/rules.tsv");
    let asked = fs::read_to_string(path).unwrap();
    let rules: Vec<(&str, &str)> = asked.lines().map(|line| line.split_once('\t').unwrap()).collect();
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let mut wrong = Vec::new();
    for some in rules.chunks(40) {
        let all: Vec<Value> = some.iter().map(|(rule, _)| json!({"rule": rule})).collect();
        let schema = json!({"type": "object", "properties": properties(), "x-kubernetes-validations": all});
        let dry = format!("{DEFINITIONS}?dryRun=All");
        let answer = ask(&server, Method::POST, &dry, &definition(&schema)).await;
        let causes = answer.causes();
        for (index, (rule, wanted)) in some.iter().enumerate() {
            let place = format!("x-kubernetes-validations[{index}].rule: Invalid value: {{");
            let found = causes.iter().find(|cause| cause.contains(&place)).map(|cause| told(cause));
            let found = found.unwrap_or_else(|| "fits".to_owned());
            if found != *wanted {
                wrong.push(format!("{rule}\n  wanted {wanted}\n  found  {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} rules:\n{}", wrong.len(), rules.len(), wrong.join("\n"));
}
