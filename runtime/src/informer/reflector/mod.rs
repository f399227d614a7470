//! Keeps a store equal to what the server has.
//!
//! In: lists and watches of one kind. Out: the store, and events for the handlers in the order of the store. Never: an
//! end because of an error; only its token ends it.
//!
//! `list` gets a whole state, in pages or streamed; `watch` goes on with the changes after it until a new list is needed,
//! and `follow` reads one watch to its end; `apply` judges each object: is it new, can it be used, what does it replace; `desk` is where they are decoded.

mod apply;
mod commit;
mod desk;
mod follow;
mod list;
mod stream;
mod watch;

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep};

use self::desk::Desk;
use super::{
    ListStrategy,
    backoff::Backoff,
    core::Core,
    error::{InformerError, log},
    stats::count,
};
use crate::{
    client::Lines,
    object::Object,
    store::{Entry, ResourceVersion, Writer},
};

pub(super) struct Reflector<K: Object> {
    core: Arc<Core<K>>,
    writer: Writer<K>,
    backoff: Backoff,
    desk: Desk,
    /// Objects that others have taken the place of, to be dropped.
    replaced: Vec<Entry<K>>,
    /// Up to which version everything is known.
    seen: Option<ResourceVersion>,
    /// The server no longer has what comes after `seen`: ask for the newest state instead.
    seen_is_gone: bool,
    streaming: Streaming,
    /// Watches that failed one after the other in a way that a new list may heal.
    failed_watches: u32,
    /// Routine errors since a watch last was of use.
    routine: u32,
}

/// So many routine errors one after the other get over without a wait: a watch that is too old, then a list that is. A
/// server that goes on like this is not well.
const ROUTINE: u32 = 2;

/// Whether to ask for streamed lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Streaming {
    Ask,
    /// Not this time; the last attempt failed for a reason that may lie in the streaming.
    NotThisTime,
    /// The server cannot.
    Never,
}

/// A watch that is open.
struct Open {
    lines: Lines,
    since: Instant,
    /// When the server should have ended it by itself; after this the connection is dead.
    until: Instant,
}

impl<K: Object> Reflector<K> {
    pub(super) fn new(core: Arc<Core<K>>, writer: Writer<K>) -> Self {
        let random = core.config.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        let streaming = match core.config.strategy {
            ListStrategy::Streaming => Streaming::Ask,
            ListStrategy::Paged => Streaming::Never,
        };
        Self {
            core,
            writer,
            backoff: Backoff::new(random),
            desk: Desk::new(),
            replaced: Vec::new(),
            seen: None,
            seen_is_gone: false,
            streaming,
            failed_watches: 0,
            routine: 0,
        }
    }

    /// Lists and watches for ever.
    pub(super) async fn run(&mut self) {
        loop {
            match self.list().await {
                Ok(open) => {
                    count(&self.core.hub.counters.lists);
                    self.failed_watches = 0;
                    self.watch(open).await;
                }
                Err(error) => self.recover(&error).await,
            }
        }
    }

    async fn list(&mut self) -> Result<Option<Open>, InformerError> {
        match self.streaming {
            Streaming::Ask => self.list_streamed().await,
            Streaming::NotThisTime => {
                self.streaming = Streaming::Ask;
                self.list_paged().await.map(|()| None)
            }
            Streaming::Never => self.list_paged().await.map(|()| None),
        }
    }

    /// Reports a failure, and waits as long as it deserves.
    async fn recover(&mut self, error: &InformerError) {
        self.report(error);
        if error.is_routine() {
            self.routine += 1;
            if self.routine <= ROUTINE {
                return;
            }
        }
        count(&self.core.hub.counters.failures);
        let wait = self.backoff.after_failure(error.retry_after());
        sleep(wait).await;
    }

    fn report(&self, error: &InformerError) {
        match &self.core.config.error_handler {
            Some(handler) => {
                let call = std::panic::AssertUnwindSafe(|| handler(error));
                if std::panic::catch_unwind(call).is_err() {
                    tracing::error!(kind = %K::kind(&()), %error, "the error handler of an informer panicked");
                }
            }
            None => log(&K::kind(&()), error),
        }
    }
}

/// The result in time, or the error that it took too long.
async fn within<T>(
    limit: Duration,
    doing: &'static str,
    work: impl Future<Output = T>,
) -> Result<T, InformerError> {
    let late = |_| InformerError::Silent { doing, seconds: limit.as_secs() };
    tokio::time::timeout(limit, work).await.map_err(late)
}
