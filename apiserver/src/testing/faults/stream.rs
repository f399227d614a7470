//! The body of a watch that can be ended.
//!
//! In: a server's stream of lines. Out: the same bytes, up to the moment when a test wants it to end.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::task::AtomicWaker;
use http_body::Frame;
use parking_lot::Mutex;
use tower::BoxError;

use crate::{
    Status,
    testing::{
        action::Action,
        reply::{Body, reset},
        verb::Pattern,
    },
};

/// How a watch ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// As if it was over.
    Cut,
    /// With a broken connection.
    Reset,
    /// With an event that says 410.
    Expired,
}

/// What a test holds of an open watch.
#[derive(Debug)]
pub(super) struct Control {
    action: Action,
    end: Mutex<Option<End>>,
    over: AtomicBool,
    waker: AtomicWaker,
}

impl Control {
    pub(super) fn new(action: Action) -> Self {
        Self { action, end: Mutex::new(None), over: AtomicBool::new(false), waker: AtomicWaker::new() }
    }

    pub(super) fn matches(&self, pattern: &Pattern) -> bool {
        pattern.matches(&self.action.named())
    }

    /// Ends the watch; says no if it has ended already, or is about to.
    pub(super) fn end(&self, end: End) -> bool {
        if self.over.load(Ordering::Acquire) {
            return false;
        }
        let first = self.end.lock().replace(end).is_none();
        self.waker.wake();
        first
    }
}

/// A watch that can be ended.
pub(super) struct Stream {
    inner: Body,
    control: Arc<Control>,
    /// How many events it may pass on, and how it ends after them.
    limit: Option<(usize, End)>,
    /// Whether the last byte was in the middle of an event.
    torn: bool,
    over: bool,
}

impl Stream {
    pub(super) fn new(inner: Body, control: Arc<Control>, limit: Option<(usize, End)>) -> Self {
        Self { inner, control, limit, torn: false, over: false }
    }

    fn finish(&mut self, end: End) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.over = true;
        self.control.over.store(true, Ordering::Release);
        Poll::Ready(match end {
            End::Cut => None,
            End::Expired if !self.torn => Some(Ok(Frame::data(expired()))),
            // An event cannot follow half an event.
            End::Expired | End::Reset => Some(Err(reset())),
        })
    }

    /// Cuts what is beyond the limit off.
    fn pass(&mut self, data: Bytes) -> Bytes {
        let mut data = data;
        if let Some((left, _)) = &mut self.limit {
            let ends = data.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
            let lines: Vec<usize> = ends.take(*left).collect();
            *left -= lines.len();
            if *left == 0 {
                data.truncate(lines.last().copied().unwrap_or_default());
            }
        }
        if let Some(last) = data.last() {
            self.torn = *last != b'\n';
        }
        data
    }
}

/// The event that tells a watch that its version has expired.
pub(in crate::testing) fn expired() -> Bytes {
    let status = Status::expired("too old resource version: the history was dropped by a test");
    let mut line = b"{\"type\":\"ERROR\",\"object\":".to_vec();
    line.extend_from_slice(&status.to_json());
    line.extend_from_slice(b"}\n");
    line.into()
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        if this.over {
            return Poll::Ready(None);
        }
        this.control.waker.register(context.waker());
        let asked = *this.control.end.lock();
        if let Some(end) = asked {
            return this.finish(end);
        }
        if let Some((0, end)) = this.limit {
            return this.finish(end);
        }
        match Pin::new(&mut this.inner).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => Poll::Ready(Some(Ok(match frame.into_data() {
                Ok(data) => Frame::data(this.pass(data)),
                Err(other) => other,
            }))),
            Poll::Ready(ended) => {
                this.over = true;
                this.control.over.store(true, Ordering::Release);
                Poll::Ready(ended)
            }
            Poll::Pending => Poll::Pending,
        }
    }
}
