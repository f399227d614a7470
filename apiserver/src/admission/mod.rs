//! Admission: what a cluster's settings do to a write, beyond what its kind does.
//!
//! In: an object that is to be stored, and what is stored already. Out: the object with what admission adds to it, or the refusal; and the
//! warnings and counts that go with it. Nothing is stored here.

mod amount;
pub(crate) mod calls;
mod certificates;
mod claims;
mod declared_features;
mod hooks;
mod limits;
mod matching;
mod operations;
mod pod_resources;
mod pod_security;
mod policy;
mod priority;
mod quota;
mod resize;
mod review;
mod runtime_class;
mod security_checks;
mod storage;
mod topology;
pub(crate) mod webhook;

use std::sync::Arc;

use serde_json::Value;

use crate::{
    access::{Roles, User},
    protocol::{Fields, Status},
    registry::{Found, Registry, Resource},
    store::Store,
};

pub(crate) use hooks::{Hooks, Read};
pub(crate) use quota::{Charge, count_quota};
pub(crate) use topology::label as label_topology;
pub(crate) use webhook::Asking;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Update,
    Delete,
    Connect,
}

impl Operation {
    /// As rules and requests name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Create => "CREATE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Connect => "CONNECT",
        }
    }
}

/// Who asks for a write, and how.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub user: &'a User,
    /// What users may do; none where everybody may do everything.
    pub roles: Option<&'a Roles>,
    /// The options of the operation.
    pub options: &'a dyn Fn() -> Value,
    pub run: Run,
}

/// Whether something is really done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    Real,
    Dry,
}

impl Asked<'_> {
    fn is_dry_run(&self) -> bool {
        self.run == Run::Dry
    }
}

/// A write that asks to be admitted.
#[derive(Clone, Copy)]
pub(crate) struct Attempt<'a> {
    pub operation: Operation,
    pub resource: &'a Arc<Resource>,
    /// Empty for the main resource.
    pub subresource: &'a str,
    pub namespace: &'a str,
    /// How refusals name the object: by its name, by the prefix of a name that is made, or not at all.
    pub name: &'a str,
    /// What is stored, for updates and deletes.
    pub old: Option<&'a Fields>,
    pub asked: Asked<'a>,
}

impl Attempt<'_> {
    /// Whether this is about a kind of the core group.
    fn is_core(&self, plural: &str) -> bool {
        self.resource.group.is_empty() && self.resource.plural == plural
    }

    /// Group, version and kind of what is written where the resource is `resource`.
    fn kind<'r>(&self, resource: &'r Resource) -> (&'r str, &'r str, &'r str) {
        let (group, version) = (resource.group.as_str(), resource.version.as_str());
        match resource.subresource(self.subresource) {
            Some(below) => match &below.group_version {
                Some((group, version)) => (group, version, &below.kind),
                None => (group, version, &below.kind),
            },
            None => (group, version, &resource.kind),
        }
    }

    /// Whether something is to be stored.
    fn writes(&self) -> bool {
        matches!(self.operation, Operation::Create | Operation::Update)
    }

    /// The same, with the name that the object has by now.
    fn named<'b>(&'b self, object: Option<&'b Fields>) -> Attempt<'b> {
        let name = object.map_or("", |object| crate::strategy::text(object, "metadata.name"));
        Attempt { name: if name.is_empty() { self.name } else { name }, ..*self }
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
    runtime_class::mutate(attempt, cluster, object)?;
    topology::mutate(attempt, cluster, object);
    Ok(())
}

/// Says whether a complete and valid object may be stored.
pub(crate) fn validate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: Option<&Fields>,
) -> Result<Verdict, Status> {
    let Some(object) = object.filter(|_| attempt.writes()) else { return Ok(Verdict::default()) };
    let attempt = &attempt.named(Some(object));
    limits::validate(attempt, cluster, object)?;
    let warnings = pod_security::validate(attempt, cluster, object)?;
    priority::validate(attempt, cluster, object)?;
    claims::validate(attempt, cluster, object)?;
    runtime_class::validate(attempt, cluster, object)?;
    certificates::validate(attempt, object)?;
    declared_features::validate(attempt, cluster, object)?;
    resize::validate(attempt, cluster, object)?;
    Ok(Verdict { warnings })
}

/// Holds an object that everything else has let through against quotas: what is to be counted once it is stored.
pub(crate) fn charges(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: Option<&Fields>,
) -> Result<Vec<Charge>, Status> {
    match object.filter(|_| attempt.writes()) {
        Some(object) => quota::validate(&attempt.named(Some(object)), cluster, object),
        None => Ok(Vec::new()),
    }
}
