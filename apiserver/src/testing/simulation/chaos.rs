//! How much goes wrong. Plain data.

use std::time::Duration;

/// How much goes wrong between processes and their server, and in processes. Probabilities are for each request, from 0 to 1.
#[derive(Clone, Debug)]
pub struct Chaos {
    /// A request waits before it reaches the server.
    pub delayed: f64,
    /// How long it waits at most.
    pub longest_delay: Duration,
    /// A request is refused: too many, an internal error, unavailable.
    pub refused: f64,
    /// A request is lost: the connection breaks before the server sees it.
    pub lost_request: f64,
    /// The server does what it is asked, and the connection breaks before the answer is there.
    pub lost_answer: f64,
    /// Somebody else changes the object just before an update or a patch of it.
    pub touched: f64,
    /// The process crashes instead of sending a request.
    pub crash_before: f64,
    /// The process crashes when a request is on its way, which arrives up to the longest delay later.
    pub crash_on_the_way: f64,
    /// The process crashes before it sees the answer.
    pub crash_after: f64,
    /// A list that does not ask for the newest state (`resourceVersion=0`) is answered as of a little earlier.
    pub stale_list: f64,
    /// An event of a watch comes late, with all that follow it; for each event.
    pub late_event: f64,
    /// A watch ends, breaks, or expires; for each event.
    pub ended_watch: f64,
    /// How long a process lives on average before it crashes wherever it is.
    pub mean_life: Duration,
    /// How long a process is away at most after a crash.
    pub longest_absence: Duration,
    /// How long it takes on average until the clock of some process jumps.
    pub mean_jump: Duration,
    /// How far a clock jumps at most, forward or back.
    pub longest_jump: Duration,
    /// How long it takes on average until the server forgets its history.
    pub mean_compaction: Duration,
}

impl Default for Chaos {
    fn default() -> Self {
        Self {
            delayed: 0.1,
            longest_delay: Duration::from_secs(3),
            refused: 0.03,
            lost_request: 0.03,
            lost_answer: 0.04,
            touched: 0.1,
            crash_before: 0.02,
            crash_on_the_way: 0.02,
            crash_after: 0.02,
            stale_list: 0.3,
            late_event: 0.1,
            ended_watch: 0.03,
            mean_life: Duration::from_secs(60),
            longest_absence: Duration::from_secs(20),
            mean_jump: Duration::from_secs(120),
            longest_jump: Duration::from_secs(7200),
            mean_compaction: Duration::from_secs(60),
        }
    }
}

impl Chaos {
    /// Nothing goes wrong.
    #[must_use]
    pub fn none() -> Self {
        let (zero, never) = (Duration::ZERO, Duration::MAX);
        Self {
            delayed: 0.0,
            longest_delay: zero,
            refused: 0.0,
            lost_request: 0.0,
            lost_answer: 0.0,
            touched: 0.0,
            crash_before: 0.0,
            crash_on_the_way: 0.0,
            crash_after: 0.0,
            stale_list: 0.0,
            late_event: 0.0,
            ended_watch: 0.0,
            mean_life: never,
            longest_absence: zero,
            mean_jump: never,
            longest_jump: zero,
            mean_compaction: never,
        }
    }
}
