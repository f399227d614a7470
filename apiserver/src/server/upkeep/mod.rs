//! What a server keeps up by itself: the conditions of flow schemas and API services, and the API services of custom kinds.
//!
//! In: what is stored, after every request. Out: conditions that say how it is, and API services that come and go with the versions of
//! definitions. A real server has controllers for this; here it is done before the next request is looked at. No other server is reached
//! through an API service: what is said of one is that it cannot be.

mod flow;
mod services;

use jiff::Timestamp;
use serde_json::Value;

use crate::{protocol::Fields, registry::Registry, store::TableId};

use super::{Core, SystemObjects};

/// How far things were looked at.
#[derive(Debug)]
pub(super) struct Upkeep {
    /// Flow schemas and priority levels, and the version of the last change of either.
    flow: Option<([TableId; 2], u64)>,
    services: services::Seen,
}

impl Upkeep {
    /// What is kept up of the kinds that are served.
    pub(super) fn new(registry: &Registry, objects: SystemObjects) -> Self {
        let table = |api_version: &str, kind: &str| {
            registry.of_kind(api_version, kind).map(|resource| resource.table)
        };
        let flow = ["FlowSchema", "PriorityLevelConfiguration"]
            .map(|kind| table("flowcontrol.apiserver.k8s.io/v1", kind));
        let flow = match flow {
            [Some(schemas), Some(levels)] => Some(([schemas, levels], 0)),
            _ => None,
        };
        Self { flow, services: services::Seen::new(table, objects) }
    }
}

impl Core {
    /// Brings what the server keeps up in line with what is stored.
    pub(super) fn keep_up(&mut self, now: Timestamp) {
        self.keep_flow(now);
        self.keep_services(now);
    }

    /// Takes what is stored as it is: what was true where it came from stays, until something changes.
    pub(super) fn take_for_kept(&mut self) {
        if let Some((tables, seen)) = &mut self.upkeep.flow {
            *seen = tables.iter().map(|table| self.store.newest(*table)).max().unwrap_or_default();
        }
        self.take_services_for_kept();
    }
}

/// The condition of a kind, if it says all this already.
fn says(object: &Fields, kind: &str, wanted: [&str; 3]) -> bool {
    let conditions = crate::strategy::at(object, "status.conditions").and_then(Value::as_array);
    let there = conditions.into_iter().flatten().find(|one| one.get("type").is_some_and(|it| it == kind));
    there.is_some_and(|one| {
        let part = |name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default();
        ["status", "reason", "message"].map(part) == wanted
    })
}
