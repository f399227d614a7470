//! Sending events.
//!
//! In: writes. Out: events on the server, or a line in the log. Never: a write that is tried for ever, or one that a server has refused
//! tried again.

use std::time::Duration;

use k8s_openapi::api::events::v1::Event;
use serde_json::json;
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use super::correlate::Write;
use crate::client::{Client, Error, Patch, ResourceClient, Result};

/// How often a write is tried.
const TRIES: u32 = 12;
/// How long to wait between two attempts, up to a quarter longer at random.
const PAUSE: Duration = Duration::from_secs(10);
const JITTER: f64 = 0.25;
/// How long one attempt may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends a write, again and again while the server cannot take it.
pub(super) async fn send(client: &Client, write: &Write) {
    for _ in 0..TRIES {
        let wait = match timeout(PATIENCE, attempt(client, write)).await {
            Ok(Ok(_)) => return,
            // An attempt whose answer was lost had its effect.
            Ok(Err(Error::AlreadyExists(_))) if matches!(write, Write::Create(_)) => return,
            Ok(Err(error)) => match verdict(&error, write) {
                Some(wait) => {
                    debug!(%error, "an event could not be written; will be tried again");
                    wait
                }
                None => return warn!(%error, "the server refuses an event"),
            },
            Err(_) => PAUSE,
        };
        sleep(wait.mul_f64(fastrand::f64().mul_add(JITTER, 1.0))).await;
    }
    warn!("an event could not be written, however often it was tried");
}

async fn attempt(client: &Client, write: &Write) -> Result<Event> {
    let (Write::Create(event) | Write::Series(event)) = write;
    let namespace = event.metadata.namespace.as_deref().unwrap_or_default();
    let events = ResourceClient::<Event>::namespaced(client.clone(), namespace);
    if let Write::Series(event) = write {
        let patch = Patch::Strategic(json!({"series": event.series}));
        match events.patch(event.metadata.name.as_deref().unwrap_or_default(), &patch).await {
            // The server has forgotten it, or never had it.
            Err(Error::NotFound(_)) => {}
            patched => return patched,
        }
    }
    events.create(event).await
}

/// How long to wait until the next attempt; `None` where that cannot help.
fn verdict(error: &Error, write: &Write) -> Option<Duration> {
    match error {
        Error::Transport(_)
        | Error::TooManyRequests { .. }
        | Error::Timeout { .. }
        | Error::Unavailable { .. }
        | Error::Internal(_) => Some(error.retry_after().unwrap_or(PAUSE)),
        // It was created between the patch and the creation.
        Error::AlreadyExists(_) if matches!(write, Write::Series(_)) => Some(PAUSE),
        _ => None,
    }
}
