//! The one who writes events down.
//!
//! In: the news of all recorders. Out: requests, one after the other. Never: more than a thousand pieces of news that wait.

use std::{collections::VecDeque, time::Duration};

use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::{Instant, MissedTickBehavior, interval_at, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use super::{
    EventRecorder,
    correlate::{Correlator, FINISH, Now, Write},
    recorder::{News, Reporter},
    write::send,
};
use crate::{client::Client, clock::WallClock};

/// How many pieces of news may wait.
const WAITING: usize = 1000;
/// How long the end may take.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Writes the events of its recorders, once it runs.
#[derive(Debug)]
pub struct EventBroadcaster {
    writer: Writer,
    sender: Sender<News>,
    receiver: Receiver<News>,
}

/// What is left of a broadcaster when it runs.
struct Writer {
    client: Client,
    clock: WallClock,
    correlator: Correlator,
    /// What is to be sent; the first of it may be on its way.
    outbox: VecDeque<Write>,
}

impl EventBroadcaster {
    /// A broadcaster that writes through this client.
    #[must_use]
    pub fn new(client: Client) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        let writer = Writer {
            client,
            clock: WallClock::system(),
            correlator: Correlator::default(),
            outbox: VecDeque::new(),
        };
        Self { writer, sender, receiver }
    }

    /// Takes the time of day from another clock.
    #[must_use]
    pub fn clock(mut self, clock: WallClock) -> Self {
        self.writer.clock = clock;
        self
    }

    /// A recorder for a controller of this name. What it records before [`run`](Self::run) waits.
    #[must_use]
    pub fn recorder(&self, controller: &str) -> EventRecorder {
        self.recorders().recorder(controller)
    }

    /// What makes recorders, also while the broadcaster runs.
    #[must_use]
    pub fn recorders(&self) -> Recorders {
        Recorders { sender: self.sender.clone() }
    }

    /// [`recorder`](Self::recorder), with a name for this instance of the controller, which is else made of the host's.
    #[must_use]
    pub fn recorder_of(&self, controller: &str, instance: &str) -> EventRecorder {
        let reporter = Reporter { controller: controller.to_owned(), instance: instance.to_owned() };
        EventRecorder::new(reporter, self.sender.clone())
    }

    /// Writes until `stop`, or until no recorder is left; then what still waits, and the counts of series that have not been written, for
    /// five seconds at most.
    pub async fn run(self, stop: CancellationToken) {
        let Self { mut writer, sender, mut receiver } = self;
        drop(sender);
        let mut finish = interval_at(Instant::now() + FINISH, FINISH);
        finish.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let life = async {
            loop {
                writer.send().await;
                tokio::select! {
                    biased;
                    news = receiver.recv() => match news {
                        Some(news) => writer.observe(news),
                        None => return,
                    },
                    _ = finish.tick() => writer.tick(),
                }
            }
        };
        stop.run_until_cancelled(life).await;
        receiver.close();
        let end = async {
            while let Some(news) = receiver.recv().await {
                writer.observe(news);
            }
            writer.rest();
            writer.send().await;
        };
        if timeout(LAST_WORDS, end).await.is_err() {
            warn!("not all events could be written in time");
        }
    }
}

/// Makes recorders of a broadcaster. A cheap handle.
#[derive(Clone, Debug)]
pub struct Recorders {
    sender: Sender<News>,
}

impl Recorders {
    /// A recorder for a controller of this name.
    #[must_use]
    pub fn recorder(&self, controller: &str) -> EventRecorder {
        EventRecorder::new(Reporter::of_this_host(controller), self.sender.clone())
    }
}

impl Writer {
    fn now(&self) -> Now {
        Now { instant: Instant::now(), time: self.clock.now() }
    }

    fn observe(&mut self, news: News) {
        let now = self.now();
        self.outbox.extend(self.correlator.observe(news, now));
    }

    fn tick(&mut self) {
        let now = self.now();
        self.outbox.extend(self.correlator.tick(now));
    }

    fn rest(&mut self) {
        let now = self.now();
        self.outbox.extend(self.correlator.rest(now));
    }

    /// Sends what is to be sent. Where this is dropped, what was on its way is sent again.
    async fn send(&mut self) {
        while let Some(write) = self.outbox.front() {
            send(&self.client, write).await;
            self.outbox.pop_front();
        }
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("correlator", &self.correlator).finish_non_exhaustive()
    }
}
