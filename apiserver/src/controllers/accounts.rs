//! The service account controller: every namespace has the account `default`.
//!
//! In: every change in the store. Out: accounts where there are none. It touches no account that is there.

use core::time::Duration;
use std::{collections::BTreeMap, sync::Arc};

use serde_json::json;

use crate::{
    server::Core,
    store::{Change, Event, TableId},
    strategy::at,
};

use super::{Moment, agent::Agent};

/// As whom the controller writes.
const NAME: &str = "kube-controller-manager";
/// The account that pods run as unless they say otherwise.
const DEFAULT: &str = "default";

/// The service account controller.
#[derive(Debug)]
pub(super) struct Accounts {
    namespaces: Option<TableId>,
    accounts: Option<TableId>,
    /// When each namespace is looked at next.
    due: BTreeMap<Arc<str>, Duration>,
}

impl Accounts {
    /// Begins with the namespaces that are there.
    pub(super) fn new(core: &Core) -> Self {
        let table = |kind: &str| core.registry().of_kind("v1", kind).map(|resource| resource.table);
        let (namespaces, accounts) = (table("Namespace"), table("ServiceAccount"));
        let there = namespaces.into_iter().flat_map(|table| core.objects_under(table, ""));
        let due = there.map(|namespace| (namespace.name().into(), Duration::ZERO)).collect();
        Self { namespaces, accounts, due }
    }

    /// Takes note of a change, to be looked at at `due`.
    pub(super) fn observe(&mut self, table: TableId, event: &Event, due: Duration) {
        let object = &event.object;
        let deleted = event.change == Change::Deleted;
        let namespace = if self.namespaces == Some(table) && !deleted {
            object.name()
        } else if self.accounts == Some(table) && deleted && object.name() == DEFAULT {
            object.namespace()
        } else {
            return;
        };
        self.due.entry(namespace.into()).or_insert(due);
    }

    /// When the next look is due.
    pub(super) fn due(&self) -> Option<Duration> {
        self.due.values().min().copied()
    }

    /// Gives one namespace its account.
    pub(super) fn step(&mut self, core: &mut Core, moment: Moment) {
        let first = self.due.iter().min_by_key(|(_, due)| **due).map(|(name, _)| Arc::clone(name));
        let Some(name) = first else { return };
        self.due.remove(&name);
        let registry = core.registry();
        let found = |kind: &str| registry.of_kind("v1", kind).map(Arc::clone);
        let (Some(namespaces), Some(accounts)) = (found("Namespace"), found("ServiceAccount")) else {
            return;
        };
        let mut agent = Agent { core, now: moment.now, name: NAME };
        let Some(namespace) = agent.read(&namespaces, &name) else { return };
        let leaving = at(&namespace, "metadata.deletionTimestamp").is_some_and(|time| !time.is_null());
        if leaving || agent.read(&accounts, &format!("{name}/{DEFAULT}")).is_some() {
            return;
        }
        let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": DEFAULT}});
        // Where it is refused, a policy or a quota wants it so.
        agent.create(&accounts, &name, &account);
    }
}
