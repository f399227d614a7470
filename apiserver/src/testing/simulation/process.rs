//! `Process`: something that runs, crashes, and is started again.
//!
//! In: its main function. Out: its lives. Of what it had in memory nothing is left from one to the next.

use std::{fmt, future::Future, pin::pin, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kube::Client;
use tokio::{sync::watch, time::sleep};

use super::{World, link::Link};

/// Is told by how much a clock has jumped.
pub(super) type Jump = Arc<dyn Fn(SignedDuration) + Send + Sync>;

/// One life of a process. A cheap handle, of use within that life alone.
#[derive(Clone)]
pub struct Process {
    pub(super) world: World,
    name: Arc<str>,
    process: Arc<str>,
    number: u64,
    over: watch::Sender<bool>,
}

impl Process {
    /// Its name with the number of its life: `replica-1#2`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which life it is, from 1.
    #[must_use]
    pub fn life(&self) -> u64 {
        self.number
    }

    /// Its client, on whose way to the server everything can go wrong.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::new(Link::service(self.clone()), "default")
    }

    /// The time of day, by its own clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let skew = self.world.draw(|state| state.clocks.get(&*self.process).map(|(skew, _)| *skew));
        self.world.now().saturating_add(skew.unwrap_or_default()).unwrap_or(Timestamp::MAX)
    }

    /// Has `jump` called when its clock jumps, for clocks of its own that began at [`now`](Self::now).
    pub fn on_clock_jump(&self, jump: impl Fn(SignedDuration) + Send + Sync + 'static) {
        self.world.draw(|state| {
            if let Some((_, tell)) = state.clocks.get_mut(&*self.process) {
                tell.push(Arc::new(jump));
            }
        });
    }

    /// Ends this life at once, wherever it is.
    pub fn crash(&self) {
        self.over.send_replace(true);
    }

    pub(super) fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    /// Notes something in the trace, under its name.
    pub fn note(&self, what: &str) {
        self.world.note(&self.name, what);
    }

    /// Waits for the end of this life.
    async fn crashed(&self) {
        let mut over = self.over.subscribe();
        // The sender lives in this handle.
        let _ = over.wait_for(|over| *over).await;
    }

    /// Waits until it crashes by itself.
    async fn natural_end(&self) {
        let life = self.world.draw(|state| state.around(state.chaos.mean_life));
        match life {
            Some(life) => sleep(life).await,
            None => std::future::pending().await,
        }
        if self.world.draw(|state| state.chaos.mean_life == Duration::MAX) {
            // It has become calm meanwhile.
            std::future::pending::<()>().await;
        }
    }
}

/// All lives of a process.
pub(super) async fn live<F>(world: World, name: String, run: impl Fn(Process) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    for number in 1.. {
        world.draw(|state| state.clocks.entry(name.clone()).or_default().1.clear());
        let life = Process {
            world: world.clone(),
            name: format!("{name}#{number}").into(),
            process: name.as_str().into(),
            number,
            over: watch::Sender::new(false),
        };
        life.note("starts");
        let ended = {
            let running = pin!(run(life.clone()));
            tokio::select! {
                biased;
                () = life.crashed() => false,
                () = life.natural_end() => false,
                () = running => true,
            }
        };
        life.crash();
        life.note(if ended { "ends" } else { "crashes" });
        let absence = world.draw(|state| {
            state.away += 1;
            let longest = state.chaos.longest_absence;
            state.up_to(longest)
        });
        // Also what ends by itself is started again, as a kubelet does, and not at once.
        sleep(absence.max(Duration::from_millis(100))).await;
        world.draw(|state| state.away -= 1);
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("name", &self.name)
            .field("over", &self.is_over())
            .finish_non_exhaustive()
    }
}
