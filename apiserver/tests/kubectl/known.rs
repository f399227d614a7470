//! The commands that are known to differ, each with its reason.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::PathBuf,
};

/// The entries of `known.txt`: scenario, number of the command, reason.
pub(crate) struct Known(BTreeMap<(String, usize), String>);

const HEAD: &str = "# scenario, command, reason\n";
const UNEXPLAINED: &str = "not looked at yet";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/kubectl/known.txt")
}

impl Known {
    pub(crate) fn load() -> Self {
        let text = fs::read_to_string(path()).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let entry = |line: &str| {
            let mut parts = line.splitn(3, ' ');
            let scenario = parts.next().unwrap().to_owned();
            let index = parts.next().unwrap().parse().unwrap();
            ((scenario, index), parts.next().unwrap_or(UNEXPLAINED).to_owned())
        };
        Self(lines.map(entry).collect())
    }

    /// Compares what is listed with what was found, or writes the file anew where `UPDATE_KNOWN` is set.
    pub(crate) fn check(&self, found: &BTreeSet<(String, usize)>) {
        if std::env::var_os("UPDATE_KNOWN").is_some() {
            let mut text = HEAD.to_owned();
            for key @ (scenario, index) in found {
                let reason = self.0.get(key).map_or(UNEXPLAINED, String::as_str);
                writeln!(text, "{scenario} {index} {reason}").unwrap();
            }
            return fs::write(path(), text).unwrap();
        }
        let new: Vec<_> = found.iter().filter(|key| !self.0.contains_key(key)).collect();
        let gone: Vec<_> = self.0.keys().filter(|key| !found.contains(key)).collect();
        assert!(
            new.is_empty() && gone.is_empty(),
            "tests/kubectl/known.txt is not right: {new:?} differ and are not listed, {gone:?} are listed and do not differ"
        );
    }
}
