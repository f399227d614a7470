//! All handlers of one informer.
//!
//! In: handlers, at any time; changes, in the order of the store. Out: queues with events, and a task for each handler
//! while the informer runs. Never: an event lost or doubled for a handler that comes late: whoever changes the store
//! holds the lock of this hub until the handlers' queues know of it.

use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};
use tokio::runtime::Handle;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    HandlerOptions,
    member::{Control, Member},
    registration::Detach,
    roster::{Idle, Roster},
    task::{Callback, serve},
};
use crate::{
    informer::{
        KeyEvent,
        stats::Counters,
        sync::SyncState,
        told::{Notice, Stored, Told},
    },
    object::Object,
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
pub(in crate::informer) struct Members<K: Object> {
    objects: Roster<Stored<K>>,
    keys: Roster<KeyEvent>,
    /// Where tasks are spawned, while the informer runs.
    runtime: Option<Handle>,
    /// Whether the store holds the first list.
    synced: bool,
}

/// Events of which a hub has handlers.
pub(in crate::informer) trait Handled<K: Object>: Told<K> {
    fn roster(members: &mut Members<K>) -> &mut Roster<Self>;
}

impl<K: Object> Handled<K> for Stored<K> {
    fn roster(members: &mut Members<K>) -> &mut Roster<Self> {
        &mut members.objects
    }
}

impl<K: Object> Handled<K> for KeyEvent {
    fn roster(members: &mut Members<K>) -> &mut Roster<Self> {
        &mut members.keys
    }
}

impl<K: Object> Hub<K> {
    pub(in crate::informer) fn new(store: Store<K>) -> Self {
        let (objects, keys) = (Roster::new(), Roster::new());
        Self {
            members: Mutex::new(Members { objects, keys, runtime: None, synced: false }),
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
    pub(super) fn add<E: Handled<K>>(
        self: &Arc<Self>,
        callback: Callback<E::Told>,
        options: HandlerOptions,
    ) -> Arc<Control> {
        let member = Arc::new(Member::new(&K::kind(&()), options));
        let control = Arc::clone(&member.control);
        let mut members = self.lock();
        if self.stopped.is_cancelled() {
            control.sync.settle(SyncState::Stopped);
            control.ended.cancel();
            return control;
        }
        if members.synced {
            member.push_initial(&E::initial(&self.store));
        }
        let idle = match members.runtime.clone() {
            Some(runtime) => self.spawn(&member, callback, &runtime),
            None => Some(callback),
        };
        E::roster(&mut members).all.push((member, idle));
        control
    }

    fn spawn<E: Handled<K>>(
        self: &Arc<Self>,
        member: &Arc<Member<E>>,
        callback: Callback<E::Told>,
        runtime: &Handle,
    ) -> Idle<E> {
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

    /// The informer runs: every handler gets its task.
    pub(in crate::informer) fn start(self: &Arc<Self>, runtime: &Handle) {
        let mut members = self.lock();
        members.runtime = Some(runtime.clone());
        members.objects.start(|member, callback| drop(self.spawn(member, callback, runtime)));
        members.keys.start(|member, callback| drop(self.spawn(member, callback, runtime)));
    }

    /// The informer has stopped: no handler is called any more, beyond calls that are running.
    pub(in crate::informer) fn stop(&self) {
        let mut members = self.lock();
        self.stopped.cancel();
        members.runtime = None;
        members.objects.stop();
        members.keys.stop();
        self.tasks.close();
    }

    /// Waits for the handlers' tasks. Only after [`stop`](Self::stop).
    pub(in crate::informer) async fn ended(&self) {
        self.tasks.wait().await;
    }

    /// Tells one handler of every object again.
    pub(super) fn resync<E: Handled<K>>(&self, member: &Member<E>) {
        // Nothing may come between the look into the store and the queue.
        let members = self.lock();
        if !members.synced {
            return;
        }
        for event in E::again(&self.store) {
            member.push(event);
        }
    }

    /// How many handlers there are, and how many turns wait for all of them together.
    pub(in crate::informer) fn backlog(&self) -> (usize, usize) {
        let members = self.lock();
        let ((objects, waiting), (keys, others)) = (members.objects.backlog(), members.keys.backlog());
        (objects + keys, waiting + others)
    }
}

impl<K: Object> Members<K> {
    /// Whether there is nobody to be told.
    pub(in crate::informer) fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.keys.is_empty()
    }

    /// Whether anybody is told of objects, and not of keys alone.
    pub(in crate::informer) fn want_objects(&self) -> bool {
        !self.objects.is_empty()
    }

    /// Tells all of a change that is in the store.
    pub(in crate::informer) fn publish(&self, notice: &Notice<K>) {
        self.objects.publish(|| Stored::of(notice));
        self.keys.publish(|| KeyEvent::of(notice));
    }

    /// Tells all of the first list, which is in the store. True once.
    pub(in crate::informer) fn publish_first(&mut self, notices: &[Notice<K>]) {
        self.synced = true;
        self.objects.publish_first(|| notices.iter().map(Stored::of).collect());
        self.keys.publish_first(|| notices.iter().map(KeyEvent::of).collect());
    }

    /// Whether the store holds the first list.
    pub(in crate::informer) fn is_synced(&self) -> bool {
        self.synced
    }
}

impl<K: Object> Detach for Hub<K> {
    fn detach(&self, control: &Arc<Control>) {
        let mut members = self.lock();
        let (of_objects, of_keys) = (members.objects.take(control), members.keys.take(control));
        drop(members);
        let has_no_task = of_objects.as_ref().is_some_and(|(_, idle)| idle.is_some())
            || of_keys.as_ref().is_some_and(|(_, idle)| idle.is_some());
        if has_no_task {
            control.ended.cancel();
        }
        // A handler may hold the last handle of something that comes back here.
        drop((of_objects, of_keys));
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
