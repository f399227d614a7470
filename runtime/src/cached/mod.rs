//! A client that reads from a cache and writes to the server.
//!
//! In: an informer and a client. Out: reads without requests, and writes whose effect the same reader sees at once. Never: an answer older
//! than what this client has written itself, or older than one it gave before.
//!
//! A cache is behind the server by as long as a watch takes. Most controllers can live with that, as they are run again when the change
//! arrives; but one that reads its own writes too late does its work twice. So the answers to writes are kept until the cache has come that
//! far.
//!
//! ```no_run
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube_codegen_runtime::{cached::CachedClient, client::ResourceClient, informer::SharedInformer};
//!
//! # async fn example(client: kube::Client) -> kube_codegen_runtime::client::Result<()> {
//! let live = ResourceClient::<ConfigMap>::namespaced(client, "default");
//! let informer = SharedInformer::builder(live.clone()).build();
//! let maps = CachedClient::new(&informer, live);
//! // ... once the informer runs:
//! if let Some(settings) = maps.get_named("default", "settings") {
//!     let mut settings = (*settings).clone();
//!     settings.data.get_or_insert_default().insert("tier".into(), "batch".into());
//!     let written = maps.update(&settings).await?;
//!     assert_eq!(maps.get_named("default", "settings").unwrap().metadata.resource_version, written.metadata.resource_version);
//! }
//! # Ok(()) }
//! ```

mod own;
mod reads;
mod writes;

use std::{fmt, sync::Arc};

use parking_lot::Mutex;

use self::own::Own;
use crate::{client::ResourceClient, informer::SharedInformer, object::Object, store::Store};

/// Reads from the cache of an informer, writes through a client. A cheap handle; only its clones see its writes early.
pub struct CachedClient<K: Object> {
    live: ResourceClient<K>,
    store: Store<K>,
    own: Arc<Mutex<Own<K>>>,
}

impl<K: Object> CachedClient<K> {
    /// Reads what this informer knows, and writes through `live`.
    #[must_use]
    pub fn new(informer: &SharedInformer<K>, live: ResourceClient<K>) -> Self {
        Self { live, store: informer.store(), own: Arc::default() }
    }

    /// The client, for reads past the cache and for verbs that are not here. Answers to writes can be [noted](Self::note).
    #[must_use]
    pub fn live(&self) -> &ResourceClient<K> {
        &self.live
    }
}

impl<K: Object> Clone for CachedClient<K> {
    fn clone(&self) -> Self {
        Self { live: self.live.clone(), store: self.store.clone(), own: Arc::clone(&self.own) }
    }
}

impl<K: Object> fmt::Debug for CachedClient<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedClient")
            .field("live", &self.live)
            .field("ahead", &self.own.lock().len())
            .finish_non_exhaustive()
    }
}
