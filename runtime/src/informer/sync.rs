//! Whether a first list is through, as something to ask and to wait for.
//!
//! In: the end of the first list, or of the informer. Out: an answer, or a wait for it. Never: a wait that goes on when
//! the answer can only be no.

use crate::published::Published;

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
    state: Published<SyncState>,
    kind: String,
}

impl Sync {
    pub(super) fn new(kind: &str) -> Self {
        Self { state: Published::new(SyncState::Pending), kind: kind.to_owned() }
    }

    pub(super) fn is_synced(&self) -> bool {
        self.state.read(|state| *state == SyncState::Synced)
    }

    /// Settles the answer. What was settled before stays.
    pub(super) fn settle(&self, settled: SyncState) {
        self.state.modify(|state| {
            let open = *state == SyncState::Pending;
            if open {
                *state = settled;
            }
            open
        });
    }

    pub(super) async fn wait(&self) -> Result<(), SyncError> {
        let kind = || self.kind.clone();
        let settled = |state: &SyncState| match state {
            SyncState::Pending => None,
            SyncState::Synced => Some(Ok(())),
            SyncState::Removed => Some(Err(SyncError::Removed { kind: kind() })),
            SyncState::Stopped => Some(Err(SyncError::Stopped { kind: kind() })),
        };
        self.state.wait_for(settled).await
    }
}
