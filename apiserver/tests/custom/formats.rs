//! Formats: texts with the formats that kube-apiserver 1.37.2 finds in them.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Map, Value, json};

use crate::ask::{WIDGETS, ask, server, widget};

const FORMATS: [&str; 29] = [
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "date-time",
    "datetime",
    "k8s-short-name",
    "k8s-long-name",
    "binary",
    "regex",
];

#[tokio::test]
async fn texts_have_the_formats_that_a_server_finds_in_them() {
    let property = |format: &&str| ((*format).to_owned(), json!({"type": "string", "format": format}));
    let properties: Map<String, Value> = FORMATS.iter().map(property).collect();
    let server = server(&json!({"type": "object", "properties": properties})).await;
    let mut wrong = Vec::new();
    for line in include_str!("../../../formats/tests/texts.tsv").lines() {
        let (text, found) = line.split_once('\t').unwrap();
        let text: Value = serde_json::from_str(text).unwrap();
        let spec: Map<String, Value> =
            FORMATS.iter().map(|format| ((*format).to_owned(), text.clone())).collect();
        let path = format!("{WIDGETS}?dryRun=All");
        let answer = ask(&server, Method::POST, &path, &widget("a", &spec.into())).await;
        let wanted: BTreeSet<&str> = found.split(',').collect();
        let causes = answer.causes();
        for format in FORMATS {
            let refused = causes.iter().any(|cause| cause.starts_with(&format!("spec.{format}: ")));
            if refused == wanted.contains(format) {
                wrong.push(format!("{format} {text}: a server says {}", if refused { "yes" } else { "no" }));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
