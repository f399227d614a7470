//! Tasks that are started together, and stopped together.
//!
//! In: tasks, before and after the start. Out: each started once, when its group has been; the first failure. Never: a task that outlives
//! the group's future.

use std::{collections::BTreeMap, panic::AssertUnwindSafe, sync::Arc};

use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use tokio::{sync::mpsc, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::{BoxError, ManagerError};
use crate::panic::words;

/// Something to run until it is told to stop.
pub(super) struct Task {
    pub(super) name: String,
    pub(super) run: Box<dyn FnOnce(CancellationToken) -> BoxFuture<'static, Result<(), BoxError>> + Send>,
}

/// Where tasks are added. Late ones are treated like early ones.
#[derive(Clone)]
pub(super) struct Adder {
    tasks: mpsc::UnboundedSender<Task>,
}

impl Adder {
    /// Once its group has ended, a task is dropped.
    pub(super) fn add(&self, task: Task) {
        if let Err(refused) = self.tasks.send(task) {
            debug!(task = refused.0.name, "added after the stop, and dropped");
        }
    }
}

/// Tasks that have not been started.
pub(super) struct Group {
    tasks: mpsc::UnboundedReceiver<Task>,
    running: Running,
}

/// The names of tasks that are running, with how many there are of each.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<Mutex<BTreeMap<String, usize>>>);

impl Running {
    pub(super) fn names(&self) -> Vec<String> {
        self.0.lock().keys().cloned().collect()
    }

    fn begin(&self, name: &str) {
        *self.0.lock().entry(name.to_owned()).or_default() += 1;
    }

    fn end(&self, name: &str) {
        let mut running = self.0.lock();
        if let Some(count) = running.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                running.remove(name);
            }
        }
    }
}

pub(super) fn group(running: Running) -> (Adder, Group) {
    let (sender, tasks) = mpsc::unbounded_channel();
    (Adder { tasks: sender }, Group { tasks, running })
}

impl Group {
    /// Starts the tasks, and those that are added later; at the stop waits for all of them. A task that fails ends the group: the others
    /// are told to stop and waited for.
    pub(super) async fn run(mut self, stop: CancellationToken) -> Result<(), ManagerError> {
        let stop = stop.child_token();
        let mut running = JoinSet::new();
        let mut result = Ok(());
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(ended) = running.join_next() => {
                    if let Err(error) = flat(ended) {
                        result = Err(error);
                        break;
                    }
                }
                Some(task) = self.tasks.recv() => {
                    running.spawn(live(task, stop.clone(), self.running.clone()));
                }
            }
        }
        stop.cancel();
        self.tasks.close();
        while let Some(ended) = running.join_next().await {
            result = result.and(flat(ended));
        }
        result
    }
}

async fn live(task: Task, stop: CancellationToken, running: Running) -> Result<(), ManagerError> {
    let Task { name, run } = task;
    running.begin(&name);
    let ended = AssertUnwindSafe(async { run(stop).await }).catch_unwind().await;
    running.end(&name);
    match ended {
        Ok(Ok(())) => Ok(()),
        Ok(Err(source)) => Err(ManagerError::Task { task: name, source }),
        Err(panic) => Err(ManagerError::Panicked { task: name, panic: words(&*panic) }),
    }
}

/// Tasks catch their panics themselves, and nobody aborts one.
fn flat(ended: Result<Result<(), ManagerError>, tokio::task::JoinError>) -> Result<(), ManagerError> {
    ended.unwrap_or(Ok(()))
}
