//! A stack on which others' code may go down as far as it likes.
//!
//! In: work. Out: its result, or why there is none; what panics in it ends there.

use std::thread::{Builder, scope};

/// In bytes. Only what is used of it is ever there.
const SIZE: usize = 512 << 20;

/// Does something on a stack of its own.
///
/// # Errors
///
/// When there is no such stack, or the work has panicked.
pub(super) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    scope(|scope| {
        let thread = Builder::new().name("deep".to_owned()).stack_size(SIZE).spawn_scoped(scope, work);
        thread.map_err(|error| error.to_string())?.join().map_err(|_| "it could not be read".to_owned())
    })
}
