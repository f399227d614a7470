//! `Graph`: who depends on whom.
//!
//! In: every change of an object. Out: the dependents of an owner, and whether any of them blocks it. An owner is known by its uid alone, so
//! that dependents may come before it and stay after it.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::store::{Owner, TableId};

/// An object: its table and its key.
pub(super) type Place = (TableId, Arc<str>);

/// The dependents of each owner.
#[derive(Debug, Default)]
pub(super) struct Graph(HashMap<Box<str>, Dependents>);

#[derive(Debug, Default)]
struct Dependents {
    /// With whether they block the owner's deletion in the foreground.
    all: BTreeMap<Place, bool>,
    blocking: usize,
}

impl Graph {
    /// Notes whom an object names as owners, in place of whom it named before.
    pub(super) fn replace(&mut self, place: &Place, before: &[Owner], now: &[Owner]) {
        if before == now {
            return;
        }
        for owner in before {
            self.remove(&owner.uid, place);
        }
        for owner in now {
            self.add(owner, place);
        }
    }

    fn add(&mut self, owner: &Owner, place: &Place) {
        let dependents = self.0.entry(owner.uid.clone()).or_default();
        let blocked = dependents.all.get(place).copied().unwrap_or_default();
        if owner.blocks && !blocked {
            dependents.blocking += 1;
        }
        dependents.all.insert(place.clone(), owner.blocks || blocked);
    }

    fn remove(&mut self, uid: &str, place: &Place) {
        let Some(dependents) = self.0.get_mut(uid) else { return };
        if dependents.all.remove(place) == Some(true) {
            dependents.blocking = dependents.blocking.saturating_sub(1);
        }
        if dependents.all.is_empty() {
            self.0.remove(uid);
        }
    }

    /// The dependents of an owner.
    pub(super) fn dependents(&self, uid: &str) -> impl Iterator<Item = &Place> {
        self.0.get(uid).into_iter().flat_map(|dependents| dependents.all.keys())
    }

    /// Whether an owner has any.
    pub(super) fn has_dependents(&self, uid: &str) -> bool {
        self.0.contains_key(uid)
    }

    /// Whether any of them blocks the owner's deletion in the foreground.
    pub(super) fn is_blocked(&self, uid: &str) -> bool {
        self.0.get(uid).is_some_and(|dependents| dependents.blocking > 0)
    }
}
