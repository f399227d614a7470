//! Code of others, run so that its panics become errors.
//!
//! In: a future. Out: what it gives, or the words of its panic.

use std::panic::AssertUnwindSafe;

use futures::FutureExt as _;
use tracing::error;

use crate::panic::words;

/// Runs a future to its end, or to its panic.
pub(super) async fn guarded<T>(
    path: &str,
    panics: &super::metrics::Panics,
    future: impl Future<Output = T>,
) -> Result<T, String> {
    AssertUnwindSafe(future).catch_unwind().await.map_err(|panic| {
        let words = words(&*panic);
        panics.count();
        error!(path, panic = words, "a webhook has panicked");
        format!("panic: {words} [recovered]")
    })
}
