//! `Hooks`: the stored configurations of admission, read and compiled once for each change of one of them.
//!
//! In: the store. Out: the policies that are bound, in the order of their names. A change counts from the next request on; a real server
//! takes a second or two.

use std::sync::Arc;

use crate::{
    protocol::{Fields, Status},
    registry::{Found, Registry},
    store::{Store, TableId},
};

use super::{
    Attempt, Cluster,
    policy::{self, Policy, Sort},
};

/// The stored configurations of admission.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hooks {
    /// Where they are stored, and the newest version of each that was read.
    tables: Vec<(TableId, u64)>,
    read: Arc<Read>,
}

/// What was read of them.
#[derive(Debug, Default)]
pub(crate) struct Read {
    mutating: Vec<Arc<Policy>>,
    validating: Vec<Arc<Policy>>,
}

const GROUP: &str = "admissionregistration.k8s.io";
const KINDS: [&str; 4] = [
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
];

impl Hooks {
    /// Nothing is stored yet.
    pub(crate) fn new(registry: &Registry) -> Self {
        let table = |plural: &&str| match registry.find(GROUP, "v1", plural) {
            Found::Resource(resource) => Some((resource.table, 0)),
            _ => None,
        };
        Self { tables: KINDS.iter().filter_map(table).collect(), read: Arc::default() }
    }

    /// What is configured now.
    pub(crate) fn current(&mut self, store: &Store) -> &Arc<Read> {
        let mut changed = false;
        for (table, seen) in &mut self.tables {
            let newest = store.newest(*table);
            changed |= newest != *seen;
            *seen = newest;
        }
        if changed {
            self.read = Arc::new(self.read_all(store));
        }
        &self.read
    }

    fn read_all(&self, store: &Store) -> Read {
        let all = |index: usize| -> Vec<Fields> {
            let table = self.tables.get(index).map(|(table, _)| *table);
            table.into_iter().flat_map(|table| store.all(table, "")).map(|object| object.fields()).collect()
        };
        Read {
            validating: policy::bound(Sort::Validating, &all(0), &all(1)),
            mutating: policy::bound(Sort::Mutating, &all(2), &all(3)),
        }
    }
}

impl Read {
    /// Whether nothing is configured.
    pub(crate) fn is_empty(&self) -> bool {
        self.mutating.is_empty() && self.validating.is_empty()
    }

    /// Changes an object as policies say.
    pub(crate) fn mutate(
        &self,
        attempt: &Attempt<'_>,
        cluster: &Cluster<'_>,
        object: &mut Fields,
    ) -> Result<(), Status> {
        if is_exempt(attempt) {
            return Ok(());
        }
        policy::mutate(&self.mutating, attempt, cluster, object)
    }

    /// Asks policies about a write; gives the warnings.
    pub(crate) fn validate(
        &self,
        attempt: &Attempt<'_>,
        cluster: &Cluster<'_>,
        object: Option<&Fields>,
        warnings: &mut Vec<String>,
    ) -> Result<(), Status> {
        if is_exempt(attempt) {
            return Ok(());
        }
        policy::validate(&self.validating, (attempt, cluster), object, warnings)
    }
}

/// What configures admission is never held up by it.
fn is_exempt(attempt: &Attempt<'_>) -> bool {
    attempt.resource.builtin && attempt.resource.group == GROUP
}
