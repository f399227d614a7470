//! Whether a default keeps the rules of its schema.
//!
//! In: a default that fits its schema. Out: the rules that a server would find broken, as far as that is certain. As on a server defaults
//! within the default are not filled in, and each rule is asked twice: as if the value had replaced itself, and as if it were new.

use super::cel::{self, Decl, OldSelf, Outcome, Root, values};
use super::{Rule, Schema};
use crate::diagnostic::SchemaProblem;
use serde_json::Value;

/// A rule that a default breaks.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) rule: Rule,
    /// Where in the default; empty for the default itself.
    pub(super) path: String,
    pub(super) why: Why,
}

/// Why a server finds a rule broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It does not hold.
    Breaks,
    /// It asks for something that is not there.
    Misses,
    /// It sees nothing of the value, whose parts can be anything.
    Hidden,
}

impl Broken {
    /// The same as a message.
    pub(super) fn problem(&self, name: &str, at: String) -> SchemaProblem {
        let (name, rule) = (name.to_owned(), self.rule.rule.clone());
        match self.why {
            Why::Breaks => SchemaProblem::DefaultBreaksRule { name, at, rule },
            Why::Misses => SchemaProblem::DefaultFailsRule { name, at, rule },
            Why::Hidden => SchemaProblem::DefaultHidden { name, at, rule },
        }
    }
}

/// The rules that a value breaks.
pub(super) fn broken(value: &Value, schema: &Schema) -> Vec<Broken> {
    let mut found = Vec::new();
    walk(value, schema, "", &mut found);
    found
}

fn walk(value: &Value, schema: &Schema, path: &str, found: &mut Vec<Broken>) {
    for rule in &schema.rules {
        let why = match outcome(rule, value, schema) {
            _ if Decl::of(schema, Root::of(schema)).is_none() => Why::Hidden,
            Outcome::Breaks => Why::Breaks,
            Outcome::Fails => Why::Misses,
            Outcome::Holds | Outcome::Unknown => continue,
        };
        found.push(Broken { rule: rule.clone(), path: path.to_owned(), why });
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
