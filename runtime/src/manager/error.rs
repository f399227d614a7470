//! Why a manager ended though nobody asked it to.
//!
//! In: the end of a part. Out: the part and the cause. Never: a cause without its part.

use std::{error::Error, io, net::SocketAddr, time::Duration};

use crate::{informer::SyncError, leader_election::LeadershipLost};

/// Any error of a task.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Why [`Manager::run`](super::Manager::run) failed. All parts have been stopped by then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManagerError {
    /// An address for health probes, metrics or webhooks cannot be listened on.
    #[error("cannot listen on {address} for {purpose}")]
    Listen {
        /// What for.
        purpose: &'static str,
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// Something cannot be served over TLS.
    #[error("cannot serve {purpose} over TLS")]
    Certificate {
        /// What.
        purpose: &'static str,
        /// What is wrong with the certificate or its key.
        source: BoxError,
    },
    /// An informer stopped before its first list was through.
    #[error("the caches could not be filled")]
    NotSynced(#[from] SyncError),
    /// A task has failed.
    #[error("{task} has failed")]
    Task {
        /// Its name.
        task: String,
        /// What it says.
        source: BoxError,
    },
    /// A task has panicked.
    #[error("{task} has panicked: {panic}")]
    Panicked {
        /// Its name.
        task: String,
        /// The words of the panic.
        panic: String,
    },
    /// The Lease was lost. The work of the leader is stopped; the process should end, and start anew.
    #[error(transparent)]
    LeadershipLost(#[from] LeadershipLost),
    /// Some tasks did not end in time and were dropped.
    #[error("not everything ended within {limit:?} of the stop; dropped: {}", .dropped.join(", "))]
    ShutdownTimeout {
        /// The limit.
        limit: Duration,
        /// The names of the tasks.
        dropped: Vec<String>,
    },
}
