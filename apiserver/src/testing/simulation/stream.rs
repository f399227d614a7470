//! A watch on which things go wrong.
//!
//! In: a server's stream of lines. Out: the same lines, late, or up to some point.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::Frame;
use tokio::time::{Sleep, sleep};
use tower::BoxError;

use super::Process;
use crate::testing::{
    faults::expired_event,
    reply::{Body, reset},
};

/// The body of a watch of one process.
pub(super) struct Disturbed {
    inner: Body,
    process: Process,
    /// What is held back, and until when.
    held: Option<(Bytes, Pin<Box<Sleep>>)>,
    over: bool,
}

/// What becomes of a piece of the stream.
enum Fate {
    Passes,
    Late(std::time::Duration),
    Cut,
    Reset,
    Expired,
}

impl Disturbed {
    pub(super) fn new(inner: Body, process: Process) -> Self {
        Self { inner, process, held: None, over: false }
    }

    fn fate(&self) -> Fate {
        self.process.world.draw(|state| {
            if state.happens(state.chaos.ended_watch) {
                return match state.random.u8(..3) {
                    0 => Fate::Cut,
                    1 => Fate::Reset,
                    _ => Fate::Expired,
                };
            }
            if state.happens(state.chaos.late_event) {
                let longest = state.chaos.longest_delay;
                return Fate::Late(state.up_to(longest));
            }
            Fate::Passes
        })
    }
}

type Polled = Poll<Option<Result<Frame<Bytes>, BoxError>>>;

impl http_body::Body for Disturbed {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Polled {
        let this = &mut *self;
        loop {
            if this.over {
                return Poll::Ready(None);
            }
            if let Some((data, wait)) = &mut this.held {
                if wait.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                let data = std::mem::take(data);
                this.held = None;
                return Poll::Ready(Some(Ok(Frame::data(data))));
            }
            let data = match Pin::new(&mut this.inner).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                other => return other,
            };
            match this.fate() {
                Fate::Passes => return Poll::Ready(Some(Ok(Frame::data(data)))),
                Fate::Late(delay) => this.held = Some((data, Box::pin(sleep(delay)))),
                Fate::Cut => {
                    this.over = true;
                    this.process.note("a watch ends");
                }
                Fate::Reset => {
                    this.over = true;
                    this.process.note("a watch breaks");
                    return Poll::Ready(Some(Err(reset())));
                }
                Fate::Expired => {
                    this.over = true;
                    this.process.note("a watch has expired");
                    return Poll::Ready(Some(Ok(Frame::data(expired_event()))));
                }
            }
        }
    }
}
