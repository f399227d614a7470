//! Schemas that are written out as JSON, held against what servers take.
//!
//! In: such a schema. Out: everything in it for which a server would refuse the definition, at the field or type that it is given to. What
//! types and markers make is right as it is made, and is not looked at here.

use super::bounds::unread;
use super::builder::{Builder, Site};
use super::cel::{self, Gives, OldSelf};
use super::checks::{at, is_untyped, rule_faults, rule_problem};
use super::fits::fits;
use super::{Additional, Keyword, Schema};
use crate::diagnostic::SchemaProblem;
use serde_json::Value;

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    /// The outermost one, of which markers may say more.
    Root,
    /// One below it.
    Part,
    /// An alternative: it bounds values, and says nothing else of them.
    Branch,
    /// One of the alternatives of a number or text, which name their types.
    Mixed,
}

impl Builder<'_> {
    /// Reports what a server would refuse in a schema that is written out.
    pub(super) fn check_written(&mut self, schema: &Schema, site: Site<'_>) {
        self.check_node(schema, (Node::Root, ""), site);
    }

    /// The same for one node, without what is below it.
    pub(super) fn check_added(&mut self, schema: &Schema, site: Site<'_>) {
        self.check_own(schema, (Node::Root, ""), site);
    }

    fn check_own(&mut self, schema: &Schema, (node, path): (Node, &str), site: Site<'_>) {
        for reason in faults(schema, node) {
            let name = site.name.to_owned();
            self.report(SchemaProblem::Written { name, at: at(path), reason }, site.place);
        }
        if let Some(value) = schema.get(Keyword::Default) {
            self.check_written_default(value, schema, path, site);
        }
        self.check_written_rules(schema, site);
    }

    fn check_node(&mut self, schema: &Schema, (node, path): (Node, &str), site: Site<'_>) {
        self.check_own(schema, (node, path), site);
        for (name, member) in &schema.properties {
            let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            self.check_node(member, (below_of(node), &below), site);
        }
        if let Some(items) = &schema.items {
            self.check_node(items, (below_of(node), &format!("{path}[]")), site);
        }
        if let Some(Additional::Schema(values)) = &schema.additional {
            self.check_node(values, (below_of(node), &format!("{path}[..]")), site);
        }
        for branch in [&schema.all_of, &schema.any_of, &schema.one_of, &schema.none_of].into_iter().flatten()
        {
            let is_mixed = node == Node::Mixed || schema.is(Keyword::IntOrString);
            self.check_node(branch, (if is_mixed { Node::Mixed } else { Node::Branch }, path), site);
        }
    }

    fn check_written_default(&mut self, value: &Value, schema: &Schema, path: &str, site: Site<'_>) {
        if let Err(misfit) = fits(value, schema, path) {
            let (name, reason) = (site.name.to_owned(), misfit.reason);
            self.report(SchemaProblem::DefaultMisfit { name, at: at(&misfit.path), reason }, site.place);
            return;
        }
        for broken in super::defaults::broken(value, schema) {
            self.report(broken.problem(site.name, at(&broken.path)), site.place);
        }
    }

    fn check_written_rules(&mut self, schema: &Schema, site: Site<'_>) {
        for rule in &schema.rules {
            let old = if rule.optional_old_self == Some(true) { OldSelf::Optional } else { OldSelf::Present };
            let message = rule.message_expression.as_deref();
            for (text, gives) in [(Some(rule.rule.as_str()), Gives::Verdict), (message, Gives::Message)] {
                if let Some(Err(fault)) = text.map(|text| cel::check(text, schema, gives, old)) {
                    self.report(rule_problem(fault.what, site.name), site.place);
                }
            }
            for (_, problem) in rule_faults(rule, schema, site.name) {
                self.report(problem, site.place);
            }
        }
    }
}

fn below_of(node: Node) -> Node {
    match node {
        Node::Root | Node::Part => Node::Part,
        Node::Branch | Node::Mixed => Node::Branch,
    }
}

/// What is wrong with a node itself.
fn faults(schema: &Schema, node: Node) -> Vec<String> {
    let mut found: Vec<String> =
        schema.keywords.iter().filter_map(|(key, value)| misfit(*key, value)).collect();
    if let Some(Err(error)) = schema.text(Keyword::Pattern).map(kube_codegen_go_regex::read) {
        found.push(format!("`pattern` is no regular expression: {}", unread(&error)));
    }
    match schema.kind() {
        "" if node == Node::Part && is_untyped(schema) => found.push("`type` is missing".to_owned()),
        "" => {}
        kind if !TYPES.contains(&kind) => found.push(format!("there is no type `{kind}`")),
        _ => {}
    }
    if schema.is(Keyword::UniqueItems) {
        found.push("`uniqueItems` may not be true; write `x-kubernetes-list-type: set`".to_owned());
    }
    if !schema.properties.is_empty() && matches!(schema.additional, Some(Additional::Schema(_))) {
        found.push("`properties` and `additionalProperties` exclude each other".to_owned());
    }
    if schema.get(Keyword::PreserveUnknownFields) == Some(&Value::Bool(false)) {
        found.push("`x-kubernetes-preserve-unknown-fields` is true, or not there".to_owned());
    }
    found.extend(lists(schema, node));
    if matches!(node, Node::Branch | Node::Mixed) {
        let beyond = beyond_a_branch(schema).filter(|key| node == Node::Branch || *key != "type");
        found.extend(beyond.map(|key| format!("`{key}` may not stand in an alternative")));
    }
    found
}

/// What is wrong with what is said of lists, maps and whole objects.
fn lists(schema: &Schema, node: Node) -> Option<String> {
    let (kind, keys) = (schema.kind(), &schema.list_map_keys);
    let wrong = match (schema.text(Keyword::ListType), schema.text(Keyword::MapType)) {
        _ if kind == "array" && schema.items.is_none() && node == Node::Part => "`items` is missing",
        (Some(_), _) if kind != "array" => "only lists have `x-kubernetes-list-type`",
        (Some(found), _) if !["atomic", "set", "map"].contains(&found) => {
            "`x-kubernetes-list-type` is `atomic`, `set` or `map`"
        }
        (found, _) if found != Some("map") && !keys.is_empty() => {
            "`x-kubernetes-list-map-keys` needs `x-kubernetes-list-type: map`"
        }
        (Some("map"), _) if keys.is_empty() => "`x-kubernetes-list-map-keys` is missing",
        (Some("map"), _) if schema.items.as_ref().is_none_or(|items| items.kind() != "object") => {
            "only objects are told apart by keys"
        }
        (_, Some(_)) if kind != "object" => "only objects and maps have `x-kubernetes-map-type`",
        (_, Some(found)) if !["atomic", "granular"].contains(&found) => {
            "`x-kubernetes-map-type` is `atomic` or `granular`"
        }
        _ if schema.is(Keyword::EmbeddedResource) && kind != "object" => {
            "only objects can be whole ones (`x-kubernetes-embedded-resource`)"
        }
        _ => return None,
    };
    Some(wrong.to_owned())
}

/// Keys that say more than bounds.
fn beyond_a_branch(schema: &Schema) -> impl Iterator<Item = &'static str> {
    let keys = [
        ("description", !schema.description.is_empty()),
        ("title", !schema.title.is_empty()),
        ("additionalProperties", schema.additional.is_some()),
        ("x-kubernetes-validations", !schema.rules.is_empty()),
        ("x-kubernetes-list-map-keys", !schema.list_map_keys.is_empty()),
    ];
    let words = schema.keywords.keys().filter(|key| is_beyond_a_branch(**key)).map(|key| key.name());
    let keys = keys.into_iter().filter(|(_, is_there)| *is_there).map(|(key, _)| key);
    keys.chain(words.collect::<Vec<_>>())
}

fn is_beyond_a_branch(key: Keyword) -> bool {
    key.name().starts_with("x-") || matches!(key, Keyword::Type | Keyword::Default | Keyword::Nullable)
}

/// A value that a keyword cannot have.
fn misfit(key: Keyword, value: &Value) -> Option<String> {
    let (fits, wanted) = match key {
        Keyword::Type | Keyword::Format | Keyword::Pattern | Keyword::ListType | Keyword::MapType => {
            (value.is_string(), "a text")
        }
        Keyword::Minimum | Keyword::Maximum | Keyword::MultipleOf => (value.is_number(), "a number"),
        Keyword::MinLength
        | Keyword::MaxLength
        | Keyword::MinItems
        | Keyword::MaxItems
        | Keyword::MinProperties
        | Keyword::MaxProperties => (value.is_i64() || value.is_u64(), "a whole number"),
        Keyword::Enum => (value.is_array(), "a list"),
        Keyword::Default => (true, ""),
        _ => (value.is_boolean(), "`true` or `false`"),
    };
    (!fits).then(|| format!("`{}` has to be {wanted}", key.name()))
}
