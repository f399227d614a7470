//! Many seeds, on all cores.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use parking_lot::Mutex;

use super::{Failure, Trace};

/// Runs a simulation with each of these seeds, on as many threads as there are cores, and says how many there were. After a failure no
/// further seed is begun with.
///
/// # Errors
/// The failure with the lowest seed of those that were found.
pub fn check(
    seeds: Range<u64>,
    simulation: impl Fn(u64) -> Result<Trace, Box<Failure>> + Sync,
) -> Result<u64, Box<Failure>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let (next, found) = (AtomicU64::new(seeds.start), Mutex::new(None::<Box<Failure>>));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while found.lock().is_none() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    if let Err(failure) = simulation(seed) {
                        let mut found = found.lock();
                        if found.as_ref().is_none_or(|before| failure.seed < before.seed) {
                            *found = Some(failure);
                        }
                    }
                }
            });
        }
    });
    match found.into_inner() {
        Some(failure) => Err(failure),
        None => Ok(seeds.end.saturating_sub(seeds.start)),
    }
}

/// The seeds that the environment variable `SIMULATION_SEEDS` names, `17` or `0..10000`; these, unless it does.
#[must_use]
pub fn seeds(unless: Range<u64>) -> Range<u64> {
    let named = std::env::var("SIMULATION_SEEDS").ok();
    let range = named.as_deref().and_then(|text| match text.split_once("..") {
        Some((start, end)) => Some(start.parse().ok()?..end.parse().ok()?),
        None => text.parse().ok().map(|seed: u64| seed..seed.saturating_add(1)),
    });
    range.unwrap_or(unless)
}
