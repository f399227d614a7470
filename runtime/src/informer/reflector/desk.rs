//! Where the work on what has come in is done.
//!
//! In: functions that take a while, such as decoding a page. Out: what they give, in the order in which they were given.
//! Never: work beside the runtime's own threads where there is only one of those, so that tests with paused time and
//! simulations stay exact: there a function is called at once, by whoever gives it.

use std::{
    collections::VecDeque, future::pending, num::NonZero, panic::resume_unwind, thread::available_parallelism,
};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task::{JoinHandle, spawn_blocking},
};

/// So many threads at most decode for one informer.
const MOST: usize = 8;

/// How many threads there are to work on; one means that there are no others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Desk {
    threads: usize,
}

impl Desk {
    /// That of the present runtime.
    pub(super) fn new() -> Self {
        let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
        let threads = match flavor {
            Ok(RuntimeFlavor::MultiThread) => available_parallelism().map_or(1, NonZero::get).min(MOST),
            _ => 1,
        };
        Self { threads }
    }

    pub(super) fn threads(self) -> usize {
        self.threads
    }
}

/// Work in order, some of it going on at the same time.
pub(super) struct Line<T> {
    desk: Desk,
    going_on: VecDeque<JoinHandle<T>>,
}

impl<T: Send + 'static> Line<T> {
    pub(super) fn new(desk: Desk) -> Self {
        Self { desk, going_on: VecDeque::new() }
    }

    /// Gives work, and takes back the oldest that was given if that is done or as much goes on as may.
    pub(super) async fn give(&mut self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        if self.desk.threads == 1 {
            return Some(work());
        }
        self.going_on.push_back(spawn_blocking(work));
        if self.going_on.len() <= self.desk.threads && !self.going_on.front()?.is_finished() {
            return None;
        }
        self.take().await
    }

    /// Takes back the oldest work that goes on, or that none does.
    pub(super) async fn take(&mut self) -> Option<T> {
        Some(done(&mut self.going_on.pop_front()?).await)
    }
}

/// Work that another thread does.
pub(super) struct Elsewhere<T>(JoinHandle<T>);

impl<T: Send + 'static> Elsewhere<T> {
    pub(super) fn begin(work: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(spawn_blocking(work))
    }

    /// What it gives. May be asked again if the answer was not waited for.
    pub(super) async fn done(&mut self) -> T {
        done(&mut self.0).await
    }
}

async fn done<T>(work: &mut JoinHandle<T>) -> T {
    match work.await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(done) => done,
        Err(Ok(panic)) => resume_unwind(panic),
        // The runtime comes to its end, and this task with it.
        Err(Err(_)) => pending().await,
    }
}
