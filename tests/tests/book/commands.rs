//! Blocks of commands: each command is run here, or by another test, or stands in a list with the reason why it is not.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::blocks::{Block, Mark, Page, pages};
use crate::code::FOLLOWED;
use crate::support::{target, text, workspace};

/// How a command is seen to.
enum How {
    /// By a function of another test.
    Elsewhere(&'static str, &'static str),
    /// By nobody, for a reason.
    NotRun(&'static str),
}
use How::{Elsewhere, NotRun};

/// Commands outside of marked blocks: the page, the command, and how it is seen to.
const COMMANDS: &[(&str, &str, How)] = &[
    (
        "README.md",
        "./hack/generate-groups.sh all",
        Elsewhere("controller/tests/session.rs", "the_session_of_the_readme_comes_out_as_printed"),
    ),
    ("README.md", "cargo test --workspace", NotRun("it is what runs this test")),
    ("CONTRIBUTING.md", "cargo test --workspace", NotRun("it is what runs this test")),
    ("CONTRIBUTING.md", "hack/check.sh", NotRun("it runs this test, and is what CI runs")),
    (
        "CONTRIBUTING.md",
        "hack/update-codegen.sh",
        NotRun("it writes the sources; hack/check.sh runs verify-codegen.sh, the same without writing"),
    ),
    (
        "docs/generators.md",
        "<kube-codegen>/hack/generate-groups.sh all src/client src/apis \"ships:v1\"",
        Elsewhere(
            "tests/tests/stranger.rs",
            "a_strangers_crate_compiles_without_warnings_and_its_fake_answers",
        ),
    ),
    (
        "docs/apiserver.md",
        "cargo install --path apiserver --features cli",
        NotRun("a release build takes minutes; that the crate and its feature are there is looked at below"),
    ),
    (
        "docs/apiserver.md",
        "kube-codegen-apiserver --kubeconfig /tmp/test.kubeconfig",
        Elsewhere("apiserver/tests/http/program.rs", "it_says_that_it_is_ready_and_ends_when_told"),
    ),
];

/// Blocks that this test runs.
const HERE: &str = "tests/tests/book/commands.rs";

fn is_shell(block: &Block) -> bool {
    matches!(block.language.as_str(), "sh" | "console")
}

/// The commands of a block, without what is printed and without comments.
fn commands(block: &Block) -> Vec<String> {
    let typed = block.text.lines().filter_map(|line| match block.language.as_str() {
        "console" => line.strip_prefix("$ "),
        _ => Some(line),
    });
    let plain = typed.map(|line| line.split(" # ").next().unwrap().trim().to_owned());
    plain.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

fn blocks_of(page: &Page) -> impl Iterator<Item = Block> {
    page.blocks().into_iter().filter(is_shell)
}

#[test]
fn every_command_is_run_or_its_reason_is_known() {
    let mut found = Vec::new();
    for page in pages().iter().filter(|page| page.path != FOLLOWED.0) {
        for block in blocks_of(page).filter(|block| block.mark.is_none()) {
            found.extend(commands(&block).into_iter().map(|command| (page.path.clone(), command)));
        }
    }
    let mut listed: Vec<_> =
        COMMANDS.iter().map(|(page, command, _)| ((*page).to_owned(), (*command).to_owned())).collect();
    found.sort();
    found.dedup();
    listed.sort();
    assert_eq!(
        found, listed,
        "on the left what the pages have, on the right the list of tests/tests/book/commands.rs"
    );
    for (page, command, how) in COMMANDS {
        match how {
            Elsewhere(file, function) => {
                let test = fs::read_to_string(workspace().join(file)).unwrap_or_default();
                assert!(
                    test.contains(&format!("fn {function}(")),
                    "{page}: {command}: {file} has no {function}"
                );
            }
            NotRun(reason) => assert!(reason.len() > 10, "{page}: {command}"),
        }
    }
}

/// Copies the sources of the workspace.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (name, path) = (entry.file_name(), entry.path());
        if path.is_dir() && name != "target" && name != ".git" {
            copy(&path, &to.join(name));
        } else if path.is_file() {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

#[test]
fn the_generators_commands_work_in_this_workspace() {
    for tool in ["kube-codegen", "controller-gen"] {
        let mut build = Command::new(workspace().join("hack/run-codegen.sh"));
        let output = build.args([tool, "--help"]).env("CARGO_TARGET_DIR", target()).output().unwrap();
        assert!(output.status.success(), "{tool}: {}", text(&output));
    }
    let scratch = tempfile::tempdir().unwrap();
    copy(&workspace(), scratch.path());
    let path = format!("{}/debug:{}", target().display(), std::env::var("PATH").unwrap_or_default());
    let mut ran = 0;
    for page in pages() {
        let here = Some(Mark::Test(HERE.to_owned()));
        for command in blocks_of(&page).filter(|block| block.mark == here).flat_map(|block| commands(&block))
        {
            let mut shell = Command::new("bash");
            shell.args(["-euc", &command]).current_dir(scratch.path());
            let output = shell.env("PATH", &path).env("CARGO_NET_OFFLINE", "true").output().unwrap();
            assert!(output.status.success(), "{}: {command}: {}", page.path, text(&output));
            ran += 1;
        }
    }
    assert!(ran > 8, "{ran} commands");
}

/// The words of the commands within the text that begin with a word.
fn inline(page: &Page, first: &str) -> Vec<Vec<String>> {
    let spans = page.text.split('`').skip(1).step_by(2).filter(|span| span.starts_with(first));
    spans.map(|span| span.split_whitespace().map(str::to_owned).collect()).collect()
}

/// What stands behind an option, separately or with `=`.
fn values(words: &[String], options: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        if options.contains(&name) {
            let value = if value.is_empty() { words.get(at + 1).map_or("", String::as_str) } else { value };
            found.extend(value.split(',').map(str::to_owned));
        }
    }
    found
}

#[test]
fn what_cargo_is_asked_for_is_there() {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--no-deps", "--offline", "--format-version=1"]).current_dir(workspace());
    let metadata: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let mut seen = 0;
    for page in pages().iter().filter(|page| page.path != FOLLOWED.0) {
        let typed = blocks_of(page)
            .flat_map(|block| commands(&block))
            .filter(|command| command.starts_with("cargo "));
        let typed = typed.map(|command| command.split_whitespace().map(str::to_owned).collect());
        for words in inline(page, "cargo ").into_iter().chain(typed) {
            let place = format!("{}: {}", page.path, words.join(" "));
            let names = values(&words, &["-p", "--package", "--path"]);
            for name in &names {
                let package = packages.iter().find(|package| {
                    let manifest = package["manifest_path"].as_str().unwrap();
                    package["name"] == name.as_str() || manifest.ends_with(&format!("/{name}/Cargo.toml"))
                });
                let package = package.unwrap_or_else(|| unreachable!("{place}: there is no {name}"));
                for feature in values(&words, &["--features"]) {
                    assert!(
                        package["features"].get(&feature).is_some(),
                        "{place}: there is no feature {feature}"
                    );
                }
                for target in values(&words, &["--test", "--bench", "--bin", "--example"]) {
                    let targets = package["targets"].as_array().unwrap();
                    assert!(
                        targets.iter().any(|known| known["name"] == target.as_str()),
                        "{place}: there is no {target}"
                    );
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "{seen}");
}
