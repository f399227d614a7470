//! Pages and links.

use std::collections::BTreeSet;

use crate::blocks::pages;
use crate::support::workspace;

/// What stands between two marks, each time.
fn between<'t>(text: &'t str, start: &'t str, end: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(start).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

#[test]
fn every_page_of_the_book_stands_in_the_summary() {
    let pages = pages();
    let in_book = |path: &str| path.strip_prefix("docs/").map(str::to_owned);
    let summary = pages.iter().find(|page| page.path == "docs/SUMMARY.md").unwrap();
    let named: BTreeSet<String> = between(&summary.text, "](", ")").map(str::to_owned).collect();
    let there: BTreeSet<String> =
        pages.iter().filter_map(|page| in_book(&page.path)).filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(named, there);
}

/// The anchor that a code host and mdBook give a heading.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = letters.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut lost = Vec::new();
    let pages = pages();
    for page in &pages {
        let folder = workspace().join(&page.path).parent().unwrap().to_owned();
        for link in between(&page.text, "](", ")") {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            if file.contains("://") || file.contains(' ') {
                continue;
            }
            let target = if file.is_empty() { workspace().join(&page.path) } else { folder.join(file) };
            let Ok(target) = target.canonicalize() else {
                lost.push(format!("{}: {link}", page.path));
                continue;
            };
            let known = std::fs::read_to_string(&target).unwrap_or_default();
            let mut headings = known.lines().filter(|line| line.starts_with('#')).map(anchor);
            if !heading.is_empty() && !headings.any(|known| known == heading) {
                lost.push(format!("{}: {link} (no such heading)", page.path));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn nothing_is_included_that_only_the_built_book_would_show() {
    let pages = pages();
    let includes = pages.iter().filter(|page| page.text.contains("{{#")).map(|page| &page.path);
    let includes: Vec<_> = includes.collect();
    assert!(includes.is_empty(), "{includes:?}: show the code, with a mark above the block");
}
