//! A controller: informer, queue, workers and handler of one kind, wired together.
//!
//! In: a shared informer and a handler. Out: calls of the handler, one for each object that was created, updated or
//! deleted. Never: two calls at a time about one object.

use std::{num::NonZeroUsize, sync::Arc};

use kube_codegen_runtime::{
    informer::{Event, HandlerRegistration, SharedInformer},
    object::{Object, ObjectKey},
    store::Store,
    workqueue::WorkQueue,
};
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::{
    Handler, HandlerError, RunError,
    changes::{Change, Changes},
    worker,
};

/// A controller for objects of the kind `K`, handled by `H`.
pub struct Controller<K: Object, H> {
    kind: &'static str,
    informer: SharedInformer<K>,
    changes: Arc<Changes<K>>,
    queue: WorkQueue<ObjectKey>,
    registration: HandlerRegistration,
    handler: H,
}

impl<K: Object, H: Handler<K>> Controller<K, H> {
    /// A controller on a shared informer. Nothing happens until it is [`run`](Self::run) and the informer is started.
    ///
    /// `kind` is its name in logs.
    #[must_use]
    pub fn new(kind: &'static str, informer: &SharedInformer<K>, handler: H) -> Self {
        let (changes, queue) = (Arc::new(Changes::default()), WorkQueue::default());
        let registration = informer.add_event_handler({
            let (changes, queue) = (Arc::clone(&changes), queue.clone());
            move |event| enqueue(&event, &changes, &queue)
        });
        Self { kind, informer: informer.clone(), changes, queue, registration, handler }
    }

    /// Has handled what there is, and then what changes, with so many workers, until `shutdown`.
    ///
    /// What is queued by then is still handled.
    ///
    /// # Errors
    /// If the informer stops before it has listed all objects, or the handler panics.
    pub async fn run(self, workers: NonZeroUsize, shutdown: &CancellationToken) -> Result<(), RunError> {
        let Self { kind, informer, changes, queue, registration, handler } = self;
        let store = informer.store();
        // Before the first list is complete, an object that is not in the store may be there all the same.
        tokio::select! {
            // In this order: a stop that was asked for also stops the informer, and that is no failure.
            biased;
            () = shutdown.cancelled() => return Ok(()),
            synced = registration.wait_for_sync() => {
                synced.map_err(|source| RunError::NotSynced { kind, source })?;
            }
        }
        info!(kind, workers, objects = store.len(), "controller started");
        let handling = Arc::new(Handling { store, changes, handler });
        let result = worker::run(&queue, workers, shutdown, move |key| {
            let handling = Arc::clone(&handling);
            async move { handling.handle(&key).await }
        })
        .await;
        registration.remove().await;
        info!(kind, "controller stopped");
        result
    }
}

/// All that an event handler should do: note that there is something to do.
fn enqueue<K: Object>(event: &Event<K>, changes: &Changes<K>, queue: &WorkQueue<ObjectKey>) {
    if let Event::Deleted { last: Some(last), .. } = event {
        changes.keep_last(event.key(), Arc::clone(last));
    }
    queue.add(event.key());
}

/// What workers share.
struct Handling<K: Object, H> {
    store: Store<K>,
    changes: Arc<Changes<K>>,
    handler: H,
}

impl<K: Object, H: Handler<K>> Handling<K, H> {
    /// Has handled what became of one object.
    async fn handle(&self, key: &ObjectKey) -> Result<(), HandlerError> {
        while let Some(change) = self.changes.next(key, self.store.get(key)) {
            match &change {
                Change::Created(object) => self.handler.created(object).await?,
                Change::Updated { old, new } => self.handler.updated(old, new).await?,
                Change::Deleted(last) => self.handler.deleted(last).await?,
            }
            self.changes.told(key, change);
        }
        Ok(())
    }
}
