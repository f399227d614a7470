//! Patterns in the syntax of Go: `patterns.txt` of `go-regex` holds patterns with what Go's `regexp` says of them, which is why one cannot be read, or
//! which of the texts below it finds something in.

use http::Method;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, WIDGETS, ask, definition, server, widget};

const TEXTS: [&str; 6] = ["", "ab", "aab zz", "é日é", "a-b_c 12", "{2}(x)"];

fn patterns() -> impl Iterator<Item = (Value, Value)> {
    include_str!("../../../go-regex/tests/patterns.txt")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

fn matching(pattern: &Value) -> Value {
    json!({"type": "object", "properties": {"s": {"type": "string", "pattern": pattern}}})
}

#[tokio::test]
async fn patterns_that_go_cannot_read_are_refused_in_its_words() {
    let server = server(&json!({"type": "object"})).await;
    let mut count = 0;
    for (pattern, error) in patterns().filter(|(_, answer)| answer.is_string()) {
        let mut definition = definition(&matching(&pattern));
        definition["metadata"]["name"] = "gadgets.example.com".into();
        definition["spec"]["names"] = json!({"plural": "gadgets", "kind": "Gadget"});
        let answer = ask(&server, Method::POST, DEFINITIONS, &definition).await;
        let message = answer.body["message"].as_str().unwrap();
        assert_eq!(answer.code, 422, "{pattern}: {message}");
        assert!(message.ends_with(error.as_str().unwrap()), "{pattern}: {message}, not {error}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

#[tokio::test]
async fn patterns_find_what_they_find_in_go() {
    let mut count = 0;
    for (pattern, found) in patterns().filter(|(_, answer)| answer.is_array()) {
        let server = server(&matching(&pattern)).await;
        for text in TEXTS {
            let path = format!("{WIDGETS}?dryRun=All");
            let answer = ask(&server, Method::POST, &path, &widget("a", &json!({"s": text}))).await;
            let finds = found.as_array().unwrap().iter().any(|found| found == text);
            assert_eq!(answer.code, if finds { 201 } else { 422 }, "{pattern} in {text:?}");
        }
        count += 1;
    }
    assert!(count > 80, "{count}");
}
