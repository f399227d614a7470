//! The controllers: what a cluster does by itself.
//!
//! In: every change in the store, and the time. Out: requests, one small step after the other. A step is a plain function of the state and
//! the time; whoever runs the server decides when it is taken. Nothing here waits, and nothing here has a clock.

mod accounts;
mod agent;
mod collector;
mod definitions;
#[cfg_attr(not(all(unix, feature = "process")), expect(dead_code, reason = "only processes need all of it"))]
mod kubelet;
mod namespaces;
mod quotas;

use core::time::Duration;

use jiff::Timestamp;

use crate::{server::Core, store::Note};

#[cfg(all(unix, feature = "process"))]
pub(crate) use self::kubelet::{Launch, Report};
pub(crate) use self::kubelet::{NodeSettings, Order, Play, RunId};
use self::{
    accounts::Accounts, collector::Collector, definitions::Definitions, kubelet::NodeAgent,
    namespaces::Namespaces, quotas::Quotas,
};

/// How the controllers of a server run: the garbage collector, which removes what belongs to objects that are gone, and the namespace
/// controller, which empties namespaces that are deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Controllers {
    /// By themselves, a moment after what they react to, as in a real cluster.
    ///
    /// They run in the tokio runtime in which requests are made, also while its time is paused.
    #[default]
    Running,
    /// Only when [`ApiServer::step`](crate::ApiServer::step) or [`ApiServer::settle`](crate::ApiServer::settle) is called.
    Stepped,
    /// Not at all: what a real API server does that stands alone.
    Off,
}

/// Where a change came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// From a request.
    Request,
    /// From a seed or a recorded part of a cluster. What it says of owners is believed: they may be in the part that was left out.
    Import,
}

/// How long controllers let a change stand before they react to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delays {
    /// For the garbage collector.
    pub collection: Duration,
    /// For the namespace controller.
    pub namespaces: Duration,
    /// For the kubelet and its scheduler.
    pub kubelet: Duration,
    /// For the counting of quotas, and for service accounts.
    pub quotas: Duration,
    /// For definitions that are deleted.
    pub definitions: Duration,
}

impl Delays {
    /// For controllers that run: a client sees what its request led to before it sees what came of it.
    pub(crate) const RUNNING: Self = Self {
        collection: Duration::from_millis(25),
        namespaces: Duration::from_secs(1),
        kubelet: Duration::from_millis(5),
        quotas: Duration::from_millis(5),
        definitions: Duration::from_millis(150),
    };
    /// For controllers that are stepped.
    pub(crate) const NONE: Self = Self {
        collection: Duration::ZERO,
        namespaces: Duration::ZERO,
        kubelet: Duration::ZERO,
        quotas: Duration::ZERO,
        definitions: Duration::ZERO,
    };
}

/// Which moment a step is taken in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// The time that objects are given.
    pub now: Timestamp,
    /// How long the server has been there, by a clock that cannot be set.
    pub at: Duration,
}

/// Which steps may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Those whose time has come.
    Due,
    /// Also those that only let a change stand for a moment.
    None,
}

/// All controllers of a server.
#[derive(Debug)]
pub(crate) struct Manager {
    collector: Collector,
    /// When the collector goes on, if it has anything to do.
    collection: Option<Duration>,
    namespaces: Namespaces,
    kubelet: Option<NodeAgent>,
    quotas: Option<Quotas>,
    accounts: Option<Accounts>,
    delays: Delays,
    definitions: Definitions,
}

impl Manager {
    /// The controllers of a server. They see no object that is there already.
    pub(crate) fn new(core: &mut Core, delays: Delays, kubelet: Option<NodeSettings>) -> Self {
        core.take_note();
        let table = |api_version: &str, kind: &str| {
            core.registry().of_kind(api_version, kind).map(|resource| resource.table)
        };
        let [events, namespaces, pods] = ["Event", "Namespace", "Pod"].map(|kind| table("v1", kind));
        let definitions = table("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        Self {
            collector: Collector::new(events),
            collection: None,
            namespaces: Namespaces::new(namespaces),
            kubelet: kubelet.map(|kubelet| NodeAgent::new(kubelet, pods)),
            quotas: None,
            accounts: None,
            delays,
            definitions: Definitions::new(core, definitions),
        }
    }

    /// Counts what the quotas of namespaces limit, too.
    pub(crate) fn count_quotas(&mut self, core: &Core) {
        let table = core.registry().of_kind("v1", "ResourceQuota").map(|resource| resource.table);
        self.quotas = Some(Quotas::new(table));
    }

    /// Gives every namespace its service account, too.
    pub(crate) fn give_accounts(&mut self, core: &Core) {
        self.accounts = Some(Accounts::new(core));
    }

    /// Takes note of what has changed.
    pub(crate) fn observe(&mut self, core: &mut Core, at: Duration, origin: Origin) {
        for Note { table, event } in core.notes() {
            self.collector.observe(table, &event, origin);
            self.namespaces.observe(table, &event, at + self.delays.namespaces);
            if let Some(kubelet) = &mut self.kubelet {
                kubelet.observe(table, &event, at + self.delays.kubelet);
            }
            if let Some(quotas) = &mut self.quotas {
                quotas.observe(table, &event, at + self.delays.quotas);
            }
            if let Some(accounts) = &mut self.accounts {
                accounts.observe(table, &event, at + self.delays.quotas);
            }
            self.definitions.observe(table, &event, at + self.delays.definitions);
            if self.definitions.is_about(table) {
                self.collector.retry_unresolved();
            }
        }
        if self.collection.is_none() && !self.collector.is_idle() {
            self.collection = Some(at + self.delays.collection);
        }
    }

    /// Takes note of what has become of a process.
    #[cfg(all(unix, feature = "process"))]
    pub(crate) fn report(&mut self, run: &RunId, report: &Report, moment: Moment) {
        if let Some(kubelet) = &mut self.kubelet {
            kubelet.report(run, report, moment);
        }
    }

    /// What is to be done outside the state machine.
    pub(crate) fn orders(&mut self) -> Vec<Order> {
        self.kubelet.as_mut().map(NodeAgent::orders).unwrap_or_default()
    }

    /// When the next step is due, if any is.
    pub(crate) fn due(&self) -> Option<Duration> {
        let kubelet = self.kubelet.as_ref().and_then(NodeAgent::due);
        let quotas = self.quotas.as_ref().and_then(Quotas::due);
        let accounts = self.accounts.as_ref().and_then(Accounts::due);
        let others = [kubelet, quotas, accounts, self.definitions.due()].into_iter().flatten();
        self.collection.into_iter().chain(self.namespaces.due()).chain(others).min()
    }

    /// Takes the step that is due next; says whether there was one.
    pub(crate) fn step(&mut self, core: &mut Core, moment: Moment, patience: Patience) -> bool {
        let delays = match patience {
            Patience::Due => Delays::NONE,
            Patience::None => self.delays,
        };
        let kubelet = self.kubelet.as_ref().and_then(NodeAgent::due);
        let due = [
            (self.collection, delays.collection),
            (self.namespaces.due(), delays.namespaces),
            (kubelet, delays.kubelet),
            (self.quotas.as_ref().and_then(Quotas::due), delays.quotas),
            (self.accounts.as_ref().and_then(Accounts::due), delays.quotas),
            (self.definitions.due(), delays.definitions),
        ];
        let due = due.into_iter().enumerate().filter_map(|(who, (due, delay))| Some((due?, who, delay)));
        let Some((_, who, _)) = due.filter(|(due, _, delay)| *due <= moment.at + *delay).min() else {
            return false;
        };
        match (who, &mut self.kubelet) {
            (0, _) => {
                self.collector.step(core, moment);
                self.collection = self.collector.due(moment.at);
            }
            (1, _) => self.namespaces.step(core, moment),
            (2, Some(kubelet)) => kubelet.step(core, moment),
            (2, None) => {}
            (3, _) => {
                if let Some(quotas) = &mut self.quotas {
                    quotas.step(core, moment);
                }
            }
            (5, _) => self.definitions.step(core, moment),
            _ => {
                if let Some(accounts) = &mut self.accounts {
                    accounts.step(core, moment);
                }
            }
        }
        self.observe(core, moment.at, Origin::Request);
        true
    }
}
