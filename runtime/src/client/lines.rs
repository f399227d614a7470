//! A body of events, cut into lines.
//!
//! In: chunks of a response body, cut anywhere. Out: whole lines, without copying those that lie within one chunk.
//! Never: half an event; a connection that breaks takes its unfinished line with it.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::{Buf, Bytes, BytesMut};
use futures::{Stream, StreamExt, stream::BoxStream};
use http_body_util::BodyExt;
use kube::client::Body;
use serde::de::IgnoredAny;

use super::{Error, Result, broken::is_broken_off};

/// The longest event that is accepted, in bytes; many times what a server stores for one object.
const LONGEST_LINE: usize = 64 * 1024 * 1024;

/// The lines of a streamed answer, each the JSON of one event.
///
/// It ends where the server ends it, and also where the connection breaks in the middle: a watch is resumed after
/// the last event in both cases.
pub struct Lines {
    chunks: BoxStream<'static, Result<Bytes, kube::Error>>,
    /// The chunk being cut.
    chunk: Bytes,
    /// The start of a line that goes on in the next chunk.
    started: BytesMut,
    ended: bool,
}

impl Lines {
    pub(super) fn new(body: Body) -> Self {
        Self {
            chunks: body.into_data_stream().boxed(),
            chunk: Bytes::new(),
            started: BytesMut::new(),
            ended: false,
        }
    }

    /// The next whole line of what has arrived. Empty lines are skipped.
    fn cut(&mut self) -> Option<Bytes> {
        while let Some(end) = memchr::memchr(b'\n', &self.chunk) {
            let mut line = self.chunk.split_to(end);
            self.chunk.advance(1);
            if !self.started.is_empty() {
                self.started.extend_from_slice(&line);
                line = self.started.split().freeze();
            }
            if !line.trim_ascii().is_empty() {
                return Some(line);
            }
        }
        self.started.extend_from_slice(&self.chunk);
        self.chunk = Bytes::new();
        None
    }

    /// What is left when the body ends: a last line without its newline counts if it is whole.
    fn rest(&mut self) -> Option<Bytes> {
        let rest = self.started.split().freeze();
        serde_json::from_slice::<IgnoredAny>(&rest).is_ok().then_some(rest)
    }
}

impl Stream for Lines {
    type Item = Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(line) = self.cut() {
                return Poll::Ready(Some(Ok(line)));
            }
            if self.ended {
                return Poll::Ready(self.rest().map(Ok));
            }
            if self.started.len() > LONGEST_LINE {
                self.ended = true;
                self.started.clear();
                return Poll::Ready(Some(Err(Error::EventTooLong { limit: LONGEST_LINE })));
            }
            match ready!(self.chunks.poll_next_unpin(cx)) {
                Some(Ok(chunk)) => self.chunk = chunk,
                None => self.ended = true,
                Some(Err(error)) if is_broken_off(&error) => {
                    tracing::debug!(%error, "the connection of a watch broke off");
                    self.ended = true;
                }
                Some(Err(error)) => {
                    self.ended = true;
                    self.started.clear();
                    return Poll::Ready(Some(Err(error.into())));
                }
            }
        }
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("ended", &self.ended).finish_non_exhaustive()
    }
}
