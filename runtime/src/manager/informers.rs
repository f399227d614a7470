//! Informers as a manager sees them.
//!
//! In: factories, before and after the start. Out: all of them started; word of when the early ones are filled. Never: an informer that is
//! stopped before what reads it.

use std::sync::Arc;

use futures::future::try_join_all;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::informer::{Factory, SyncError};

/// The caches of a process.
#[derive(Clone, Default)]
pub(super) struct Informers {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    factories: Vec<Factory>,
    /// Once they have been started.
    stop: Option<CancellationToken>,
    synced: bool,
}

impl Informers {
    /// Adds the informers of a factory; at once where others run already.
    pub(super) fn add(&self, factory: Factory) {
        let mut state = self.state.lock();
        if let Some(stop) = &state.stop {
            factory.start(stop);
        }
        state.factories.push(factory);
    }

    /// Starts all, and waits for their first lists.
    pub(super) async fn start(&self, stop: &CancellationToken) -> Result<(), SyncError> {
        let factories = {
            let mut state = self.state.lock();
            state.stop = Some(stop.clone());
            state.factories.iter().for_each(|factory| factory.start(stop));
            state.factories.clone()
        };
        try_join_all(factories.iter().map(Factory::wait_for_cache_sync)).await?;
        self.state.lock().synced = true;
        Ok(())
    }

    /// Whether the first lists are through.
    pub(super) fn are_synced(&self) -> bool {
        self.state.lock().synced
    }

    /// Stops all, and waits for their handlers.
    pub(super) async fn shutdown(&self) {
        let factories = self.state.lock().factories.clone();
        for factory in factories {
            factory.shutdown().await;
        }
    }
}
