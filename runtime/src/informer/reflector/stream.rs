//! A whole state, as a stream of objects that goes over into the watch.
//!
//! In: the version that is known. Out: the store at a version no older than that, and the open watch. Never: half a
//! state in the store.
//!
//! Objects are decoded beside the runtime while others come in.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{FutureExt, StreamExt};

use super::{
    super::{error::InformerError, incoming::Bookmark, intake::Change},
    Open, Reflector, Streaming,
    desk::Line,
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
/// How servers begin an object of a list. Whatever begins otherwise is looked at before anything that comes after it.
const LISTED: &[u8] = br#"{"type":"ADDED""#;
/// So many bytes are worth being decoded elsewhere.
const PART: usize = 256 << 10;

/// Some events of a streamed list, taken in.
type Part<K> = Vec<client::Result<Change<K>>>;

/// A list on its way.
struct Streamed<K> {
    list: Replacement<K>,
    parts: Line<Part<K>>,
    /// What has come and is not being taken in yet.
    lines: Vec<Bytes>,
    bytes: usize,
}

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
        let mut streamed = Streamed {
            list: self.writer.replacement(),
            parts: Line::new(self.desk),
            lines: Vec::new(),
            bytes: 0,
        };
        loop {
            let line = match open.lines.next().now_or_never() {
                Some(line) => line,
                None => {
                    self.take_in(&mut streamed).await?;
                    super::within(PATIENCE, "streaming a list", open.lines.next()).await?
                }
            };
            let line = line.ok_or(InformerError::EndedAtOnce)?.map_err(InformerError::Watch)?;
            if line.starts_with(LISTED) {
                streamed.bytes += line.len();
                streamed.lines.push(line);
                if streamed.bytes >= PART {
                    self.take_in(&mut streamed).await?;
                }
                continue;
            }
            self.take_in(&mut streamed).await?;
            while let Some(part) = streamed.parts.take().await {
                self.list_part(&mut streamed.list, part)?;
            }
            let part = self.core.take_in_streamed(&[line]);
            if let Some(version) = self.list_part(&mut streamed.list, part)? {
                self.end_list(streamed.list, version)?;
                return Ok(open);
            }
        }
    }

    /// Has what came decoded, and puts into the list what was decoded by now.
    async fn take_in(&self, streamed: &mut Streamed<K>) -> Result<(), InformerError> {
        if streamed.lines.is_empty() {
            return Ok(());
        }
        let (core, lines) = (Arc::clone(&self.core), std::mem::take(&mut streamed.lines));
        streamed.bytes = 0;
        if let Some(part) = streamed.parts.give(move || core.take_in_streamed(&lines)).await {
            self.list_part(&mut streamed.list, part)?;
        }
        tokio::task::coop::consume_budget().await;
        Ok(())
    }

    /// Puts events into the list; gives its version if one of them ends it.
    fn list_part(
        &self,
        list: &mut Replacement<K>,
        part: Part<K>,
    ) -> Result<Option<ResourceVersion>, InformerError> {
        for change in part {
            match change.map_err(InformerError::Watch)? {
                Change::Present(arrived) => self.listed(list, arrived),
                Change::Gone(arrived) => self.unlisted(list, arrived),
                Change::Bookmark(Bookmark { version: Some(version), ends_list: true }) => {
                    return Ok(Some(version));
                }
                // Before the end of the list a server that streams lists sends no bookmark.
                Change::Bookmark(Bookmark { version: None, .. }) => {}
                Change::Bookmark(_) => return Err(InformerError::StreamingUnsupported(None)),
            }
        }
        Ok(None)
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
