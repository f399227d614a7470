//! Clocks and memory of this process.
//!
//! In: nothing. Out: seconds and bytes. Never: the same process twice; what was measured before it would show.

use std::{
    fs,
    future::Future,
    time::{Duration, Instant},
};

/// What a case measured: name and value.
pub(crate) type Figures = Vec<(String, f64)>;

pub(crate) fn figures<const N: usize>(figures: [(&str, f64); N]) -> Figures {
    figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Time on a processor that this thread has had.
pub(crate) fn thread_time() -> Duration {
    // The count is brought up to date when the thread is scheduled, and otherwise with the clock's ticks only.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_ascii_whitespace().next().unwrap().parse().unwrap())
}

/// Time on a processor that all threads of this process together have had, in hundredths of a second.
fn process_time() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap();
    // Behind the name of the program, which may hold anything, `utime` and `stime` are the 12th and 13th.
    let fields = text.rsplit_once(')').unwrap().1.split_ascii_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap() / 100.0).sum()
}

/// The best of several samples, each divided by so many operations: what disturbs one only ever adds to it.
pub(crate) fn best(samples: usize, operations: usize, mut sample: impl FnMut()) -> f64 {
    let each = (0..samples).map(|_| {
        let worked = thread_time();
        sample();
        (thread_time() - worked).as_secs_f64() * 1e9 / operations as f64
    });
    each.fold(f64::INFINITY, f64::min)
}

/// Time that has passed, and time on a processor that this process has had.
pub(crate) struct Clock {
    began: Instant,
    worked: f64,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { began: Instant::now(), worked: process_time() }
    }

    pub(crate) fn wall(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    pub(crate) fn cpu(&self) -> f64 {
        process_time() - self.worked
    }
}

/// Bytes of this process that are in memory.
pub(crate) fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() * 1024.0
}

/// Runs a future as a task of a runtime with two workers.
pub(crate) fn run<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { tokio::spawn(future).await.unwrap() })
}
