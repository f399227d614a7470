//! The informer as its users hold it.
//!
//! In: handlers, indexes, and the order to run. Out: a store that follows the server, and events. Never: two runs.

use std::{fmt, future::Future, hash::Hash, sync::Arc, time::Duration};

use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    Event, HandlerOptions, HandlerRegistration, InformerStats, KeyEvent, SharedInformerBuilder, SyncError,
    config::Config,
    core::Core,
    handler::{Callback, Handled},
    told::Stored,
};
use crate::{
    client::ResourceClient,
    lister::Listed,
    object::Object,
    store::{DuplicateIndex, Index, Store},
};

/// Follows the objects of one kind on a server, for any number of readers and handlers. A cheap handle.
///
/// It lists, watches from there, and gets over whatever goes wrong by itself: it takes up broken watches where they
/// were, lists again when the server has forgotten that version, waits longer from failure to failure, and never lets
/// the store go back in time. Deletions that it missed are found by the next list and told as such, once.
///
/// An object that does not decode is reported and otherwise ignored: the store keeps the last state of it that did
/// decode, if there was one, and handlers hear of it again when it decodes again or is deleted.
///
/// It runs until it is told to stop. Started in the background with [`start`](Self::start), it also stops when the last
/// handle is dropped: of the informer, of a handler's registration, or of a factory. Listers and stores are no such
/// handles; they go on showing the last state.
pub struct SharedInformer<K: Object> {
    core: Arc<Core<K>>,
    alive: Arc<DropGuard>,
}

/// The informer was started before; it runs once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the informer was started before; make a new one")]
pub struct AlreadyStarted;

impl<K: Object> SharedInformer<K> {
    /// Begins an informer over what `client` reaches: one namespace, all of them, or the cluster.
    pub fn builder(client: ResourceClient<K>) -> SharedInformerBuilder<K> {
        SharedInformerBuilder::new(client)
    }

    pub(super) fn new(client: ResourceClient<K>, config: Config<K>) -> Self {
        let core = Arc::new(Core::new(client, config));
        let alive = Arc::new(core.halt.clone().drop_guard());
        Self { core, alive }
    }

    /// The objects.
    #[must_use]
    pub fn store(&self) -> Store<K> {
        self.core.store.clone()
    }

    /// A lister: a [`Lister`](crate::lister::Lister) for a namespaced kind, a
    /// [`ClusterLister`](crate::lister::ClusterLister) for a cluster-scoped one.
    #[must_use]
    pub fn lister(&self) -> <K::Scope as Listed>::Lister<K>
    where
        K::Scope: Listed,
    {
        K::Scope::lister(self.store())
    }

    /// Adds an index to the store, at any time. See [`Store::add_index`].
    ///
    /// # Errors
    /// If there is an index of that name.
    pub fn add_index<V, I, F>(&self, name: &str, function: F) -> Result<Index<K, V>, DuplicateIndex>
    where
        V: Hash + Eq + Send + Sync + 'static,
        I: IntoIterator<Item = V>,
        F: Fn(&K) -> I + Send + Sync + 'static,
    {
        self.core.store.add_index(name, function)
    }

    /// Adds a handler, at any time. It is first told of everything that is there.
    ///
    /// The function is called for one event at a time, on a task of its own. It should return soon, or hand the work to
    /// a queue; a function that has to wait belongs into [`add_async_event_handler`](Self::add_async_event_handler). A
    /// handler that holds a handle of its own informer keeps that running.
    pub fn add_event_handler(
        &self,
        handler: impl Fn(Event<K>) + Send + Sync + 'static,
    ) -> HandlerRegistration {
        self.add_event_handler_with(HandlerOptions::default(), handler)
    }

    /// Adds a handler with options.
    pub fn add_event_handler_with(
        &self,
        options: HandlerOptions,
        handler: impl Fn(Event<K>) + Send + Sync + 'static,
    ) -> HandlerRegistration {
        self.register::<Stored<K>>(options, Callback::plain(handler))
    }

    /// Adds a handler that may wait. The next event is delivered when the future is done.
    pub fn add_async_event_handler<F>(
        &self,
        options: HandlerOptions,
        handler: impl Fn(Event<K>) -> F + Send + Sync + 'static,
    ) -> HandlerRegistration
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.register::<Stored<K>>(options, Callback::future(handler))
    }

    /// Adds a handler that is told of keys alone, at any time. It is first told of everything that is there.
    ///
    /// For a handler that hands keys to a queue: nothing is decoded for it where objects are kept packed, and no object is held
    /// while it waits to be told.
    ///
    /// ```
    /// # use k8s_openapi::api::core::v1::Pod;
    /// # use kube_codegen_runtime::{informer::SharedInformer, object::ObjectKey, workqueue::WorkQueue};
    /// # fn example(pods: &SharedInformer<Pod>, queue: WorkQueue<ObjectKey>) {
    /// let handler = pods.add_key_handler(move |event| queue.add(event.into_key()));
    /// # drop(handler); }
    /// ```
    pub fn add_key_handler(&self, handler: impl Fn(KeyEvent) + Send + Sync + 'static) -> HandlerRegistration {
        self.add_key_handler_with(HandlerOptions::default(), handler)
    }

    /// Adds a handler that is told of keys alone, with options.
    pub fn add_key_handler_with(
        &self,
        options: HandlerOptions,
        handler: impl Fn(KeyEvent) + Send + Sync + 'static,
    ) -> HandlerRegistration {
        self.register::<KeyEvent>(options, Callback::plain(handler))
    }

    /// Adds a handler that is told of keys alone and may wait. The next event is delivered when the future is done.
    pub fn add_async_key_handler<F>(
        &self,
        options: HandlerOptions,
        handler: impl Fn(KeyEvent) -> F + Send + Sync + 'static,
    ) -> HandlerRegistration
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.register::<KeyEvent>(options, Callback::future(handler))
    }

    fn register<E: Handled<K>>(
        &self,
        options: HandlerOptions,
        callback: Callback<E::Told>,
    ) -> HandlerRegistration {
        let options = options.or_resync(self.core.config.resync);
        HandlerRegistration::add::<K, E>(&self.core.hub, callback, options, Arc::clone(&self.alive))
    }

    /// Whether the first list is in the store.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.core.sync.is_synced()
    }

    /// Waits until the first list is in the store. The informer may be started later.
    ///
    /// # Errors
    /// If it stops before.
    pub async fn wait_for_sync(&self) -> Result<(), SyncError> {
        self.core.sync.wait().await
    }

    /// Runs, until `stop` is cancelled or the future is dropped; then waits for handler calls that are running.
    ///
    /// # Errors
    /// If it was started before.
    pub async fn run(self, stop: CancellationToken) -> Result<(), AlreadyStarted> {
        self.core.begin().ok_or(AlreadyStarted)?.drive(stop).await;
        Ok(())
    }

    /// Starts running in a task of the present tokio runtime, until `stop` is cancelled or the last handle is dropped.
    /// Does nothing if it was started before.
    pub fn start(&self, stop: &CancellationToken) {
        if let Some(run) = self.core.begin() {
            tokio::spawn(run.drive(stop.clone()));
        }
    }

    /// Tells it to stop. See [`stopped`](Self::stopped).
    pub fn stop(&self) {
        self.core.halt.cancel();
    }

    /// Whether it was started.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.core.has_begun()
    }

    /// Waits until it has stopped, after having been started, and no handler is being called any more.
    pub async fn stopped(&self) {
        self.core.ended.cancelled().await;
    }

    /// What it has done so far.
    #[must_use]
    pub fn stats(&self) -> InformerStats {
        self.core.hub.counters.read()
    }

    /// How many handlers there are, and how many objects wait to be handled by them, together.
    #[must_use]
    pub fn backlog(&self) -> (usize, usize) {
        self.core.hub.backlog()
    }

    /// The resync period of handlers that do not ask for one themselves.
    #[must_use]
    pub fn resync(&self) -> Option<Duration> {
        self.core.config.resync
    }
}

impl<K: Object> Clone for SharedInformer<K> {
    fn clone(&self) -> Self {
        Self { core: Arc::clone(&self.core), alive: Arc::clone(&self.alive) }
    }
}

impl<K: Object> fmt::Debug for SharedInformer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformer")
            .field("client", &self.core.client)
            .field("synced", &self.has_synced())
            .field("store", &self.core.store)
            .finish_non_exhaustive()
    }
}
