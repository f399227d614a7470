//! Lists of a strategic merge patch: merged by key, or as sets of scalars, and put in order.

use serde_json::Value;

use super::{DIRECTIVE, Object, internal, merge_object, unknown_directive};
use crate::{
    patch::{PatchError, typed::go_value},
    schema::TypeSchema,
};

/// How the items of a list are told apart.
pub(super) struct ListRule {
    pub(super) items: TypeSchema,
    /// Empty for lists of scalars.
    pub(super) merge_key: String,
}

impl ListRule {
    /// What tells an item from others: the value of its key, or itself.
    fn identity<'a>(&self, item: &'a Value) -> Result<&'a Value, PatchError> {
        if self.merge_key.is_empty() {
            return Ok(item);
        }
        let Value::Object(members) = item else {
            return Err(super::bad_type("map[string]interface {}", item));
        };
        members.get(&self.merge_key).ok_or_else(|| self.no_key(members))
    }

    fn no_key(&self, members: &Object) -> PatchError {
        let members = go_value(&Value::Object(members.clone()));
        internal(format!("map: {members} does not contain declared merge key: {}", self.merge_key))
    }

    fn position(&self, list: &[Value], wanted: &Value) -> Option<usize> {
        list.iter().position(|item| self.identity(item).is_ok_and(|found| found == wanted))
    }
}

/// Whether the items of both lists are objects.
fn holds_objects(lists: [&[Value]; 2]) -> Result<bool, PatchError> {
    let mut items = lists.into_iter().flatten();
    let Some(first) = items.next() else { return Ok(false) };
    if first.is_array() {
        return Err(PatchError::Rejected);
    }
    let kind = std::mem::discriminant(first);
    if items.any(|item| std::mem::discriminant(item) != kind) {
        let all = lists.map(|list| go_value(&Value::Array(list.to_vec()))).join(" ");
        return Err(internal(format!("list element types are not identical: [{all}]")));
    }
    Ok(first.is_object())
}

/// Merges two lists; what is new comes first.
pub(super) fn merge_list(
    original: Vec<Value>,
    patch: Vec<Value>,
    rule: &ListRule,
) -> Result<Vec<Value>, PatchError> {
    if original.is_empty() && patch.is_empty() {
        return Ok(original);
    }
    if !holds_objects([&original, &patch])? {
        let mut both = original.clone();
        both.extend(patch.iter().cloned());
        let scalars = ListRule { items: TypeSchema::deduced().clone(), merge_key: String::new() };
        return reorder(deduplicated(both), &patch, &original, &scalars);
    }
    if rule.merge_key.is_empty() {
        let kind = rule.items.name().rsplit('.').next().unwrap_or_default();
        return Err(internal(format!("cannot merge lists without merge key for {kind}")));
    }
    let (original, patch) = follow_directives(original, patch, rule)?;
    let mut merged = original.clone();
    for item in &patch {
        let Value::Object(change) = item else {
            return Err(super::bad_type("map[string]interface {}", item));
        };
        let wanted = rule.identity(item)?;
        match rule.position(&merged, wanted).and_then(|place| merged.get_mut(place)) {
            Some(Value::Object(current)) => {
                *current = merge_object(std::mem::take(current), change.clone(), &rule.items)?;
            }
            _ => merged.push(item.clone()),
        }
    }
    reorder(merged, &patch, &original, rule)
}

/// Takes `$patch: delete` and `$patch: replace` items out of the patch and does what they say.
fn follow_directives(
    mut original: Vec<Value>,
    patch: Vec<Value>,
    rule: &ListRule,
) -> Result<(Vec<Value>, Vec<Value>), PatchError> {
    let mut rest = Vec::new();
    let mut replace = false;
    for item in patch {
        let Some(members) = item.as_object().filter(|members| members.contains_key(DIRECTIVE)) else {
            rest.push(item);
            continue;
        };
        match members.get(DIRECTIVE).and_then(Value::as_str) {
            Some("delete") => {
                let wanted = members.get(&rule.merge_key).ok_or_else(|| rule.no_key(members))?;
                while let Some(place) = rule.position(&original, wanted) {
                    original.remove(place);
                }
            }
            Some("replace") => replace = true,
            Some("merge") => return Err(internal("merging lists cannot yet be specified in the patch")),
            _ => return Err(unknown_directive(members.get(DIRECTIVE).unwrap_or(&Value::Null), members)),
        }
    }
    Ok(if replace { (rest, Vec::new()) } else { (original, rest) })
}

/// The list without some scalars.
pub(super) fn delete_from(list: Vec<Value>, gone: &[Value]) -> Vec<Value> {
    list.into_iter().filter(|item| !gone.contains(item)).collect()
}

/// Each scalar once. The last item fills the gap that a removed one leaves, as on a real server.
fn deduplicated(mut list: Vec<Value>) -> Vec<Value> {
    let mut left = 0;
    while left + 1 < list.len() {
        let mut right = left + 1;
        while right < list.len() {
            if list.get(left) == list.get(right) {
                list.swap_remove(right);
            } else {
                right += 1;
            }
        }
        left += 1;
    }
    list
}

/// Puts the items that the patch names into its order, and the others between them where the stored list has them.
pub(super) fn reorder(
    merged: Vec<Value>,
    patch_order: &[Value],
    server_order: &[Value],
    rule: &ListRule,
) -> Result<Vec<Value>, PatchError> {
    let mut named = Vec::new();
    let mut others = Vec::new();
    for item in merged {
        let identity = rule.identity(&item)?;
        let server = rule.position(server_order, identity);
        match rule.position(patch_order, identity) {
            Some(place) => named.push((place, server, item)),
            None => others.push((server, item)),
        }
    }
    named.sort_by_key(|(place, ..)| *place);
    others.sort_by_key(|(server, _)| *server);
    let mut out = Vec::with_capacity(named.len() + others.len());
    let mut others = others.into_iter().peekable();
    for (_, place, item) in named {
        while let Some((Some(_), other)) = others
            .next_if(|(server, _)| matches!((server, place), (Some(server), Some(place)) if *server < place))
        {
            out.push(other);
        }
        out.push(item);
    }
    out.extend(others.map(|(_, item)| item));
    Ok(out)
}

/// Whether the items of a patch come in the order that it asks for.
pub(super) fn check_order(patch: &[Value], order: &[Value], rule: &ListRule) -> Result<(), PatchError> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut items = patch.iter().filter(|item| item.get(DIRECTIVE).is_none()).peekable();
    for wanted in order {
        let Some(item) = items.peek() else { break };
        if rule.identity(item)? == rule.identity(wanted)? {
            items.next();
        }
    }
    if items.peek().is_none() {
        return Ok(());
    }
    let (patch, order) = (go_value(&Value::Array(patch.to_vec())), go_value(&Value::Array(order.to_vec())));
    Err(internal(format!(
        "The order in patch list:\n{patch}\n doesn't match $setElementOrder list:\n{order}\n"
    )))
}
