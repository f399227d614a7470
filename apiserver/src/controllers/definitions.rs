//! The ends of definitions: a definition that is deleted stays for a moment after its objects, and then goes.
//!
//! In: every change in the store. Out: definitions that are going, gone on with. What is done then is the server's own.

use core::time::Duration;

use crate::{
    server::Core,
    store::{Change, Event, TableId},
};

use super::Moment;

/// Whoever goes on with the definitions that are going.
#[derive(Debug)]
pub(super) struct Definitions {
    table: Option<TableId>,
    due: Option<Duration>,
}

impl Definitions {
    /// From now on no definition goes before its time.
    pub(super) fn new(core: &mut Core, table: Option<TableId>) -> Self {
        core.let_definitions_stay();
        let waits = table.is_some_and(|table| core.objects_under(table, "").any(|one| one.ending.begun));
        Self { table, due: waits.then_some(Duration::ZERO) }
    }

    /// Whether objects of this table are definitions.
    pub(super) fn is_about(&self, table: TableId) -> bool {
        self.table == Some(table)
    }

    /// Takes note of a change, to be looked into at `due`.
    pub(super) fn observe(&mut self, table: TableId, event: &Event, due: Duration) {
        if self.is_about(table) && event.change != Change::Deleted && event.object.ending.begun {
            self.due.get_or_insert(due);
        }
    }

    /// When the next step is due.
    pub(super) fn due(&self) -> Option<Duration> {
        self.due
    }

    /// Goes on with all that are going.
    pub(super) fn step(&mut self, core: &mut Core, moment: Moment) {
        self.due = None;
        core.end_definitions(moment.now);
    }
}
