//! The quota controller: what the objects of a namespace use, in the status of its quotas.
//!
//! In: every change in the store. Out: quotas whose status says what they limit, and what of it is used. Admission counts what is created;
//! this counts what is there, so that what goes is given back.

use core::time::Duration;
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use serde_json::Value;

use crate::{
    registry::Resource,
    server::Core,
    store::{Change, Event, TableId},
    strategy::{at, set},
};

use super::{Moment, agent::Agent};

/// As whom the controller writes.
const NAME: &str = "kube-controller-manager";

/// The quota controller.
#[derive(Debug)]
pub(super) struct Quotas {
    table: Option<TableId>,
    /// Namespaces that have quotas.
    limited: HashSet<Arc<str>>,
    /// When each of them is counted next.
    due: BTreeMap<Arc<str>, Duration>,
}

impl Quotas {
    pub(super) fn new(table: Option<TableId>) -> Self {
        Self { table, limited: HashSet::new(), due: BTreeMap::new() }
    }

    /// Takes note of a change, to be counted at `due`.
    pub(super) fn observe(&mut self, table: TableId, event: &Event, due: Duration) {
        let namespace = event.object.namespace();
        if self.table == Some(table) && event.change != Change::Deleted && !self.limited.contains(namespace) {
            self.limited.insert(namespace.into());
        }
        // What happens to an object that stays changes a count only if it is a quota, or may be counted in another way than by number.
        if self.limited.contains(namespace) && !self.due.contains_key(namespace) {
            self.due.insert(namespace.into(), due);
        }
    }

    /// When the next count is due.
    pub(super) fn due(&self) -> Option<Duration> {
        self.due.values().min().copied()
    }

    /// Counts what one namespace uses.
    pub(super) fn step(&mut self, core: &mut Core, moment: Moment) {
        let first = self.due.iter().min_by_key(|(_, due)| **due).map(|(name, _)| Arc::clone(name));
        let Some(namespace) = first else { return };
        self.due.remove(&namespace);
        let Some(resource) = core.registry().of_kind("v1", "ResourceQuota").map(Arc::clone) else { return };
        let prefix = format!("{namespace}/");
        let keys: Vec<Arc<str>> =
            core.objects_under(resource.table, &prefix).map(|quota| Arc::clone(&quota.key)).collect();
        if keys.is_empty() {
            self.limited.remove(&namespace);
        }
        let mut agent = Agent { core, now: moment.now, name: NAME };
        for key in keys {
            count(&mut agent, &resource, &key);
        }
    }
}

/// Writes what is used into one quota, where its status says something else.
fn count(agent: &mut Agent<'_>, resource: &Resource, key: &str) {
    let Some(mut quota) = agent.read(resource, key) else { return };
    let counted = agent.core.count_quota(&quota);
    if at(&quota, "status") == Some(&counted) {
        return;
    }
    set(&mut quota, "status", counted);
    agent.update(resource, key, "/status", &Value::Object(quota));
}
