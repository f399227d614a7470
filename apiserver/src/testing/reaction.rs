//! `Reaction`: what a reactor does about a request.

use std::fmt;

use bytes::Bytes;
use futures::future::BoxFuture;
use http::StatusCode;
use serde::Serialize;

use crate::Status;

/// What a reactor does about a request.
#[non_exhaustive]
pub enum Reaction {
    /// Nothing: the next reactor is asked, and in the end the server.
    Continue,
    /// Answers with a failure.
    Error(Status),
    /// Answers with a code and JSON text; see [`reply`](Self::reply).
    Reply(StatusCode, Bytes),
    /// Breaks the connection: no answer comes at all.
    Disconnect,
    /// Decides later; see [`later`](Self::later).
    Later(BoxFuture<'static, Reaction>),
}

impl Reaction {
    /// Answers with a failure.
    #[must_use]
    pub fn error(status: Status) -> Self {
        Self::Error(status)
    }

    /// Answers with an object, or anything else that becomes JSON. A value that does not is answered with a 500.
    #[must_use]
    pub fn reply(value: impl Serialize) -> Self {
        match serde_json::to_vec(&value) {
            Ok(text) => Self::Reply(StatusCode::OK, text.into()),
            Err(error) => {
                Self::Error(Status::internal(format_args!("the reactor's reply is no JSON: {error}")))
            }
        }
    }

    /// Decides when a future is done, which may wait, and may call the client: nothing is locked meanwhile. The
    /// request itself has not reached the server yet.
    #[must_use]
    pub fn later(decision: impl Future<Output = Self> + Send + 'static) -> Self {
        Self::Later(Box::pin(decision))
    }
}

impl From<Status> for Reaction {
    fn from(status: Status) -> Self {
        Self::Error(status)
    }
}

impl fmt::Debug for Reaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Continue => f.write_str("Continue"),
            Self::Error(status) => f.debug_tuple("Error").field(status).finish(),
            Self::Reply(code, text) => f.debug_tuple("Reply").field(code).field(text).finish(),
            Self::Disconnect => f.write_str("Disconnect"),
            Self::Later(_) => f.write_str("Later(..)"),
        }
    }
}
