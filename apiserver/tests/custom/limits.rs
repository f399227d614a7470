//! How long and how deep a rule may be. The bounds are those of kube-apiserver 1.37.2; what lies below them is run, too.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, WIDGETS, ask, definition, server, widget};

/// A rule that grows, how far it may, and what is said when it grows on.
struct Growth {
    rule: fn(usize) -> String,
    most: usize,
    words: &'static str,
}

const NESTED: &str = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
const DEEP: &str = "ERROR: <input>:-1:0: max recursion depth exceeded";

fn around(before: &str, inner: &str, after: &str, times: usize) -> String {
    [&before.repeat(times), inner, &after.repeat(times)].concat()
}

const GROWTHS: [Growth; 14] = [
    Growth { rule: |n| around("(", "true", ")", n), most: 249, words: NESTED },
    Growth { rule: |n| around("!(", "true", ")", n) + " || true", most: 249, words: NESTED },
    Growth { rule: |n| around("[", "", "]", n) + " != []", most: 250, words: NESTED },
    Growth { rule: |n| around("{'a': ", "1", "}", n) + " != {}", most: 249, words: NESTED },
    Growth { rule: |n| around("string(", "'(?['", ")", n) + " != ''", most: 249, words: NESTED },
    Growth { rule: |n| around("true ? true : ", "true", "", n), most: 249, words: NESTED },
    Growth { rule: |n| around("(", "true", " || true)", n), most: 249, words: NESTED },
    Growth { rule: |n| around("(true || ", "true", ")", n), most: 249, words: NESTED },
    Growth { rule: |n| around("(", "1", " + 1)", n) + " > 0", most: 248, words: NESTED },
    Growth { rule: |n| around("", "1", " + 1", n) + " > 0", most: 249, words: DEEP },
    Growth { rule: |n| around("", "1", " - 1", n) + " < 9", most: 249, words: DEEP },
    Growth { rule: |n| around("", "self.s", ".trim()", n) + " != '/'", most: 248, words: DEEP },
    Growth {
        rule: |n| around("", "self.s", ".substring(size('([') - 2)", n) + " != ''",
        most: 248,
        words: DEEP,
    },
    Growth { rule: |n| format!("self.s != '{}'", "é".repeat(n)), most: 99_988, words: "code point size" },
];

fn ruled(rule: &str) -> Value {
    let text = json!({"type": "string", "maxLength": 10});
    json!({"type": "object", "properties": {"s": text}, "x-kubernetes-validations": [{"rule": rule}]})
}

#[tokio::test]
async fn rules_may_be_as_deep_as_on_a_real_server_and_are_run_then() {
    for growth in GROWTHS {
        let rule = (growth.rule)(growth.most);
        let server = server(&ruled(&rule)).await;
        let answer = ask(&server, Method::POST, WIDGETS, &widget("a", &json!({"s": "abc"}))).await;
        assert_eq!(answer.code, 201, "{rule}: {:?}", answer.body["message"]);
    }
}

#[tokio::test]
async fn rules_that_are_deeper_are_refused_however_deep_they_are() {
    let server = ApiServer::builder().seed(5).build();
    for growth in GROWTHS {
        let most = growth.most;
        for size in [most + most / 5 + 2, 3 * most, 40_000.max(2 * most)] {
            let rule = (growth.rule)(size);
            let answer = ask(&server, Method::POST, DEFINITIONS, &definition(&ruled(&rule))).await;
            let start: String = rule.chars().take(20).collect();
            assert_eq!(answer.code, 422, "{size} of {start}");
            let message = answer.body["message"].as_str().unwrap();
            let is_long = rule.chars().count() > 100_000;
            let words = if is_long { "expression code point size exceeds limit" } else { growth.words };
            assert!(message.contains(words), "{size} of {start}: {message}");
        }
    }
}
