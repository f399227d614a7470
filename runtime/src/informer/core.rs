//! What all handles of an informer share.
//!
//! In: the configuration. Out: one run, to its end. Never: a second run.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use super::{
    config::Config,
    handler::Hub,
    reflector::Reflector,
    sync::{Sync, SyncState},
};
use crate::{
    client::ResourceClient,
    object::Object,
    store::{Store, Writer, store},
};

pub(super) struct Core<K: Object> {
    pub(super) client: ResourceClient<K>,
    pub(super) config: Config<K>,
    pub(super) store: Store<K>,
    pub(super) hub: Arc<Hub<K>>,
    pub(super) sync: Sync,
    /// Taken by the run.
    writer: Mutex<Option<Writer<K>>>,
    /// The informer is to stop: the last handle is gone, or somebody said so.
    pub(super) halt: CancellationToken,
    /// The run and all its tasks are over.
    pub(super) ended: CancellationToken,
}

/// The right to run an informer.
pub(super) struct Run<K: Object> {
    core: Arc<Core<K>>,
    writer: Writer<K>,
}

impl<K: Object> Core<K> {
    pub(super) fn new(client: ResourceClient<K>, config: Config<K>) -> Self {
        let (reader, writer) = store();
        Self {
            client,
            config,
            hub: Arc::new(Hub::new(reader.clone())),
            store: reader,
            sync: Sync::new(&K::kind(&())),
            writer: Mutex::new(Some(writer)),
            halt: CancellationToken::new(),
            ended: CancellationToken::new(),
        }
    }

    /// The right to run it; `None` if it was given away.
    pub(super) fn begin(self: &Arc<Self>) -> Option<Run<K>> {
        let writer = self.writer.lock().take()?;
        Some(Run { core: Arc::clone(self), writer })
    }

    pub(super) fn has_begun(&self) -> bool {
        self.writer.lock().is_none()
    }
}

impl<K: Object> Run<K> {
    /// Runs until one of the tokens is cancelled; then waits for handler calls that are running.
    pub(super) async fn drive(self, stop: CancellationToken) {
        let Self { core, writer } = self;
        // Also if this future is dropped, which is a way to stop.
        let over = Over(Arc::clone(&core));
        core.hub.start(&tokio::runtime::Handle::current());
        let mut reflector = Reflector::new(Arc::clone(&core), writer);
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = core.halt.cancelled() => {}
            () = reflector.run() => {}
        }
        core.sync.settle(SyncState::Stopped);
        core.hub.stop();
        core.hub.ended().await;
        drop(over);
    }
}

struct Over<K: Object>(Arc<Core<K>>);

impl<K: Object> Drop for Over<K> {
    fn drop(&mut self) {
        self.0.sync.settle(SyncState::Stopped);
        self.0.hub.stop();
        self.0.ended.cancel();
    }
}
