//! One informer a kind, for all who ask.
//!
//! In: a client and settings for all kinds. Out: informers, made when they are first asked for, started and stopped
//! together. Never: two informers for one resource.

use std::{
    any::{Any, TypeId},
    collections::{BTreeMap, HashMap},
    fmt,
    marker::PhantomData,
    sync::Arc,
    time::Duration,
};

use futures::future::{BoxFuture, FutureExt, try_join_all};
use kube::Client;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::{
    ListStrategy, SharedInformer, SharedInformerBuilder, SyncError,
    config::{ManagedFields, Transform},
};
use crate::{client::ResourceClient, object::Object, store::Storage};

/// Informers of many kinds, each made once. A cheap handle. Generated factories wrap it.
#[derive(Clone)]
pub struct Factory {
    inner: Arc<Inner>,
}

struct Inner {
    settings: Settings,
    informers: Mutex<Informers>,
}

/// By kind, and by resource name where that is not the registered one.
/// In an order that is the same in each run, so that a simulation that fails can be run again.
type Informers = BTreeMap<(TypeId, Option<&'static str>), Box<dyn Informer>>;

struct Settings {
    client: Client,
    namespace: String,
    resync: Option<Duration>,
    label_selector: Option<String>,
    field_selector: Option<String>,
    strategy: ListStrategy,
    storage: Storage,
    managed_fields: ManagedFields,
    /// By kind, a `Transform<K>`.
    transforms: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

/// Makes a [`Factory`].
#[must_use]
pub struct FactoryBuilder<F = Factory> {
    settings: Settings,
    made: PhantomData<fn() -> F>,
}

/// An informer of whatever kind.
trait Informer: Send + Sync {
    fn start(&self, stop: &CancellationToken);
    fn stop(&self);
    fn is_started(&self) -> bool;
    fn synced(&self) -> BoxFuture<'static, Result<(), SyncError>>;
    fn stopped(&self) -> BoxFuture<'static, ()>;
    fn as_any(&self) -> &dyn Any;
    fn kind(&self) -> String;
}

impl<K: Object> Informer for SharedInformer<K> {
    fn start(&self, stop: &CancellationToken) {
        Self::start(self, stop);
    }

    fn stop(&self) {
        Self::stop(self);
    }

    fn is_started(&self) -> bool {
        Self::is_started(self)
    }

    fn synced(&self) -> BoxFuture<'static, Result<(), SyncError>> {
        let informer = self.clone();
        async move { informer.wait_for_sync().await }.boxed()
    }

    fn stopped(&self) -> BoxFuture<'static, ()> {
        let informer = self.clone();
        async move { informer.stopped().await }.boxed()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn kind(&self) -> String {
        K::kind(&()).into_owned()
    }
}

impl Factory {
    /// A factory of informers for all namespaces.
    #[must_use]
    pub fn new(client: Client) -> Self {
        FactoryBuilder::new(client).build()
    }

    /// Begins a factory with options.
    pub fn builder(client: Client) -> FactoryBuilder {
        FactoryBuilder::new(client)
    }

    /// The informer of a kind; made now if nobody has asked before, and then to be [started](Self::start).
    #[must_use]
    pub fn informer<K: Object>(&self) -> SharedInformer<K> {
        self.informer_for(None)
    }

    /// The informer of a kind that is served under another name than its registered plural.
    #[must_use]
    pub fn informer_named<K: Object>(&self, plural: &'static str) -> SharedInformer<K> {
        self.informer_for(Some(plural))
    }

    fn informer_for<K: Object>(&self, plural: Option<&'static str>) -> SharedInformer<K> {
        let mut informers = self.inner.informers.lock();
        let known = informers.get(&(TypeId::of::<K>(), plural));
        if let Some(informer) =
            known.and_then(|informer| informer.as_any().downcast_ref::<SharedInformer<K>>())
        {
            return informer.clone();
        }
        let informer = self.inner.settings.builder::<K>(plural).build();
        informers.insert((TypeId::of::<K>(), plural), Box::new(informer.clone()));
        informer
    }

    /// Starts every informer that was asked for and does not run yet, in tasks of the present tokio runtime. They run
    /// until `stop` is cancelled, [`shutdown`](Self::shutdown), or until the last handle of factory and informer is
    /// dropped.
    pub fn start(&self, stop: &CancellationToken) {
        for informer in self.inner.informers.lock().values() {
            informer.start(stop);
        }
    }

    /// Waits until every informer that was asked for has its first list.
    ///
    /// # Errors
    /// If one was not started, or stops before. Which one is in the error.
    pub async fn wait_for_cache_sync(&self) -> Result<(), SyncError> {
        let waits = {
            let informers = self.inner.informers.lock();
            if let Some(idle) = informers.values().find(|informer| !informer.is_started()) {
                return Err(SyncError::NotStarted { kind: idle.kind() });
            }
            informers.values().map(|informer| informer.synced()).collect::<Vec<_>>()
        };
        try_join_all(waits).await.map(|_| ())
    }

    /// Stops all informers, and waits until no handler is being called any more.
    pub async fn shutdown(&self) {
        let started: Vec<_> = {
            let informers = self.inner.informers.lock();
            informers.values().for_each(|informer| informer.stop());
            informers
                .values()
                .filter(|informer| informer.is_started())
                .map(|informer| informer.stopped())
                .collect()
        };
        for stopped in started {
            stopped.await;
        }
    }

    /// The client that the informers use.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.inner.settings.client
    }

    /// The namespace that the informers watch; empty for all.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.inner.settings.namespace
    }
}

impl Settings {
    fn builder<K: Object>(&self, plural: Option<&'static str>) -> SharedInformerBuilder<K> {
        let client = ResourceClient::<K>::reaching(self.client.clone(), &self.namespace);
        let client = match plural {
            Some(plural) => client.with_resource_name(plural),
            None => client,
        };
        let transform = self.transforms.get(&TypeId::of::<K>());
        SharedInformer::builder(client).with_config(|config| {
            config.label_selector.clone_from(&self.label_selector);
            config.field_selector.clone_from(&self.field_selector);
            config.resync = self.resync;
            config.strategy = self.strategy;
            config.storage = self.storage;
            config.managed_fields = self.managed_fields;
            config.transform =
                transform.and_then(|transform| transform.downcast_ref::<Transform<K>>().cloned());
        })
    }
}

impl<F: From<Factory>> FactoryBuilder<F> {
    /// Begins a factory, or a type that wraps one.
    pub fn new(client: Client) -> Self {
        let settings = Settings {
            client,
            namespace: String::new(),
            resync: None,
            label_selector: None,
            field_selector: None,
            strategy: ListStrategy::default(),
            storage: Storage::default(),
            managed_fields: ManagedFields::Keep,
            transforms: HashMap::new(),
        };
        Self { settings, made: PhantomData }
    }

    /// Only objects in this namespace; empty for all, as by default. Cluster-scoped kinds are watched whole.
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.settings.namespace = namespace.into();
        self
    }

    /// The resync period of handlers that do not ask for one themselves; none by default.
    pub fn resync(mut self, period: Duration) -> Self {
        self.settings.resync = Some(period);
        self
    }

    /// Only objects with labels that match.
    pub fn label_selector(mut self, selector: impl Into<String>) -> Self {
        self.settings.label_selector = Some(selector.into());
        self
    }

    /// Only objects with fields that match.
    pub fn field_selector(mut self, selector: impl Into<String>) -> Self {
        self.settings.field_selector = Some(selector.into());
        self
    }

    /// How to list.
    pub fn list_strategy(mut self, strategy: ListStrategy) -> Self {
        self.settings.strategy = strategy;
        self
    }

    /// How to keep the objects.
    pub fn storage(mut self, storage: Storage) -> Self {
        self.settings.storage = storage;
        self
    }

    /// Leaves out who owns which field. See [`SharedInformerBuilder::drop_managed_fields`].
    pub fn drop_managed_fields(mut self) -> Self {
        self.settings.managed_fields = ManagedFields::Drop;
        self
    }

    /// Changes the objects of one kind before they are stored. See [`SharedInformerBuilder::transform`].
    pub fn transform<K: Object>(mut self, transform: impl Fn(K) -> K + Send + Sync + 'static) -> Self {
        let transform: Transform<K> = Arc::new(transform);
        self.settings.transforms.insert(TypeId::of::<K>(), Box::new(transform));
        self
    }

    /// The factory.
    #[must_use]
    pub fn build(self) -> F {
        F::from(Factory { inner: Arc::new(Inner { settings: self.settings, informers: Mutex::default() }) })
    }
}

impl fmt::Debug for Factory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<_> = self.inner.informers.lock().values().map(|informer| informer.kind()).collect();
        f.debug_struct("Factory")
            .field("namespace", &self.namespace())
            .field("kinds", &kinds)
            .finish_non_exhaustive()
    }
}

impl<F> fmt::Debug for FactoryBuilder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FactoryBuilder").field("namespace", &self.settings.namespace).finish_non_exhaustive()
    }
}
