//! Definitions with something odd in one place: `definitions.jsonl.gz` has what kube-apiserver 1.37.2 says of each, and
//! `empty.jsonl.gz` what it says of members that are written but empty, and what it stores; `reckoned.jsonl.gz` has rules about
//! amounts, times and lists, which are run over a default.

use std::{fs::File, io::Read};

use flate2::read::GzDecoder;
use http::Method;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, ask};

fn plain() -> Value {
    let spec = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "i": {"type": "integer"},
            "l": {"type": "array", "items": {"type": "string"}},
            "o": {"type": "object", "properties": {"x": {"type": "string"}}},
        },
    });
    let status = json!({"type": "object", "properties": {"r": {"type": "integer"}}});
    let schema = json!({"type": "object", "properties": {"spec": spec, "status": status}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.df.example.com"},
        "spec": {
            "group": "df.example.com",
            "names": {"kind": "Widget", "plural": "widgets"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

/// Sets or removes what is at a path; what is missing on the way is made.
fn change(value: &mut Value, path: &str, change: &Value) {
    let (step, rest) = match path[1..].split_once('/') {
        Some((step, _)) => (step, &path[1 + step.len()..]),
        None => (&path[1..], ""),
    };
    let below = match value {
        Value::Array(items) => {
            let at: usize = step.parse().unwrap();
            if at >= items.len() {
                items.push(Value::Null);
            }
            &mut items[at]
        }
        other => {
            if !other.is_object() {
                *other = json!({});
            }
            let members = other.as_object_mut().unwrap();
            if rest.is_empty() && change.get("remove").is_some() {
                members.remove(step);
                return;
            }
            members.entry(step).or_insert_with(|| json!({}))
        }
    };
    match rest {
        "" => *below = change["set"].clone(),
        rest => self::change(below, rest, change),
    }
}

/// What a server says of a definition: its faults, or what it stores where that is asked for.
fn said(answer: &crate::ask::Answer, wanted: &Value) -> Value {
    if answer.code == 201 && wanted.is_object() {
        return answer.body["spec"].clone();
    }
    let mut causes = answer.causes();
    causes.sort();
    if causes.is_empty() && answer.code != 201 {
        causes = vec![answer.body["message"].as_str().unwrap_or_default().to_owned()];
    }
    json!(causes)
}

async fn judged_as_asked(file: &str) {
    let path = format!("{}/tests/custom/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut asked = String::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_string(&mut asked).unwrap();
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let dry = format!("{DEFINITIONS}?dryRun=All");
    let mut wrong = Vec::new();
    for line in asked.lines() {
        let [changes, code, wanted]: [Value; 3] = serde_json::from_str(line).unwrap();
        let mut definition = plain();
        for one in changes.as_array().unwrap() {
            change(&mut definition, one[0].as_str().unwrap(), &one[1]);
        }
        let answer = ask(&server, Method::POST, &dry, &definition).await;
        let said = said(&answer, &wanted);
        if json!(answer.code) != code || said != wanted {
            wrong.push(format!("{changes}\n  wanted {code} {wanted}\n  found  {} {said}", answer.code));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), asked.lines().count(), wrong.join("\n"));
}

#[tokio::test]
async fn definitions_are_judged_as_by_a_real_server() {
    judged_as_asked("definitions.jsonl.gz").await;
}

#[tokio::test]
async fn what_is_written_but_empty_is_told_from_what_is_not_written() {
    judged_as_asked("empty.jsonl.gz").await;
}

#[tokio::test]
async fn rules_reckon_with_amounts_times_and_lists_as_by_a_real_server() {
    judged_as_asked("reckoned.jsonl.gz").await;
}

#[tokio::test]
async fn versions_with_the_same_deep_schema_are_compared_at_once() {
    let mut deep = json!({"type": "string"});
    for _ in 0..40 {
        deep = json!({"type": "object", "properties": {"below": deep}});
    }
    let mut definition = plain();
    let version = &mut definition["spec"]["versions"][0];
    version["schema"]["openAPIV3Schema"]["properties"]["spec"] = deep;
    let mut other = version.clone();
    other["name"] = "v2".into();
    other["storage"] = false.into();
    definition["spec"]["versions"].as_array_mut().unwrap().push(other);
    let server = kube_codegen_apiserver::ApiServer::builder().seed(5).build();
    let answer = ask(&server, Method::POST, DEFINITIONS, &definition).await;
    assert_eq!(answer.code, 201, "{}", answer.body);
}
