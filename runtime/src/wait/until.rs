//! Watching one object.
//!
//! In: its name and a condition. Out: its first state that meets the condition. Never: an end because a connection ended.

use std::{sync::Arc, time::Duration};

use futures::{FutureExt, StreamExt};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};
use tracing::debug;

use super::Condition;
use crate::{
    client::{Error, ListParams, ResourceClient, WatchEvent, WatchParams},
    informer::{Event, HandlerRegistration, SharedInformer, SyncError},
    object::{Object, ObjectKey},
};

/// The shortest and the longest pause between two attempts, and how long good service takes to make pauses short again.
const PAUSE: Duration = Duration::from_millis(800);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
const GOOD_SERVICE: Duration = Duration::from_secs(120);

/// Why nobody waits any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaitError {
    /// The server refuses to tell.
    #[error("cannot watch {name}")]
    Refused {
        /// The object.
        name: String,
        /// The server's word.
        source: Error,
    },
    /// The informer has stopped.
    #[error("the informer stopped while {key} was waited for")]
    Stopped {
        /// The object.
        key: ObjectKey,
        /// What happened, if its first list was not through.
        source: Option<SyncError>,
    },
}

/// Waits until the object of this name meets the condition, and gives it as it then is; `None` where the condition holds though there is
/// none. It can be dropped at any time, as by `tokio::time::timeout`.
///
/// # Errors
/// If the server refuses the list or the watch. Everything that passes is waited for.
pub async fn until<K: Object>(
    client: &ResourceClient<K>,
    name: &str,
    condition: Condition<K>,
) -> Result<Option<K>, WaitError> {
    let mut pause = PAUSE;
    loop {
        let began = Instant::now();
        match follow(client, name, &condition).await {
            Ok(Some(met)) => return Ok(met.object),
            Ok(None) => {}
            Err(error) if passes(&error) => {
                debug!(name, %error, "a watch broke; goes on");
                if let Some(asked) = error.retry_after() {
                    pause = pause.max(asked);
                }
            }
            Err(source) => return Err(WaitError::Refused { name: name.to_owned(), source }),
        }
        if began.elapsed() >= GOOD_SERVICE {
            pause = PAUSE;
        }
        sleep(pause.mul_f64(1.0 + fastrand::f64())).await;
        pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
    }
}

/// A state that meets the condition.
struct Met<K> {
    object: Option<K>,
}

/// One list and one watch; `None` when the watch ended first.
async fn follow<K: Object>(
    client: &ResourceClient<K>,
    name: &str,
    condition: &Condition<K>,
) -> Result<Option<Met<K>>, Error> {
    let field = format!("metadata.name={name}");
    let mut list = client.list_with(&ListParams::default().fields(&field)).await?;
    let version = list.metadata.resource_version.take().unwrap_or_default();
    let object = list.items.pop();
    if condition.holds(object.as_ref()) {
        return Ok(Some(Met { object }));
    }
    let mut watch = client.watch_with(&WatchParams::default().fields(&field), &version).await?;
    while let Some(event) = watch.next().await {
        let object = match event? {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => Some(object),
            WatchEvent::Deleted(_) => None,
            WatchEvent::Bookmark(_) | WatchEvent::Error(_) => continue,
        };
        if condition.holds(object.as_ref()) {
            return Ok(Some(Met { object }));
        }
    }
    Ok(None)
}

/// Whether it may be otherwise next time.
fn passes(error: &Error) -> bool {
    matches!(
        error,
        Error::Transport(_)
            | Error::Expired(_)
            | Error::TooManyRequests { .. }
            | Error::Timeout { .. }
            | Error::Unavailable { .. }
            | Error::Internal(_)
            | Error::Decode(_)
            | Error::EmptyAnswer
    )
}

/// Waits until the object of this key meets the condition in the cache of an informer, without a request; the handlers and listers of that
/// informer then know it, or are about to.
///
/// # Errors
/// If the informer stops before.
pub async fn until_in<K: Object>(
    informer: &SharedInformer<K>,
    key: &ObjectKey,
    condition: Condition<K>,
) -> Result<Option<Arc<K>>, WaitError> {
    let (changes, mut changed) = watch::channel(());
    let wanted = key.clone();
    let _guard = Guard(informer.add_event_handler(move |event: Event<K>| {
        if event.key() == wanted {
            changes.send_replace(());
        }
    }));
    let stopped = |source| WaitError::Stopped { key: key.clone(), source };
    informer.wait_for_sync().await.map_err(|source| stopped(Some(source)))?;
    let store = informer.store();
    let wait = async {
        loop {
            changed.mark_unchanged();
            let object = store.get(key);
            if condition.holds(object.as_deref()) {
                return Some(object);
            }
            changed.changed().await.ok()?;
        }
    };
    let met = tokio::select! {
        biased;
        met = wait => met,
        () = informer.stopped() => None,
    };
    met.ok_or_else(|| stopped(None))
}

/// Removes its handler when nobody waits any more, however that ends.
struct Guard(HandlerRegistration);

impl Drop for Guard {
    fn drop(&mut self) {
        // The removal is done at once; what could be waited for is a call that is running.
        let _ = self.0.remove().now_or_never();
    }
}
