//! The namespace controller: a namespace that is deleted is emptied, and goes when it is empty.
//!
//! In: every change in the store. Out: deletions, conditions and, in the end, the finalizer taken off. Pods go first; the rest waits for them,
//! as it does in a real cluster.

mod conditions;
mod content;

use core::time::Duration;
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use serde_json::{Value, json};

use crate::{
    registry::Resource,
    server::Core,
    store::{Change, Event, TableId},
    strategy::{at, set, text},
};

use self::content::Pass;
use super::{Moment, agent::Agent};

/// As whom the controller writes.
const NAME: &str = "kube-controller-manager";
/// The finalizer in the spec of a namespace that stands for its content.
const FINALIZER: &str = "kubernetes";

/// The namespace controller.
#[derive(Debug)]
pub(super) struct Namespaces {
    table: Option<TableId>,
    /// The namespaces that are going.
    going: HashSet<Arc<str>>,
    /// When each of them is looked at next.
    due: BTreeMap<Arc<str>, Duration>,
    /// The one that is being emptied. What changes meanwhile makes it due again.
    current: Option<Current>,
}

#[derive(Debug)]
struct Current {
    name: Arc<str>,
    pass: Pass,
    since: Duration,
}

impl Namespaces {
    pub(super) fn new(table: Option<TableId>) -> Self {
        Self { table, going: HashSet::new(), due: BTreeMap::new(), current: None }
    }

    /// Takes note of a change, to be looked into at `due`.
    pub(super) fn observe(&mut self, table: TableId, event: &Event, due: Duration) {
        let object = &event.object;
        if self.table == Some(table) {
            if event.change == Change::Deleted {
                self.going.remove(&object.key);
                self.due.remove(&object.key);
            } else if object.ending.begun {
                self.going.insert(Arc::clone(&object.key));
                self.look_at(&object.key, due);
            }
            return;
        }
        if !self.going.is_empty()
            && let Some(namespace) = self.going.get(object.namespace())
        {
            let namespace = Arc::clone(namespace);
            self.look_at(&namespace, due);
        }
    }

    fn look_at(&mut self, namespace: &Arc<str>, due: Duration) {
        let there = self.due.entry(Arc::clone(namespace)).or_insert(due);
        *there = due.min(*there);
    }

    /// When the next namespace is looked at.
    pub(super) fn due(&self) -> Option<Duration> {
        let current = self.current.as_ref().map(|current| current.since);
        current.or_else(|| self.due.values().min().copied())
    }

    /// Goes one step on with the namespace that is due first.
    pub(super) fn step(&mut self, core: &mut Core, moment: Moment) {
        let Some(resource) = core.registry().namespaces().cloned() else { return };
        let mut agent = Agent { core, now: moment.now, name: NAME };
        match self.current.take() {
            Some(current) => self.go_on(&mut agent, &resource, current, moment.at),
            None => self.begin(&mut agent, &resource, moment.at),
        }
    }

    fn begin(&mut self, agent: &mut Agent<'_>, resource: &Resource, now: Duration) {
        let first = self.due.iter().min_by_key(|(_, due)| **due).map(|(name, _)| Arc::clone(name));
        let Some(name) = first else { return };
        self.due.remove(&name);
        let Some(namespace) = agent.read(resource, &name) else { return };
        let finalizers = at(&namespace, "spec.finalizers").and_then(Value::as_array);
        if finalizers.is_none_or(Vec::is_empty) {
            return;
        }
        if text(&namespace, "status.phase") != "Terminating" {
            let change = json!({"status": {"phase": "Terminating"}});
            agent.patch(resource, &name, "/status", &change);
        }
        let pass = Pass::new(agent.core, &name, &namespace);
        self.go_on(agent, resource, Current { name, pass, since: now }, now);
    }

    fn go_on(&mut self, agent: &mut Agent<'_>, resource: &Resource, mut current: Current, now: Duration) {
        if current.pass.go_on(agent) {
            self.current = Some(current);
            return;
        }
        let Current { name, pass, .. } = current;
        report(agent, resource, &name, &pass);
        match pass.estimate() {
            Some(wait) => self.look_at(&name, now + wait),
            None => finalize(agent, resource, &name),
        }
    }
}

/// Writes the conditions, where they have changed.
fn report(agent: &mut Agent<'_>, resource: &Resource, name: &str, pass: &Pass) {
    let Some(mut namespace) = agent.read(resource, name) else { return };
    let before = at(&namespace, "status.conditions").and_then(Value::as_array).cloned().unwrap_or_default();
    let after = conditions::updated(&before, &pass.findings(), agent.now);
    if after == before {
        return;
    }
    set(&mut namespace, "status.conditions", after);
    let answer = agent.update(resource, name, "/status", &namespace.into());
    if !answer.is_done() {
        tracing::warn!(namespace = name, why = answer.message(), "conditions could not be written");
    }
}

/// Takes the finalizer off; if it was the last, the namespace is gone.
fn finalize(agent: &mut Agent<'_>, resource: &Resource, name: &str) {
    let Some(mut namespace) = agent.read(resource, name) else { return };
    let finalizers = at(&namespace, "spec.finalizers").and_then(Value::as_array);
    let mut kept: Vec<Value> = finalizers.cloned().unwrap_or_default();
    kept.retain(|finalizer| finalizer != FINALIZER);
    set(&mut namespace, "spec.finalizers", kept);
    let answer = agent.update(resource, name, "/finalize", &namespace.into());
    if !answer.is_done() {
        tracing::warn!(namespace = name, why = answer.message(), "a namespace could not be finalized");
    }
}
