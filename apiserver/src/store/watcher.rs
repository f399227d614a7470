//! `Watcher`: a cursor over the log of a table.
//!
//! In: the store, whenever something may be new. Out: the events that a watch sends next, as bytes. A watcher holds a version, not a
//! queue: one that is slow or gone costs writers nothing, and one that fell behind the log is told so.

use std::{collections::VecDeque, sync::Arc};

use bytes::Bytes;
use jiff::Timestamp;

use crate::{
    printers::{Columns, Row, TableForm},
    protocol::{Status, escape_html},
};

use super::{Change, Event, Selection, Store, Stored, TableId, table::Forgotten};

/// What a watch sends of each object.
#[derive(Clone, Debug)]
pub(crate) enum View {
    /// The object, beginning with this head.
    Whole(Arc<str>),
    /// Its metadata, beginning with this head.
    Metadata(Arc<str>),
    /// A row of a table.
    Table(Box<TableForm>),
}

/// A cursor over the log of a table.
#[derive(Clone, Debug)]
pub(crate) struct Watcher {
    pub table: TableId,
    selection: Selection,
    view: View,
    /// Whether the columns of tables are still to be told: the first event does so.
    columns: Columns,
    /// The last version that was looked at.
    position: u64,
    /// How often the table's watches had been ended when this one began.
    epoch: u64,
    initial: VecDeque<Arc<Stored>>,
    bookmark: Option<Bookmark>,
    failure: Option<Bytes>,
    ended: bool,
}

/// What a bookmark consists of besides its version.
#[derive(Clone, Debug)]
pub(crate) struct Bookmark {
    /// `{"kind":"Pod","apiVersion":"v1",`
    pub head: Arc<str>,
    /// What an empty object of the kind holds besides its metadata: nothing, or `,"spec":{}`.
    pub tail: Arc<str>,
    /// Whether the end of the initial events is still to be marked.
    pub marks_end: bool,
}

/// What a watch sends next.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub frames: Vec<Bytes>,
    /// Whether nothing comes after these.
    pub last: bool,
}

impl Watcher {
    /// A watch of what happens after a version.
    pub(crate) fn after(version: u64, table: TableId, selection: Selection, view: View) -> Self {
        Self {
            table,
            selection,
            view,
            columns: Columns::Told,
            position: version,
            epoch: 0,
            initial: VecDeque::new(),
            bookmark: None,
            failure: None,
            ended: false,
        }
    }

    /// A watch that says what is wrong and ends.
    pub(crate) fn failed(status: &Status) -> Self {
        let view = View::Whole("{".into());
        let mut watcher = Self::after(0, TableId(usize::MAX), Selection::default(), view);
        watcher.failure = Some(error_frame(status));
        watcher
    }

    /// A watch that ends at once.
    pub(crate) fn ended() -> Self {
        let mut watcher = Self::after(0, TableId(usize::MAX), Selection::default(), View::Whole("{".into()));
        watcher.ended = true;
        watcher
    }

    /// The same watch, with the present state before everything else.
    pub(crate) fn with_initial(mut self, objects: VecDeque<Arc<Stored>>) -> Self {
        self.initial = objects;
        self
    }

    /// The same watch, begun when the table's watches had been ended so often.
    pub(crate) fn in_epoch(mut self, epoch: u64) -> Self {
        self.epoch = epoch;
        self
    }

    /// The same watch, with bookmarks.
    pub(crate) fn with_bookmarks(mut self, bookmark: Option<Bookmark>) -> Self {
        self.bookmark = bookmark;
        self
    }

    /// Whether somebody may have to be asked before it can go on.
    pub(crate) fn asks(&self) -> bool {
        self.selection.lens.as_ref().is_some_and(|lens| lens.asks())
    }

    /// Up to `limit` events; none when there is nothing new.
    pub(crate) fn poll(&mut self, store: &Store, limit: usize, now: Timestamp) -> Batch {
        let mut batch = Batch::default();
        if let Some(frame) = self.failure.take() {
            batch.frames.push(frame);
            self.ended = true;
        }
        if self.ended {
            batch.last = true;
            return batch;
        }
        while batch.frames.len() < limit
            && let Some(object) = self.initial.pop_front()
        {
            batch.frames.push(self.frame(&object, Change::Added, now));
        }
        if self.initial.is_empty() {
            self.mark_end(&mut batch, now);
            self.follow(store, limit, &mut batch, now);
        }
        batch
    }

    /// A bookmark at the version that this watch has reached, if it wants bookmarks.
    pub(crate) fn bookmark(&mut self, now: Timestamp) -> Option<Bytes> {
        if self.ended || !self.initial.is_empty() || self.bookmark.is_none() {
            return None;
        }
        let version = self.position;
        self.bookmark_of(&format!("\"resourceVersion\":\"{version}\""), now)
    }

    /// A bookmark whose object has this metadata.
    fn bookmark_of(&mut self, metadata: &str, now: Timestamp) -> Option<Bytes> {
        let Bookmark { head, tail, .. } = self.bookmark.as_ref()?;
        let object = match &self.view {
            View::Table(form) => form.bookmark(metadata, self.columns, now),
            _ => format!("{head}\"metadata\":{{{metadata}}}{tail}}}").into_bytes(),
        };
        self.columns = Columns::Known;
        Some(Bytes::from([&b"{\"type\":\"BOOKMARK\",\"object\":"[..], &object, b"}\n"].concat()))
    }

    fn mark_end(&mut self, batch: &mut Batch, now: Timestamp) {
        let version = self.position;
        let Some(bookmark) = self.bookmark.as_mut().filter(|bookmark| bookmark.marks_end) else {
            return;
        };
        bookmark.marks_end = false;
        let metadata = format!(
            "\"resourceVersion\":\"{version}\",\"annotations\":{{\"k8s.io/initial-events-end\":\"true\"}}"
        );
        batch.frames.extend(self.bookmark_of(&metadata, now));
    }

    fn follow(&mut self, store: &Store, limit: usize, batch: &mut Batch, now: Timestamp) {
        let events = match store.events_after(self.table, self.position) {
            Ok(events) => events,
            Err(Forgotten) => {
                let oldest = store.oldest(self.table);
                batch.frames.push(expired(self.position, oldest));
                batch.last = true;
                self.ended = true;
                return;
            }
        };
        for event in events {
            if batch.frames.len() >= limit {
                return;
            }
            self.position = event.object.version;
            if let Some(frame) = self.event(event, now) {
                batch.frames.push(frame);
            }
        }
        // A watch from the future waits for it; any other has now seen all there is.
        self.position = self.position.max(store.version());
        if self.epoch != store.epoch(self.table) {
            self.ended = true;
            batch.last = true;
        }
    }

    fn event(&mut self, event: &Event, now: Timestamp) -> Option<Bytes> {
        let previous = event.previous.as_ref().map(|previous| self.selection.view(previous));
        let before = previous.filter(|previous| self.selection.matches(previous));
        let object = self.selection.view(&event.object);
        let matches = event.change != Change::Deleted && self.selection.matches(&object);
        match (before, matches) {
            (None, false) => None,
            (None, true) => Some(self.frame(&object, Change::Added, now)),
            (Some(_), true) => Some(self.frame(&object, Change::Modified, now)),
            (Some(_), false) if event.change == Change::Deleted => {
                Some(self.frame(&object, Change::Deleted, now))
            }
            (Some(previous), false) => {
                let last = previous.buried(event.object.version);
                Some(self.frame(&last, Change::Deleted, now))
            }
        }
    }

    fn frame(&mut self, object: &Stored, change: Change, now: Timestamp) -> Bytes {
        match &self.view {
            View::Table(form) => {
                let metadata = format!("\"resourceVersion\":\"{}\"", object.version);
                let row = Row { metadata: object.metadata(), tail: object.tail() };
                let table = form.write(&metadata, &[row], self.columns, now);
                self.columns = Columns::Known;
                Bytes::from([change.opening().as_bytes(), &table, b"}\n"].concat())
            }
            View::Whole(head) => object.event(change, head),
            View::Metadata(head) => object.metadata_event(change, head),
        }
    }
}

fn expired(asked: u64, oldest: u64) -> Bytes {
    error_frame(&Status::expired(format!("too old resource version: {asked} ({oldest})")))
}

fn error_frame(status: &Status) -> Bytes {
    let mut frame = b"{\"type\":\"ERROR\",\"object\":".to_vec();
    frame.extend_from_slice(&status.to_json());
    escape_html(&mut frame, 0);
    frame.extend_from_slice(b"}\n");
    Bytes::from(frame)
}
