//! `LogSource`: whoever has the output of containers.
//!
//! In: a [`LogQuery`]. Out: a stream of bytes, or the `Status` that says why there is none. Without a source every node is out of reach, as
//! it is to a real server in front of nodes that are gone.

mod book;

use std::pin::Pin;

use bytes::Bytes;
use futures::Stream;

use crate::{protocol::Status, server::LogQuery};

pub(crate) use book::LogBook;

/// The output of a container, piece by piece.
pub type LogStream = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// Whoever runs containers and has kept what they wrote.
pub trait LogSource: Send + Sync {
    /// The part of a log that is wanted. It ends by itself, for a query that follows not before the container does.
    ///
    /// # Errors
    ///
    /// When there is no such log (yet).
    fn open(&self, query: &LogQuery) -> Result<LogStream, Status>;
}

/// What is said of a node that nobody plays.
pub(super) fn unreachable(query: &LogQuery, node: &str) -> Status {
    let LogQuery { namespace, pod, container, .. } = query;
    Status::new(
        500,
        "InternalError",
        format!(
            "Get \"https://{node}:10250/containerLogs/{namespace}/{pod}/{container}\": dial tcp: lookup {node}: no such host"
        ),
    )
}
