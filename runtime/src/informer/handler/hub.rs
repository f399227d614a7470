//! All handlers of one informer.
//!
//! In: handlers, at any time; events, in the order of the store. Out: queues with events, and a task for each handler
//! while the informer runs. Never: an event lost or doubled for a handler that comes late: whoever changes the store
//! holds the lock of this hub until the handlers' queues know of it.

use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};
use tokio::runtime::Handle;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    HandlerOptions,
    member::Member,
    registration::Detach,
    task::{Callback, serve},
};
use crate::{
    informer::{Event, stats::Counters, sync::SyncState},
    object::{Object, ObjectKey},
    store::Store,
};

pub(in crate::informer) struct Hub<K: Object> {
    members: Mutex<Members<K>>,
    store: Store<K>,
    pub(in crate::informer) counters: Counters,
    /// The informer has stopped.
    pub(in crate::informer) stopped: CancellationToken,
    /// The tasks of the handlers.
    tasks: TaskTracker,
}

/// The handlers, while nobody else may add, remove or tell any.
pub(in crate::informer) struct Members<K> {
    all: Vec<(Arc<Member<K>>, Idle<K>)>,
    /// Where tasks are spawned, while the informer runs.
    runtime: Option<Handle>,
    /// Whether the store holds the first list.
    synced: bool,
}

/// The code of a handler that has no task yet.
type Idle<K> = Option<Callback<K>>;

impl<K: Object> Hub<K> {
    pub(in crate::informer) fn new(store: Store<K>) -> Self {
        let members = Members { all: Vec::new(), runtime: None, synced: false };
        Self {
            members: Mutex::new(members),
            store,
            counters: Counters::default(),
            stopped: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Locks the handlers, so as to change the store and tell them in one step.
    pub(in crate::informer) fn lock(&self) -> MutexGuard<'_, Members<K>> {
        self.members.lock()
    }

    /// Adds a handler, and tells it of everything that is there.
    pub(super) fn add(self: &Arc<Self>, callback: Callback<K>, options: HandlerOptions) -> Arc<Member<K>> {
        let member = Arc::new(Member::new(options));
        let mut members = self.lock();
        if self.stopped.is_cancelled() {
            member.control.sync.settle(SyncState::Stopped);
            member.control.ended.cancel();
            return member;
        }
        if members.synced {
            member.push_initial(&self.initial_events());
        }
        let idle = match members.runtime.clone() {
            Some(runtime) => self.spawn(&member, callback, &runtime),
            None => Some(callback),
        };
        members.all.push((Arc::clone(&member), idle));
        member
    }

    fn spawn(self: &Arc<Self>, member: &Arc<Member<K>>, callback: Callback<K>, runtime: &Handle) -> Idle<K> {
        // However the task ends, even if it never begins, whoever waits for that hears of it.
        let ended = member.control.ended.clone().drop_guard();
        let serving = serve(Arc::clone(member), callback, Arc::downgrade(self), self.stopped.clone());
        let serving = async move {
            serving.await;
            drop(ended);
        };
        self.tasks.spawn_on(serving, runtime);
        None
    }

    /// Everything in the store, as a handler hears of it that begins.
    fn initial_events(&self) -> Vec<(ObjectKey, Event<K>)> {
        let objects = self.store.list().into_iter();
        objects.map(|object| (ObjectKey::of(&*object), Event::Added { object, initial: true })).collect()
    }

    /// The informer runs: every handler gets its task.
    pub(in crate::informer) fn start(self: &Arc<Self>, runtime: &Handle) {
        let mut members = self.lock();
        members.runtime = Some(runtime.clone());
        for (member, idle) in &mut members.all {
            if let Some(callback) = idle.take() {
                *idle = self.spawn(member, callback, runtime);
            }
        }
    }

    /// The informer has stopped: no handler is called any more, beyond calls that are running.
    pub(in crate::informer) fn stop(&self) {
        let mut members = self.lock();
        self.stopped.cancel();
        members.runtime = None;
        for (member, idle) in std::mem::take(&mut members.all) {
            member.control.sync.settle(SyncState::Stopped);
            if idle.is_some() {
                member.control.ended.cancel();
            }
        }
        self.tasks.close();
    }

    /// Waits for the handlers' tasks. Only after [`stop`](Self::stop).
    pub(in crate::informer) async fn ended(&self) {
        self.tasks.wait().await;
    }

    /// Tells one handler of every object again.
    pub(super) fn resync(&self, member: &Member<K>) {
        // Nothing may come between the look into the store and the queue.
        let members = self.lock();
        if !members.synced {
            return;
        }
        for object in self.store.list() {
            let event = Event::Updated { old: Arc::clone(&object), new: object };
            member.push(&event.key(), event);
        }
    }

    /// How many handlers there are, and how many turns wait for all of them together.
    pub(in crate::informer) fn backlog(&self) -> (usize, usize) {
        let members = self.lock();
        (members.all.len(), members.all.iter().map(|(member, _)| member.waiting()).sum())
    }
}

impl<K: Object> Members<K> {
    pub(in crate::informer) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Tells all of a change that is in the store.
    pub(in crate::informer) fn publish(&self, key: &ObjectKey, event: &Event<K>) {
        for (member, _) in &self.all {
            member.push(key, event.clone());
        }
    }

    /// Tells all of the first list, which is in the store. True once.
    pub(in crate::informer) fn publish_first(&mut self, events: &[(ObjectKey, Event<K>)]) {
        self.synced = true;
        for (member, _) in &self.all {
            member.push_initial(events);
        }
    }

    /// Whether the store holds the first list.
    pub(in crate::informer) fn is_synced(&self) -> bool {
        self.synced
    }
}

impl<K: Object> Detach for Hub<K> {
    fn detach(&self, control: &Arc<super::member::Control>) {
        let mut members = self.lock();
        let Some(found) = members.all.iter().position(|(member, _)| Arc::ptr_eq(&member.control, control))
        else {
            return;
        };
        let (member, idle) = members.all.swap_remove(found);
        drop(members);
        if idle.is_some() {
            member.control.ended.cancel();
        }
        // A handler may hold the last handle of something that comes back here.
        drop(idle);
    }
}

impl<K: Object> Drop for Hub<K> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A hub as the registrations of its handlers know it.
pub(super) fn detachable<K: Object>(hub: &Arc<Hub<K>>) -> Weak<dyn Detach> {
    let hub: Arc<dyn Detach> = Arc::<Hub<K>>::clone(hub);
    Arc::downgrade(&hub)
}
