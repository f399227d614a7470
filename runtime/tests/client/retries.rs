//! Trying again, under paused time.

use std::{cell::Cell, time::Duration};

use kube_codegen_runtime::client::{Backoff, Error, Result, Status, retry, retry_on_conflict};
use tokio::time::Instant;

fn failure(reason: &str) -> Error {
    Error::from_status(Status::failure("no", reason))
}

/// Fails with `reason` so many times, and gives how often it was tried, the result and the time that took.
async fn attempts(reason: &str, failures: u32) -> (u32, Result<()>, Duration) {
    let tried = Cell::new(0);
    let start = Instant::now();
    let result = retry_on_conflict(async || {
        tried.set(tried.get() + 1);
        if tried.get() > failures { Ok(()) } else { Err(failure(reason)) }
    })
    .await;
    (tried.get(), result, start.elapsed())
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_tried_again() {
    let (tried, result, took) = attempts("Conflict", 3).await;
    assert_eq!((tried, result.is_ok()), (4, true));
    assert!((30..=36).contains(&took.as_millis()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn five_times_in_all() {
    let (tried, result, _) = attempts("Conflict", u32::MAX).await;
    assert!(tried == 5 && matches!(result, Err(Error::Conflict(_))));
}

#[tokio::test(start_paused = true)]
async fn success_and_other_failures_end_it_at_once() {
    let (tried, result, took) = attempts("Conflict", 0).await;
    assert!(tried == 1 && result.is_ok() && took.is_zero());
    for reason in ["AlreadyExists", "NotFound", "Invalid", "InternalError"] {
        let (tried, result, took) = attempts(reason, u32::MAX).await;
        assert!(tried == 1 && result.is_err() && took.is_zero(), "{reason}");
    }
}

#[tokio::test(start_paused = true)]
async fn waits_grow_to_the_longest() {
    let backoff = Backoff {
        attempts: 6,
        first: Duration::from_secs(1),
        factor: 10.0,
        jitter: 0.0,
        longest: Duration::from_secs(50),
    };
    let start = Instant::now();
    let mut times = Vec::new();
    let result: Result<(), &str> = retry(
        backoff,
        |_| true,
        || {
            times.push(start.elapsed().as_secs());
            std::future::ready(Err("no"))
        },
    )
    .await;
    assert_eq!((result, times), (Err("no"), vec![0, 1, 11, 61, 111, 161]));
}

/// Numbers that make no sense do not make it panic or wait for ever.
#[tokio::test(start_paused = true)]
async fn odd_settings_are_survived() {
    for (factor, jitter) in [(f64::NAN, 0.0), (f64::INFINITY, 1.0), (-1.0, 0.0), (1e300, 1e300), (0.0, -5.0)]
    {
        let backoff = Backoff { attempts: 4, factor, jitter, ..Backoff::CONFLICT };
        let start = Instant::now();
        let result: Result<(), ()> = retry(backoff, |()| true, || std::future::ready(Err(()))).await;
        assert!(result.is_err() && start.elapsed() <= Duration::from_secs(4));
    }
    let never = Backoff { attempts: 0, ..Backoff::CONFLICT };
    assert_eq!(retry(never, |(): &()| true, || std::future::ready(Ok::<_, ()>(1))).await, Ok(1));
}
