//! Where the work on what has come in is done.
//!
//! In: functions that take a while, such as decoding a page. Out: what they give, in the order in which they were given.
//! Never: work beside the runtime's own threads where there is only one of those, so that tests with paused time and
//! simulations stay exact: there a function is called at once, by whoever gives it.

use std::{
    collections::VecDeque,
    future::pending,
    mem,
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
    thread::{self, available_parallelism},
};

use parking_lot::Mutex;
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::oneshot,
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
///
/// No more threads than there are processors take part, and one goes on with what waits when it is done. To ask the runtime for one each
/// time would come to more and more of them, each with memory that its allocator keeps for it.
pub(super) struct Line<T> {
    desk: Desk,
    queue: Arc<Mutex<Queue>>,
    going_on: VecDeque<oneshot::Receiver<thread::Result<T>>>,
}

type Job = Box<dyn FnOnce() + Send>;

/// What waits, and how many threads are at it.
#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    threads: usize,
}

impl<T: Send + 'static> Line<T> {
    pub(super) fn new(desk: Desk) -> Self {
        Self { desk, queue: Arc::default(), going_on: VecDeque::new() }
    }

    /// Gives work, and takes back the oldest that was given if that is done or as much goes on as may.
    pub(super) async fn give(&mut self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        if self.desk.threads == 1 {
            return Some(work());
        }
        let (sender, receiver) = oneshot::channel();
        self.going_on.push_back(receiver);
        self.enqueue(Box::new(move || drop(sender.send(catch_unwind(AssertUnwindSafe(work))))));
        if self.going_on.len() > self.desk.threads {
            return self.take().await;
        }
        match self.going_on.front_mut()?.try_recv() {
            Err(oneshot::error::TryRecvError::Empty) => None,
            done => {
                self.going_on.pop_front();
                Some(result(done.ok()).await)
            }
        }
    }

    fn enqueue(&self, job: Job) {
        let mut queue = self.queue.lock();
        queue.jobs.push_back(job);
        if queue.threads < self.desk.threads {
            queue.threads += 1;
            let queue = Arc::clone(&self.queue);
            spawn_blocking(move || work_off(&queue));
        }
    }

    /// Takes back the oldest work that goes on, or that none does.
    pub(super) async fn take(&mut self) -> Option<T> {
        Some(result(self.going_on.pop_front()?.await.ok()).await)
    }
}

/// What work came to.
async fn result<T>(done: Option<thread::Result<T>>) -> T {
    match done {
        Some(Ok(done)) => done,
        Some(Err(panic)) => resume_unwind(panic),
        // The runtime comes to its end, and this task with it.
        None => pending().await,
    }
}

impl<T> Drop for Line<T> {
    fn drop(&mut self) {
        // Nobody will ask what they come to.
        let jobs = mem::take(&mut self.queue.lock().jobs);
        drop(jobs);
    }
}

/// Does what waits, and does not wait for more: a thread of the runtime's that waited could be the one that this needs for something else.
fn work_off(queue: &Mutex<Queue>) {
    loop {
        let mut waiting = queue.lock();
        let Some(job) = waiting.jobs.pop_front() else {
            waiting.threads -= 1;
            return;
        };
        drop(waiting);
        job();
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
        match (&mut self.0).await.map_err(tokio::task::JoinError::try_into_panic) {
            Ok(done) => done,
            Err(Ok(panic)) => resume_unwind(panic),
            Err(Err(_)) => result(None).await,
        }
    }
}
