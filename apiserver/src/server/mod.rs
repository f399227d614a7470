//! The state machine: `(request, now, random) -> (answer, events)`.
//!
//! In: one request after the other, each with the time. Out: its answer; what it changed lies in the store's log, where watches find it.
//! No input or output, no clock, no sleeping: the same requests, times and seed give the same answers.

mod access;
mod admin_access;
mod admission;
mod bootstrap;
mod certificates;
mod connect;
mod context;
mod conversion;
mod create;
mod custom;
mod decode;
mod definitions;
mod delete;
mod dispatch;
mod document;
mod escalation;
mod eviction;
mod health;
mod import;
mod log;
mod metadata;
mod openapi;
mod options;
mod owners;
mod patch;
mod patch_words;
mod pod_parts;
mod pods;
mod read;
mod reply;
mod reviews;
#[cfg(feature = "data")]
mod saved;
mod scale;
mod services;
mod session;
mod sides;
mod tokens;
mod update;
mod upkeep;
mod watch;
mod write;

use std::sync::Arc;

use jiff::Timestamp;

pub(crate) use access::{Authorization, Door};
pub(crate) use bootstrap::SystemObjects;
pub(crate) use context::Context;
pub use log::{LogQuery, LogSide};
pub(crate) use reply::{Content, Reply, Request, WatchContent};
#[cfg(feature = "data")]
pub(crate) use saved::{Kept, Unserved};
pub(crate) use session::{Conversions, Polled, Progress, Session};

use access::Access;

use crate::{
    admission::{Hooks, calls::Calls},
    protocol::{Form, Terms, indented},
    registry::Registry,
    store::{Note, Store, Stored, TableId},
};

/// What a server is told when it is made.
#[derive(Clone)]
pub(crate) struct Settings {
    pub seed: u64,
    pub history: usize,
    pub namespaces: Namespaces,
    pub authorization: Authorization,
    /// What tokens are signed with; without it none are.
    pub token_secret: Option<[u8; 32]>,
    pub system_objects: SystemObjects,
}

/// What becomes of a write into a namespace that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespaces {
    /// It is refused, as a real server does.
    Required,
    /// The namespace is made.
    MadeOnUse,
}

/// The server's state.
#[derive(Debug)]
pub(crate) struct Core {
    registry: Arc<Registry>,
    store: Store,
    random: fastrand::Rng,
    namespaces: Namespaces,
    access: Access,
    definitions: definitions::Seen,
    hooks: Hooks,
    /// What is kept up, and how far.
    upkeep: upkeep::Upkeep,
    /// What services have.
    given: services::Given,
    /// What the request that is answered wants to know of servers elsewhere.
    calls: Calls,
}

impl Core {
    /// A server that holds nothing but the namespaces every cluster has.
    pub(crate) fn new(registry: Arc<Registry>, settings: &Settings, now: Timestamp) -> Self {
        let hooks = Hooks::new(&registry);
        let upkeep = upkeep::Upkeep::new(&registry, settings.system_objects);
        let mut core = Self {
            registry,
            store: Store::new(settings.history),
            random: fastrand::Rng::with_seed(settings.seed),
            namespaces: settings.namespaces,
            access: Access::new(settings),
            definitions: definitions::Seen::default(),
            hooks,
            upkeep,
            given: services::Given::default(),
            calls: Calls::default(),
        };
        for name in ["default", "kube-node-lease", "kube-public", "kube-system"] {
            core.make_namespace(name, now);
        }
        core.make_system_objects(settings.system_objects, now);
        core.store.compact();
        core
    }

    /// What is served.
    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Answers one request.
    pub(crate) fn handle(&mut self, request: &Request, now: Timestamp) -> Reply {
        let reply = self.dispatch(request, now).unwrap_or_else(Reply::from);
        self.follow_definitions(now);
        self.keep_up(now);
        // A failure may be written in more encodings than what it is about.
        if reply.code < 400 && reply.encoding.is_some() {
            return reply;
        }
        match Form::negotiate(dispatch::accept(request), Terms::PLAIN) {
            Ok(form) => reply.in_encoding(form.encoding),
            // Whoever takes no form of a failure is taken for a person.
            Err(_) if reply.code >= 400 => reply.mapped(indented),
            Err(_) => reply,
        }
    }

    /// Forgets the past; see [`Store::compact`].
    pub(crate) fn compact(&mut self) {
        self.store.compact();
    }

    /// The version of the newest change.
    pub(crate) fn version(&self) -> u64 {
        self.store.version()
    }

    /// Notes changes from now on, for those who react to them.
    pub(crate) fn take_note(&mut self) {
        self.store.take_note();
    }

    /// What has changed since this was last asked.
    pub(crate) fn notes(&mut self) -> Vec<Note> {
        self.store.notes()
    }

    /// An object as it is stored.
    pub(crate) fn stored(&self, table: TableId, key: &str) -> Option<&Arc<Stored>> {
        self.store.get(table, key)
    }

    /// Every object of a table whose key begins with a prefix.
    pub(crate) fn objects_under<'a>(
        &'a self,
        table: TableId,
        prefix: &'a str,
    ) -> impl Iterator<Item = &'a Arc<Stored>> {
        self.store.objects(table, prefix)
    }

    fn uid(&mut self) -> String {
        let bits = self.random.u128(..);
        let bits = bits & !(0xf << 76) | 0x4 << 76;
        let bits = bits & !(0x3 << 62) | 0x2 << 62;
        let hex = format!("{bits:032x}");
        let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
        format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
    }
}

/// A moment as objects write it down.
pub(crate) fn timestamp(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
