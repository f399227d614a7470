//! In: workers that want a key. Out: a key, or the end. The only place where anybody sleeps.
//!
//! Delays need somebody who wakes up in time. That is one of the sleeping workers, so that the queue needs no task
//! of its own: it *watches*, and when it leaves, with a key or because its future was dropped, the next sleeper
//! takes over. While no worker sleeps nobody could take a due key anyway.

use std::{
    pin::{Pin, pin},
    sync::atomic::Ordering,
};

use tokio::{
    sync::futures::Notified,
    time::{Instant, sleep_until},
};

use super::{WorkItem, WorkQueue, queue::Shared, state::Taken};

/// What a worker that asks for a key is told.
enum Answer<'a, K> {
    Key(Taken<K>),
    End,
    Sleep(Sleeper<'a, K>),
}

/// A worker that sleeps. Dropping it wakes it for the books.
struct Sleeper<'a, K> {
    shared: &'a Shared<K>,
    /// It watches the delays, and wakes up at this instant.
    watch: Option<Option<Instant>>,
}

impl<K> Sleeper<'_, K> {
    async fn sleep(&self, woken: Pin<&mut Notified<'_>>) {
        let Some(earliest) = self.watch else { return woken.await };
        let due = async {
            match earliest {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = woken => {}
            () = self.shared.alarm.notified() => {}
            () = due => {}
        }
    }
}

impl<K> Drop for Sleeper<'_, K> {
    fn drop(&mut self) {
        self.shared.sleepers.fetch_sub(1, Ordering::Relaxed);
        if self.watch.is_some() {
            self.shared.run(|state| {
                state.watched = false;
                state.signals.alarm |= state.earliest().is_some();
            });
        }
    }
}

impl<K: Clone> WorkQueue<K> {
    /// Waits for the next key; `None` when the queue is shut down and no key can come any more.
    ///
    /// Dropping the future loses nothing: a key leaves the queue only together with the [`WorkItem`] that is
    /// returned, and a wake-up that was meant for this worker goes on to the next one.
    ///
    /// It has to be awaited in a tokio runtime whose time driver is enabled.
    pub async fn get(&self) -> Option<WorkItem<K>> {
        loop {
            // A worker that never finds the queue empty must let others run all the same; so must one that is woken again and again by
            // what was meant for others, who have been woken as well and need only run to take it.
            tokio::task::coop::consume_budget().await;
            let mut woken = pin!(self.shared.ready.notified());
            match self.ask(woken.as_mut()) {
                Answer::Key(taken) => return Some(WorkItem::new(self.clone(), taken)),
                Answer::End => return None,
                Answer::Sleep(sleeper) => sleeper.sleep(woken).await,
            }
        }
    }

    fn ask(&self, woken: Pin<&mut Notified<'_>>) -> Answer<'_, K> {
        let shared = &*self.shared;
        shared.run(|state| {
            if let Some(taken) = state.take() {
                return Answer::Key(taken);
            }
            if state.ended() {
                return Answer::End;
            }
            // Under the lock, so that whoever makes a key ready from now on sees this sleeper.
            woken.enable();
            shared.sleepers.fetch_add(1, Ordering::Relaxed);
            let watches = !std::mem::replace(&mut state.watched, true);
            Answer::Sleep(Sleeper { shared, watch: watches.then(|| state.earliest()) })
        })
    }
}
