//! A value that changes, and waits for what it becomes.
//!
//! In: changes by one task. Out: the value, and waits of any number of others, who go on in the order in which they began to wait. Never: an
//! order that chance decides, as it does for those who wait at a `watch` of tokio's; a simulation would not be the same twice.

use parking_lot::Mutex;
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(crate) struct Published<T> {
    value: Mutex<T>,
    changed: Notify,
}

impl<T> Published<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), changed: Notify::new() }
    }

    /// Looks at the value.
    pub(crate) fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.value.lock())
    }

    /// Changes the value with a function that says whether it did.
    pub(crate) fn modify(&self, change: impl FnOnce(&mut T) -> bool) {
        let changed = change(&mut self.value.lock());
        if changed {
            self.changed.notify_waiters();
        }
    }

    /// Waits until `find` finds something in the value.
    pub(crate) async fn wait_for<R>(&self, find: impl Fn(&T) -> Option<R>) -> R {
        loop {
            // Begun before the look, so that no change comes between them.
            let changed = self.changed.notified();
            if let Some(found) = self.read(&find) {
                return found;
            }
            changed.await;
        }
    }
}
