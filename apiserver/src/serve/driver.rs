//! The driver: lets the controllers run by themselves.
//!
//! In: a server that has something due. Out: steps, each in its time. The task is there only while something is to be done, in the runtime in
//! which that became so, and holds no server: it ends when the server does.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use bytes::Bytes;
use jiff::Timestamp;
use tokio::{runtime::Handle, sync::Notify, time::Instant};

#[cfg(all(unix, feature = "process"))]
use crate::controllers::{Report, RunId};
use crate::{
    controllers::{Manager, Moment, Order, Origin, Patience},
    server::LogSide,
};

use super::{ApiServer, Shared};

/// How many steps are taken before other tasks get their turn.
const STEPS: usize = 16;

/// The controllers, and whether a task drives them.
pub(super) struct Crew {
    pub manager: Manager,
    pub start: Instant,
    /// Whether they run by themselves.
    pub runs: bool,
    driven: bool,
    woken: Arc<Notify>,
}

impl Crew {
    pub(super) fn new(manager: Manager, runs: bool) -> Self {
        Self { manager, start: Instant::now(), runs, driven: false, woken: Arc::default() }
    }

    fn at(&self) -> Duration {
        self.start.elapsed()
    }
}

impl ApiServer {
    /// Lets the controllers do the next thing that is due; says whether there was one.
    ///
    /// This is for servers whose controllers are [`Stepped`](crate::Controllers::Stepped); where they run it only hurries them.
    pub fn step(&self) -> bool {
        self.take_step(Patience::None)
    }

    /// Lets the controllers do everything that is due, and says in how many steps.
    ///
    /// ```
    /// use kube_codegen_apiserver::{ApiServer, Controllers};
    ///
    /// let server = ApiServer::builder().controllers(Controllers::Stepped).build();
    /// assert_eq!(server.settle(), 0);
    /// ```
    pub fn settle(&self) -> usize {
        std::iter::from_fn(|| self.step().then_some(())).count()
    }

    fn take_step(&self, patience: Patience) -> bool {
        let Some(crew) = &self.0.crew else { return false };
        let now = (self.0.clock)();
        let (stepped, orders, version) = {
            let mut core = self.0.core.lock();
            let mut crew = crew.lock();
            let moment = Moment { now, at: crew.at() };
            let stepped = crew.manager.step(&mut core, moment, patience);
            (stepped, crew.manager.orders(), core.version())
        };
        self.reached(version);
        orders.into_iter().for_each(|order| self.carry_out(order, now));
        stepped
    }

    /// Does what the kubelet wants done outside the state machine.
    fn carry_out(&self, order: Order, now: Timestamp) {
        let book = &self.0.book;
        match order {
            Order::Open(run) => book.open(&run),
            Order::Close(run) => book.close(&run),
            Order::Write(run, text) => {
                for line in text.split_inclusive('\n') {
                    book.write(&run, LogSide::Stdout, Bytes::from(line.to_owned()), now);
                }
            }
            Order::Forget(uid) => {
                book.forget(&uid);
                #[cfg(all(unix, feature = "process"))]
                self.0.processes.iter().for_each(|processes| processes.forget(&uid));
            }
            #[cfg(all(unix, feature = "process"))]
            Order::Start(launch) => {
                if let Some(processes) = &self.0.processes {
                    processes.start(&launch, book.clone(), Arc::downgrade(&self.0));
                }
            }
            #[cfg(all(unix, feature = "process"))]
            Order::Stop(run, grace) => {
                self.0.processes.iter().for_each(|processes| processes.stop(run.clone(), grace));
            }
            #[cfg(not(all(unix, feature = "process")))]
            Order::Start(_) | Order::Stop(..) => {}
        }
    }

    /// Tells the kubelet what has become of a process.
    #[cfg(all(unix, feature = "process"))]
    pub(super) fn report(&self, run: &RunId, report: &Report) {
        let Some(crew) = &self.0.crew else { return };
        let mut locked = crew.lock();
        let moment = Moment { now: (self.0.clock)(), at: locked.at() };
        locked.manager.report(run, report, moment);
        self.wake(&mut locked);
    }

    /// Tells the controllers what has changed; called with the core locked, so that they see changes in their order.
    pub(super) fn observe(&self, core: &mut crate::server::Core, origin: Origin) {
        let Some(crew) = &self.0.crew else { return };
        let mut locked = crew.lock();
        let at = locked.at();
        locked.manager.observe(core, at, origin);
        self.wake(&mut locked);
    }

    /// Lets the controllers begin with what needs no change to react to: a node is there before anyone asks for it.
    pub(super) fn begin(&self) {
        if let Some(crew) = &self.0.crew {
            self.wake(&mut crew.lock());
        }
    }

    /// Sees to it that what is due is done.
    fn wake(&self, locked: &mut Crew) {
        if !locked.runs || locked.manager.due().is_none() {
            return;
        }
        if locked.driven {
            locked.woken.notify_one();
        } else if let Ok(runtime) = Handle::try_current() {
            locked.driven = true;
            runtime.spawn(drive(
                Driven { server: Arc::downgrade(&self.0), is_let_go: false },
                Arc::clone(&locked.woken),
            ));
        }
    }
}

/// A hold on a server that is being driven. Where the task ends before its work is done, the next change begins another.
struct Driven {
    server: Weak<Shared>,
    is_let_go: bool,
}

impl Drop for Driven {
    fn drop(&mut self) {
        let shared = if self.is_let_go { None } else { self.server.upgrade() };
        if let Some(crew) = shared.as_deref().and_then(|shared| shared.crew.as_ref()) {
            crew.lock().driven = false;
        }
    }
}

async fn drive(mut driven: Driven, woken: Arc<Notify>) {
    while let Some(due) = next(&mut driven) {
        tokio::select! {
            biased;
            () = tokio::time::sleep_until(due) => {}
            () = woken.notified() => continue,
        }
        {
            let Some(shared) = driven.server.upgrade() else { return };
            let server = ApiServer(shared);
            for _ in 0..STEPS {
                if !server.take_step(Patience::Due) {
                    break;
                }
            }
        }
        tokio::task::yield_now().await;
    }
}

/// When the next step is due. If none is, the server is let go under the same lock, so that no change falls between.
fn next(driven: &mut Driven) -> Option<Instant> {
    let shared = driven.server.upgrade()?;
    let mut crew = shared.crew.as_ref()?.lock();
    match crew.manager.due() {
        Some(due) => Some(crew.start + due),
        None => {
            crew.driven = false;
            driven.is_let_go = true;
            None
        }
    }
}
