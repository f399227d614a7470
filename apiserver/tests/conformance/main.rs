//! Replays recordings of a real API server against this one, in process and over HTTPS.
//!
//! In: `recordings/<area>.json.gz`, each a list of scenarios with the answers that a real server gave, and `known/<area>.txt`, the
//! exchanges that are known to differ. Out: `N/M exchanges equal in shape, N/M in text` for each area and way, and a failure where
//! something differs that is not known, or something known no longer does.
//!
//! `UPDATE_KNOWN=1` writes the lists anew and keeps the reasons; `CONFORMANCE=<part of a name>` shows what differs. Over HTTPS needs
//! the feature `http`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, its helpers too, and the counts are to be read"
)]

mod compare;
#[cfg(feature = "http")]
mod https;
mod known;
mod normalise;
mod ordered;
mod replay;
mod step;
mod transport;
mod watch;

use std::{fs::File, path::Path, sync::Arc};

use flate2::read::GzDecoder;
use futures::{StreamExt as _, stream};
use serde_json::Value;
use tokio::runtime::Builder;

use known::{Difference, Found, Known, Level};
use replay::Replay;
use transport::{WAYS, Way};

/// How many scenarios wait for the server at a time where time is real.
const AT_A_TIME: usize = 24;

#[test]
fn objects() {
    area("objects");
}

#[test]
fn patch() {
    area("patch");
}

#[test]
fn builtin() {
    area("builtin");
}

#[test]
fn custom() {
    area("custom");
}

fn area(name: &str) {
    let recordings: Vec<Arc<Value>> = recordings(name);
    let mut found = Found::new();
    for way in WAYS {
        let tally = judge(&recordings, run(&recordings, *way));
        let share = |part: usize| 100.0 * part as f64 / tally.all as f64;
        println!(
            "{name} ({way:?}): {}/{all} exchanges equal in shape ({:.1} %), {}/{all} in text ({:.1} %)",
            tally.shapes,
            share(tally.shapes),
            tally.texts,
            share(tally.texts),
            all = tally.all,
        );
        for difference in tally.differences {
            found.entry(difference).or_default().insert(*way);
        }
    }
    Known::load(name).check(&found, &WAYS.iter().copied().collect());
}

fn recordings(area: &str) -> Vec<Arc<Value>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/conformance/recordings/{area}.json.gz"));
    let all: Vec<Value> = serde_json::from_reader(GzDecoder::new(File::open(path).unwrap())).unwrap();
    all.into_iter().map(Arc::new).collect()
}

/// The exchanges of each scenario. None where its run broke down.
fn run(recordings: &[Arc<Value>], way: Way) -> Vec<Option<Vec<Value>>> {
    let one = |recording: &Arc<Value>| {
        let recording = Arc::clone(recording);
        async move { tokio::spawn(async move { Replay::new(way).await.run(&recording).await }).await.ok() }
    };
    match way {
        Way::Process => {
            let run = |recording| {
                let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
                runtime.block_on(one(recording))
            };
            recordings.iter().map(run).collect()
        }
        Way::Https => {
            let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            let all = stream::iter(recordings.iter().map(one).collect::<Vec<_>>());
            runtime.block_on(all.buffered(AT_A_TIME).collect())
        }
    }
}

/// What became of the exchanges of an area.
#[derive(Default)]
struct Tally {
    all: usize,
    shapes: usize,
    texts: usize,
    differences: Vec<Difference>,
}

fn judge(recordings: &[Arc<Value>], answers: Vec<Option<Vec<Value>>>) -> Tally {
    let wanted = std::env::var("CONFORMANCE").ok();
    let mut tally = Tally::default();
    for (recording, got) in recordings.iter().zip(answers) {
        let scenario = recording["name"].as_str().unwrap();
        let show = wanted.as_ref().is_some_and(|wanted| scenario.contains(wanted));
        let got = got.unwrap_or_default();
        for (index, want) in recording["exchanges"].as_array().unwrap().iter().enumerate() {
            let got = got.get(index).unwrap_or(&Value::Null);
            let differences = compare::differences(want, got);
            let alike = compare::shape(want) == compare::shape(got);
            tally.all += 1;
            tally.texts += usize::from(differences.is_empty());
            tally.shapes += usize::from(alike);
            if differences.is_empty() {
                continue;
            }
            if show {
                println!("DIFF {scenario} {index} {}", want["request"]["request"]);
                differences.iter().take(8).for_each(|line| println!("    {line}"));
            }
            let level = if alike { Level::Text } else { Level::Shape };
            tally.differences.push(Difference { scenario: scenario.to_owned(), index, level });
        }
    }
    tally
}
