//! Whether a first list is through, as something to ask and to wait for.
//!
//! In: the end of the first list, or of the informer. Out: an answer, or a wait for it. Never: a wait that goes on when
//! the answer can only be no.

use tokio::sync::watch;

/// A wait for sync that cannot end well.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The informer stopped before.
    #[error("the informer of {kind} stopped before its first list was through")]
    Stopped {
        /// The kind of its objects.
        kind: String,
    },
    /// The handler was removed before.
    #[error("the handler was removed from the informer of {kind} before it had seen the first list")]
    Removed {
        /// The kind of its objects.
        kind: String,
    },
    /// The informer was never started, so that nothing can be waited for.
    #[error("the informer of {kind} was not started: start the factory first")]
    NotStarted {
        /// The kind of its objects.
        kind: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyncState {
    Pending,
    Synced,
    Stopped,
    Removed,
}

/// One answer, settled once.
#[derive(Debug)]
pub(super) struct Sync {
    state: watch::Sender<SyncState>,
    kind: String,
}

impl Sync {
    pub(super) fn new(kind: &str) -> Self {
        Self { state: watch::Sender::new(SyncState::Pending), kind: kind.to_owned() }
    }

    pub(super) fn is_synced(&self) -> bool {
        *self.state.borrow() == SyncState::Synced
    }

    /// Settles the answer. What was settled before stays.
    pub(super) fn settle(&self, settled: SyncState) {
        self.state.send_if_modified(|state| {
            let open = *state == SyncState::Pending;
            if open {
                *state = settled;
            }
            open
        });
    }

    pub(super) async fn wait(&self) -> Result<(), SyncError> {
        let mut states = self.state.subscribe();
        let settled = states.wait_for(|state| *state != SyncState::Pending).await.map(|state| *state);
        let kind = self.kind.clone();
        match settled {
            Ok(SyncState::Synced) => Ok(()),
            Ok(SyncState::Removed) => Err(SyncError::Removed { kind }),
            // The sender is `self`, so that the channel is open.
            Ok(SyncState::Stopped | SyncState::Pending) | Err(_) => Err(SyncError::Stopped { kind }),
        }
    }
}
