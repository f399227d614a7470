//! `World`: one run as its story sees it.
//!
//! In: processes to start, time to pass. Out: a server to look at. All randomness of a run is drawn here.

use std::{collections::BTreeMap, fmt, future::Future, sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use kube::Client;
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use super::{
    Chaos, Process, Trace,
    process::{self, Jump},
};
use crate::ApiServer;

/// How long nothing may be written before a world counts as idle: longer than the pauses of informers and leases.
const QUIET: Duration = Duration::from_secs(90);
/// After so long a world will not become idle any more.
const LONGEST: Duration = Duration::from_secs(6 * 3600);

/// How long the world has been there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uptime(Instant);

impl Uptime {
    pub(super) fn get(self) -> Duration {
        self.0.elapsed()
    }

    pub(super) fn after(self, begin: Timestamp) -> Timestamp {
        begin.saturating_add(self.get()).unwrap_or(Timestamp::MAX)
    }
}

/// One run, as its story sees it. A cheap handle.
#[derive(Clone)]
pub struct World(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) server: ApiServer,
    pub(super) begin: Timestamp,
    pub(super) uptime: Uptime,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) random: fastrand::Rng,
    pub(super) chaos: Chaos,
    pub(super) trace: Trace,
    /// By how much the clock of each process is off, and who wants to know of its jumps.
    pub(super) clocks: BTreeMap<String, (SignedDuration, Vec<Jump>)>,
    /// When a process last wrote anything but a Lease or an Event.
    last_write: Instant,
    /// Processes that are away after a crash.
    pub(super) away: usize,
}

impl World {
    pub(super) fn new(
        seed: u64,
        chaos: Chaos,
        server: impl FnOnce(Uptime) -> (ApiServer, Timestamp),
    ) -> Self {
        let uptime = Uptime(Instant::now());
        let (server, begin) = server(uptime);
        let state = State {
            random: fastrand::Rng::with_seed(seed),
            chaos,
            trace: Trace::default(),
            clocks: BTreeMap::new(),
            last_write: Instant::now(),
            away: 0,
        };
        let world = Self(Arc::new(Shared { server, begin, uptime, state: Mutex::new(state) }));
        tokio::spawn(world.clone().jump());
        tokio::spawn(world.clone().compact());
        world
    }

    /// The server. What is asked of it directly is not disturbed.
    #[must_use]
    pub fn server(&self) -> &ApiServer {
        &self.0.server
    }

    /// A client of the server that nothing disturbs.
    #[must_use]
    pub fn client(&self) -> Client {
        self.0.server.client()
    }

    /// The time of day, by a clock that does not jump.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.0.uptime.after(self.0.begin)
    }

    /// A whole number from this range, from the seed.
    pub fn random(&self, range: std::ops::Range<u64>) -> u64 {
        self.draw(|state| if range.is_empty() { range.start } else { state.random.u64(range) })
    }

    /// Starts a process. `run` is its main function; when it crashes, it is started again after a while.
    pub fn start<F>(&self, name: &str, run: impl Fn(Process) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        tokio::spawn(process::live(self.clone(), name.to_owned(), run));
    }

    /// From now on nothing goes wrong. Processes that are away come back, and clocks are set right.
    pub fn calm(&self) {
        self.note("world", "calm");
        let clocks = self.draw(|state| {
            state.chaos = Chaos::none();
            let skews = state.clocks.values_mut();
            skews.map(|(skew, tell)| (std::mem::take(skew), tell.clone())).collect::<Vec<_>>()
        });
        for (skew, tell) in clocks {
            tell.iter().for_each(|jump| jump(-skew));
        }
    }

    /// Lets time pass.
    pub async fn run_for(&self, time: Duration) {
        sleep(time).await;
    }

    /// Lets time pass until no process has written anything but Leases and Events for a minute and a half.
    ///
    /// # Errors
    /// If that takes more than six hours.
    pub async fn run_until_idle(&self) -> Result<(), String> {
        let limit = Instant::now() + LONGEST;
        let begun = Instant::now();
        while Instant::now() < limit {
            let (since, away) = self.draw(|state| (state.last_write.max(begun), state.away));
            if since.elapsed() >= QUIET && away == 0 {
                return Ok(());
            }
            sleep(Duration::from_secs(1)).await;
        }
        Err(format!("something is still written after {LONGEST:?}"))
    }

    /// Notes something in the trace.
    pub fn note(&self, who: &str, what: &str) {
        let at = self.0.uptime.get();
        self.draw(|state| state.trace.note(at, who, what));
    }

    /// What happened so far.
    #[must_use]
    pub fn trace(&self) -> Trace {
        self.draw(|state| state.trace.clone())
    }

    pub(super) fn draw<T>(&self, draw: impl FnOnce(&mut State) -> T) -> T {
        draw(&mut self.0.state.lock())
    }

    pub(super) fn written(&self) {
        self.draw(|state| state.last_write = Instant::now());
    }

    /// Lets the clocks of processes jump.
    async fn jump(self) {
        loop {
            let Some(wait) = self.draw(|state| state.around(state.chaos.mean_jump)) else {
                return;
            };
            sleep(wait).await;
            let jumped = self.draw(State::jump);
            if let Some((name, by, tell)) = jumped {
                self.note(&name, &format!("the clock jumps by {by:#}"));
                tell.iter().for_each(|jump| jump(by));
            }
        }
    }

    /// Lets the server forget what was.
    async fn compact(self) {
        loop {
            let Some(wait) = self.draw(|state| state.around(state.chaos.mean_compaction)) else {
                return;
            };
            sleep(wait).await;
            if self.draw(|state| state.chaos.mean_compaction < Duration::MAX) {
                self.note("server", "forgets its history");
                self.0.server.compact();
            }
        }
    }
}

impl State {
    /// Whether something with this probability happens.
    pub(super) fn happens(&mut self, probability: f64) -> bool {
        // Nothing is drawn for what cannot happen, and always the same number of times for what can.
        probability > 0.0 && self.random.f64() < probability
    }

    /// A time up to this one.
    pub(super) fn up_to(&mut self, longest: Duration) -> Duration {
        longest.mul_f64(self.random.f64())
    }

    /// A time of this mean, with the spread of things that happen by themselves; `None` for never.
    pub(super) fn around(&mut self, mean: Duration) -> Option<Duration> {
        let factor = -(1.0 - self.random.f64()).ln();
        (mean < Duration::MAX).then(|| mean.mul_f64(factor.min(20.0)))
    }

    /// Sets the clock of one process.
    fn jump(&mut self) -> Option<(String, SignedDuration, Vec<Jump>)> {
        let longest = self.chaos.longest_jump.as_secs_f64();
        let (who, part) = (self.random.usize(..self.clocks.len().max(1)), self.random.f64());
        if longest == 0.0 {
            return None;
        }
        let by = SignedDuration::try_from_secs_f64(longest * 2.0_f64.mul_add(part, -1.0)).ok()?;
        let (name, (skew, tell)) = self.clocks.iter_mut().nth(who)?;
        *skew = skew.saturating_add(by);
        Some((name.clone(), by, tell.clone()))
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("uptime", &self.0.uptime.get()).finish_non_exhaustive()
    }
}
