//! Which crate may depend on which.

use std::fs;

use toml::Table;

use super::{report, walk::root};

/// A crate's folder, and the crates of this workspace it may depend on outside its tests.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("go-regex", &[]),
    ("formats", &["kube-codegen-go-regex"]),
    ("codegen", &["kube-codegen-formats", "kube-codegen-go-regex"]),
    ("codegen/tests/golden", &["kube-codegen-runtime", "kube-codegen-apiserver"]),
    ("runtime", &[]),
    ("runtime/benches/scale", &[]),
    ("apiserver", &["kube-codegen-formats", "kube-codegen-go-regex"]),
    ("apis", &["kube-codegen-runtime"]),
    ("generated", &["kube-codegen-runtime", "sample-apis", "kube-codegen-apiserver"]),
    ("controller", &["sample-client", "kube-codegen-runtime", "sample-apis", "kube-codegen-apiserver"]),
    ("tests", &[]),
    ("tests/tidy", &[]),
];

/// What the generators are built without, so that they build in seconds.
const NOT_IN_CODEGEN: &[&str] = &["kube", "kube-core", "kube-client", "k8s-openapi", "tokio", "schemars"];

pub(crate) fn manifest(folder: &str) -> Table {
    let path = root().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The dependencies of a crate, without those of its tests.
pub(crate) fn dependencies(folder: &str) -> Table {
    let mut manifest = manifest(folder);
    let mut all = Table::new();
    for section in ["dependencies", "build-dependencies"] {
        if let Some(toml::Value::Table(section)) = manifest.remove(section) {
            all.extend(section);
        }
    }
    all
}

pub(crate) fn workspace() -> (Vec<String>, Table) {
    let manifest = manifest("");
    let workspace = manifest["workspace"].as_table().unwrap();
    let members = workspace["members"].as_array().unwrap();
    let members = members.iter().map(|member| member.as_str().unwrap().to_owned()).collect();
    (members, workspace["dependencies"].as_table().unwrap().clone())
}

#[test]
fn every_member_stands_in_the_table() {
    let known: Vec<&str> = MAY_DEPEND_ON.iter().map(|(folder, _)| *folder).collect();
    let strangers: Vec<String> =
        workspace().0.into_iter().filter(|member| !known.contains(&member.as_str())).collect();
    report("crates that have no line in the table of dependencies", &strangers);
}

#[test]
fn crates_depend_in_one_direction() {
    let members: Vec<(String, &str)> = MAY_DEPEND_ON
        .iter()
        .map(|(folder, _)| (manifest(folder)["package"]["name"].as_str().unwrap().to_owned(), *folder))
        .collect();
    let mut findings = Vec::new();
    for (folder, allowed) in MAY_DEPEND_ON {
        for dependency in dependencies(folder).keys() {
            let inside = members.iter().any(|(name, _)| name == dependency);
            if inside && !allowed.contains(&dependency.as_str()) {
                findings.push(format!("{folder}/Cargo.toml: {dependency}"));
            }
        }
    }
    report("dependencies against the direction", &findings);
}

#[test]
fn the_generators_build_without_the_kubernetes_crates() {
    let dependencies = dependencies("codegen");
    let findings: Vec<String> = NOT_IN_CODEGEN
        .iter()
        .filter(|name| dependencies.contains_key(**name))
        .map(|name| (*name).to_owned())
        .collect();
    report("dependencies that codegen must do without", &findings);
}

#[test]
fn the_fake_is_an_optional_part_of_the_generated_client() {
    let dependencies = dependencies("generated");
    if let Some(apiserver) = dependencies.get("kube-codegen-apiserver") {
        let optional = apiserver.get("optional").and_then(toml::Value::as_bool);
        assert_eq!(
            optional,
            Some(true),
            "generated/Cargo.toml: kube-codegen-apiserver belongs to the feature `fake`"
        );
    }
}

#[test]
fn versions_stand_in_the_root_alone() {
    let (members, shared) = workspace();
    let mut findings = Vec::new();
    for folder in members {
        let mut manifest = manifest(&folder);
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(toml::Value::Table(section)) = manifest.remove(section) else { continue };
            for (name, dependency) in section {
                let inherits = dependency.get("workspace").and_then(toml::Value::as_bool) == Some(true);
                if !inherits || !shared.contains_key(&name) {
                    findings.push(format!("{folder}/Cargo.toml: {name}"));
                }
            }
        }
    }
    report("dependencies that do not inherit their version", &findings);
}

#[test]
fn every_crate_keeps_the_workspace_lints() {
    let findings: Vec<String> = workspace()
        .0
        .into_iter()
        .filter(|folder| {
            let manifest = manifest(folder);
            let inherits = manifest.get("lints").and_then(|lints| lints.get("workspace"));
            inherits.and_then(toml::Value::as_bool) != Some(true)
        })
        .collect();
    report("crates without `lints.workspace = true`", &findings);
}
