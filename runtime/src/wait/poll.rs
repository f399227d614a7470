//! Asking again and again, where nothing can be watched.
//!
//! In: a question. Out: its first answer. Never: a question while the one before is open.

use std::{future::Future, time::Duration};

use tokio::time::{Instant, sleep, timeout_at};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PollError<E> {
    /// The question has failed.
    #[error("the question has failed")]
    Failed(#[source] E),
    /// There was none in time.
    #[error("there was no answer within {limit:?}")]
    Timeout {
        /// The limit.
        limit: Duration,
    },
}

/// Asks at once, and then with this pause between an answer and the next question, until there is something
/// (Go: `PollUntilContextTimeout`). `Ok(None)` means: not yet.
///
/// # Errors
/// The first failure, or that the limit is over.
pub async fn poll<T, E, F>(
    pause: Duration,
    limit: Duration,
    mut question: impl FnMut() -> F,
) -> Result<T, PollError<E>>
where
    F: Future<Output = Result<Option<T>, E>>,
{
    let end = Instant::now().checked_add(limit);
    let ask = async {
        loop {
            if let Some(answer) = question().await.map_err(PollError::Failed)? {
                return Ok(answer);
            }
            sleep(pause).await;
        }
    };
    match end {
        Some(end) => timeout_at(end, ask).await.unwrap_or(Err(PollError::Timeout { limit })),
        None => ask.await,
    }
}
