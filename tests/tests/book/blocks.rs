//! The pages, and the blocks of code in them.
//!
//! In: the Markdown of the repository. Out: blocks, each with its language, its text, and who looks after it. Never: a judgement.

use std::fs;
use std::path::Path;

use crate::support::workspace;

/// A text that people read.
#[derive(Debug)]
pub(crate) struct Page {
    /// From the root, with slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A fenced block.
#[derive(Debug)]
pub(crate) struct Block {
    /// Of its first line, behind the fence; from 0.
    pub(crate) start: usize,
    /// Of the fence that ends it.
    pub(crate) end: usize,
    /// What stands before each line, where the block is part of a list.
    pub(crate) indent: String,
    pub(crate) language: String,
    pub(crate) mark: Option<Mark>,
    /// Without the indent.
    pub(crate) text: String,
}

/// Who looks after a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    Code { file: String, anchor: String },
    Test(String),
}

/// All pages. The transcripts of the command line are another test's, which runs them.
pub(crate) fn pages() -> Vec<Page> {
    let mut found = Vec::new();
    let mut folders = vec![workspace()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_skipped = name.starts_with('.') || name == "target" || path.ends_with("codegen/tests");
            if path.is_dir() && !is_skipped {
                folders.push(path);
            } else if name.ends_with(".md") {
                found.push(page(&path));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn page(path: &Path) -> Page {
    let relative = path.strip_prefix(workspace()).unwrap().to_string_lossy().replace('\\', "/");
    Page { path: relative, text: fs::read_to_string(path).unwrap() }
}

impl Page {
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let lines: Vec<&str> = self.text.lines().collect();
        let (mut found, mut at) = (Vec::new(), 0);
        while at < lines.len() {
            let fence = lines[at].trim_start();
            let indent = &lines[at][..lines[at].len() - fence.len()];
            let Some(language) = fence.strip_prefix("```") else {
                at += 1;
                continue;
            };
            let start = at + 1;
            let length = lines[start..].iter().take_while(|line| line.trim() != "```").count();
            let text: String =
                lines[start..start + length].iter().map(|line| strip(line, indent) + "\n").collect();
            let mark = at.checked_sub(1).and_then(|above| mark(lines[above].trim()));
            let end = start + length;
            found.push(Block {
                start,
                end,
                indent: indent.to_owned(),
                language: language.to_owned(),
                mark,
                text,
            });
            at = end + 1;
        }
        found
    }
}

fn strip(line: &str, indent: &str) -> String {
    line.strip_prefix(indent).unwrap_or_else(|| line.trim_start()).to_owned()
}

fn mark(line: &str) -> Option<Mark> {
    let inner = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    match inner.split_once(": ")? {
        ("code", place) => {
            let (file, anchor) = place.split_once(':')?;
            Some(Mark::Code { file: file.to_owned(), anchor: anchor.to_owned() })
        }
        ("test", file) => Some(Mark::Test(file.to_owned())),
        _ => None,
    }
}

#[test]
fn blocks_are_found_with_their_marks_also_in_lists() {
    let text = "a\n<!-- code: a/b.rs:c -->\n```rust\nx\n```\n\n- list\n\n  <!-- test: t.rs -->\n  ```sh\n  y\n\n    z\n  ```\n```\n```\n";
    let page = Page { path: "p.md".to_owned(), text: text.to_owned() };
    let blocks = page.blocks();
    let seen: Vec<_> = blocks.iter().map(|block| (block.language.as_str(), block.text.as_str())).collect();
    assert_eq!(seen, [("rust", "x\n"), ("sh", "y\n\n  z\n"), ("", "")]);
    let code = Mark::Code { file: "a/b.rs".to_owned(), anchor: "c".to_owned() };
    let marks: Vec<_> = blocks.into_iter().map(|block| block.mark).collect();
    assert_eq!(marks, [Some(code), Some(Mark::Test("t.rs".to_owned())), None]);
}
