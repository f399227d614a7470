//! The state as a whole: to be kept, and taken up again.
//!
//! In: a server. Out: every object as it is stored, with the version of the newest change; and a server that goes on from there.

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use serde_json::Value;

use crate::{protocol::Fields, registry::Resource, store::TableId, strategy::text};

use super::{Core, write::draft};

/// A stored object: the group and the plural of its resource, and its JSON.
pub(crate) struct Kept<T> {
    pub group: String,
    pub plural: String,
    pub object: T,
}

/// An object cannot be taken up: nobody serves its resource.
#[derive(Debug)]
pub(crate) struct Unserved {
    pub group: String,
    pub plural: String,
    pub name: String,
}

impl Core {
    /// Every object, and the version of the newest change.
    pub(crate) fn kept(&self) -> (u64, Vec<Kept<Bytes>>) {
        let objects = self.registry.tables().flat_map(|(group, plural, table)| {
            let kept = |object: Bytes| Kept { group: group.to_owned(), plural: plural.to_owned(), object };
            self.store.objects(table, "").map(move |stored| kept(stored.json()))
        });
        (self.store.version(), objects.collect())
    }

    /// Holds these objects instead of all others, each in its old version, and goes on after `version`.
    pub(crate) fn take_up(
        &mut self,
        version: u64,
        mut objects: Vec<Kept<Fields>>,
        now: Timestamp,
    ) -> Result<(), Unserved> {
        self.store.clear();
        objects.sort_by_key(|kept| number(&kept.object));
        let is_definition = |kept: &Kept<Fields>| kept.plural == "customresourcedefinitions";
        let (definitions, others): (Vec<_>, Vec<_>) = objects.into_iter().partition(is_definition);
        for kept in &definitions {
            self.take_up_one(kept)?;
        }
        self.follow_definitions(now);
        self.keep_up(now);
        for kept in &others {
            self.take_up_one(kept)?;
        }
        self.store.go_on_after(version);
        Ok(())
    }

    fn take_up_one(&mut self, kept: &Kept<Fields>) -> Result<(), Unserved> {
        let registry = Arc::clone(&self.registry);
        let of = |resource: &&Arc<Resource>| resource.group == kept.group && resource.plural == kept.plural;
        let name = text(&kept.object, "metadata.name");
        let Some(resource) = registry.preferred().find(of) else {
            let (group, plural) = (kept.group.clone(), kept.plural.clone());
            return Err(Unserved { group, plural, name: name.to_owned() });
        };
        let key = resource.key(text(&kept.object, "metadata.namespace"), name);
        self.store.take_up(resource.table, draft(resource, key, &kept.object), number(&kept.object));
        Ok(())
    }
}

/// The version that an object says it has.
fn number(object: &Fields) -> u64 {
    let version = object.get("metadata").and_then(|metadata| metadata.get("resourceVersion"));
    version.and_then(Value::as_str).and_then(|text| text.parse().ok()).unwrap_or_default()
}

impl crate::registry::Registry {
    /// Where the objects of each resource are kept, in the order of discovery.
    fn tables(&self) -> impl Iterator<Item = (&str, &str, TableId)> {
        self.preferred().map(|resource| (resource.group.as_str(), resource.plural.as_str(), resource.table))
    }
}
