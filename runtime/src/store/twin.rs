//! Two copies of one value, so that reading never waits.
//!
//! In: a change, as a function that is applied to either copy in turn. Out: reads of whichever copy is not being
//! changed. Never: a reader that waits for a writer, or that sees a change and then the state before it.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Mutex, MutexGuard, RwLock};

/// A value that one writer changes and any number of readers read, none waiting for the writer.
///
/// The writer changes the copy that nobody is sent to, sends the readers there, and then makes the same change to
/// the other. It waits for those readers only that were already in the copy to be changed, so reads must be short;
/// long ones take a cheap copy of what they need and go on outside.
pub(super) struct Twin<T> {
    copies: [RwLock<T>; 2],
    /// Which copy readers are sent to, 0 or 1. Changed by the writer alone.
    current: AtomicUsize,
    /// Held while writing: there is one writer at a time.
    writing: Mutex<()>,
}

/// The right to change a [`Twin`].
pub(super) struct Writing<'t, T> {
    twin: &'t Twin<T>,
    _turn: MutexGuard<'t, ()>,
}

impl<T> Twin<T> {
    /// Both copies must be equal.
    pub(super) fn new(one: T, other: T) -> Self {
        Self {
            copies: [RwLock::new(one), RwLock::new(other)],
            current: AtomicUsize::new(0),
            writing: Mutex::new(()),
        }
    }

    fn copy(&self, which: usize) -> &RwLock<T> {
        let [first, second] = &self.copies;
        if which == 0 { first } else { second }
    }

    /// Reads. `read` must be short: a writer may come to wait for it.
    pub(super) fn read<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        loop {
            let current = self.current.load(Ordering::Acquire);
            if let Some(copy) = self.copy(current).try_read() {
                // Had the writer turned in between, this copy could be ahead of what others have been shown.
                if self.current.load(Ordering::Acquire) == current {
                    return read(&copy);
                }
            }
            // The writer has turned since `current` was read: the other copy is free.
            std::hint::spin_loop();
        }
    }

    /// Waits for other writers, and locks them out.
    pub(super) fn write(&self) -> Writing<'_, T> {
        Writing { twin: self, _turn: self.writing.lock() }
    }
}

impl<T> Writing<'_, T> {
    /// Makes the same change to both copies; readers see all of it or nothing.
    ///
    /// What `change` gives back is not dropped while a copy is locked: hand out of it what is costly to drop.
    pub(super) fn change<R>(&mut self, mut change: impl FnMut(&mut T) -> R) -> (R, R) {
        let shown = self.twin.current.load(Ordering::Acquire);
        let hidden = 1 - shown.min(1);
        let first = change(&mut self.twin.copy(hidden).write());
        self.twin.current.store(hidden, Ordering::Release);
        let second = change(&mut self.twin.copy(shown).write());
        (first, second)
    }
}
