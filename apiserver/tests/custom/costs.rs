//! What rules may cost, by the sums of kube-apiserver 1.37.2: `costs.txt` was made by asking one, with a bound for each rule that makes it cost
//! between once and one and a half times too much, where the factor is told with six places.

use http::Method;
use serde_json::{Value, json};

use crate::ask::{DEFINITIONS, ask, definition, server};

fn text(most: u64) -> Value {
    json!({"type": "string", "maxLength": most})
}

fn list(most: u64, items: &Value) -> Value {
    json!({"type": "array", "maxItems": most, "items": items})
}

/// What the rules are about.
fn item(rules: &Value) -> Value {
    let (plain, integer) = (json!({"type": "string"}), json!({"type": "integer"}));
    let format = |format: &str| json!({"type": "string", "format": format});
    let named = json!({"type": "object", "required": ["name"], "properties": {
        "name": text(12), "port": integer, "tags": list(2, &text(5)),
    }});
    let mut by_name = list(3, &named);
    by_name["x-kubernetes-list-type"] = "map".into();
    by_name["x-kubernetes-list-map-keys"] = json!(["name"]);
    let mut set = list(4, &text(7));
    set["x-kubernetes-list-type"] = "set".into();
    let map = json!({"type": "object", "additionalProperties": text(9)});
    let objects = json!({"type": "object", "maxProperties": 4, "additionalProperties": {
        "type": "object", "properties": {"v": text(11)},
    }});
    let mut bounded = map.clone();
    bounded["maxProperties"] = 6.into();
    json!({"type": "object", "x-kubernetes-validations": rules, "properties": {
        "s": text(10), "sm": text(253), "su": plain, "e": {"type": "string", "enum": ["ab", "abcdef"]},
        "i": integer, "n": {"type": "number"}, "b": {"type": "boolean"},
        "by": {"type": "string", "format": "byte", "maxLength": 40},
        "d": format("date-time"), "du": format("duration"), "dd": format("date"),
        "li": list(5, &integer), "ls": list(4, &text(7)), "lsu": list(4, &plain),
        "lb": {"type": "array", "items": text(7)}, "ll": list(3, &list(6, &text(8))), "lm": by_name, "set": set,
        "m": bounded, "mu": map, "mo": objects, "o": {"type": "object", "properties": {"a": text(6), "c": integer}},
        "x": {"x-kubernetes-int-or-string": true, "maxLength": 15},
        "xp": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
    }})
}

/// A definition whose rules stand at the items of a list.
fn costly(most: u64, rules: &Value) -> Value {
    definition(&json!({"type": "object", "properties": {"arr": list(most, &item(rules))}}))
}

#[tokio::test]
async fn rules_cost_what_a_real_server_says() {
    let server = server(&json!({"type": "object"})).await;
    let path = format!("{DEFINITIONS}?dryRun=All");
    let mut wrong = Vec::new();
    for line in include_str!("costs.txt").lines().filter(|line| !line.starts_with('#')) {
        let [most, factor, rule] = line.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        let definition = costly(most.parse().unwrap(), &json!([{"rule": rule}]));
        let causes = ask(&server, Method::POST, &path, &definition).await.causes();
        let wanted = format!("estimated rule cost exceeds budget by factor of {factor} ");
        if !(causes.len() == 1 && causes.concat().contains(&wanted)) {
            wrong.push(format!("{factor} {rule}: {causes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn of_a_schema_that_costs_too_much_those_rules_are_told_that_matter() {
    let server = server(&json!({"type": "object"})).await;
    let cheap = json!({"rule": "self.i > 1"});
    let dear = json!({"rule": "self.su.contains(self.su)"});
    let rules = json!([cheap, dear, cheap, cheap, cheap]);
    let refused = ask(&server, Method::POST, &format!("{DEFINITIONS}?dryRun=All"), &costly(10, &rules)).await;
    let told = |cause: &&String| cause.contains("contributed to estimated rule cost total");
    let causes = refused.causes();
    let told: Vec<_> = causes.iter().filter(told).collect();
    assert!(
        matches!(told.as_slice(), [one] if one.contains("x-kubernetes-validations[1].rule: ")),
        "{causes:?}"
    );
}
