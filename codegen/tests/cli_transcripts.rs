//! Transcripts of the command line: `cli/*.md`, each run in the folder `cli/<name>.in`. To update them: `TRYCMD=overwrite`.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[test]
fn transcripts_hold_and_write_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let before = files(&folder);
    // Help is wrapped at the width of the terminal.
    trycmd::TestCases::new().env("COLUMNS", "100").case("tests/cli/*.md").run();
    assert_eq!(files(&folder), before);
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path);
        }
    }
    found
}
