//! The reckoning: who owns what after a change.
//!
//! In: the object before and after, the owners before. Out: the owners after, or the conflicts.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{
    conflict::Conflicts,
    managed::{Entry, ManagedFields, Owner},
    tracker::Versions,
};
use crate::{
    patch::{
        fields::{FieldSet, same_members},
        typed::{Comparison, check_fits, compare, field_set, merge, without},
    },
    schema::TypeSchema,
};

/// What every reckoning needs.
pub(crate) struct Reckoning<'a> {
    pub(crate) schema: &'a TypeSchema,
    /// The version of the objects.
    pub(crate) version: &'a str,
    /// Fields that the write cannot change.
    pub(crate) reset: &'a FieldSet,
    /// The same as other versions tell it.
    pub(crate) reset_elsewhere: &'a FieldSet,
    pub(crate) versions: &'a dyn Versions,
}

/// An object in another version, with its type.
type Converted = Result<(Map<String, Value>, TypeSchema), String>;

/// An object before and after a write.
#[derive(Clone, Copy)]
pub(crate) struct Change<'a> {
    pub(crate) old: &'a Map<String, Value>,
    pub(crate) new: &'a Map<String, Value>,
}

/// Why an apply has no outcome.
pub(crate) enum Failure {
    Conflicts(Conflicts),
    Other(String),
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

impl Reckoning<'_> {
    /// What a change changes in the terms of a version; none where that version is no more.
    fn compare(&self, Change { old, new }: Change<'_>, version: &str) -> Option<Result<Comparison, String>> {
        if version == self.version {
            return Some(self.found(Change { old, new }));
        }
        let both = (self.versions.convert(old, version)?, self.versions.convert(new, version)?);
        Some(self.compare_converted(both))
    }

    fn compare_converted(&self, (old, new): (Converted, Converted)) -> Result<Comparison, String> {
        let ((old, _), (new, schema)) = (old?, new?);
        for object in [&old, &new] {
            // What is converted must fit its type, as what is sent.
            check_fits(object, &schema)?;
        }
        let found = compare(&old, &new, &schema);
        found
            .map(|found| found.without(self.reset_elsewhere))
            .map_err(|text| format!("failed to compare objects: {text}"))
    }

    /// Takes from all but one owner what a change changed, of which `found` is known already. Without force, fails where there is
    /// something to take.
    fn take(
        &self,
        (change, found): (Change<'_>, &Comparison),
        managed: &mut ManagedFields,
        but: &Owner,
        force: bool,
    ) -> Result<(), Failure> {
        let mut conflicts = Vec::new();
        let mut gone = Vec::new();
        let mut lost = Vec::new();
        let mut others: BTreeMap<String, Option<Comparison>> = BTreeMap::new();
        for (owner, entry) in managed.entries.iter().filter(|(owner, _)| *owner != but) {
            if entry.version != self.version && !others.contains_key(&entry.version) {
                let found = self.compare(change, &entry.version).transpose()?;
                others.insert(entry.version.clone(), found);
            }
            let found = match entry.version == self.version {
                true => Some(found),
                false => others.get(&entry.version).and_then(Option::as_ref),
            };
            let Some(found) = found else {
                lost.push(owner.clone());
                continue;
            };
            let mut both = entry.set.intersection(&found.modified);
            both.merge(entry.set.intersection(&found.added));
            if !both.is_empty() {
                conflicts.push((owner.clone(), both));
            }
            let both = entry.set.intersection(&found.removed);
            if !both.is_empty() {
                gone.push((owner.clone(), both));
            }
        }
        if !force && !conflicts.is_empty() {
            return Err(Failure::Conflicts(Conflicts(conflicts)));
        }
        for owner in lost {
            managed.entries.remove(&owner);
        }
        for (owner, set) in conflicts.into_iter().chain(gone) {
            if let Some(entry) = managed.entries.get_mut(&owner) {
                entry.set = std::mem::take(&mut entry.set).difference(&set);
            }
        }
        managed.entries.retain(|_, entry| !entry.set.is_empty());
        Ok(())
    }

    /// The owners after an update by `owner`, and what that owner took.
    pub(crate) fn update(
        &self,
        change: Change<'_>,
        managed: &mut ManagedFields,
        owner: &Owner,
    ) -> Result<FieldSet, String> {
        let found = self.found(change)?;
        match self.take((change, &found), managed, owner, true) {
            Ok(()) => {}
            Err(Failure::Other(text)) => return Err(text),
            Err(Failure::Conflicts(_)) => return Err("conflicts in spite of force".into()),
        }
        let mut taken = found.modified;
        taken.merge(found.added);
        Ok(taken)
    }

    /// What a change changes.
    fn found(&self, Change { old, new }: Change<'_>) -> Result<Comparison, String> {
        let found =
            compare(old, new, self.schema).map_err(|text| format!("failed to compare objects: {text}"))?;
        Ok(found.without(self.reset))
    }

    /// The object and the owners after an apply by `owner`. None as object where nothing changes.
    pub(crate) fn apply(
        &self,
        live: &Map<String, Value>,
        applied: &Value,
        managed: &mut ManagedFields,
        (owner, force): (&Owner, bool),
    ) -> Result<Option<Map<String, Value>>, Failure> {
        let merged =
            merge(live, applied, self.schema).map_err(|text| format!("failed to merge config: {text}"))?;
        let last = managed.entries.remove(owner);
        let set = field_set(applied, self.schema).without_subtrees(self.reset);
        let time = last.as_ref().and_then(|entry| entry.time);
        managed.entries.insert(owner.clone(), Entry { set, version: self.version.to_owned(), time });
        let new = self.prune(merged, managed, last.as_ref());
        let new = match new {
            Value::Object(new) => new,
            _ => Map::new(),
        };
        let change = Change { old: live, new: &new };
        let found = self.found(change)?;
        self.take((change, &found), managed, owner, force)?;
        managed.entries.retain(|_, entry| !entry.set.is_empty());
        Ok((!same_members(live, &new)).then_some(new))
    }

    /// Removes what the owner applied last time, does not apply now, and nobody else owns.
    fn prune(&self, merged: Value, managed: &ManagedFields, last: Option<&Entry>) -> Value {
        let Some(last) = last.filter(|last| !last.set.is_empty()) else { return merged };
        // What is owned stays, and so does what holds it.
        if managed.entries.values().any(|entry| entry.set.holds(&last.set)) {
            return merged;
        }
        // What an earlier version applied is pruned in the terms of this one: the versions of a kind share their fields here.
        let schema = self.schema;
        let owned = managed.entries.values().fold(FieldSet::default(), |all, entry| all.union(&entry.set));
        let last = last.set.with_named_parents(schema);
        let fields = |value: &Value| field_set(value, schema).with_named_parents(schema);
        let all = fields(&merged);
        let pruned = without(&merged, &last, schema);
        let kept = fields(&pruned).union(&owned.with_named_parents(schema));
        let pruned = without(&merged, &all.clone().difference(&kept), schema);
        let gone = all.difference(&fields(&pruned)).intersection(&last);
        without(&merged, &gone, schema)
    }
}
