//! `Gate`: holds requests back until a test lets them go.

use std::sync::Arc;

use tokio::sync::watch;

/// Holds requests back until it is opened, or dropped. For tests of what happens between two requests of the code under
/// test, without any sleep.
#[derive(Debug)]
#[must_use = "dropping it lets the requests go"]
pub struct Gate {
    lock: Arc<Lock>,
}

/// The side of the requests.
#[derive(Debug)]
pub(super) struct Lock {
    open: watch::Sender<bool>,
    held: watch::Sender<usize>,
}

impl Gate {
    pub(super) fn new() -> Self {
        Self { lock: Arc::new(Lock { open: watch::Sender::new(false), held: watch::Sender::new(0) }) }
    }

    pub(super) fn lock(&self) -> Arc<Lock> {
        Arc::clone(&self.lock)
    }

    /// Waits until so many requests are held at once.
    pub async fn held(&self, requests: usize) {
        let mut held = self.lock.held.subscribe();
        // The sender lives in this gate, so that waiting cannot fail.
        let _ = held.wait_for(|held| *held >= requests).await;
    }

    /// Lets all requests go, those to come included.
    pub fn open(&self) {
        self.lock.open.send_replace(true);
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.open();
    }
}

impl Lock {
    pub(super) async fn pass(&self) {
        let _held = Held::begin(self);
        let mut open = self.open.subscribe();
        let _ = open.wait_for(|open| *open).await;
    }
}

/// A request that waits; one that is given up waits no longer.
struct Held<'a>(&'a Lock);

impl<'a> Held<'a> {
    fn begin(lock: &'a Lock) -> Self {
        lock.held.send_modify(|held| *held += 1);
        Self(lock)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.held.send_modify(|held| *held -= 1);
    }
}
