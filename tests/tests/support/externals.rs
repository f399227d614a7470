//! Crates outside of this workspace that are built into its target folder, with the features that their dependencies have here, so that
//! these are not built again.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::support::workspace;

/// The profiles of this workspace, for builds that differ in them are not shared.
pub(crate) fn profile() -> String {
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let sections = manifest.split("\n\n").filter(|section| section.starts_with("[profile.dev"));
    sections.collect::<Vec<_>>().join("\n")
}

/// The dependencies of this workspace with their versions and features, as resolved, as lines of a manifest.
pub(crate) fn externals() -> Vec<String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version=1", "--offline", "--locked"]).current_dir(workspace());
    let metadata: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let shared = manifest.split("[workspace.dependencies]").nth(1).unwrap();
    let shared = shared.split("\n[").next().unwrap();
    let wanted: Vec<&str> = shared
        .lines()
        .filter(|line| !line.contains("path = "))
        .filter_map(|line| Some(line.split_once(" = ")?.0))
        .collect();
    let packages = metadata["packages"].as_array().unwrap();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let mut found: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        if !wanted.contains(&name) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == package["id"]).unwrap();
        let features = node["features"].as_array().unwrap();
        let own = package["features"].as_object().unwrap();
        // What only stands for an optional dependency comes with the features that need it, and not on every platform.
        let is_real = |feature: &&str| {
            own.get(*feature).is_some_and(|of| of != &serde_json::json!([format!("dep:{feature}")]))
        };
        let features = features.iter().filter_map(Value::as_str).filter(is_real).map(str::to_owned).collect();
        let version = package["version"].as_str().unwrap().to_owned();
        let newest = found.get(name).is_none_or(|(known, _): &(String, _)| major(known) < major(&version));
        if newest {
            found.insert(name.to_owned(), (version, features));
        }
    }
    let line = |(name, (version, features))| {
        format!("{name} = {{ version = \"={version}\", default-features = false, features = {features:?} }}")
    };
    found.into_iter().map(line).collect()
}

/// The numbers of a version.
fn major(version: &str) -> Vec<u64> {
    version.split(['.', '+', '-']).filter_map(|part| part.parse().ok()).collect()
}
