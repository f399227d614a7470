//! What the rules of a whole schema may cost.
//!
//! In: a finished schema of a kind. Out: its rules with what a server would reckon for each: the most that one run can cost, as often as
//! the value can be in an object.

use super::cel::{self, MAX_REQUEST, OldSelf, Root, limit, values};
use super::{Keyword, Rule, Schema};

/// What one rule may cost.
pub const PER_RULE: u64 = 10_000_000;
/// What all rules of a schema may cost together.
pub const PER_SCHEMA: u64 = 100_000_000;

/// A rule with its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleCost {
    /// Where its value is in an object: `spec.items[]`; empty for the whole object.
    pub path: String,
    /// The rule.
    pub rule: Rule,
    /// The most that the rule can cost.
    pub cost: u64,
    /// The most that its message can cost.
    pub message_cost: u64,
    /// The list below which a rule cannot tell which value replaced which, where the rule asks for the one before.
    pub uncorrelated: Option<String>,
}

/// The costs of all rules in the schema of a kind.
pub fn rule_costs(schema: &Schema) -> Vec<RuleCost> {
    let mut found = Vec::new();
    if has_rules(schema) {
        walk(
            schema,
            &Site { path: String::new(), root: Root::Whole, times: Some(1), uncorrelated: None },
            &mut found,
        );
    }
    found
}

fn has_rules(schema: &Schema) -> bool {
    !schema.rules.is_empty()
        || schema.properties.values().any(has_rules)
        || schema.items.as_deref().is_some_and(has_rules)
        || values(schema).is_some_and(has_rules)
}

/// Where a value is, and how often it can be in an object; none where nothing bounds that.
struct Site {
    path: String,
    root: Root,
    times: Option<u64>,
    /// The outermost list whose items have no keys.
    uncorrelated: Option<String>,
}

impl Site {
    fn below(&self, part: &str, schema: &Schema, times: Option<u64>) -> Self {
        let path = match (self.path.is_empty(), part.starts_with('[')) {
            (true, _) => part.to_owned(),
            (false, true) => format!("{}{part}", self.path),
            (false, false) => format!("{}.{part}", self.path),
        };
        let times = self.times.zip(times).map(|(times, each)| times.saturating_mul(each));
        Self { path, root: Root::of(schema), times, uncorrelated: self.uncorrelated.clone() }
    }
}

fn walk(schema: &Schema, site: &Site, found: &mut Vec<RuleCost>) {
    found.extend(schema.rules.iter().filter_map(|rule| cost(rule, schema, site)));
    for (name, field) in &schema.properties {
        walk(field, &site.below(name, field, Some(1)), found);
    }
    if let Some(items) = schema.items.as_deref() {
        let mut below = site.below("[]", items, limit(schema, Keyword::MaxItems));
        if schema.text(Keyword::ListType) != Some("map") {
            below.uncorrelated.get_or_insert_with(|| site.path.clone());
        }
        walk(items, &below, found);
    }
    if let Some(values) = values(schema) {
        walk(values, &site.below("*", values, limit(schema, Keyword::MaxProperties)), found);
    }
}

/// What a rule costs; none where it is no expression, or sees nothing.
fn cost(rule: &Rule, schema: &Schema, site: &Site) -> Option<RuleCost> {
    let old = if rule.optional_old_self == Some(true) { OldSelf::Optional } else { OldSelf::Present };
    let least = cel::Decl::of(schema, site.root)?.least_bytes();
    let times = site.times.unwrap_or(MAX_REQUEST / (least + 1));
    let message = rule.message_expression.as_deref();
    Some(RuleCost {
        uncorrelated: site.uncorrelated.clone().filter(|_| cel::names(&rule.rule, "oldSelf")),
        path: site.path.clone(),
        rule: rule.clone(),
        cost: cel::cost(&rule.rule, schema, site.root, old)?.saturating_mul(times),
        message_cost: message.and_then(|text| cel::cost(text, schema, site.root, old)).unwrap_or_default(),
    })
}
