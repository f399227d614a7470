//! What every file has to keep: its length, its opening lines, its exceptions from lints, its words.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{
    report,
    walk::{Source, root, sources},
};

const LONGEST_FILE: usize = 500;

/// Folders of code; generated ones count only where a rule says so.
fn code() -> Vec<Source> {
    sources("", &[".rs"])
}

#[test]
fn no_file_is_too_long() {
    let findings: Vec<String> = code()
        .iter()
        .filter(|source| !source.is_generated())
        .map(|source| (source.text.lines().count(), &source.path))
        .filter(|(lines, _)| *lines > LONGEST_FILE)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    report("files of more than 500 lines; split them by noun", &findings);
}

#[test]
fn every_module_says_what_it_is() {
    let findings: Vec<String> = code()
        .iter()
        // These are included into a module, which has said it.
        .filter(|source| !(source.is_generated() && source.path.contains("/zz_generated.")))
        .filter(|source| !opens_with_a_doc(&source.text))
        .map(|source| source.path.clone())
        .collect();
    report("modules that do not open with `//!`", &findings);
}

/// Ordinary comments (a licence, "Code generated") may stand above.
fn opens_with_a_doc(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.find(|line| line.starts_with("//!") || !line.starts_with("//"));
    first.is_some_and(|line| line.starts_with("//!"))
}

#[test]
fn every_lint_exception_has_a_reason() {
    let mut findings = Vec::new();
    for source in code().iter().filter(|source| !source.is_generated()) {
        if let Ok(tokens) = source.text.parse::<TokenStream>() {
            exceptions(tokens, &mut |line, what| findings.push(format!("{}:{line}: {what}", source.path)));
        }
    }
    report("exceptions from lints: `#[expect(lint, reason = \"...\")]`", &findings);
}

/// Finds `allow(..)` in attributes, and `expect(..)` without a reason.
fn exceptions(tokens: TokenStream, found: &mut impl FnMut(usize, &str)) {
    let mut after_hash = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                if after_hash && group.delimiter() == Delimiter::Bracket {
                    attribute(group.stream(), found);
                } else {
                    exceptions(group.stream(), found);
                }
                after_hash = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == '#' => after_hash = true,
            TokenTree::Punct(punct) if punct.as_char() == '!' => {}
            _ => after_hash = false,
        }
    }
}

/// One attribute, `cfg_attr` included.
fn attribute(tokens: TokenStream, found: &mut impl FnMut(usize, &str)) {
    let mut name = None;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => name = Some(ident),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let Some(name) = name.take() else { continue };
                let line = name.span().start().line;
                let reasoned = group
                    .stream()
                    .into_iter()
                    .any(|token| matches!(token, TokenTree::Ident(word) if word == "reason"));
                match name.to_string().as_str() {
                    "allow" => found(line, "allow never goes away; say expect"),
                    "expect" if !reasoned => found(line, "expect without a reason"),
                    "cfg_attr" => attribute(group.stream(), found),
                    _ => {}
                }
            }
            _ => name = None,
        }
    }
}

#[test]
fn nobody_left_a_note_to_self() {
    // In two halves, so that this file passes.
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("X", "XX"),
        concat!("todo", "!("),
        concat!("dbg", "!("),
    ];
    let mut findings = Vec::new();
    for source in sources("", &[".rs", ".md", ".toml", ".sh", ".yaml", ".yml", "justfile"]) {
        for (number, line) in source.text.lines().enumerate() {
            for word in words.iter().filter(|word| has_word(line, word)) {
                findings.push(format!("{}:{}: {word}", source.path, number + 1));
            }
        }
    }
    report("what is not done is an issue, not a note", &findings);
}

/// Whether the word stands alone: `XXXL` is none.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !letter(before) && (word.ends_with('(') || !letter(after))
    })
}

#[test]
fn scripts_stop_at_the_first_error() {
    let mut scripts = sources("", &[".sh"]);
    scripts.extend(sources(".ci", &["run"]));
    let findings: Vec<String> = scripts
        .iter()
        .filter(|source| {
            !source.text.starts_with("#!/usr/bin/env bash\n")
                || !source.text.contains("\nset -euo pipefail\n")
        })
        .map(|source| source.path.clone())
        .collect();
    report("scripts without `#!/usr/bin/env bash` and `set -euo pipefail`", &findings);
}

#[cfg(unix)]
#[test]
fn scripts_can_be_run() {
    use std::os::unix::fs::PermissionsExt;

    let mut scripts = sources("", &[".sh"]);
    scripts.extend(sources(".ci", &["run"]));
    let findings: Vec<String> = scripts
        .iter()
        .filter(|source| {
            std::fs::metadata(root().join(&source.path)).unwrap().permissions().mode() & 0o111 == 0
        })
        .map(|source| source.path.clone())
        .collect();
    report("scripts that are not executable", &findings);
}

#[test]
fn the_rules_about_exceptions_hold_for_their_examples() {
    let told = |text: &str| {
        let mut count = 0;
        exceptions(text.parse().unwrap(), &mut |_, _| count += 1);
        count
    };
    assert_eq!(told("#[allow(dead_code)] fn f() {}"), 1);
    assert_eq!(told("#![allow(dead_code, reason = \"x\")] mod a { #[expect(unused)] fn f() {} }"), 2);
    assert_eq!(told("#[cfg_attr(test, expect(unused))] fn f() { x.expect(\"no attribute\") }"), 1);
    assert_eq!(told("#[expect(unused, reason = \"why\")] fn f() { let allow = g(1); }"), 0);
}
