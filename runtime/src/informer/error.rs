//! What an informer reports while it goes on.
//!
//! In: failed requests, objects that cannot be used. Out: a report for the error handler or the log. Never: an end of
//! the informer.

use std::sync::Arc;

use crate::{client, object::ObjectKey};

/// Something that went wrong, and which the informer is getting over by itself.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InformerError {
    /// A list failed; it is tried again.
    #[error("cannot list")]
    List(#[source] client::Error),
    /// A watch failed or broke off; it is tried again, from where it was or with a new list.
    #[error("cannot watch")]
    Watch(#[source] client::Error),
    /// The server did not answer in time, or no longer says anything.
    #[error("no answer from the server: {doing} for {seconds} seconds")]
    Silent {
        /// What the informer was doing.
        doing: &'static str,
        /// For how long, in seconds.
        seconds: u64,
    },
    /// A watch ended at once, without an event.
    #[error("the watch ended at once")]
    EndedAtOnce,
    /// The server, or one of several, is behind what it showed before; its list was thrown away.
    #[error("the list is at version {listed}, but version {known} has been seen already")]
    StaleList {
        /// The version of the list.
        listed: String,
        /// The version that is known.
        known: String,
    },
    /// The server does not stream lists; they are asked for in pages from now on.
    #[error("the server does not stream lists")]
    StreamingUnsupported(#[source] Option<client::Error>),
    /// An object does not decode, or a transform function panicked on it. See [`SharedInformer`] for what becomes of it.
    ///
    /// [`SharedInformer`]: super::SharedInformer
    #[error("cannot use {}: {reason}", name(.key.as_ref()))]
    BadObject {
        /// Its key, if that could be read.
        key: Option<ObjectKey>,
        /// What is wrong.
        reason: String,
    },
}

fn name(key: Option<&ObjectKey>) -> String {
    key.map_or_else(|| "an object without a name".to_owned(), |key| format!("object {key}"))
}

impl InformerError {
    /// Whether this happens in the best of clusters: the informer was away for long and has to list again, or has found
    /// out what the server can do.
    #[must_use]
    pub fn is_routine(&self) -> bool {
        match self {
            Self::List(error) | Self::Watch(error) => matches!(error, client::Error::Expired(_)),
            Self::StreamingUnsupported(_) => true,
            _ => false,
        }
    }

    /// How long the server asks to wait.
    pub(super) fn retry_after(&self) -> Option<std::time::Duration> {
        match self {
            Self::List(error) | Self::Watch(error) => error.retry_after(),
            _ => None,
        }
    }
}

/// Is told of what goes wrong.
pub(super) type ErrorHandler = Arc<dyn Fn(&InformerError) + Send + Sync>;

/// Logs a report at a level that fits it.
pub(super) fn log(kind: &str, error: &InformerError) {
    let source = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    if error.is_routine() {
        tracing::debug!(kind, %error, source, "the informer goes on");
    } else {
        tracing::warn!(kind, %error, source, "the informer goes on");
    }
}
