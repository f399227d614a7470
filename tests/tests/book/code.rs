//! Blocks of code: each is a piece of a file that is compiled, or another test reads it.

use std::fs;

use expect_test::expect_file;

use crate::blocks::{Block, Mark, Page, pages};
use crate::support::workspace;

/// Whose files are compiled, and by what.
const COMPILED: [(&str, &str); 4] = [
    ("apis/src/", "the workspace"),
    ("controller/src/", "the workspace"),
    ("tests/tests/book/", "this test"),
    ("tests/fixtures/stranger", "tests/tests/stranger.rs"),
];

/// Every block of this page is a file that is written or a command that is run.
pub(crate) const FOLLOWED: (&str, &str) = ("docs/tutorial.md", "tests/tests/tutorial.rs");

/// The tests that take blocks: which blocks, and of which page where it is one page's.
const READERS: [(&str, &[&str], Option<&str>); 3] = [
    ("controller/tests/session.rs", &["console"], Some("README.md")),
    ("tests/tests/book/commands.rs", &["sh", "console"], None),
    ("tests/tests/book/manifests.rs", &["toml"], None),
];

/// What is not code.
const TEXT: [&str; 2] = ["text", "mermaid"];

/// The pieces between the marks of an anchor, without the indent that they share.
fn anchored(text: &str, anchor: &str) -> Option<String> {
    let (start, end) = (format!("// ANCHOR: {anchor}"), format!("// ANCHOR_END: {anchor}"));
    let (mut found, mut within, mut times) = (Vec::new(), false, 0);
    for line in text.lines() {
        let comment = line.trim();
        if comment == start || comment == end {
            within = comment == start;
            times += usize::from(within);
        } else if within && !comment.starts_with("// ANCHOR") {
            found.push(line);
        }
    }
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let shared = found.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines = found.iter().map(|line| format!("{}\n", line.get(shared..).unwrap_or_default()));
    (times > 0 && !within).then(|| lines.collect())
}

/// What a block has to be; none if it is nobody's piece of a file.
fn source(block: &Block) -> Option<Result<String, String>> {
    let Some(Mark::Code { file, anchor }) = &block.mark else { return None };
    if !COMPILED.iter().any(|(root, _)| file.starts_with(root)) {
        return Some(Err(format!("{file} is not among the files that are compiled: {COMPILED:?}")));
    }
    let text = fs::read_to_string(workspace().join(file)).unwrap_or_default();
    Some(anchored(&text, anchor).ok_or_else(|| format!("{file} has no `// ANCHOR: {anchor}` with its end")))
}

/// What is wrong with a block itself.
fn fault(page: &Page, block: &Block) -> Option<String> {
    let language = block.language.as_str();
    if TEXT.contains(&language) || page.path == FOLLOWED.0 {
        return None;
    }
    match (&block.mark, language) {
        (Some(Mark::Code { .. }), _) => source(block)?.err(),
        (Some(Mark::Test(file)), _) => {
            let is_read = READERS.iter().any(|(reader, languages, of)| {
                reader == file && languages.contains(&language) && of.is_none_or(|of| of == page.path)
            });
            (!is_read).then(|| format!("{file} takes no blocks of {language:?} on this page"))
        }
        // These are commands.rs's.
        (None, "sh" | "console") => None,
        (None, "") => Some("the block has no language".to_owned()),
        (None, language) => {
            Some(format!("nobody looks after this block of {language:?}: see tests/tests/book"))
        }
    }
}

#[test]
fn every_block_of_code_is_compiled_or_read_by_a_test() {
    let mut faults = Vec::new();
    for page in pages() {
        for block in page.blocks() {
            faults
                .extend(fault(&page, &block).map(|fault| format!("{}:{}: {fault}", page.path, block.start)));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_block_that_nobody_looks_after_is_found() {
    let faults = |text: &str| {
        let page = Page { path: "docs/new.md".to_owned(), text: text.to_owned() };
        page.blocks().iter().filter_map(|block| fault(&page, block)).count()
    };
    let blocks = [
        "```rust\nlet x = 1;\n```\n",
        "```rust,ignore\nlet x = 1;\n```\n",
        "```\nlet x = 1;\n```\n",
        "```yaml\na: b\n```\n",
        "<!-- code: docs/code.rs:a -->\n```rust\nlet x = 1;\n```\n",
        "<!-- code: tests/tests/book/readme.rs:nothing -->\n```rust\nlet x = 1;\n```\n",
        "<!-- test: controller/tests/session.rs -->\n```console\n$ true\n```\n",
        "<!-- test: tests/tests/book/commands.rs -->\n```toml\na = 1\n```\n",
    ];
    for block in blocks {
        assert_eq!(faults(block), 1, "{block}");
    }
    assert_eq!(faults("<!-- code: tests/tests/book/readme.rs:fake -->\n```rust\n```\n```text\n```\n"), 0);
}

#[test]
fn every_block_is_what_stands_in_its_source() {
    for page in pages() {
        let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
        for block in page.blocks().iter().rev() {
            if let Some(Ok(text)) = source(block) {
                let text = text.lines().map(|line| format!("{}{line}", block.indent).trim_end().to_owned());
                lines.splice(block.start..block.end, text);
            }
        }
        expect_file![workspace().join(&page.path)].assert_eq(&(lines.join("\n") + "\n"));
    }
}

#[test]
fn the_files_of_the_book_are_modules_of_this_test() {
    let main = include_str!("main.rs");
    for entry in fs::read_dir(workspace().join("tests/tests/book")).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap();
        assert!(module == "main" || main.contains(&format!("\nmod {module};\n")), "{module} is not compiled");
    }
}

#[test]
fn pieces_of_one_name_are_put_together() {
    let text = "fn a() {\n    // ANCHOR: x\n    let a = 1;\n    // ANCHOR_END: x\n    no();\n    // ANCHOR: x\n    if b {\n        c();\n    }\n    // ANCHOR_END: x\n}\n";
    assert_eq!(anchored(text, "x").unwrap(), "let a = 1;\nif b {\n    c();\n}\n");
    assert_eq!(anchored(text, "y"), None);
}
