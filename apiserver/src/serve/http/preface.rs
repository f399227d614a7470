//! `Preface`: a connection whose client has to begin to speak.
//!
//! In: the stream of a client that has chosen HTTP/2, and the end of the server. Out: the same stream, which breaks where the client does
//! not send the first bytes of HTTP/2 in time, or has not done so when the server ends. Once they have come, nothing is in the way.

use std::{
    future::Future,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// How many bytes a client of HTTP/2 sends before all others.
const LENGTH: usize = 24;

pub(super) struct Preface<S> {
    stream: S,
    awaited: Option<Awaited>,
}

/// What ends the wait.
struct Awaited {
    missing: usize,
    limit: Pin<Box<Sleep>>,
    shutdown: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<S> Preface<S> {
    /// A stream that has to begin within `limit`, and before `shutdown`.
    pub(super) fn awaited(stream: S, limit: Duration, shutdown: CancellationToken) -> Self {
        let limit = Box::pin(tokio::time::sleep(limit));
        let shutdown = Box::pin(shutdown.cancelled_owned());
        Self { stream, awaited: Some(Awaited { missing: LENGTH, limit, shutdown }) }
    }

    /// A stream that may begin when it likes.
    pub(super) fn any(stream: S) -> Self {
        Self { stream, awaited: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Preface<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        let Some(awaited) = &mut this.awaited else { return read };
        awaited.missing = awaited.missing.saturating_sub(buffer.filled().len().saturating_sub(before));
        if awaited.missing == 0 {
            this.awaited = None;
            return read;
        }
        let is_late = awaited.limit.as_mut().poll(cx).is_ready();
        if read.is_pending() && (is_late || awaited.shutdown.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Preface<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
