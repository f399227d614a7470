//! Simulation: server, informers, queues, controllers and clocks in one deterministic loop, with everything going wrong that can.
//!
//! In: a seed, and a story: processes to run, and what has to hold in the end. Out: the trace of one run, always the same for one seed. It
//! uses the server only through its public side, and knows nothing of what runs in the processes but their client.
//!
//! ```
//! use std::time::Duration;
//! use k8s_openapi::api::core::v1::ConfigMap;
//! use kube::api::{Api, ListParams, PostParams};
//! use kube_codegen_apiserver::testing::simulation::{Process, Simulation};
//!
//! /// A process that wants there to be one config map.
//! async fn keeper(process: Process) {
//!     let maps: Api<ConfigMap> = Api::default_namespaced(process.client());
//!     let mut map = ConfigMap::default();
//!     map.metadata.name = Some("one".into());
//!     loop {
//!         let _ = maps.create(&PostParams::default(), &map).await;
//!         tokio::time::sleep(Duration::from_secs(5)).await;
//!     }
//! }
//!
//! let trace = Simulation::new(7).run(async |world| {
//!     world.start("a", keeper);
//!     world.start("b", keeper);
//!     world.run_for(Duration::from_secs(60)).await;
//!     world.calm();
//!     world.run_until_idle().await?;
//!     let maps: Api<ConfigMap> = Api::default_namespaced(world.client());
//!     let there = maps.list(&ListParams::default()).await.map_err(|error| error.to_string())?;
//!     if there.items.len() == 1 { Ok(()) } else { Err(format!("{} maps", there.items.len())) }
//! });
//! println!("{}", trace.unwrap());
//! ```
//!
//! Time is tokio's, paused, so that hours take moments. All that is drawn at random (what goes wrong, waits of the code under test that
//! come from `fastrand`, uids) comes from the seed. What a program must keep to for a seed to say all: one thread, no time but tokio's and
//! [`Process::now`], no order that comes from the addresses or hashes of a run (`select!` with `biased`, sorted maps).

mod chaos;
mod check;
mod link;
mod process;
mod stream;
mod trace;
mod world;

use std::future::Future;

use jiff::Timestamp;

pub use chaos::Chaos;
pub use check::{check, seeds};
pub use process::Process;
pub use trace::{Failure, Trace};
pub use world::World;

use crate::{ApiServer, Builder};

/// When simulations begin: 2030-01-01T00:00:00Z.
const BEGIN: i64 = 1_893_456_000;

/// One run, in the making.
#[must_use]
pub struct Simulation {
    seed: u64,
    chaos: Chaos,
    server: Box<dyn FnOnce(Builder) -> Builder>,
}

impl Simulation {
    /// A run of this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, chaos: Chaos::default(), server: Box::new(|builder| builder) }
    }

    /// How much goes wrong.
    pub fn chaos(mut self, chaos: Chaos) -> Self {
        self.chaos = chaos;
        self
    }

    /// Settings of the server, such as its kinds and its kubelet. Its clock and its seed are the simulation's.
    pub fn server(mut self, settings: impl FnOnce(Builder) -> Builder + 'static) -> Self {
        self.server = Box::new(settings);
        self
    }

    /// Runs a story in a tokio runtime of its own, whose time is paused, on this thread.
    ///
    /// # Errors
    /// What the story says, with the trace up to then.
    pub fn run<F>(self, story: impl FnOnce(World) -> F) -> Result<Trace, Box<Failure>>
    where
        F: Future<Output = Result<(), String>>,
    {
        let Self { seed, chaos, server } = self;
        fastrand::seed(seed);
        let failed = |message: String, trace| Box::new(Failure { seed, message, trace });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => return Err(failed(format!("no runtime: {error}"), Trace::default())),
        };
        let (told, trace) = runtime.block_on(async {
            let world = World::new(seed, chaos, |clock| {
                let begin = Timestamp::from_second(BEGIN).unwrap_or(Timestamp::UNIX_EPOCH);
                let builder = ApiServer::builder().create_namespaces().history(1000);
                (server(builder).seed(seed).clock(move || clock.after(begin)).build(), begin)
            });
            let told = story(world.clone()).await;
            (told, world.trace())
        });
        match told {
            Ok(()) => Ok(trace),
            Err(message) => Err(failed(message, trace)),
        }
    }
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation")
            .field("seed", &self.seed)
            .field("chaos", &self.chaos)
            .finish_non_exhaustive()
    }
}
