//! Making an informer.
//!
//! In: a client and what to watch. Out: a [`SharedInformer`], not yet running. Never: a request.

use std::{fmt, sync::Arc, time::Duration};

use super::{
    InformerError, ListStrategy, SharedInformer,
    config::{Config, ManagedFields},
};
use crate::{client::ResourceClient, object::Object, store::Storage};

/// Makes a [`SharedInformer`].
#[must_use]
pub struct SharedInformerBuilder<K> {
    client: ResourceClient<K>,
    config: Config<K>,
}

impl<K: Object> SharedInformerBuilder<K> {
    pub(super) fn new(client: ResourceClient<K>) -> Self {
        Self { client, config: Config::new() }
    }

    /// Only objects with labels that match, in the syntax of `kubectl --selector`.
    pub fn label_selector(mut self, selector: impl Into<String>) -> Self {
        self.config.label_selector = Some(selector.into());
        self
    }

    /// Only objects with fields that match, in the syntax of `kubectl --field-selector`.
    pub fn field_selector(mut self, selector: impl Into<String>) -> Self {
        self.config.field_selector = Some(selector.into());
        self
    }

    /// How many objects to ask for at a time in a list; 500 by default, 0 for all.
    pub fn page_size(mut self, objects: u32) -> Self {
        self.config.page_size = objects;
        self
    }

    /// How to list.
    pub fn list_strategy(mut self, strategy: ListStrategy) -> Self {
        self.config.strategy = strategy;
        self
    }

    /// How to keep the objects.
    pub fn storage(mut self, storage: Storage) -> Self {
        self.config.storage = storage;
        self
    }

    /// Leaves `metadata.managedFields` out, before an object is decoded: for pods that saves a quarter of the memory and
    /// of the work. What is read from such a store cannot be handed to [`extract`](crate::object::extract) any more, which
    /// goes by those fields.
    pub fn drop_managed_fields(mut self) -> Self {
        self.config.managed_fields = ManagedFields::Drop;
        self
    }

    /// The resync period of handlers that do not ask for one themselves; none by default.
    pub fn resync(mut self, period: Duration) -> Self {
        self.config.resync = Some(period);
        self
    }

    /// Changes every object before it is stored, for example to drop what nobody reads and save its memory. It must leave
    /// name, namespace, uid and resource version as they are, and change nothing in what it has changed before.
    pub fn transform(mut self, transform: impl Fn(K) -> K + Send + Sync + 'static) -> Self {
        self.config.transform = Some(Arc::new(transform));
        self
    }

    /// Is told of what goes wrong, in place of the log. It is called by the informer's own task and must be quick.
    pub fn on_error(mut self, handler: impl Fn(&InformerError) + Send + Sync + 'static) -> Self {
        self.config.error_handler = Some(Arc::new(handler));
        self
    }

    /// Makes the random parts of waits the same in each run, for tests and simulations.
    pub fn seed(mut self, seed: u64) -> Self {
        self.config.seed = Some(seed);
        self
    }

    pub(super) fn with_config(mut self, change: impl FnOnce(&mut Config<K>)) -> Self {
        change(&mut self.config);
        self
    }

    /// The informer, not yet running.
    #[must_use]
    pub fn build(self) -> SharedInformer<K> {
        SharedInformer::new(self.client, self.config)
    }
}

impl<K: Object> fmt::Debug for SharedInformerBuilder<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedInformerBuilder").field("client", &self.client).finish_non_exhaustive()
    }
}
