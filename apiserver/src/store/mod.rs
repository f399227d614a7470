//! The store: versions of objects.
//!
//! In: drafts of objects. Out: the newest of each, snapshots, pages of snapshots, events, watch cursors. Versions come from one counter
//! over all kinds. It knows no rules of kinds: what it is given, it keeps.

mod closed;
mod ownership;
mod selection;
mod stored;
mod table;
mod texts;
mod token;
mod watcher;
mod written;

use std::{collections::VecDeque, sync::Arc};

pub(crate) use ownership::{FOREGROUND, ORPHAN, Owner};
pub(crate) use selection::{Field, FieldTest, Lens, Selection};
pub(crate) use stored::{Change, Draft, Hand, Stored};
pub(crate) use table::{Event, Forgotten};
pub(crate) use texts::Texts;
pub(crate) use token::Token;
pub(crate) use watcher::{Batch, Bookmark, View, Watcher};

use table::Table;

use crate::protocol::Fields;

/// How many objects are remembered with their fields. They take some ten times the memory of the JSON, and are forgotten sooner than the
/// processor's caches forget them: what is not written again soon must not cost more than if it had not been remembered.
const REMEMBERED: usize = 8;

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TableId(pub usize);

/// All objects.
#[derive(Debug)]
pub(crate) struct Store {
    tables: Vec<Table>,
    version: u64,
    /// Nothing before this version can be asked for.
    floor: u64,
    history: usize,
    /// The objects of which the fields are remembered, oldest first.
    remembered: VecDeque<Arc<Stored>>,
    /// What has changed since somebody last looked; nothing is noted where nobody does.
    notes: Option<Vec<Note>>,
}

/// A change, as those are told who act on changes.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub table: TableId,
    pub event: Event,
}

/// Which part of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// How many objects; 0 for all.
    pub limit: usize,
    /// The version that the list shows.
    pub version: u64,
    /// The last key of the part before.
    pub after: Option<&'a str>,
}

/// A part of a list.
#[derive(Debug)]
pub(crate) struct Page {
    pub objects: Vec<Arc<Stored>>,
    /// The last key of the page, where more follows.
    pub next: Option<Arc<str>>,
    /// How many follow, where that is known.
    pub remaining: Option<usize>,
}

impl Store {
    /// An empty store whose logs hold up to `history` events each.
    pub(crate) fn new(history: usize) -> Self {
        Self { tables: Vec::new(), version: 1, floor: 1, history, remembered: VecDeque::new(), notes: None }
    }

    /// The version of the newest change.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn get(&self, table: TableId, key: &str) -> Option<&Arc<Stored>> {
        self.tables.get(table.0)?.get(key)
    }

    /// Stores a new object or a new version of one.
    pub(crate) fn put(&mut self, table: TableId, draft: Draft<'_>) -> Arc<Stored> {
        let change = match self.get(table, &draft.key) {
            Some(_) => Change::Modified,
            None => Change::Added,
        };
        self.version += 1;
        let object = Arc::new(Stored::write(draft, self.version, change));
        self.record(table, change, Arc::clone(&object));
        object
    }

    /// Remembers for a while the fields that an object was written from: what was written lately is what is written next.
    pub(crate) fn remember(&mut self, object: &Arc<Stored>, fields: Fields) {
        object.remember(fields);
        self.remembered.push_back(Arc::clone(object));
        if self.remembered.len() > REMEMBERED
            && let Some(oldest) = self.remembered.pop_front()
        {
            oldest.forget();
        }
    }

    /// Stores an object in a version that it had in another store; versions have to come in their order.
    #[cfg(feature = "data")]
    pub(crate) fn take_up(&mut self, table: TableId, draft: Draft<'_>, version: u64) {
        self.version = self.version.max(version);
        let object = Arc::new(Stored::write(draft, version, Change::Added));
        self.record(table, Change::Added, object);
    }

    /// Holds nothing any more.
    #[cfg(feature = "data")]
    pub(crate) fn clear(&mut self) {
        self.tables.clear();
        self.remembered.clear();
        self.version = 1;
        self.floor = 1;
    }

    /// Goes on with the versions after this one; what was before it is forgotten.
    #[cfg(feature = "data")]
    pub(crate) fn go_on_after(&mut self, version: u64) {
        self.version = self.version.max(version);
        self.compact();
    }

    /// Removes an object and says what its watchers are told.
    pub(crate) fn remove(&mut self, table: TableId, key: &str) -> Option<Arc<Stored>> {
        let last = self.get(table, key)?.buried(self.version + 1);
        self.version += 1;
        let last = Arc::new(last);
        self.record(table, Change::Deleted, Arc::clone(&last));
        Some(last)
    }

    fn record(&mut self, id: TableId, change: Change, object: Arc<Stored>) {
        if self.tables.len() <= id.0 {
            self.tables.resize_with(id.0 + 1, Table::default);
        }
        if let Some(table) = self.tables.get_mut(id.0) {
            let event = table.record(change, object, self.history);
            if let Some(notes) = &mut self.notes {
                notes.push(Note { table: id, event });
            }
        }
    }

    /// Notes changes from now on.
    pub(crate) fn take_note(&mut self) {
        self.notes.get_or_insert_default();
    }

    /// What has changed since this was last asked.
    pub(crate) fn notes(&mut self) -> Vec<Note> {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Every object of a table whose key begins with a prefix.
    pub(crate) fn objects<'a>(
        &'a self,
        table: TableId,
        prefix: &'a str,
    ) -> impl Iterator<Item = &'a Arc<Stored>> {
        self.tables.get(table.0).into_iter().flat_map(move |table| table.range(prefix, None))
    }

    /// Forgets the past: whoever asks for an older version than the present one is told that it has expired.
    pub(crate) fn compact(&mut self) {
        for table in &mut self.tables {
            table.shorten(0);
        }
        self.floor = self.version;
    }

    /// Ends all watches of a table: what it shows has changed in a way that no event tells.
    pub(crate) fn close(&mut self, table: TableId) {
        if let Some(table) = self.tables.get_mut(table.0) {
            table.epoch += 1;
        }
    }

    /// How often the watches of a table were ended.
    pub(crate) fn epoch(&self, table: TableId) -> u64 {
        self.tables.get(table.0).map_or(0, |table| table.epoch)
    }

    /// How many objects a table holds.
    pub(crate) fn count(&self, table: TableId) -> usize {
        self.tables.get(table.0).map_or(0, Table::count)
    }

    /// Whether a request that names this version comes too late.
    pub(crate) fn is_forgotten(&self, table: TableId, version: u64) -> bool {
        version < self.oldest(table)
    }

    /// The events of a table after a version, oldest first.
    pub(crate) fn events_after(
        &self,
        table: TableId,
        version: u64,
    ) -> Result<impl Iterator<Item = &Event>, Forgotten> {
        let events = match self.tables.get(table.0) {
            Some(table) => Some(table.events_after(version)?),
            None => None,
        };
        Ok(events.into_iter().flatten())
    }

    /// The oldest version from which a table can be followed.
    pub(crate) fn oldest(&self, table: TableId) -> u64 {
        self.tables.get(table.0).map_or(0, Table::forgotten).max(self.floor)
    }

    /// The version of the newest change of a table; 0 where there was none.
    pub(crate) fn newest(&self, table: TableId) -> u64 {
        self.tables.get(table.0).map_or(0, Table::newest)
    }

    /// Every object whose key begins with `prefix`, as it is now.
    pub(crate) fn all<'a>(
        &'a self,
        table: TableId,
        prefix: &'a str,
    ) -> impl Iterator<Item = &'a Arc<Stored>> {
        self.tables.get(table.0).into_iter().flat_map(move |table| table.range(prefix, None))
    }

    /// Every selected object, as it is now.
    pub(crate) fn select(&self, table: TableId, selection: &Selection) -> VecDeque<Arc<Stored>> {
        let Some(table) = self.tables.get(table.0) else {
            return VecDeque::new();
        };
        if let Some(name) = selection.single_name()
            && !selection.prefix.is_empty()
        {
            let key = format!("{}{name}", selection.prefix);
            let found = table.get(&key).map(|object| selection.view(object).into_owned());
            return found.filter(|object| selection.selects(object)).into_iter().collect();
        }
        let shown = table.range(&selection.prefix, None).map(|object| selection.view(object).into_owned());
        shown.filter(|object| selection.selects(object)).collect()
    }

    /// A page of the selected objects as they were at a version, after a key.
    pub(crate) fn page(
        &self,
        table: TableId,
        selection: &Selection,
        place: &Place<'_>,
    ) -> Result<Page, Forgotten> {
        let Place { limit, version, after } = *place;
        if version < self.floor {
            return Err(Forgotten);
        }
        let Some(table) = self.tables.get(table.0) else {
            return Ok(Page::of(Vec::new()));
        };
        if version >= self.version {
            return Ok(Page::cut(table.range(&selection.prefix, after).cloned(), selection, limit));
        }
        let state = table.range_at(version, &selection.prefix, after)?;
        Ok(Page::cut(state.into_iter(), selection, limit))
    }
}

impl Page {
    fn of(objects: Vec<Arc<Stored>>) -> Self {
        Self { objects, next: None, remaining: None }
    }

    fn cut(mut objects: impl Iterator<Item = Arc<Stored>>, selection: &Selection, limit: usize) -> Self {
        let shown = objects.by_ref().map(|object| selection.view(&object).into_owned());
        let selected = shown.filter(|object| selection.selects(object));
        if limit == 0 {
            return Self::of(selected.collect());
        }
        let page: Vec<_> = selected.take(limit).collect();
        let Some(last) = page.last().filter(|_| page.len() == limit && !selection.is_of(&page)) else {
            return Self::of(page);
        };
        // Whether what follows is selected is seen by who asks for it.
        let more = objects.next().is_some();
        let remaining = (more && !selection.is_narrowed()).then(|| objects.count() + 1);
        let next = Some(Arc::clone(&last.key)).filter(|_| more);
        Self { objects: page, next, remaining }
    }
}
