//! Whether a default keeps the rules of its schema.
//!
//! In: a default that fits its schema. Out: the rules that a server would find broken, as far as that is certain. As on a server defaults
//! within the default are not filled in, and each rule is asked twice: as if the value had replaced itself, and as if it were new.

use super::cel::{self, OldSelf, Outcome, values};
use super::{Rule, Schema};
use serde_json::Value;

/// A rule that a default breaks.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) rule: Rule,
    /// Where in the default; empty for the default itself.
    pub(super) path: String,
    /// Whether the rule asks for something that is not there.
    pub(super) missing: bool,
}

/// The rules that a value breaks.
pub(super) fn broken(value: &Value, schema: &Schema) -> Vec<Broken> {
    let mut found = Vec::new();
    walk(value, schema, "", &mut found);
    found
}

fn walk(value: &Value, schema: &Schema, path: &str, found: &mut Vec<Broken>) {
    for rule in &schema.rules {
        let missing = match outcome(rule, value, schema) {
            Outcome::Breaks => false,
            Outcome::Fails => true,
            Outcome::Holds | Outcome::Unknown => continue,
        };
        found.push(Broken { rule: rule.clone(), path: path.to_owned(), missing });
    }
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                if let Some(schema) = &schema.items {
                    walk(item, schema, &format!("{path}[{at}]"), found);
                }
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                if let Some(schema) = schema.properties.get(name).or(values(schema)) {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    walk(member, schema, &path, found);
                }
            }
        }
        _ => {}
    }
}

fn outcome(rule: &Rule, value: &Value, schema: &Schema) -> Outcome {
    let old_self = if rule.optional_old_self == Some(true) { OldSelf::Optional } else { OldSelf::Present };
    match cel::outcome(&rule.rule, (value, Some(value)), schema, old_self) {
        Outcome::Holds => cel::outcome(&rule.rule, (value, None), schema, old_self),
        other => other,
    }
}
