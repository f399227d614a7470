//! Watches: a stream of typed events.
//!
//! In: selectors and the version to start after. Out: events as they come. Never: reconnecting; a watch ends after
//! some minutes, and an informer is what goes on from there.

use std::{
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures::{Stream, StreamExt};
use http::{HeaderValue, header};
use kube::api::{WatchEvent, WatchParams};

use super::{Error, Lines, ResourceClient, Result, transport};
use crate::object::Object;

impl<K: Object> ResourceClient<K> {
    /// Watches all objects: those there are come first, as added, then every change.
    ///
    /// # Errors
    /// As any request. What goes wrong later is an item of the stream.
    pub async fn watch(&self) -> Result<Watch<K>> {
        self.watch_with(&WatchParams::default(), "").await
    }

    /// Watches what changes after `version`, the `resourceVersion` of a list or of the last event seen.
    ///
    /// # Errors
    /// As [`watch`](Self::watch). A version that the server no longer has is [`Error::Expired`], from here or
    /// from the stream.
    pub async fn watch_with(&self, params: &WatchParams, version: &str) -> Result<Watch<K>> {
        let lines = self.watch_lines(params, version).await?;
        Ok(Watch { lines, failed: false, kind: PhantomData })
    }

    /// Watches, as undecoded events: each item is one line of JSON, `{"type": .., "object": ..}`.
    ///
    /// # Errors
    /// As [`watch_with`](Self::watch_with), but events of type `ERROR` are lines like any other.
    pub async fn watch_lines(&self, params: &WatchParams, version: &str) -> Result<Lines> {
        let collection = self.collection()?;
        let mut request = match K::metadata_api() {
            true => collection.watch_metadata(params, version)?,
            false => collection.watch(params, version)?,
        };
        // Servers may compress each event by itself, which HTTP clients do not take apart as they come.
        request.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        transport::lines(self.client(), request).await
    }
}

/// The events of a watch, as a stream.
///
/// It holds no `WatchEvent::Error`: such an event is an error of the stream, and its last item.
pub struct Watch<K> {
    lines: Lines,
    failed: bool,
    kind: PhantomData<fn() -> K>,
}

impl<K: Object> Stream for Watch<K> {
    type Item = Result<WatchEvent<K>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.failed {
            return Poll::Ready(None);
        }
        let Some(line) = ready!(self.lines.poll_next_unpin(cx)) else { return Poll::Ready(None) };
        let event = line.and_then(|line| decode(&line));
        self.failed = event.is_err();
        Poll::Ready(Some(event))
    }
}

fn decode<K: Object>(line: &[u8]) -> Result<WatchEvent<K>> {
    match serde_json::from_slice(line) {
        Ok(WatchEvent::Error(status)) => Err(Error::from_status(*status)),
        Ok(event) => Ok(event),
        // A bare Status in place of an event: what some proxies and old servers send.
        Err(source) => match serde_json::from_slice::<kube::core::Status>(line) {
            Ok(status) if status.is_failure() => Err(Error::from_status(status)),
            _ => Err(Error::Decode(source)),
        },
    }
}

impl<K> fmt::Debug for Watch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}
