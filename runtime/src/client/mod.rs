//! The typed client behind every generated one.
//!
//! In: a [`kube::Client`] and typed objects. Out: requests, and answers as objects, streams or an [`Error`] to match
//! on. Never: a cache, a retry of its own (but see [`Tuning`] and [`retry_on_conflict`]), or a request that is known to be wrong.

mod apply;
mod broken;
mod delete;
mod error;
mod lines;
mod list;
mod object;
mod optional;
mod patch;
mod path;
mod resource;
mod retry;
mod subresource;
mod transport;
mod tuning;
mod watch;

/// What a client call gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub use delete::Deleted;
pub use error::{Error, FieldConflict};
pub use kube::{
    Client,
    api::{
        DeleteParams, GetParams, ListParams, Patch, PatchParams, PostParams, Preconditions,
        PropagationPolicy, ValidationDirective, VersionMatch, WatchEvent, WatchParams,
    },
    core::{ObjectList, Status, response::StatusCause},
};
pub use lines::Lines;
pub use list::Pages;
pub use optional::Optional;
pub use resource::ResourceClient;
pub use retry::{Backoff, retry, retry_on_conflict};
pub use tuning::{
    Answered, Deduplicated, IgnoreWarnings, LogWarnings, RateLimit, RequestMetrics, Tuning, Warning,
    WarningHandler,
};
pub use watch::Watch;
