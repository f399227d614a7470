//! Keys of objects that are gone while they were another replica's.
//!
//! In: keys. Out: those of the shards that this replica takes over. Never: more than so many; those that were noted last stay, since an
//! owner has had the time to deal with the others.

use std::collections::BTreeMap;

use crate::object::ObjectKey;

/// How many keys are kept. Those of objects that are there need not be: the store has them.
const KEPT: usize = 10_000;

#[derive(Debug, Default)]
pub(super) struct Gone {
    /// When each was noted last.
    noted: BTreeMap<ObjectKey, u64>,
    by_time: BTreeMap<u64, ObjectKey>,
    time: u64,
}

impl Gone {
    pub(super) fn note(&mut self, key: &ObjectKey) {
        self.forget(key);
        if self.noted.len() >= KEPT
            && let Some((_, oldest)) = self.by_time.pop_first()
        {
            self.noted.remove(&oldest);
        }
        self.time += 1;
        self.noted.insert(key.clone(), self.time);
        self.by_time.insert(self.time, key.clone());
    }

    pub(super) fn forget(&mut self, key: &ObjectKey) {
        if let Some(time) = self.noted.remove(key) {
            self.by_time.remove(&time);
        }
    }

    /// Takes out the keys for which this holds, in the order in which they were noted.
    pub(super) fn take(&mut self, is_taken: impl Fn(&ObjectKey) -> bool) -> Vec<ObjectKey> {
        let (noted, mut taken) = (&mut self.noted, Vec::new());
        self.by_time.retain(|_, key| {
            let takes = is_taken(key);
            if takes {
                noted.remove(key);
                taken.push(key.clone());
            }
            !takes
        });
        taken
    }
}
