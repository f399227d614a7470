//! One handler's queue and its standing.
//!
//! In: events to deliver. Out: the next one, and whether the first list is through. Never: the handler's own code; that
//! runs in the neighbouring `task`.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{
    super::{
        backlog::{Backlog, Pushed},
        sync::{Sync, SyncState},
        told::Waits,
    },
    HandlerOptions,
};

/// What the registration and the task of a handler share.
#[derive(Debug)]
pub(super) struct Control {
    pub(super) sync: Sync,
    /// The handler is to be called no more.
    pub(super) stop: CancellationToken,
    /// It is called no more.
    pub(super) ended: CancellationToken,
    /// The task it is called from.
    pub(super) task: Mutex<Option<tokio::task::Id>>,
}

pub(super) struct Member<E> {
    pub(super) control: std::sync::Arc<Control>,
    pub(super) resync: Option<Duration>,
    pub(super) wake: Notify,
    queue: Mutex<Queue<E>>,
}

struct Queue<E> {
    backlog: Backlog<E>,
    /// Of how many objects of the first list the handler has yet to return; `None` before that list.
    initial_left: Option<usize>,
}

impl<E: Waits> Member<E> {
    pub(super) fn new(kind: &str, options: HandlerOptions) -> Self {
        let control = Control {
            sync: Sync::new(kind),
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
            task: Mutex::new(None),
        };
        Self {
            control: control.into(),
            resync: options.resync,
            wake: Notify::new(),
            queue: Mutex::new(Queue { backlog: Backlog::new(options.delivery), initial_left: None }),
        }
    }

    pub(super) fn push(&self, event: E) {
        if self.queue.lock().backlog.push(event) == Pushed::InitialGone {
            self.settle_initial();
        }
        self.wake.notify_one();
    }

    /// The first list, whole. The handler is in sync when it has returned for each of these.
    pub(super) fn push_initial(&self, events: &[E]) {
        let mut queue = self.queue.lock();
        queue.initial_left = Some(events.len());
        for event in events {
            queue.backlog.push(event.clone());
        }
        drop(queue);
        if events.is_empty() {
            self.control.sync.settle(SyncState::Synced);
        }
        self.wake.notify_one();
    }

    pub(super) fn next(&self) -> Option<E> {
        self.queue.lock().backlog.pop()
    }

    pub(super) fn waiting(&self) -> usize {
        self.queue.lock().backlog.len()
    }

    /// One object of the first list is done with.
    pub(super) fn settle_initial(&self) {
        let mut queue = self.queue.lock();
        if let Some(left) = &mut queue.initial_left {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.control.sync.settle(SyncState::Synced);
            }
        }
    }

    /// Gives the memory of the backlog back.
    pub(super) fn clear(&self) {
        self.queue.lock().backlog.clear();
    }
}
