//! The golden cases: `golden/<case>/input` holds type packages, `golden/<case>/expected` what all generators make of them
//! as a module of the same crate. The crate is a member of the workspace, so every case is compiled as well, warnings
//! included. After a change that is meant, `UPDATE_EXPECT=1 cargo test -p kube-codegen --test golden` rewrites them; read
//! the difference.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::emit::{self, FakeCfg, Options};
use kube_codegen::lower::lower;
use kube_codegen::model::Model;
use kube_codegen::naming::{PluralExceptions, is_version};
use kube_codegen::output::{Header, Mode, Ownership, Root, apply};
use kube_codegen::source::{CargoSources, PackageInput};
use std::fs;
use std::path::{Path, PathBuf};

const BOILERPLATE: &str = "// SPDX-License-Identifier: Apache-2.0";

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The type packages of a case: a folder for each group and version, or modules within the one file.
fn packages(input: &Path) -> Vec<PackageInput> {
    let mut found = Vec::new();
    for group in folders(input) {
        for version in folders(&input.join(&group))
            .into_iter()
            .filter(|name| name.starts_with('v') || is_version(name) || name.starts_with("order"))
        {
            found.push(PackageInput::new(input, &group, version));
        }
    }
    if found.is_empty() {
        found.push(PackageInput::new(input, "outer", "v1"));
    }
    found
}

fn model(case: &str) -> Model {
    let input = cases().join(case).join("input");
    let (model, diagnostics) =
        lower(&packages(&input), &PluralExceptions::default(), &CargoSources::default());
    assert!(diagnostics.is_empty(), "{case}:\n{diagnostics}");
    model
}

fn roots(case: &str, model: &Model) -> Vec<Root> {
    let mut options =
        Options::for_module(Header::new(BOILERPLATE), "golden_cases", &format!("crate::{case}::expected"));
    options.fake = FakeCfg::Always;
    let mut roots: Vec<Root> = emit::object::files(model, &options.header)
        .into_iter()
        .map(|file| Root {
            folder: file.folder,
            ownership: Ownership::Named(emit::object::FILE_NAME.to_owned()),
            files: file.files,
        })
        .collect();
    roots.push(Root {
        folder: cases().join(case).join("expected"),
        ownership: Ownership::Tree,
        files: emit::groups(model, &options),
    });
    roots
}

#[test]
fn every_case_gives_what_is_expected() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mode = if update { Mode::Write } else { Mode::Check };
    let mut drift = String::new();
    for case in folders(&cases()).into_iter().filter(|case| cases().join(case).join("input").is_dir()) {
        let report =
            apply(roots(&case, &model(&case)), mode).unwrap_or_else(|errors| panic!("{case}: {errors:#?}"));
        drift.push_str(&report.drift.concat());
    }
    assert!(
        drift.is_empty(),
        "{drift}\nif this is meant: UPDATE_EXPECT=1 cargo test -p kube-codegen --test golden"
    );
}

#[test]
fn every_case_is_a_module_of_the_compiled_crate() {
    let lib = fs::read_to_string(cases().join("lib.rs")).unwrap();
    for case in folders(&cases()).into_iter().filter(|case| cases().join(case).join("input").is_dir()) {
        assert!(lib.contains(&format!("pub mod {case};")), "`{case}` is missing in golden/lib.rs");
    }
}

#[test]
fn output_is_the_same_every_time() {
    let text = || {
        let mut all = String::new();
        for root in roots("apply_shapes", &model("apply_shapes")) {
            root.files.iter().for_each(|(path, entry)| all.push_str(&format!("{path}\n{}", entry.text)));
        }
        all
    };
    assert_eq!(text(), text());
}

#[test]
fn c043_order_and_place_of_tags_do_not_matter() {
    let model = model("tag_order");
    let clients: Vec<String> = roots("tag_order", &model)
        .iter()
        .flat_map(|root| root.files.iter())
        .filter(|(path, _)| path.starts_with("clientset/versioned/typed/") && path.ends_with("/one.rs"))
        .map(|(path, entry)| {
            let group = path.split('/').nth_back(2).expect("a group");
            entry.text.replace(group, "order")
        })
        .collect();
    let [first, others @ ..] = clients.as_slice() else { panic!("there is nothing to compare") };
    assert_eq!(others.len(), 3);
    assert!(others.iter().all(|client| client == first));
    assert!(first.contains("with_resource_name") || first.contains("`ones`"), "{first}");
    assert!(!first.contains("namespace"), "{first}");
}
