//! Merging: a type's own schema and what a field adds to it become one node.
//!
//! In: nodes with references and `allOf` branches. Out: nodes without references, with `allOf` only where two bounds of
//! one kind differ. The rules are controller-gen's.

use super::keyword::Clash;
use super::{Additional, Keyword, Schema};

/// Two types for one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Contradiction {
    /// The first type.
    pub(super) first: String,
    /// The second type.
    pub(super) second: String,
}

/// Resolves references and merges `allOf` branches, from the leaves up. Contradictions are noted; the first type stays.
pub(super) fn finish(schema: Schema, wrong: &mut Vec<Contradiction>) -> Schema {
    let mut schema = resolve(schema, wrong);
    for branch in std::mem::take(&mut schema.all_of) {
        merge(&mut schema, branch, wrong);
    }
    schema
}

/// A schema as something that is merged into a node of its own, so that what it embeds comes before what it says itself.
pub(super) fn embedded_first(mut schema: Schema) -> Schema {
    Schema {
        description: std::mem::take(&mut schema.description),
        title: std::mem::take(&mut schema.title),
        external_docs: schema.external_docs.take(),
        example: schema.example.take(),
        all_of: vec![schema],
        ..Schema::default()
    }
}

/// Finishes everything below a node and resolves its reference; its `allOf` branches stay.
fn resolve(mut schema: Schema, wrong: &mut Vec<Contradiction>) -> Schema {
    for child in schema.children_mut() {
        *child = finish(std::mem::take(child), wrong);
    }
    for list in [&mut schema.any_of, &mut schema.one_of] {
        *list = std::mem::take(list).into_iter().map(|branch| finish(branch, wrong)).collect();
    }
    let branches = std::mem::take(&mut schema.all_of).into_iter();
    schema.all_of = branches.map(|branch| resolve(branch, wrong)).collect();
    match schema.reference.take() {
        Some(target) => refine(&target, schema),
        None => schema,
    }
}

/// A node with a type's schema and the field's additions as branches, and the better of their texts.
fn refine(target: &Schema, mut field: Schema) -> Schema {
    let or = |field: String, target: &str| if field.is_empty() { target.to_owned() } else { field };
    Schema {
        description: or(std::mem::take(&mut field.description), &target.description),
        title: or(std::mem::take(&mut field.title), &target.title),
        external_docs: field.external_docs.take().or_else(|| target.external_docs.clone()),
        example: field.example.take().or_else(|| target.example.clone()),
        all_of: vec![target.without_texts(), field],
        ..Schema::default()
    }
}

/// Adds a branch to a node. Texts and examples are not taken over.
pub(super) fn merge(into: &mut Schema, mut from: Schema, wrong: &mut Vec<Contradiction>) {
    for branch in std::mem::take(&mut from.all_of) {
        merge(into, branch, wrong);
    }
    let mut kept = Schema::default();
    let mut added = Schema::default();
    keywords(into, &mut from, (&mut kept, &mut added), wrong);
    for (name, schema) in from.properties {
        match into.properties.entry(name) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(schema);
            }
            std::collections::btree_map::Entry::Occupied(mut slot) => merge(slot.get_mut(), schema, wrong),
        }
    }
    into.required.extend(from.required);
    match (&mut into.items, from.items) {
        (Some(items), Some(other)) => merge(items, *other, wrong),
        (slot @ None, other) => *slot = other,
        (Some(_), None) => {}
    }
    additional(into, from.additional, wrong);
    if !from.list_map_keys.is_empty() {
        into.list_map_keys = from.list_map_keys;
    }
    from.rules.append(&mut into.rules);
    into.rules = from.rules;
    alternatives(&mut into.any_of, from.any_of, (&mut kept.any_of, &mut added.any_of));
    alternatives(&mut into.one_of, from.one_of, (&mut kept.one_of, &mut added.one_of));
    // That none of these and none of those holds is that none of all does.
    into.none_of.append(&mut from.none_of);
    if added != Schema::default() {
        into.all_of.extend([kept, added]);
    }
}

fn keywords(
    into: &mut Schema,
    from: &mut Schema,
    (kept, added): (&mut Schema, &mut Schema),
    wrong: &mut Vec<Contradiction>,
) {
    for (keyword, value) in std::mem::take(&mut from.keywords) {
        let Some(known) = into.get(keyword) else {
            into.set(keyword, value);
            continue;
        };
        match keyword.clash() {
            Clash::Contradiction if *known != value => {
                let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
                wrong.push(Contradiction { first: text(known), second: text(&value) });
            }
            Clash::Contradiction | Clash::First => {}
            Clash::Second => into.set(keyword, value),
            Clash::SideBySide if *known == value => {}
            Clash::SideBySide | Clash::Repeated => {
                kept.set(keyword, known.clone());
                added.set(keyword, value);
                into.keywords.remove(&keyword);
            }
        }
    }
}

fn additional(into: &mut Schema, from: Option<Additional>, wrong: &mut Vec<Contradiction>) {
    match (&mut into.additional, from) {
        (Some(Additional::Schema(schema)), Some(Additional::Schema(other))) => merge(schema, *other, wrong),
        (Some(Additional::Schema(_)), _) | (_, None) => {}
        (slot, other) => *slot = other,
    }
}

/// Alternatives of two branches hold both.
fn alternatives(
    into: &mut Vec<Schema>,
    from: Vec<Schema>,
    (kept, added): (&mut Vec<Schema>, &mut Vec<Schema>),
) {
    if into.is_empty() {
        *into = from;
    } else if !from.is_empty() {
        *kept = std::mem::take(into);
        *added = from;
    }
}

/// The part of a finished schema that decides which markers fit: its type, without what it allows.
pub(super) fn hint(target: &Schema) -> Schema {
    let mut hint = Schema::default();
    for keyword in [Keyword::Type, Keyword::Format, Keyword::IntOrString] {
        if let Some(value) = target.get(keyword) {
            hint.set(keyword, value.clone());
        }
    }
    // Where two formats stand side by side, the last one is the target's own.
    let branches = target.all_of.iter().rev();
    if let Some(format) = branches.filter_map(|branch| branch.get(Keyword::Format)).next()
        && !hint.keywords.contains_key(&Keyword::Format)
    {
        hint.set(Keyword::Format, format.clone());
    }
    hint.items = target.items.as_deref().map(|items| Box::new(self::hint(items)));
    hint
}
