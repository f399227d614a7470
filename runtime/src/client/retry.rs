//! Trying again.
//!
//! In: an operation that may fail in a way that passes. Out: its first success, or its last failure.
//! Never: an attempt after a failure that will not pass.

use std::{future::Future, time::Duration};

use super::{Error, Result};

/// How often to try, and how long to wait in between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// How many attempts there are in all.
    pub attempts: u32,
    /// The wait after the first one.
    pub first: Duration,
    /// How much longer each wait is than the one before.
    pub factor: f64,
    /// Up to which part of itself a wait is lengthened at random, so that rivals do not meet again.
    pub jitter: f64,
    /// The longest wait.
    pub longest: Duration,
}

impl Backoff {
    /// Five attempts about ten milliseconds apart: for conflicts with a rival who is as quick.
    pub const CONFLICT: Self = Self {
        attempts: 5,
        first: Duration::from_millis(10),
        factor: 1.0,
        jitter: 0.1,
        longest: Duration::from_secs(1),
    };

    /// Four attempts, 10, 50 and 250 ms apart: for conflicts with a rival who works through many objects (client-go: `DefaultBackoff`).
    pub const CONFLICT_LONG: Self = Self { attempts: 4, factor: 5.0, ..Self::CONFLICT };

    /// The wait after the given attempt, counted from zero.
    fn wait(&self, attempt: u32) -> Duration {
        let exponent = i32::try_from(attempt).unwrap_or(i32::MAX);
        let stretch = self.factor.powi(exponent) * self.jitter.mul_add(fastrand::f64(), 1.0);
        let longest = self.longest.as_secs_f64();
        let seconds = (self.first.as_secs_f64() * stretch).min(longest);
        Duration::try_from_secs_f64(seconds).unwrap_or(self.longest)
    }
}

/// Runs `operation` until it succeeds, fails in another way than `passes` accepts, or was tried often enough.
///
/// # Errors
/// The last failure.
pub async fn retry<T, E, F>(
    backoff: Backoff,
    passes: impl Fn(&E) -> bool,
    mut operation: impl FnMut() -> F,
) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    let mut attempt = 0;
    loop {
        match operation().await {
            Err(error) if attempt + 1 < backoff.attempts && passes(&error) => {
                tokio::time::sleep(backoff.wait(attempt)).await;
                attempt += 1;
            }
            result => return result,
        }
    }
}

/// Runs `operation` again, up to five times, while it fails with [`Error::Conflict`].
///
/// The operation must read the object anew each time, as in
///
/// ```no_run
/// # use k8s_openapi::api::core::v1::ConfigMap;
/// # use kube_codegen_runtime::client::{ResourceClient, Result, retry_on_conflict};
/// # async fn example(config_maps: ResourceClient<ConfigMap>) -> Result<()> {
/// retry_on_conflict(async || {
///     let mut settings = config_maps.get("settings").await?;
///     settings.data.get_or_insert_default().insert("tier".into(), "batch".into());
///     config_maps.update(&settings).await
/// })
/// .await?;
/// # Ok(()) }
/// ```
///
/// An [`Error::ApplyConflict`] does not pass by itself and is not tried again.
///
/// # Errors
/// The last failure.
pub async fn retry_on_conflict<T, F>(operation: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    retry(Backoff::CONFLICT, |error| matches!(error, Error::Conflict(_)), operation).await
}
