//! Admission: what a cluster's settings do to a write, beyond what its kind does.
//!
//! In: an object that is to be stored, and what is stored already. Out: the object with what admission adds to it, or the refusal; and the
//! warnings and counts that go with it. Nothing is stored here.

mod amount;
mod limits;
mod pod_resources;
mod pod_security;
mod priority;
mod quota;
mod security_checks;
mod storage;

use crate::{
    protocol::{Fields, Status},
    registry::{Found, Registry, Resource},
    store::Store,
};

pub(crate) use quota::Charge;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
}

/// A write that asks to be admitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<'a> {
    pub operation: Operation,
    pub resource: &'a Resource,
    /// Empty for the main resource.
    pub subresource: &'a str,
    pub namespace: &'a str,
    /// How refusals name the object: by its name, by the prefix of a name that is made, or not at all.
    pub name: &'a str,
    /// What is stored, for updates.
    pub old: Option<&'a Fields>,
}

impl Attempt<'_> {
    /// Whether this is about a kind of the core group.
    fn is_core(&self, plural: &str) -> bool {
        self.resource.group.is_empty() && self.resource.plural == plural
    }

    /// The 403 about the object.
    fn forbidden(&self, why: &str) -> Status {
        let name = if self.name.is_empty() { "Unknown" } else { self.name };
        Status::forbidden(self.resource.name(), name, why)
    }
}

/// What is stored, to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cluster<'a> {
    pub registry: &'a Registry,
    pub store: &'a Store,
}

impl Cluster<'_> {
    /// The objects of a built-in kind in a namespace (empty: everywhere).
    fn list(&self, group: &str, plural: &str, namespace: &str) -> Vec<Fields> {
        let Found::Resource(resource) = self.registry.find(group, "v1", plural) else { return Vec::new() };
        let prefix = if namespace.is_empty() { String::new() } else { format!("{namespace}/") };
        self.store.all(resource.table, &prefix).map(|stored| stored.fields()).collect()
    }

    /// The labels of an object of the core group that has no namespace.
    fn labels(&self, plural: &str, name: &str) -> impl Iterator<Item = (String, String)> {
        let resource = match self.registry.find("", "v1", plural) {
            Found::Resource(resource) => Some(resource),
            _ => None,
        };
        let stored = resource.and_then(|resource| self.store.get(resource.table, name));
        let labels = stored.into_iter().flat_map(|stored| stored.labels());
        labels.map(|(label, value)| (label.to_owned(), value.to_owned()))
    }

    /// One object of a built-in kind.
    fn get(&self, group: &str, plural: &str, namespace: &str, name: &str) -> Option<Fields> {
        let Found::Resource(resource) = self.registry.find(group, "v1", plural) else { return None };
        let stored = self.store.get(resource.table, &resource.key(namespace, name))?;
        Some(stored.fields())
    }
}

/// What comes of an object that was admitted.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub warnings: Vec<String>,
    /// What is to be counted once the object is stored.
    pub charges: Vec<Charge>,
}

/// Adds to an object what the cluster's settings say.
pub(crate) fn mutate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &mut Fields,
) -> Result<(), Status> {
    limits::mutate(attempt, cluster, object);
    priority::mutate(attempt, cluster, object)?;
    storage::mutate(attempt, cluster, object);
    Ok(())
}

/// Says whether a complete and valid object may be stored.
pub(crate) fn validate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &Fields,
) -> Result<Verdict, Status> {
    limits::validate(attempt, cluster, object)?;
    let warnings = pod_security::validate(attempt, cluster, object)?;
    priority::validate(attempt, cluster, object)?;
    let charges = quota::validate(attempt, cluster, object)?;
    Ok(Verdict { warnings, charges })
}
