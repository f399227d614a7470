//! Replays recordings of a real API server against this one, in process.
//!
//! In: `<area>.json.gz`, each a list of scenarios with the answers a real server gave, and `known.txt`, the exchanges that are known to
//! differ. Out: `N/M exchanges equal` per area, and a failure where an exchange differs that is not known, or a known one no longer
//! does. `UPDATE_KNOWN=1` writes `known.txt` anew; `CONFORMANCE=<part of a name>` shows what differs.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, its helpers too, and the counts are to be read"
)]

mod known;
mod normalise;
mod replay;

use std::io::Read as _;

use flate2::read::GzDecoder;
use serde_json::Value;

use known::{Difference, Known, Level};
use replay::Replay;

fn recordings(packed: &[u8]) -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

async fn area(name: &str, packed: &[u8]) {
    let wanted = std::env::var("CONFORMANCE").ok();
    let mut found = Vec::new();
    let (mut all, mut texts, mut shapes) = (0, 0, 0);
    for recording in recordings(packed) {
        let scenario = recording["name"].as_str().unwrap();
        let show = wanted.as_ref().is_some_and(|wanted| scenario.contains(wanted));
        let exchanges = recording["exchanges"].as_array().unwrap();
        let got = Replay::new().run(&recording).await;
        for (index, want) in exchanges.iter().enumerate() {
            let differences = match got.get(index) {
                Some(got) => normalise::differences(want, got),
                None => vec!["missing".to_owned()],
            };
            let alike = got.get(index).is_some_and(|got| normalise::shape(want) == normalise::shape(got));
            all += 1;
            texts += usize::from(differences.is_empty());
            shapes += usize::from(alike);
            if differences.is_empty() {
                continue;
            }
            if show {
                println!("DIFF {scenario} {index} {}", want["request"]["request"]);
                for line in differences.iter().take(8) {
                    println!("    {line}");
                }
            }
            let level = if alike { Level::Text } else { Level::Shape };
            found.push(Difference { scenario: scenario.to_owned(), index, level });
        }
    }
    let share = |part: usize| 100.0 * part as f64 / all as f64;
    println!(
        "{name}: {texts}/{all} exchanges equal ({:.1} %), {shapes}/{all} in shape ({:.1} %)",
        share(texts),
        share(shapes)
    );
    Known::load().check(name, &found);
}

#[tokio::test(start_paused = true)]
async fn area_objects() {
    area("objects", include_bytes!("objects.json.gz")).await;
}

#[tokio::test(start_paused = true)]
async fn area_patch() {
    area("patch", include_bytes!("patch.json.gz")).await;
}
