//! What the system says of this process.
//!
//! In: `/proc/self`. Out: the metrics of Prometheus' own process collector, which dashboards show beside those of controllers. Never: an
//! error; where the system does not tell, there are none.

use std::fs;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{counter::ConstCounter, gauge::ConstGauge},
};

/// How many clock ticks a second has in `/proc`, on all that Linux runs on.
const TICKS: f64 = 100.0;
/// The size of a page in bytes, on most that Linux runs on; `statm` counts these, and `status` is read where it can be.
const KILOBYTE: f64 = 1024.0;

/// The collector.
#[derive(Debug)]
pub(super) struct Process;

/// What there is to say.
#[derive(Debug, Default)]
struct Facts {
    cpu_seconds: Option<f64>,
    resident_bytes: Option<f64>,
    virtual_bytes: Option<f64>,
    open_files: Option<f64>,
    most_files: Option<f64>,
    started: Option<f64>,
}

impl Facts {
    fn read() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let (stat, status, limits) =
            (read("/proc/self/stat"), read("/proc/self/status"), read("/proc/self/limits"));
        // The name of the program stands in brackets and may hold anything; two fields are before its end.
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        let field = |number: usize| fields.get(number.checked_sub(3)?)?.parse::<f64>().ok();
        let kilobytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<f64>().ok().map(|number| number * KILOBYTE)
        };
        let most_files = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
        let booted = read("/proc/stat");
        let booted = booted.lines().find_map(|line| line.strip_prefix("btime "));
        let booted = booted.and_then(|seconds| seconds.trim().parse::<f64>().ok());
        Self {
            cpu_seconds: field(14).zip(field(15)).map(|(user, system)| (user + system) / TICKS),
            resident_bytes: kilobytes("VmRSS:"),
            virtual_bytes: kilobytes("VmSize:"),
            open_files: fs::read_dir("/proc/self/fd").ok().map(|files| count(files.count())),
            most_files: most_files.and_then(|line| line.split_whitespace().next()?.parse().ok()),
            started: field(22).zip(booted).map(|(ticks, booted)| booted + ticks / TICKS),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 files")]
fn count(files: usize) -> f64 {
    files as f64
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let facts = Facts::read();
        if let Some(seconds) = facts.cpu_seconds {
            let cpu = ConstCounter::new(seconds);
            let help = "Total user and system CPU time spent in seconds";
            cpu.encode(encoder.encode_descriptor("process_cpu_seconds", help, None, cpu.metric_type())?)?;
        }
        for (name, help, value) in [
            ("process_resident_memory_bytes", "Resident memory size in bytes", facts.resident_bytes),
            ("process_virtual_memory_bytes", "Virtual memory size in bytes", facts.virtual_bytes),
            ("process_open_fds", "Number of open file descriptors", facts.open_files),
            ("process_max_fds", "Maximum number of open file descriptors", facts.most_files),
            (
                "process_start_time_seconds",
                "Start time of the process since unix epoch in seconds",
                facts.started,
            ),
        ] {
            if let Some(value) = value {
                let gauge = ConstGauge::new(value);
                gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
            }
        }
        Ok(())
    }
}
