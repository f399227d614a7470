//! What whoever added a handler holds of it.
//!
//! In: questions and the wish to be told no more. Out: answers. Never: a removal by dropping this.

use std::{
    fmt,
    sync::{Arc, Weak},
};

use tokio_util::sync::DropGuard;

use super::{
    Callback, HandlerOptions, Hub,
    hub::{Handled, detachable},
    member::Control,
};
use crate::{
    informer::sync::{SyncError, SyncState},
    object::Object,
};

/// From where handlers are removed.
pub(super) trait Detach: Send + Sync {
    fn detach(&self, control: &Arc<Control>);
}

/// A handler that was added to an informer. A cheap handle; dropping it does not remove the handler.
///
/// Like every handle of the informer it keeps an informer running that was started in the background.
#[derive(Clone)]
pub struct HandlerRegistration {
    control: Arc<Control>,
    hub: Weak<dyn Detach>,
    /// Keeps the informer running.
    _alive: Arc<DropGuard>,
}

impl HandlerRegistration {
    pub(in crate::informer) fn add<K: Object, E: Handled<K>>(
        hub: &Arc<Hub<K>>,
        callback: Callback<E::Told>,
        options: HandlerOptions,
        alive: Arc<DropGuard>,
    ) -> Self {
        Self { control: hub.add::<E>(callback, options), hub: detachable(hub), _alive: alive }
    }

    /// Whether the handler has returned for every object of the first list, or of what was there when it was added.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.control.sync.is_synced()
    }

    /// Waits until [`has_synced`](Self::has_synced).
    ///
    /// # Errors
    /// If the informer stops or the handler is removed before.
    pub async fn wait_for_sync(&self) -> Result<(), SyncError> {
        self.control.sync.wait().await
    }

    /// Removes the handler, and waits until a call that is running has returned; after this it is not called. What
    /// waited for it is dropped. Removing it again does nothing.
    ///
    /// From within the handler itself this does not wait for the call that it is made from.
    pub async fn remove(&self) {
        self.control.stop.cancel();
        self.control.sync.settle(SyncState::Removed);
        if let Some(hub) = self.hub.upgrade() {
            hub.detach(&self.control);
        }
        let own_task = *self.control.task.lock();
        if own_task.is_none() || own_task != tokio::task::try_id() {
            self.control.ended.cancelled().await;
        }
    }
}

impl fmt::Debug for HandlerRegistration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandlerRegistration")
            .field("synced", &self.has_synced())
            .field("removed", &self.control.stop.is_cancelled())
            .finish_non_exhaustive()
    }
}
