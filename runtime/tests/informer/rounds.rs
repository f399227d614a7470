//! Ten thousand rounds of trouble between a server and an informer.
//!
//! In a round objects change while requests fail in every way that [`Rough`] knows; then the trouble ends. After each
//! round the store and what each handler was told have come to what the server has; handlers heard what fits together,
//! and of each deletion once; versions never went back.
//!
//! A failure prints its seed; `ROUNDS_SEED=7 cargo test --test informer rounds` replays that one.

use std::time::Duration;

use fastrand::Rng;
use k8s_openapi::api::core::v1::ConfigMap;
use kube_codegen_runtime::{
    client::ResourceClient,
    informer::{Delivery, ListStrategy, SharedInformer},
    store::Storage,
};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    known::{Pace, Shared, listen},
    rough::{Rough, Weather},
    support::stored,
};

/// Each of so many informers lives through so many rounds.
const ROUNDS: usize = 50;
const LIVES: u64 = 200;
/// When all must have come to agree. A watch that a server has forgotten lasts ten minutes.
const LONGEST: Duration = Duration::from_secs(1200);

/// Says which seed it was.
struct Told(u64, usize);

impl Drop for Told {
    #[expect(clippy::print_stderr, reason = "what is needed to see the failure again")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in round {} of seed {}", self.1, self.0);
        }
    }
}

struct Life {
    server: Rough,
    informer: SharedInformer<ConfigMap>,
    handlers: Vec<Shared>,
    random: Rng,
    version: u64,
}

impl Life {
    fn begin(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let server = Rough::new(random.u64(..));
        let strategy = if random.bool() { ListStrategy::Paged } else { ListStrategy::Streaming };
        let storage = if random.bool() { Storage::Decoded } else { Storage::Packed };
        let informer = SharedInformer::builder(ResourceClient::namespaced(server.client(), "default"))
            .list_strategy(strategy)
            .storage(storage)
            .page_size(random.u32(0..4))
            .seed(random.u64(..))
            .on_error(|_| ())
            .build();
        let paces = [(0, Delivery::Coalesce), (700, Delivery::Coalesce), (20, Delivery::EveryEvent)];
        let paces = paces.map(|(millis, delivery)| Pace { millis, delivery });
        let handlers = paces.into_iter().map(|pace| listen(&informer, pace)).collect();
        Self { server, informer, handlers, random, version: 0 }
    }

    async fn round(&mut self) {
        let bad = [0, 5, 20, 50, 90];
        let weather = Weather {
            requests: bad[self.random.usize(..bad.len())],
            lines: bad[self.random.usize(..bad.len() - 1)],
        };
        self.server.weather(weather);
        for _ in 0..self.random.u8(1..4) {
            for _ in 0..self.random.u8(0..4) {
                self.server.write();
            }
            match self.random.u8(0..8) {
                0..3 => self.server.cut(),
                3 => self.server.forget(),
                4 => {
                    self.server.forget();
                    self.server.cut();
                }
                _ => {}
            }
            let millis = [0, 10, 1_000, 5_000, 40_000][self.random.usize(..5)];
            sleep(Duration::from_millis(millis)).await;
            self.check_version();
        }
        self.server.weather(Weather::default());
        self.agree().await;
    }

    fn check_version(&mut self) {
        let version = self.informer.store().resource_version().and_then(|version| version.number());
        let version = version.unwrap_or_default();
        assert!(version >= self.version, "from version {} back to {version}", self.version);
        self.version = version;
    }

    /// Waits until all know what the server has.
    async fn agree(&mut self) {
        let (began, state) = (Instant::now(), self.server.state());
        let mut wait = Duration::from_millis(1);
        loop {
            self.check_version();
            let mut known = self.handlers.iter().map(|handler| handler.lock().state());
            if self.informer.has_synced()
                && stored(&self.informer) == state
                && known.all(|known| known == state)
            {
                break;
            }
            assert!(
                began.elapsed() < LONGEST,
                "{:?} is stored and {:?} told of, but there is {state:?}",
                stored(&self.informer),
                self.handlers.iter().map(|handler| handler.lock().state()).collect::<Vec<_>>()
            );
            sleep(wait).await;
            wait = (wait * 2).min(Duration::from_secs(10));
        }
        for handler in &self.handlers {
            assert_eq!(handler.lock().wrong, [""; 0]);
        }
    }
}

fn live(seed: u64) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let mut life = Life::begin(seed);
        let stop = CancellationToken::new();
        life.informer.start(&stop);
        for round in 1..=ROUNDS {
            let told = Told(seed, round);
            life.round().await;
            drop(told);
        }
        stop.cancel();
        life.informer.stopped().await;
    });
}

/// Half of the lives each, so that two processors share them.
fn live_all(seeds: impl Iterator<Item = u64>) {
    match std::env::var("ROUNDS_SEED") {
        Ok(seed) => live(seed.parse().unwrap()),
        Err(_) => seeds.for_each(live),
    }
}

#[test]
fn ten_thousand_rounds_of_trouble_end_well_the_even_ones() {
    live_all((0..LIVES).step_by(2));
}

#[test]
fn ten_thousand_rounds_of_trouble_end_well_the_odd_ones() {
    live_all((1..LIVES).step_by(2));
}
