//! One run of a reconciler, whatever it does.
//!
//! In: a request. Out: what the reconciler said, or that it panicked, took too long or was called off. Never: a panic.

use std::{panic::AssertUnwindSafe, time::Duration};

use futures::FutureExt;

use super::{Action, Failure, Outcome, Reconciler, Request};
use crate::panic::words;

/// What became of a run.
#[derive(Debug)]
pub(super) enum Attempt {
    Said(Result<Action, Failure>),
    Panicked(String),
    TimedOut(Duration),
    Revoked,
}

impl Attempt {
    pub(super) async fn make(
        reconciler: &impl Reconciler,
        request: Request,
        limit: Option<Duration>,
    ) -> Self {
        // What a reconciler leaves half done in memory when it panics is its own concern: it is told to expect any state.
        let run = AssertUnwindSafe(async { reconciler.reconcile(request).await }).catch_unwind();
        let ended = match limit {
            None => run.await,
            Some(limit) => match tokio::time::timeout(limit, run).await {
                Ok(ended) => ended,
                Err(_) => return Self::TimedOut(limit),
            },
        };
        match ended {
            Ok(said) => Self::Said(said),
            Err(panic) => Self::Panicked(words(&*panic)),
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        match self {
            Self::Said(Ok(Action::Done)) => Outcome::Done,
            Self::Said(Ok(Action::Again)) => Outcome::Again,
            Self::Said(Ok(Action::After(_) | Action::At(_))) => Outcome::After,
            Self::Said(Err(failure)) if failure.is_conflict() => Outcome::Conflict,
            Self::Said(Err(failure)) if failure.is_terminal() => Outcome::Terminal,
            Self::Said(Err(_)) => Outcome::Failed,
            Self::Panicked(_) => Outcome::Panicked,
            Self::TimedOut(_) => Outcome::TimedOut,
            Self::Revoked => Outcome::Revoked,
        }
    }
}
