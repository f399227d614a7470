//! The handlers that are told events of one form.
//!
//! In: handlers, and events for all of them. Out: events in their queues; the code of handlers that have no task yet. Never: a
//! task; those are the hub's.

use std::sync::Arc;

use super::{
    member::{Control, Member},
    task::Callback,
};
use crate::informer::{sync::SyncState, told::Waits};

/// The code of a handler that has no task yet.
pub(super) type Idle<E> = Option<Callback<<E as Waits>::Told>>;

pub(in crate::informer) struct Roster<E: Waits> {
    pub(super) all: Vec<(Arc<Member<E>>, Idle<E>)>,
}

impl<E: Waits> Roster<E> {
    pub(super) const fn new() -> Self {
        Self { all: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Tells all of a change. `event` is made once, if there is anybody to be told.
    pub(super) fn publish(&self, event: impl FnOnce() -> E) {
        let Some(event) = (!self.is_empty()).then(event) else { return };
        for (member, _) in &self.all {
            member.push(event.clone());
        }
    }

    /// Tells all of the first list.
    pub(super) fn publish_first(&self, events: impl FnOnce() -> Vec<E>) {
        if self.is_empty() {
            return;
        }
        let events = events();
        for (member, _) in &self.all {
            member.push_initial(&events);
        }
    }

    /// Gives every handler its task.
    pub(super) fn start(&mut self, mut spawn: impl FnMut(&Arc<Member<E>>, Callback<E::Told>)) {
        for (member, idle) in &mut self.all {
            if let Some(callback) = idle.take() {
                spawn(member, callback);
            }
        }
    }

    /// Lets go of all handlers.
    pub(super) fn stop(&mut self) {
        for (member, idle) in std::mem::take(&mut self.all) {
            member.control.sync.settle(SyncState::Stopped);
            if idle.is_some() {
                member.control.ended.cancel();
            }
        }
    }

    /// Takes a handler out, if it is one of these.
    pub(super) fn take(&mut self, control: &Arc<Control>) -> Option<(Arc<Member<E>>, Idle<E>)> {
        let found = self.all.iter().position(|(member, _)| Arc::ptr_eq(&member.control, control))?;
        Some(self.all.swap_remove(found))
    }

    /// How many handlers there are, and how many turns wait for them.
    pub(super) fn backlog(&self) -> (usize, usize) {
        (self.all.len(), self.all.iter().map(|(member, _)| member.waiting()).sum())
    }
}
