//! The exchanges that are known to differ, each with its reason.
//!
//! `known/<area>.txt` has one line each: scenario, number of the exchange, `shape` or `text` (only the words of a failure differ), the way
//! (`both`, `process`, `https`), reason. The file is right when it lists what differs, and nothing else.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::PathBuf,
};

use crate::transport::Way;

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

/// What differs on which ways.
pub(crate) type Found = BTreeMap<Difference, BTreeSet<Way>>;

/// The known differences of an area.
pub(crate) struct Known {
    area: String,
    lines: BTreeMap<Difference, (BTreeSet<Way>, String)>,
}

const UNEXPLAINED: &str = "not looked at yet";
const HEAD: &str = "# scenario, exchange, level (text: only the words of a failure differ), way, reason\n";

fn path(area: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/conformance/known/{area}.txt"))
}

impl Known {
    pub(crate) fn load(area: &str) -> Self {
        let text = fs::read_to_string(path(area)).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Self { area: area.to_owned(), lines: lines.map(read).collect() }
    }

    /// Compares what is listed with what was found on these ways, or writes the file anew where `UPDATE_KNOWN` is set.
    pub(crate) fn check(&self, found: &Found, asked: &BTreeSet<Way>) {
        if std::env::var_os("UPDATE_KNOWN").is_some() {
            return self.write(found, asked);
        }
        let on = |ways: &BTreeSet<Way>| ways.intersection(asked).copied().collect::<Vec<Way>>();
        let listed = |known: &Difference| self.lines.get(known).map(|(ways, _)| on(ways)).unwrap_or_default();
        let new = found.iter().filter(|(difference, ways)| listed(difference) != on(ways));
        let new: Vec<String> = new.map(|(difference, ways)| shown(difference, ways)).collect();
        let still = |known: &Difference| found.get(known).map(on).unwrap_or_default();
        let healed = self.lines.iter().filter(|(known, (ways, _))| still(known) != on(ways));
        let healed: Vec<String> = healed.map(|(known, (ways, _))| shown(known, ways)).collect();
        assert!(
            new.is_empty() && healed.is_empty(),
            "UPDATE_KNOWN=1 writes known/{0}.txt anew.\nThese differ and are not listed so in known/{0}.txt:\n{1}\nThese are listed and do \
             not differ so:\n{2}",
            self.area,
            new.join("\n"),
            healed.join("\n"),
        );
    }

    /// Reasons stay, also where a difference has become one of words alone; ways that were not asked keep what was known of them.
    fn write(&self, found: &Found, asked: &BTreeSet<Way>) {
        let mut all: Found = found.clone();
        for (known, (ways, _)) in &self.lines {
            let unasked: BTreeSet<Way> = ways.difference(asked).copied().collect();
            if !unasked.is_empty() && (ways.is_disjoint(asked) || found.contains_key(known)) {
                all.entry(known.clone()).or_default().extend(unasked);
            }
        }
        let mut text = HEAD.to_owned();
        for (difference, ways) in &all {
            writeln!(text, "{} {}", shown(difference, ways), self.reason(difference)).unwrap();
        }
        fs::write(path(&self.area), text).unwrap();
    }

    fn reason(&self, difference: &Difference) -> &str {
        let other = match difference.level {
            Level::Shape => Level::Text,
            Level::Text => Level::Shape,
        };
        let other = Difference { level: other, ..difference.clone() };
        let line = self.lines.get(difference).or_else(|| self.lines.get(&other));
        line.map_or(UNEXPLAINED, |(_, reason)| reason.as_str())
    }
}

fn read(line: &str) -> (Difference, (BTreeSet<Way>, String)) {
    let mut words = line.splitn(5, ' ');
    let mut word = || words.next().unwrap_or_else(|| panic!("a word is missing: {line}"));
    let scenario = word().to_owned();
    let index = word().parse().unwrap();
    let level = match word() {
        "shape" => Level::Shape,
        "text" => Level::Text,
        other => panic!("{other} is no level: {line}"),
    };
    let ways = match word() {
        "both" => [Way::Process, Way::Https].into(),
        "process" => [Way::Process].into(),
        "https" => [Way::Https].into(),
        other => panic!("{other} is no way: {line}"),
    };
    (Difference { scenario, index, level }, (ways, word().to_owned()))
}

fn shown(difference: &Difference, ways: &BTreeSet<Way>) -> String {
    let Difference { scenario, index, level } = difference;
    let level = match level {
        Level::Shape => "shape",
        Level::Text => "text",
    };
    let way = match (ways.contains(&Way::Process), ways.contains(&Way::Https)) {
        (true, false) => "process",
        (false, true) => "https",
        _ => "both",
    };
    format!("{scenario} {index} {level} {way}")
}
