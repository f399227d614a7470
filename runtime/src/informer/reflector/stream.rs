//! A whole state, as a stream of objects that goes over into the watch.
//!
//! In: the version that is known. Out: the store at a version no older than that, and the open watch. Never: half a
//! state in the store.

use std::time::Duration;

use futures::StreamExt;

use super::{
    super::{
        error::InformerError,
        incoming::{Bookmark, Identity, Incoming},
    },
    Open, Reflector, Streaming,
    list::{as_routine, is_out_of_reach},
};
use crate::{
    client,
    object::Object,
    store::{Replacement, ResourceVersion},
};

/// How long the server may be silent within a streamed list. One that does not know of them sends the objects, and
/// never that these were all.
const PATIENCE: Duration = Duration::from_secs(60);

impl<K: Object> Reflector<K> {
    pub(super) async fn list_streamed(&mut self) -> Result<Option<Open>, InformerError> {
        match self.stream().await {
            Ok(open) => {
                self.seen_is_gone = false;
                Ok(Some(open))
            }
            Err(error) => Err(self.judge(error)),
        }
    }

    async fn stream(&mut self) -> Result<Open, InformerError> {
        let version = match &self.seen {
            Some(seen) if !self.seen_is_gone => seen.to_string(),
            _ => String::new(),
        };
        let mut params = self.watch_params();
        params.send_initial_events = true;
        let mut open = self.open(&params, &version).await?;
        let mut replacement = self.writer.replacement();
        loop {
            let line = super::within(PATIENCE, "streaming a list", open.lines.next()).await?;
            let Some(line) = line else { return Err(InformerError::EndedAtOnce) };
            let line = line.map_err(InformerError::Watch)?;
            match Incoming::parse(&line).map_err(InformerError::Watch)? {
                Incoming::Present(object) => self.listed(&mut replacement, object),
                Incoming::Gone(object) => {
                    if let Ok(identity) = Identity::read(object) {
                        replacement.remove(&identity.key);
                    }
                }
                Incoming::Bookmark(Bookmark { version: Some(version), ends_list: true }) => {
                    self.end_list(replacement, version)?;
                    return Ok(open);
                }
                // Before the end of the list a server that streams lists sends no bookmark.
                Incoming::Bookmark(Bookmark { version: None, .. }) => {}
                Incoming::Bookmark(_) => return Err(InformerError::StreamingUnsupported(None)),
            }
            tokio::task::coop::consume_budget().await;
        }
    }

    fn end_list(&mut self, list: Replacement<K>, version: ResourceVersion) -> Result<(), InformerError> {
        match &self.seen {
            Some(seen) if !self.seen_is_gone && version.is_before(seen) => {
                Err(InformerError::StaleList { listed: version.to_string(), known: seen.to_string() })
            }
            _ => {
                self.commit(list, version);
                Ok(())
            }
        }
    }

    /// What a failed stream says of the next attempt.
    fn judge(&mut self, error: InformerError) -> InformerError {
        use client::Error::{BadRequest, Decode, Invalid, TooManyRequests, Transport, Unsupported};
        match error {
            InformerError::Watch(error) if is_out_of_reach(&error) => {
                let routine = !self.seen_is_gone;
                self.seen_is_gone = true;
                InformerError::List(if routine { as_routine(error) } else { error })
            }
            // It says that it does not know how, or answers with something else, as a plain list.
            InformerError::Watch(error @ (BadRequest(_) | Invalid(_) | Unsupported(_) | Decode(_))) => {
                self.streaming = Streaming::Never;
                InformerError::StreamingUnsupported(Some(error))
            }
            InformerError::Silent { .. } | InformerError::StreamingUnsupported(_) => {
                self.streaming = Streaming::Never;
                error
            }
            InformerError::Watch(error @ (TooManyRequests { .. } | Transport(_))) => {
                InformerError::List(error)
            }
            // It may be the stream, it may be the server: try the other way, then this one again.
            InformerError::Watch(error) => {
                self.streaming = Streaming::NotThisTime;
                InformerError::List(error)
            }
            error => {
                self.streaming = Streaming::NotThisTime;
                error
            }
        }
    }
}
