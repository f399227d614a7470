//! The guides for those who come from elsewhere: what they say is here, is here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::blocks::pages;
use crate::support::workspace;

/// Names that stand in the guides and are no items of ours.
const ELSEWHERE: [&str; 2] = ["GOPATH", "by_phase"];

/// All words in a folder of sources.
fn words(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            words(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.extend(names(&text).map(str::to_owned));
        }
    }
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| word.len() > 2 && !word.starts_with(|c: char| c.is_ascii_digit()))
}

/// The right column of a row: what is here.
fn here(row: &str) -> Option<String> {
    let cells = row.replace("\\|", " ");
    let cells: Vec<&str> = cells.strip_prefix('|')?.split('|').collect();
    Some(cells.get(1)?.to_string())
}

#[test]
fn what_the_guides_say_is_here_is_here() {
    let mut known = BTreeSet::new();
    for crate_of_ours in ["runtime", "apiserver", "codegen", "generated", "apis"] {
        words(&workspace().join(crate_of_ours).join("src"), &mut known);
    }
    known.extend(ELSEWHERE.map(str::to_owned));
    let (mut missing, mut seen) = (Vec::new(), 0);
    for page in pages().iter().filter(|page| page.path.starts_with("docs/from-")) {
        for cell in page.text.lines().filter_map(here) {
            for span in cell.split('`').skip(1).step_by(2) {
                seen += 1;
                let lost = names(span).filter(|name| !known.contains(*name));
                missing.extend(lost.map(|name| format!("{}: {name}, in `{span}`", page.path)));
            }
        }
    }
    assert!(seen > 40, "{seen} pieces of code");
    assert!(missing.is_empty(), "{missing:#?}");
}
