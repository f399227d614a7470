//! `ResponseBody`: a whole answer, or the stream of a watch.
//!
//! In: bytes, or a cursor. Out: frames. A watch runs while somebody polls it: there is no task behind it, so dropping it frees
//! everything it holds.

use std::{
    collections::VecDeque,
    convert::Infallible,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures::{FutureExt as _, future::BoxFuture};
use http_body::{Body, Frame, SizeHint};
use tokio::{
    sync::futures::OwnedNotified,
    time::{Instant, Sleep},
};

use crate::{
    protocol::{Encoding, protobuf},
    server::{Conversions, Polled, WatchContent},
    store::Watcher,
};

use super::{ApiServer, LogStream};

/// How many events are taken from the log under one lock.
const BATCH: usize = 64;
/// How often a watch that wants bookmarks gets one.
const BOOKMARK_EVERY: Duration = Duration::from_secs(60);
/// How long before its end a watch gets a last bookmark.
const BOOKMARK_BEFORE_END: Duration = Duration::from_secs(2);
/// How long a watch runs that names no end; a real server picks a time between half an hour and an hour.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(45 * 60);

/// The body of a response.
pub struct ResponseBody(Inner);

enum Inner {
    Whole(Option<Bytes>),
    Watch(Box<Stream>),
    Log(LogStream),
}

struct Stream {
    server: ApiServer,
    watcher: Watcher,
    frames: VecDeque<Bytes>,
    /// The wait for something that is newer than what was read last.
    newer: Pin<Box<OwnedNotified>>,
    end: Pin<Box<Sleep>>,
    bookmark: Pin<Box<Sleep>>,
    last: bool,
    encoding: Encoding,
    /// What conversion webhooks have said, and the wait for what they will say.
    conversions: Conversions,
    asked: Option<BoxFuture<'static, Conversions>>,
}

impl ResponseBody {
    pub(super) fn whole(bytes: Bytes) -> Self {
        Self(Inner::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())))
    }

    pub(super) fn log(stream: LogStream) -> Self {
        Self(Inner::Log(stream))
    }

    /// The bytes of a whole answer; what is a stream comes back as it is.
    pub(super) fn into_whole(self) -> Result<Bytes, Self> {
        match self.0 {
            Inner::Whole(bytes) => Ok(bytes.unwrap_or_default()),
            stream => Err(Self(stream)),
        }
    }

    pub(super) fn watch(server: &ApiServer, content: WatchContent) -> Self {
        let lasts = content.timeout.filter(|seconds| *seconds > 0);
        let lasts = lasts.map_or(DEFAULT_TIMEOUT, Duration::from_secs);
        let first = lasts.saturating_sub(BOOKMARK_BEFORE_END).min(BOOKMARK_EVERY);
        Self(Inner::Watch(Box::new(Stream {
            server: server.clone(),
            watcher: content.watcher,
            frames: VecDeque::new(),
            newer: Box::pin(server.0.reached.newer()),
            end: Box::pin(tokio::time::sleep(lasts)),
            bookmark: Box::pin(tokio::time::sleep(first)),
            last: false,
            encoding: content.encoding,
            conversions: Conversions::default(),
            asked: None,
        })))
    }
}

/// An event in the encoding of its watch. One that has none there is not sent: no built-in kind has such.
fn framed(encoding: Encoding, line: Bytes) -> Option<Bytes> {
    if encoding != Encoding::Protobuf {
        return Some(line);
    }
    protobuf::event(&line)
        .map(Bytes::from)
        .inspect_err(|error| tracing::warn!(%error, "an event cannot be sent as protobuf"))
        .ok()
}

impl Stream {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Poll::Ready(Some(frame));
            }
            if self.last {
                return Poll::Ready(None);
            }
            // Begun before the log is read, so that what is written meanwhile wakes this watch again.
            if self.newer.as_mut().poll(cx).is_ready() {
                self.newer.set(self.server.0.reached.newer());
            }
            let now = (self.server.0.clock)();
            if let Some(asked) = &mut self.asked {
                match asked.as_mut().poll(cx) {
                    Poll::Ready(conversions) => self.conversions = conversions,
                    Poll::Pending => return Poll::Pending,
                }
                self.asked = None;
            }
            let polled = {
                let mut core = self.server.0.core.lock();
                core.poll(&mut self.watcher, &mut self.conversions, (BATCH, now))
            };
            let batch = match polled {
                Polled::Sends(batch) => batch,
                Polled::Waits(calls) => {
                    let conversions = std::mem::take(&mut self.conversions);
                    self.asked = Some(self.server.clone().convert(calls, conversions).boxed());
                    continue;
                }
            };
            self.last = batch.last;
            let frames = batch.frames.into_iter().filter_map(|frame| framed(self.encoding, frame));
            self.frames.extend(frames);
            if !self.frames.is_empty() || self.last {
                continue;
            }
            if self.end.as_mut().poll(cx).is_ready() {
                self.last = true;
                continue;
            }
            if self.bookmark.as_mut().poll(cx).is_ready() {
                self.next_bookmark();
                let bookmark = self.watcher.bookmark(now).and_then(|frame| framed(self.encoding, frame));
                self.frames.extend(bookmark);
                continue;
            }
            if self.newer.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.newer.set(self.server.0.reached.newer());
        }
    }

    /// The same, where a panic ends the watch and not the connection.
    fn poll_or_end(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.poll(cx)));
        polled.unwrap_or_else(|_| {
            tracing::error!("a watch has ended in a panic");
            self.server.abandon();
            self.frames.clear();
            self.last = true;
            Poll::Ready(None)
        })
    }

    fn next_bookmark(&mut self) {
        let now = Instant::now();
        let before_end = self.end.deadline().checked_sub(BOOKMARK_BEFORE_END);
        let next = match before_end {
            Some(before_end) if before_end > now => before_end.min(now + BOOKMARK_EVERY),
            _ => self.end.deadline() + BOOKMARK_EVERY,
        };
        self.bookmark.as_mut().reset(next);
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = match &mut self.0 {
            Inner::Whole(bytes) => Poll::Ready(bytes.take()),
            Inner::Watch(stream) => stream.poll_or_end(cx),
            Inner::Log(stream) => stream.as_mut().poll_next(cx),
        };
        frame.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Whole(bytes) => bytes.is_none(),
            Inner::Watch(stream) => stream.last && stream.frames.is_empty(),
            Inner::Log(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Inner::Watch(_) | Inner::Log(_) => SizeHint::default(),
        }
    }
}

impl std::fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            Inner::Whole(_) => "ResponseBody::Whole",
            Inner::Watch(_) => "ResponseBody::Watch",
            Inner::Log(_) => "ResponseBody::Log",
        })
    }
}
