//! What the pages say in TOML: the settings of the generators, and the dependencies of a crate.

use std::fs;

use kube_codegen::config::ConfigFile;
use toml::{Table, Value};

use crate::blocks::{Mark, pages};
use crate::support::workspace;

/// Blocks that these tests read.
fn blocks() -> Vec<String> {
    let here = Some(Mark::Test("tests/tests/book/manifests.rs".to_owned()));
    let blocks = pages().into_iter().flat_map(|page| page.blocks());
    blocks.filter(|block| block.language == "toml" && block.mark == here).map(|block| block.text).collect()
}

fn is_manifest(text: &str) -> bool {
    text.starts_with("[dependencies]")
}

#[test]
fn the_settings_are_ones_that_the_generators_take() {
    let folder = tempfile::tempdir().unwrap();
    let blocks: Vec<_> = blocks().into_iter().filter(|text| !is_manifest(text)).collect();
    assert!(!blocks.is_empty());
    for text in blocks {
        let file = folder.path().join("kube-codegen.toml");
        fs::write(&file, &text).unwrap();
        if let Err(refused) = ConfigFile::read(&file) {
            unreachable!("{text}\n{refused:?}");
        }
    }
}

fn version(dependency: &Value) -> Option<&str> {
    dependency.as_str().or_else(|| dependency.get("version")?.as_str())
}

#[test]
fn the_dependencies_are_those_that_this_workspace_has() {
    let root: Table = fs::read_to_string(workspace().join("Cargo.toml")).unwrap().parse().unwrap();
    let (shared, own) = (&root["workspace"]["dependencies"], &root["workspace"]["package"]["version"]);
    let blocks: Vec<_> = blocks().into_iter().filter(|text| is_manifest(text)).collect();
    assert!(!blocks.is_empty());
    for text in blocks {
        let manifest: Table = text.parse().unwrap();
        for (name, dependency) in manifest.values().filter_map(Value::as_table).flatten() {
            let known = shared.get(name).unwrap_or_else(|| unreachable!("{name} is not in the workspace"));
            let known = version(known).or(own.as_str()).unwrap();
            let asked = version(dependency).unwrap();
            assert!(
                known == asked || known.starts_with(&format!("{asked}.")),
                "{name}: {asked}, and here {known}"
            );
        }
    }
}
