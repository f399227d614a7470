//! The changes after a version.
//!
//! In: an open watch, or the version to open one after. Out: the store, change by change. Returns when a new list is
//! needed. Never: a list because a connection broke; the watch goes on where it was.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    super::{error::InformerError, stats::count},
    Open, Reflector,
};
use crate::{
    client::{self, WatchParams},
    object::Object,
};

/// How long a watch is to last, in seconds; at random, so that not all come back at once.
const LASTING: std::ops::Range<u32> = 300..600;
/// How much longer than it was to last the server may take to end a watch.
const GRACE: Duration = Duration::from_secs(30);
/// How long the server may take to answer a watch request.
const OPENING: Duration = Duration::from_secs(60);
/// A watch that ends before, and without an event, is a failure.
const AT_ONCE: Duration = Duration::from_secs(1);
/// After so many failures one after the other a new list is tried.
const FAILURES_BEFORE_LIST: u32 = 5;

/// What follows the end of a watch.
enum Then {
    Watch,
    List,
}

impl<K: Object> Reflector<K> {
    /// Follows the changes until a new list is needed.
    pub(super) async fn watch(&mut self, mut open: Option<Open>) {
        loop {
            let then = match self.watch_once(open.take()).await {
                Ok(()) => Then::Watch,
                Err(error) => self.after_failure(error).await,
            };
            if let Then::List = then {
                return;
            }
        }
    }

    /// Follows one watch to its end.
    async fn watch_once(&mut self, open: Option<Open>) -> Result<(), InformerError> {
        let open = match open {
            Some(open) => open,
            None => {
                let version = self.seen.as_ref().map(ToString::to_string).unwrap_or_default();
                let params = self.watch_params();
                let open = self.open(&params, &version).await?;
                count(&self.core.hub.counters.watches);
                open
            }
        };
        let (since, mut events) = (open.since, 0_u64);
        let result = self.follow(open, &mut events).await;
        if events > 0 {
            self.failed_watches = 0;
        }
        if events > 0 || since.elapsed() >= AT_ONCE {
            self.routine = 0;
        }
        if result.is_ok() && events == 0 && since.elapsed() < AT_ONCE {
            return Err(InformerError::EndedAtOnce);
        }
        result
    }

    pub(super) fn watch_params(&mut self) -> WatchParams {
        let config = &self.core.config;
        WatchParams {
            label_selector: config.label_selector.clone(),
            field_selector: config.field_selector.clone(),
            timeout: Some(self.backoff.seconds(LASTING)),
            bookmarks: true,
            send_initial_events: false,
        }
    }

    pub(super) async fn open(&self, params: &WatchParams, version: &str) -> Result<Open, InformerError> {
        let answer = self.core.client.watch_lines(params, version);
        let lines = super::within(OPENING, "opening a watch", answer).await?.map_err(InformerError::Watch)?;
        let since = Instant::now();
        let lasting = Duration::from_secs(params.timeout.unwrap_or(LASTING.end).into());
        Ok(Open { lines, since, until: since + lasting + GRACE })
    }

    async fn after_failure(&mut self, error: InformerError) -> Then {
        use client::Error::{Expired, TooManyRequests, Transport};
        let then = match &error {
            InformerError::Watch(Expired(_)) => Then::List,
            // The server is there, or is coming back: what was seen is as good as before.
            InformerError::Watch(TooManyRequests { .. } | Transport(_))
            | InformerError::Silent { .. }
            | InformerError::EndedAtOnce => Then::Watch,
            _ => {
                self.failed_watches += 1;
                if self.failed_watches < FAILURES_BEFORE_LIST { Then::Watch } else { Then::List }
            }
        };
        self.recover(&error).await;
        then
    }
}
