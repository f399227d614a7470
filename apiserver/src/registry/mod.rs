//! The registry: what is served.
//!
//! In: the table of built-in resources and registrations of custom ones. Out: for a path, the resource with its names, scope, verbs and
//! rules; discovery documents. It holds no objects.

mod builtin;
mod custom;
mod discovery;
mod form;
pub(crate) mod openapi;
mod registration;
mod resource;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

pub(crate) use form::{Custom, Nulls, decode as decode_custom};
pub(crate) use registration::ScalePaths;
pub use registration::{Registration, RegistrationScope};
pub(crate) use resource::{Resource, Verb, head};

use crate::{conversion::Desk, store::TableId, strategy};

/// Groups with versions.
pub(crate) type Elsewhere = BTreeMap<String, Vec<String>>;

/// Every resource that is served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry {
    /// What is served whatever is defined.
    base: Vec<Arc<Resource>>,
    defined: custom::Defined,
    shapes: custom::Shapes,
    /// In the order of discovery: groups, their versions, resources.
    resources: Vec<Arc<Resource>>,
    paths: HashMap<String, Vec<Arc<Resource>>>,
    tables: HashMap<(String, String), TableId>,
    openapi: openapi::OpenApi,
    /// The versions of groups for which other servers would have to answer.
    elsewhere: Elsewhere,
    /// Where questions to conversion webhooks are left.
    desk: Arc<Desk>,
}

/// What a path leads to.
pub(crate) enum Found<'a> {
    Resource(&'a Arc<Resource>),
    /// The group is there, the version or the resource is not.
    NoResource,
    NoGroup,
}

impl Registry {
    /// The built-in resources and these.
    pub(crate) fn new(registrations: &[Registration]) -> Self {
        let mut registry = Self::default();
        for resource in builtin::resources() {
            registry.add(resource);
        }
        for registration in registrations {
            let known = matches!(
                registry.find(registration.group(), registration.version(), registration.plural()),
                Found::Resource(_)
            );
            if !known {
                registry.add(registration.resource());
            }
        }
        registry.base.clone_from(&registry.resources);
        registry
    }

    fn add(&mut self, mut resource: Resource) {
        let home = strategy::home(&resource.group, &resource.plural);
        resource.table = self.table(home, &resource.plural);
        self.list(Arc::new(resource));
    }

    /// Where the objects of a resource are kept: the same place whenever it is served again.
    fn table(&mut self, group: &str, plural: &str) -> TableId {
        let count = self.tables.len();
        *self.tables.entry((group.to_owned(), plural.to_owned())).or_insert(TableId(count))
    }

    /// Forgets what is served; where objects are kept stays as it is.
    fn clear(&mut self) {
        self.resources.clear();
        self.paths.clear();
        self.openapi = openapi::OpenApi::default();
    }

    fn list(&mut self, resource: Arc<Resource>) {
        self.paths.entry(resource.group.clone()).or_default().push(Arc::clone(&resource));
        self.resources.push(resource);
    }

    /// Looks a resource up.
    pub(crate) fn find(&self, group: &str, version: &str, plural: &str) -> Found<'_> {
        let Some(resources) = self.paths.get(group) else {
            return Found::NoGroup;
        };
        resources
            .iter()
            .find(|resource| resource.plural == plural && resource.version == version)
            .map_or(Found::NoResource, Found::Resource)
    }

    /// Where questions to conversion webhooks are left.
    pub(crate) fn desk(&self) -> &Arc<Desk> {
        &self.desk
    }

    /// The versions of groups for which other servers would have to answer.
    pub(crate) fn elsewhere(&self) -> &Elsewhere {
        &self.elsewhere
    }

    /// Takes note of them.
    pub(crate) fn answer_elsewhere(&mut self, elsewhere: Elsewhere) {
        self.elsewhere = elsewhere;
    }

    /// Whether another server would have to answer for a version of a group.
    pub(crate) fn is_elsewhere(&self, group: &str, version: &str) -> bool {
        self.elsewhere.get(group).is_some_and(|versions| versions.iter().any(|one| one == version))
    }

    /// Whether a group has none but custom kinds.
    pub(crate) fn is_custom(&self, group: &str) -> bool {
        self.paths.get(group).is_some_and(|resources| resources.iter().all(|resource| !resource.builtin))
    }

    /// The other resources under which the same objects are served: other versions, and kinds that have moved.
    pub(crate) fn same_objects(&self, resource: &Resource) -> Vec<Arc<Resource>> {
        let same = |other: &&Arc<Resource>| {
            other.table == resource.table
                && (&other.group, &other.version) != (&resource.group, &resource.version)
        };
        self.resources.iter().filter(same).map(Arc::clone).collect()
    }

    /// The resource that keeps the objects of a kind.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Option<&Arc<Resource>> {
        let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
        let mut resources = self.resources.iter();
        resources.find(|resource| {
            resource.kind == kind
                && (resource.group.as_str(), resource.version.as_str()) == (group, version)
                && resource.is_stored()
        })
    }

    /// The resource, in its best version, whose objects a table holds.
    pub(crate) fn of_table(&self, table: TableId) -> Option<&Arc<Resource>> {
        self.resources.iter().find(|resource| resource.table == table && resource.is_stored())
    }

    /// Every resource whose objects are kept, each in its best version.
    pub(crate) fn preferred(&self) -> impl Iterator<Item = &Arc<Resource>> {
        let mut seen = HashSet::new();
        self.resources.iter().filter(move |resource| resource.is_stored() && seen.insert(resource.table))
    }

    /// A resource that is known to be built in.
    pub(crate) fn namespaces(&self) -> Option<&Arc<Resource>> {
        match self.find("", "v1", "namespaces") {
            Found::Resource(resource) => Some(resource),
            _ => None,
        }
    }

    /// The versions of a group, best first; none for an unknown group.
    pub(crate) fn versions(&self, group: &str) -> Vec<&str> {
        let mut versions: Vec<&str> = Vec::new();
        for resource in self.paths.get(group).into_iter().flatten() {
            if !versions.contains(&resource.version.as_str()) {
                versions.push(&resource.version);
            }
        }
        versions
    }

    /// The groups besides the core group, in the order of discovery.
    pub(crate) fn groups(&self) -> Vec<&str> {
        let mut groups: Vec<&str> = Vec::new();
        for resource in self.resources.iter().filter(|resource| !resource.group.is_empty()) {
            if !groups.contains(&resource.group.as_str()) {
                groups.push(&resource.group);
            }
        }
        groups
    }
}
