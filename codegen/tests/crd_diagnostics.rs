//! One rejected input a file: `diagnostics/crd/<case>.rs` and, beside it, what is said when its custom resource definition
//! is asked for.
//!
//! The expected texts are written anew with `UPDATE_EXPECT=1`. A first line `//@ packages: a/v1 a/v2` names inline modules
//! of the file as the packages; without it the file is the package.

#![expect(clippy::expect_used, reason = "a test fails by panicking, its helpers too")]

use kube_codegen::crd::CrdOptions;
use kube_codegen::{Inputs, PackageInput, Wanted, load_definitions};
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = fs::read_dir("tests/diagnostics/crd").expect("the folder of cases");
    let mut cases: Vec<PathBuf> = folder
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    cases.sort();
    cases
}

fn said(case: &Path) -> Result<(), String> {
    let text = fs::read_to_string(case).expect("a case");
    let listed = text.lines().next().and_then(|line| line.strip_prefix("//@ packages: "));
    let packages: Vec<PackageInput> = match listed {
        Some(list) => list
            .split(' ')
            .map(|name| {
                let (_, version) = name.split_once('/').expect("group/version");
                PackageInput::new(case, "", version)
            })
            .collect(),
        None => vec![PackageInput::new(case, "", "")],
    };
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new(packages) };
    let loaded = load_definitions(&inputs, &CrdOptions::default());
    loaded.map(drop).map_err(|diagnostics| diagnostics.to_string())
}

#[test]
fn every_misuse_is_reported_with_its_place_and_its_cure() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() >= 80, "cases are missing: {}", cases.len());
    for case in cases {
        let said = match said(&case) {
            Ok(()) => "nothing is wrong\n".to_owned(),
            Err(said) => said,
        };
        let expected = case.with_extension("stderr");
        if update {
            fs::write(&expected, said).expect("write the expected text");
        } else if fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{}:\n{said}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nrun again with UPDATE_EXPECT=1 if this is right", wrong.join("\n"));
}

#[test]
fn every_case_is_rejected() {
    for case in cases() {
        assert!(said(&case).is_err(), "{} is accepted", case.display());
    }
}
