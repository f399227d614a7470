//! One watch, from its first event to its end.
//!
//! In: an open watch. Out: the store, change by change. Never: an event of one object before an earlier one.
//!
//! While few events come, each is decoded and applied at once. When they come faster, one other thread decodes what has
//! arrived, as this one reads on and applies what is decoded. It is one thread, and it also drops the objects that were
//! replaced: an allocator serves a thread best from memory which that thread has given back.

use std::{mem, sync::Arc};

use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use tokio::time::sleep_until;

use super::{
    super::{error::InformerError, incoming::Bookmark, intake::Change},
    Open, Reflector,
    desk::Elsewhere,
};
use crate::{
    client::{self, Lines},
    object::Object,
};

/// So many events at most are taken in together, of those that have arrived.
const TOGETHER: usize = 64;
/// So many bytes of events are worth the work of another thread.
const WORTH: usize = 32 << 10;

/// What events come to.
type Changes<K> = Vec<client::Result<Change<K>>>;

/// The events between the connection and the store.
struct Flow<K> {
    /// Read, and not being taken in yet.
    lines: Vec<Bytes>,
    elsewhere: Option<Elsewhere<Changes<K>>>,
    /// How the watch ended, behind all of these.
    end: Option<Result<(), InformerError>>,
}

enum Step<K> {
    /// There are more lines.
    Read,
    /// The other thread is done.
    TakenIn(Changes<K>),
    Ended(Result<(), InformerError>),
}

impl<K: Object> Reflector<K> {
    /// Follows a watch to its end, and counts its events.
    pub(super) async fn follow(&mut self, mut open: Open, events: &mut u64) -> Result<(), InformerError> {
        let mut flow = Flow { lines: Vec::new(), elsewhere: None, end: None };
        loop {
            match flow.step(&mut open).await {
                Step::Ended(end) => return end,
                Step::Read if flow.elsewhere.is_some() => {}
                Step::Read if self.is_worth_a_thread(&flow.lines) => self.begin(&mut flow),
                Step::Read => {
                    let lines = mem::take(&mut flow.lines);
                    let changes = lines.iter().map(|line| self.core.take_in_event(line)).collect();
                    self.apply(changes, events).await?;
                    self.replaced.clear();
                }
                Step::TakenIn(changes) => {
                    if !flow.lines.is_empty() {
                        self.begin(&mut flow);
                    }
                    self.apply(changes, events).await?;
                }
            }
        }
    }

    fn is_worth_a_thread(&self, lines: &[Bytes]) -> bool {
        self.desk.threads() > 1 && lines.iter().map(Bytes::len).sum::<usize>() >= WORTH && self.core.decodes()
    }

    /// Hands what was read to another thread, and what was replaced.
    fn begin(&mut self, flow: &mut Flow<K>) {
        let (core, lines) = (Arc::clone(&self.core), mem::take(&mut flow.lines));
        let mut replaced = mem::take(&mut self.replaced).into_iter();
        flow.elsewhere = Some(Elsewhere::begin(move || {
            let take_in = |line| {
                // The memory of one is there for the next while it is still warm.
                drop(replaced.next());
                core.take_in_event(line)
            };
            lines.iter().map(|line: &Bytes| &**line).map(take_in).collect()
        }));
    }

    async fn apply(&mut self, changes: Changes<K>, events: &mut u64) -> Result<(), InformerError> {
        for change in changes {
            match change.map_err(InformerError::Watch)? {
                Change::Present(arrived) => self.present(arrived),
                Change::Gone(arrived) => self.gone(arrived),
                Change::Bookmark(Bookmark { version, .. }) => self.bookmark(version.as_ref()),
            }
            *events += 1;
            // A full connection must not keep others of this thread from running.
            tokio::task::coop::consume_budget().await;
        }
        Ok(())
    }
}

impl<K: Object> Flow<K> {
    async fn step(&mut self, open: &mut Open) -> Step<K> {
        let reads = self.end.is_none() && self.lines.len() < TOGETHER;
        if self.elsewhere.is_none()
            && let Some(end) = self.end.take()
        {
            return Step::Ended(end);
        }
        let mut elsewhere = self.elsewhere.take();
        let taken_in = async {
            match &mut elsewhere {
                Some(elsewhere) => elsewhere.done().await,
                None => std::future::pending().await,
            }
        };
        let step = tokio::select! {
            biased;
            changes = taken_in => return Step::TakenIn(changes),
            line = open.lines.next(), if reads => {
                self.read(line, &mut open.lines);
                Step::Read
            }
            () = sleep_until(open.until), if reads => {
                let seconds = open.since.elapsed().as_secs();
                Step::Ended(Err(InformerError::Silent { doing: "watching", seconds }))
            }
        };
        self.elsewhere = elsewhere;
        step
    }

    /// Takes a line, and what else is there already.
    fn read(&mut self, mut next: Option<client::Result<Bytes>>, watch: &mut Lines) {
        loop {
            match next {
                Some(Ok(line)) => self.lines.push(line),
                Some(Err(error)) => self.end = Some(Err(InformerError::Watch(error))),
                None => self.end = Some(Ok(())),
            }
            if self.end.is_some() || self.lines.len() >= TOGETHER {
                return;
            }
            next = match watch.next().now_or_never() {
                Some(next) => next,
                None => return,
            };
        }
    }
}
