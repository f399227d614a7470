//! How an election stands, for others to look at.
//!
//! In: what a candidate saw last. Out: a value to read and to wait for. Never: a promise; by the time it is read it is the past.

use tokio::time::Instant;

/// What one candidate knows of the election.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ElectionStatus {
    /// The identity of the leader; `None` until it is known.
    pub leader: Option<String>,
    /// Whether this candidate leads, and its work is wanted (Go: `leader_election_master_status`).
    pub is_leading: bool,
    /// When this candidate last took or renewed the Lease. A leader whose last renewal is long past is about to lose it.
    pub renewed: Option<Instant>,
}
