//! The exchanges that are known to differ, each with its reason.
//!
//! One line each: scenario, number of the exchange, `shape` or `text` (only the words of a Status differ), reason.

use std::{collections::BTreeMap, fs, path::PathBuf};

/// How far an exchange differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Shape,
    Text,
}

/// An exchange that differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Difference {
    pub(crate) scenario: String,
    pub(crate) index: usize,
    pub(crate) level: Level,
}

/// The file of known differences.
pub(crate) struct Known(BTreeMap<Difference, String>);

const UNEXPLAINED: &str = "not looked at yet";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/known.txt")
}

impl Known {
    pub(crate) fn load() -> Self {
        let text = fs::read_to_string(path()).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Self(
            lines
                .map(|line| {
                    let mut words = line.splitn(4, ' ');
                    let mut word = || words.next().unwrap_or_else(|| panic!("known.txt: {line}"));
                    let scenario = word().to_owned();
                    let index = word().parse().unwrap();
                    let level = match word() {
                        "shape" => Level::Shape,
                        "text" => Level::Text,
                        other => panic!("known.txt: {other} is no level: {line}"),
                    };
                    (Difference { scenario, index, level }, word().to_owned())
                })
                .collect(),
        )
    }

    /// Compares an area with what was found; the file is right when both hold the same.
    pub(crate) fn check(&self, area: &str, found: &[Difference]) {
        if std::env::var_os("UPDATE_KNOWN").is_some() {
            return self.write(area, found);
        }
        let prefix = format!("{area}-");
        let listed = self.0.keys().filter(|known| known.scenario.starts_with(&prefix));
        let healed: Vec<_> = listed.filter(|known| !found.contains(known)).collect();
        let new: Vec<_> = found.iter().filter(|found| !self.0.contains_key(found)).collect();
        assert!(
            new.is_empty() && healed.is_empty(),
            "these exchanges differ and are not listed in known.txt: {new:#?}\nthese are listed and differ no longer (or otherwise): \
             {healed:#?}"
        );
    }

    fn write(&self, area: &str, found: &[Difference]) {
        use std::fmt::Write as _;

        let prefix = format!("{area}-");
        let mut all: BTreeMap<&Difference, &str> = self
            .0
            .iter()
            .filter(|(known, _)| !known.scenario.starts_with(&prefix))
            .map(|(known, reason)| (known, reason.as_str()))
            .collect();
        for difference in found {
            let reason = self.0.get(difference).map_or(UNEXPLAINED, String::as_str);
            all.insert(difference, reason);
        }
        let mut text =
            "# scenario, exchange, level (text: only the words of a Status differ), reason\n".to_owned();
        for (difference, reason) in all {
            let level = match difference.level {
                Level::Shape => "shape",
                Level::Text => "text",
            };
            writeln!(text, "{} {} {level} {reason}", difference.scenario, difference.index).unwrap();
        }
        fs::write(path(), text).unwrap();
    }
}
