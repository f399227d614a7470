//! In: slots that became ready. Out: the one to hand out next. It never looks at keys, times or limiters.
//!
//! This is the seam for priorities: another order is another type with these methods, and nothing else in
//! the queue knows how the next slot is chosen.

use std::collections::VecDeque;

/// First come, first served.
#[derive(Debug, Default)]
pub(super) struct Fifo(VecDeque<usize>);

impl Fifo {
    pub(super) fn push(&mut self, slot: usize) {
        self.0.push_back(slot);
    }

    pub(super) fn pop(&mut self) -> Option<usize> {
        self.0.pop_front()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
