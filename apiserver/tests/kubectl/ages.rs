//! The durations in kubectl's tables.
//!
//! In: what kubectl printed. Out: the same with `<age>` under the headings of ages, also where a wider value has moved the column.

use std::{collections::BTreeMap, ops::Range};

use regex::Regex;

/// A duration.
pub(crate) const DURATION: &str = r"(?:\d+(?:\.\d+)?(?:y|d|h|ms|m|s))+";
const HEADINGS: [&str; 6] = ["AGE", "LAST SEEN", "FIRST SEEN", "Age", "DURATION", "LAST SCHEDULE"];

/// Replaces them; `everywhere` where a table has no headings.
pub(crate) fn replace(text: &str, everywhere: bool) -> String {
    let token =
        Regex::new(&format!(r"^(?:{DURATION}(?: \(x\d+ over {DURATION}\))?|<unknown>|<invalid>)(?:\s|$)"))
            .unwrap();
    let heading = Regex::new(r"\S+(?: \S+)*").unwrap();
    let mut columns: Vec<usize> = Vec::new();
    let lines = text.split('\n').map(|line| {
        let heads: Vec<(&str, usize)> =
            heading.find_iter(line).map(|found| (found.as_str(), found.start())).collect();
        let ages: Vec<usize> =
            heads.iter().filter(|(head, _)| HEADINGS.contains(head)).map(|(_, start)| *start).collect();
        if !ages.is_empty() && heads.len() > 1 && !line.contains([':', '{', '}', '"']) {
            columns = ages;
            return line.to_owned();
        }
        if line.trim().is_empty() {
            columns.clear();
            return line.to_owned();
        }
        let found = tokens(line, &token);
        let mut hits: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        if everywhere {
            hits.extend(found.into_iter().map(|range| (range.start, range)));
        } else {
            for column in &columns {
                let near = found.iter().min_by_key(|range| range.start.abs_diff(*column));
                hits.extend(near.map(|range| (range.start, range.clone())));
            }
        }
        let mut line = line.to_owned();
        for range in hits.into_values().rev() {
            line.replace_range(range, "<age>");
        }
        line
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Where durations stand by themselves.
fn tokens(line: &str, token: &Regex) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut free_from = 0;
    for (start, _) in line.char_indices().filter(|(_, letter)| !letter.is_whitespace()) {
        let begins = line[..start].chars().next_back().is_none_or(char::is_whitespace);
        if start < free_from || !begins {
            continue;
        }
        if let Some(hit) = token.find(&line[start..]) {
            let length = hit.as_str().trim_end().len();
            found.push(start..start + length);
            free_from = start + length;
        }
    }
    found
}
