//! The kubelet: one node that runs pods, and the scheduler that gives it all of them.
//!
//! In: every change of a pod, what becomes of processes, and the time. Out: statuses, events and the end of pods as a kubelet writes them,
//! and orders for whoever runs processes. The simulated kubelet needs nobody for that.

mod events;
mod launch;
mod node;
mod orders;
mod rules;
mod run;
mod scheduler;
mod settings;
mod sizes;
mod status;
mod sync;
mod worker;

use core::time::Duration;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

#[cfg(all(unix, feature = "process"))]
pub(crate) use orders::Launch;
pub(crate) use orders::{Order, Report, RunId};
pub(crate) use settings::{NodeSettings, Play};

use crate::{
    server::Core,
    store::{Change, Event, TableId},
    strategy::text,
};

use self::{node::Node, worker::Worker};
use super::{Moment, agent::Agent};

/// As whom the kubelet writes.
const NAME: &str = "kubelet";

/// One node and its pods.
#[derive(Debug)]
pub(super) struct NodeAgent {
    node: Node,
    play: Play,
    table: Option<TableId>,
    workers: BTreeMap<Arc<str>, Worker>,
    /// Pods to be looked at, in the order of their changes.
    changed: BTreeSet<Arc<str>>,
    since: Duration,
    /// When pods are to be looked at although nothing has changed.
    timers: BTreeMap<Arc<str>, Duration>,
    orders: Vec<Order>,
    /// When the node says that it is alive, and how often it has.
    beat: Duration,
    beats: u64,
    addresses: u32,
}

impl NodeAgent {
    pub(super) fn new(kubelet: NodeSettings, table: Option<TableId>) -> Self {
        let address = match kubelet.play {
            Play::Simulated { .. } => "10.0.0.1",
            Play::Processes => "127.0.0.1",
        };
        Self {
            node: Node { name: kubelet.node, address: address.to_owned() },
            play: kubelet.play,
            table,
            workers: BTreeMap::new(),
            changed: BTreeSet::new(),
            since: Duration::ZERO,
            timers: BTreeMap::new(),
            orders: Vec::new(),
            beat: Duration::ZERO,
            beats: 0,
            addresses: 0,
        }
    }

    /// Takes note of a change.
    pub(super) fn observe(&mut self, table: TableId, event: &Event, at: Duration) {
        if self.table != Some(table) {
            return;
        }
        // Of what this kubelet writes itself it need not be told, but it cannot tell that from what others write.
        let key = &event.object.key;
        if event.change == Change::Deleted && !self.workers.contains_key(key) {
            self.changed.remove(key);
            self.timers.remove(key);
            return;
        }
        self.look_at(Arc::clone(key), at);
    }

    fn look_at(&mut self, key: Arc<str>, at: Duration) {
        if self.changed.is_empty() {
            self.since = at;
        }
        self.changed.insert(key);
    }

    /// Takes note of what has become of a process.
    pub(super) fn report(&mut self, run: &RunId, report: &Report, moment: Moment) {
        let Some((key, worker)) = self.workers.iter_mut().find(|(_, worker)| worker.uid == run.uid) else {
            return;
        };
        let is_meant = |other: &&mut run::Run| other.name == run.container && other.attempt == run.attempt;
        if let Some(container) = worker.runs.iter_mut().find(is_meant) {
            match report {
                Report::Started => container.started(moment.now, moment.at),
                Report::Failed(why) => container.failed(why.clone(), (moment.now, moment.at)),
                Report::Ended(code) => container.ended(*code, None, (moment.now, moment.at)),
            }
        }
        let key = Arc::clone(key);
        self.look_at(key, moment.at);
    }

    /// What is to be done outside.
    pub(super) fn orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    /// When the next step is due.
    pub(super) fn due(&self) -> Option<Duration> {
        let changed = (!self.changed.is_empty()).then_some(self.since);
        changed.into_iter().chain(self.timers.values().copied()).chain([self.beat]).min()
    }

    /// Does the next thing that is due.
    pub(super) fn step(&mut self, core: &mut Core, moment: Moment) {
        let mut agent = Agent { core, now: moment.now, name: NAME };
        if self.beat <= moment.at {
            self.node.beat(&mut agent, self.beats);
            self.beats += 1;
            self.beat = moment.at + Duration::from_secs(node::BEAT);
            return;
        }
        let timer = || self.timers.iter().filter(|(_, due)| **due <= moment.at).min_by_key(|(_, due)| **due);
        let key = self.changed.pop_first().or_else(|| timer().map(|(key, _)| Arc::clone(key)));
        let Some((key, table)) = key.zip(self.table) else { return };
        self.timers.remove(&key);
        let Some(pods) = agent.core.registry().of_table(table).cloned() else { return };
        match agent.read(&pods, &key) {
            Some(pod) if scheduler::awaits(&pod) => scheduler::bind(&mut agent, &pods, &key, &self.node),
            Some(pod) if text(&pod, "spec.nodeName") == self.node.name => {
                self.sync(&mut agent, (&pods, &key), &pod, moment);
            }
            _ => self.drop_worker(&key),
        }
    }

    /// The pod is gone, or another has its name: what still runs of it ends.
    fn drop_worker(&mut self, key: &Arc<str>) {
        let Some(worker) = self.workers.remove(key) else { return };
        for run in worker.runs.iter().filter(|run| run.is_alive()) {
            let id = RunId { uid: worker.uid.clone(), container: run.name.clone(), attempt: run.attempt };
            self.orders.push(Order::Stop(id, Duration::ZERO));
        }
        self.orders.push(Order::Forget(worker.uid));
    }
}
