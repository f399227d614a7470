//! The reckoning: who owns what after a change.
//!
//! In: the object before and after, the owners before. Out: the owners after, or the conflicts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    conflict::Conflicts,
    managed::{Entry, ManagedFields, Owner},
    tracker::Versions,
};
use crate::{
    patch::{
        fields::FieldSet,
        typed::{Comparison, compare, field_set, merge, without},
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
    pub(crate) versions: &'a dyn Versions,
}

/// An object before and after a write.
#[derive(Clone, Copy)]
pub(crate) struct Change<'a> {
    pub(crate) old: &'a Value,
    pub(crate) new: &'a Value,
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

/// An object in one version, with its type.
struct Versioned {
    value: Value,
    schema: TypeSchema,
}

impl Reckoning<'_> {
    /// The object in the version of an entry; none where that version is no more.
    fn convert(&self, value: &Value, version: &str) -> Option<Versioned> {
        if version == self.version {
            return Some(Versioned { value: value.clone(), schema: self.schema.clone() });
        }
        let (value, schema) = self.versions.convert(value, version)?;
        Some(Versioned { value, schema })
    }

    fn compare(&self, Change { old, new }: Change<'_>, version: &str) -> Option<Result<Comparison, String>> {
        if version == self.version {
            return Some(compare(old, new, self.schema).map(|found| found.without(self.reset)));
        }
        let (old, new) = (self.convert(old, version)?, self.convert(new, version)?);
        Some(compare(&old.value, &new.value, &new.schema).map(|found| found.without(self.reset)))
    }

    /// Takes from all but one owner what a change changed. Without force, fails where there is something to take.
    fn take(
        &self,
        change: Change<'_>,
        managed: &mut ManagedFields,
        but: &Owner,
        force: bool,
    ) -> Result<(), Failure> {
        let mut conflicts = Vec::new();
        let mut gone = Vec::new();
        let mut lost = Vec::new();
        let mut known: BTreeMap<String, Option<Comparison>> = BTreeMap::new();
        for (owner, entry) in managed.entries.iter().filter(|(owner, _)| *owner != but) {
            if !known.contains_key(&entry.version) {
                let found = self.compare(change, &entry.version).transpose();
                let found = found.map_err(|text| format!("failed to compare objects: {text}"))?;
                known.insert(entry.version.clone(), found);
            }
            let Some(Some(found)) = known.get(&entry.version) else {
                lost.push(owner.clone());
                continue;
            };
            let both = entry.set.intersection(&found.modified.union(&found.added));
            if !both.is_empty() {
                conflicts.push((owner.clone(), both));
            }
            gone.push((owner.clone(), found.removed.clone()));
        }
        if !force && !conflicts.is_empty() {
            return Err(Failure::Conflicts(Conflicts(conflicts)));
        }
        for owner in lost {
            managed.entries.remove(&owner);
        }
        for (owner, set) in conflicts.into_iter().chain(gone) {
            if let Some(entry) = managed.entries.get_mut(&owner) {
                entry.set = entry.set.difference(&set);
            }
        }
        managed.entries.retain(|_, entry| !entry.set.is_empty());
        Ok(())
    }

    /// The owners after an update by `owner`, and whether that owner took something.
    pub(crate) fn update(
        &self,
        change: Change<'_>,
        managed: &mut ManagedFields,
        owner: &Owner,
    ) -> Result<FieldSet, String> {
        let found = compare(change.old, change.new, self.schema)
            .map_err(|text| format!("failed to compare objects: {text}"))?;
        let found = found.without(self.reset);
        match self.take(change, managed, owner, true) {
            Ok(()) => {}
            Err(Failure::Other(text)) => return Err(text),
            Err(Failure::Conflicts(_)) => return Err("conflicts in spite of force".into()),
        }
        Ok(found.modified.union(&found.added).without_subtrees(self.reset))
    }

    /// The object and the owners after an apply by `owner`. None as object where nothing changes.
    pub(crate) fn apply(
        &self,
        live: &Value,
        applied: &Value,
        managed: &mut ManagedFields,
        (owner, force): (&Owner, bool),
    ) -> Result<Option<Value>, Failure> {
        let merged =
            merge(live, applied, self.schema).map_err(|text| format!("failed to merge config: {text}"))?;
        let last = managed.entries.get(owner).cloned();
        let set = field_set(applied, self.schema).without_subtrees(self.reset);
        let time = last.as_ref().and_then(|entry| entry.time);
        managed.entries.insert(owner.clone(), Entry { set, version: self.version.to_owned(), time });
        let new = self.prune(merged, managed, last.as_ref());
        self.take(Change { old: live, new: &new }, managed, owner, force)?;
        managed.entries.retain(|_, entry| !entry.set.is_empty());
        Ok((!super::super::fields::same_value(live, &new)).then_some(new))
    }

    /// Removes what the owner applied last time, does not apply now, and nobody else owns.
    fn prune(&self, merged: Value, managed: &ManagedFields, last: Option<&Entry>) -> Value {
        let Some(last) = last.filter(|last| !last.set.is_empty()) else { return merged };
        // What an earlier version applied is pruned in the terms of this one: the versions of a kind share their fields here.
        let schema = self.schema;
        let owned = managed.entries.values().fold(FieldSet::default(), |all, entry| all.union(&entry.set));
        let last = last.set.with_named_parents(schema);
        let fields = |value: &Value| field_set(value, schema).with_named_parents(schema);
        let all = fields(&merged);
        let pruned = without(&merged, &last, schema);
        let kept = fields(&pruned).union(&owned.with_named_parents(schema));
        let pruned = without(&merged, &all.difference(&kept), schema);
        let gone = all.difference(&fields(&pruned)).intersection(&last);
        without(&merged, &gone, schema)
    }
}
