//! `Hooks`: the stored configurations of admission, read and compiled once for each change of one of them.
//!
//! In: the store. Out: the policies that are bound, and the webhooks, in the order of their names. A change counts from the next request on; a real server
//! takes a second or two.

use std::sync::Arc;

use crate::{
    protocol::{Fields, Status},
    registry::{Found, Registry},
    store::{Store, TableId},
};

use super::{
    Attempt,
    calls::Mode,
    policy::{self, Policy, Sort},
    webhook::{self, Asking, Webhook},
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
    mutating_hooks: Vec<Arc<Webhook>>,
    validating_hooks: Vec<Arc<Webhook>>,
}

const GROUP: &str = "admissionregistration.k8s.io";
const KINDS: [&str; 6] = [
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "mutatingwebhookconfigurations",
    "validatingwebhookconfigurations",
];
/// What is only asked and never stored is not held up by webhooks.
const VIRTUAL: [&str; 2] = ["authentication.k8s.io", "authorization.k8s.io"];

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
            mutating_hooks: webhook::read(&all(4)),
            validating_hooks: webhook::read(&all(5)),
        }
    }
}

impl Read {
    /// Whether nothing is configured.
    pub(crate) fn is_empty(&self) -> bool {
        self.mutating.is_empty()
            && self.validating.is_empty()
            && self.mutating_hooks.is_empty()
            && self.validating_hooks.is_empty()
    }

    /// Changes an object as policies and webhooks say. `built_in` is what admission does by itself, which is done again to what they
    /// have changed.
    pub(crate) fn mutate(
        &self,
        asking: &mut Asking<'_>,
        mut object: Option<&mut Fields>,
        built_in: &dyn Fn(&mut Fields) -> Result<(), Status>,
    ) -> Result<(), Status> {
        if is_exempt(asking.attempt) {
            return Ok(());
        }
        let (attempt, cluster) = (asking.attempt, asking.cluster);
        if let Some(object) = object.as_deref_mut() {
            policy::mutate(&self.mutating, attempt, cluster, object)?;
        }
        if self.mutating_hooks.is_empty() || !asks(asking) {
            return Ok(());
        }
        let again: Vec<Arc<Policy>> =
            self.mutating.iter().filter(|policy| policy.runs_again()).cloned().collect();
        let mut settle = |object: &mut Fields| {
            built_in(object)?;
            policy::mutate(&again, attempt, cluster, object)
        };
        webhook::mutate(&self.mutating_hooks, asking, object, &mut settle)
    }

    /// Asks policies and webhooks about a write.
    pub(crate) fn validate(&self, asking: &mut Asking<'_>, object: Option<&Fields>) -> Result<(), Status> {
        if is_exempt(asking.attempt) {
            return Ok(());
        }
        policy::validate(&self.validating, (asking.attempt, asking.cluster), object, asking.warnings)?;
        if self.validating_hooks.is_empty() || !asks(asking) {
            return Ok(());
        }
        webhook::validate(&self.validating_hooks, asking, object)
    }
}

/// Whether webhooks are asked about a write.
fn asks(asking: &Asking<'_>) -> bool {
    asking.calls.mode == Mode::Asked && !VIRTUAL.contains(&asking.attempt.resource.group.as_str())
}

/// What configures admission is never held up by it.
fn is_exempt(attempt: &Attempt<'_>) -> bool {
    attempt.resource.builtin && attempt.resource.group == GROUP
}
