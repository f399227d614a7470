//! Clocks and memory of this process.
//!
//! In: nothing. Out: seconds and bytes. Never: the same process twice; what was measured before it would show.

use std::{
    fs::{self, File},
    future::Future,
    hint::black_box,
    os::unix::fs::FileExt,
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
    Schedule::new().field(0)
}

/// What the scheduler says of a thread. Asking it allocates nothing: that could be made to wait by what is measured.
pub(crate) struct Schedule(File);

impl Schedule {
    /// Of this thread.
    pub(crate) fn new() -> Self {
        Self(File::open("/proc/thread-self/schedstat").unwrap())
    }

    /// Time that the thread, able to go on, has waited for a processor.
    pub(crate) fn waited(&self) -> Duration {
        self.field(1)
    }

    fn field(&self, number: usize) -> Duration {
        let mut text = [0; 128];
        let len = self.0.read_at(&mut text, 0).unwrap();
        let fields = std::str::from_utf8(&text[..len]).unwrap().split_ascii_whitespace();
        Duration::from_nanos(fields.into_iter().nth(number).unwrap().parse().unwrap())
    }
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

/// Takes memory from the system, and gives it back.
pub(crate) fn touch(bytes: usize) {
    let mut memory = vec![0_u8; bytes];
    memory.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
    black_box(memory);
}

/// Runs a future as a task of a runtime with two workers.
pub(crate) fn run<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { tokio::spawn(future).await.unwrap() })
}
