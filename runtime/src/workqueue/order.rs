//! In: slots that became ready, with their priorities. Out: the one to hand out next. It never looks at keys, times or limiters.
//!
//! Slots of one priority are handed out in the order in which they came. A slot whose priority rises is entered anew, and its old entry
//! skipped when its turn comes: entries carry the turn they were made for, and a slot knows its last one.

use std::collections::{BTreeMap, VecDeque};

use super::Priority;

/// How often in a row the slot that has waited longest may be passed over.
const PATIENCE: u32 = 15;
/// How many entries of the past a level may keep beside as many as it has of the present.
const SPARE: usize = 64;

/// What a slot has to know to tell its present entry from those of the past. It counts on for ever, and is cut off to be kept in slots:
/// should two meet, a slot is handed out earlier than its turn.
pub(super) type Turn = u32;

#[derive(Clone, Copy, Debug)]
struct Entry {
    slot: usize,
    turn: u64,
}

impl Entry {
    #[expect(clippy::cast_possible_truncation, reason = "the low bits tell entries of one slot apart")]
    fn short(self) -> Turn {
        self.turn as Turn
    }
}

/// The slots of one priority.
#[derive(Debug, Default)]
struct Level {
    entries: VecDeque<Entry>,
    /// How many of the entries are of the present.
    waiting: usize,
}

impl Level {
    /// Drops the entries of the past in front of the first of the present, and says when that came.
    fn oldest(&mut self, is_current: &impl Fn(usize, Turn) -> bool) -> Option<u64> {
        loop {
            let entry = *self.entries.front()?;
            if is_current(entry.slot, entry.short()) {
                return Some(entry.turn);
            }
            self.entries.pop_front();
        }
    }

    fn pop(&mut self, is_current: &impl Fn(usize, Turn) -> bool) -> Option<usize> {
        loop {
            let entry = self.entries.pop_front()?;
            if is_current(entry.slot, entry.short()) {
                self.waiting = self.waiting.saturating_sub(1);
                return Some(entry.slot);
            }
        }
    }

    /// Takes note that one of the entries is of the past.
    fn leave(&mut self, is_current: &impl Fn(usize, Turn) -> bool) {
        self.waiting = self.waiting.saturating_sub(1);
        if self.waiting == 0 {
            self.entries.clear();
        } else if self.entries.len() > 2 * self.waiting + SPARE {
            self.entries.retain(|entry| is_current(entry.slot, entry.short()));
        }
    }
}

/// Ready slots: the highest priority first, and whoever has waited longest now and then.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Most queues have no other.
    normal: Level,
    /// Levels that are not empty.
    others: BTreeMap<Priority, Level>,
    turns: u64,
    passed_over: u32,
}

impl Order {
    /// Adds a slot, and gives the turn that it has to remember.
    pub(super) fn push(&mut self, slot: usize, priority: Priority) -> Turn {
        self.turns += 1;
        let entry = Entry { slot, turn: self.turns };
        let level = match priority {
            Priority::NORMAL => &mut self.normal,
            other => self.others.entry(other).or_default(),
        };
        level.entries.push_back(entry);
        level.waiting += 1;
        entry.short()
    }

    /// Takes note that a slot of this priority has been added anew.
    pub(super) fn leave(&mut self, priority: Priority, is_current: impl Fn(usize, Turn) -> bool) {
        match priority {
            Priority::NORMAL => self.normal.leave(&is_current),
            other => {
                if let Some(level) = self.others.get_mut(&other) {
                    level.leave(&is_current);
                }
                self.tidy(other);
            }
        }
    }

    /// Takes the next slot out.
    pub(super) fn pop(&mut self, is_current: impl Fn(usize, Turn) -> bool) -> Option<usize> {
        if self.others.is_empty() {
            return self.normal.pop(&is_current);
        }
        let normal = self.normal.oldest(&is_current).map(|turn| (Priority::NORMAL, turn));
        let others = self.others.iter_mut();
        let others = others.filter_map(|(priority, level)| Some((*priority, level.oldest(&is_current)?)));
        let (highest, longest, _) = others
            .chain(normal)
            .map(|(priority, turn)| (priority, priority, turn))
            .reduce(|one, other| {
            let (longest, turn) = if one.2 < other.2 { (one.1, one.2) } else { (other.1, other.2) };
            (one.0.max(other.0), longest, turn)
        })?;
        let chosen = if highest == longest || self.passed_over >= PATIENCE {
            self.passed_over = 0;
            longest
        } else {
            self.passed_over += 1;
            highest
        };
        if chosen == Priority::NORMAL {
            return self.normal.pop(&is_current);
        }
        let slot = self.others.get_mut(&chosen)?.pop(&is_current);
        self.tidy(chosen);
        slot
    }

    fn tidy(&mut self, priority: Priority) {
        if self.others.get(&priority).is_some_and(|level| level.waiting == 0) {
            self.others.remove(&priority);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.normal.waiting + self.others.values().map(|level| level.waiting).sum::<usize>()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many slots of each priority wait; the normal one is always among them.
    pub(super) fn depths(&self) -> impl Iterator<Item = (Priority, usize)> {
        let others = self.others.iter().map(|(priority, level)| (*priority, level.waiting));
        std::iter::once((Priority::NORMAL, self.normal.waiting)).chain(others)
    }
}
