//! The door of one shard.
//!
//! In: words from the keeper of the shard's Lease, and workers with keys. Out: entries for workers while the Lease is held. Never: an entry
//! after the door was closed.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The time for which a shard is held.
#[derive(Clone, Debug)]
struct Term {
    revoked: CancellationToken,
    fencing_token: u64,
}

#[derive(Debug, Default)]
struct State {
    term: Option<Term>,
    open: bool,
    inside: usize,
}

/// A door. A cheap handle.
#[derive(Clone, Debug, Default)]
pub(super) struct Gate(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    empty: Notify,
}

impl Gate {
    /// The shard is this replica's.
    pub(super) fn open(&self, fencing_token: u64) {
        let mut state = self.0.state.lock();
        state.term = Some(Term { revoked: CancellationToken::new(), fencing_token });
        state.open = true;
    }

    /// Nobody else gets in; who is inside may stay.
    pub(super) fn close(&self) {
        self.0.state.lock().open = false;
    }

    /// The shard is another's: who is inside has to drop everything.
    pub(super) fn revoke(&self) {
        let term = {
            let mut state = self.0.state.lock();
            state.open = false;
            state.term.take()
        };
        if let Some(term) = term {
            term.revoked.cancel();
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.0.state.lock().open
    }

    pub(super) fn enter(&self) -> Option<Entry> {
        let mut state = self.0.state.lock();
        let term = state.term.clone().filter(|_| state.open)?;
        state.inside += 1;
        Some(Entry { gate: self.clone(), term })
    }

    /// Waits until nobody is inside.
    pub(super) async fn empty(&self) {
        loop {
            let mut left = std::pin::pin!(self.0.empty.notified());
            left.as_mut().enable();
            if self.0.state.lock().inside == 0 {
                return;
            }
            left.await;
        }
    }
}

/// The right to work on a key, until it is dropped or [`revoked`](Self::revoked).
#[derive(Debug)]
#[must_use = "dropping it gives the right back"]
pub struct Entry {
    gate: Gate,
    term: Term,
}

impl Entry {
    /// Cancelled when the shard is about to be another's: the work has to be dropped where it waits. That of a shard that is given back in
    /// order is waited for, and not revoked.
    #[must_use]
    pub fn revoked(&self) -> &CancellationToken {
        &self.term.revoked
    }

    /// A number that is higher than that of everybody who worked on this shard before; see
    /// [`Leadership::fencing_token`](crate::leader_election::Leadership::fencing_token).
    #[must_use]
    pub fn fencing_token(&self) -> u64 {
        self.term.fencing_token
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let inside = {
            let mut state = self.gate.0.state.lock();
            state.inside = state.inside.saturating_sub(1);
            state.inside
        };
        if inside == 0 {
            self.gate.0.empty.notify_waiters();
        }
    }
}
