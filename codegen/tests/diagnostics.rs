//! One rejected input a file: `diagnostics/<case>.rs` for clients, `diagnostics/crd/<case>.rs` for custom resource definitions,
//! `diagnostics/conventions/<case>.rs` for what is accepted with warnings. Beside each, what the generator says about it.
//!
//! The expected texts are written anew with `UPDATE_EXPECT=1`. A first line `//@ packages: a/v1 b/v1` names inline
//! modules of the file as the packages; without it the file is the package.

#![expect(clippy::expect_used, reason = "a test fails by panicking, its helpers too")]

use kube_codegen::check::check_conventions;
use kube_codegen::crd::CrdOptions;
use kube_codegen::diagnostic::Diagnostics;
use kube_codegen::schema::{Floats, SchemaOptions};
use kube_codegen::{Inputs, PackageInput, Wanted, load, load_definitions};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of cases.
struct Suite {
    folder: &'static str,
    /// How many cases there are at least, so that none gets lost.
    at_least: usize,
    /// What is said of a case; `None` when nothing is wrong.
    said: fn(&Path) -> Option<Diagnostics>,
}

const CLIENTS: Suite = Suite { folder: "tests/diagnostics", at_least: 90, said: of_clients };
const DEFINITIONS: Suite = Suite { folder: "tests/diagnostics/crd", at_least: 80, said: of_definitions };
const CONVENTIONS: Suite =
    Suite { folder: "tests/diagnostics/conventions", at_least: 6, said: of_conventions };

fn of_clients(case: &Path) -> Option<Diagnostics> {
    let package = |(group, version): (&str, &str)| PackageInput::new(case, group, version);
    load(&Inputs::new(packages(case).iter().map(|(group, version)| package((group, version))))).err()
}

/// Definitions say their groups themselves.
fn inputs(case: &Path) -> Inputs {
    let package = |(_, version): &(String, String)| PackageInput::new(case, "", version);
    let packages: Vec<PackageInput> = packages(case).iter().map(package).collect();
    Inputs { wanted: Wanted::Manifests, ..Inputs::new(packages) }
}

fn of_definitions(case: &Path) -> Option<Diagnostics> {
    load_definitions(&inputs(case), &CrdOptions::default()).err()
}

fn of_conventions(case: &Path) -> Option<Diagnostics> {
    let schema = SchemaOptions { floats: Floats::Allowed, ..SchemaOptions::default() };
    let options = CrdOptions { schema, ..CrdOptions::default() };
    let loaded = load_definitions(&inputs(case), &options).expect("a case without errors");
    let mut found = check_conventions(&loaded.model, &BTreeSet::new());
    found.add_text(case, fs::read_to_string(case).expect("a case").into());
    assert!(!found.has_errors() && found.clone().denied().has_errors());
    Some(found).filter(|found| !found.is_empty())
}

/// The packages of a case, as group and version.
fn packages(case: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(case).expect("a case");
    let listed = text.lines().next().and_then(|line| line.strip_prefix("//@ packages: "));
    let names = listed.unwrap_or("/").split(' ').map(|name| name.split_once('/').expect("group/version"));
    names.map(|(group, version)| (group.to_owned(), version.to_owned())).collect()
}

impl Suite {
    fn cases(&self) -> Vec<PathBuf> {
        let folder = fs::read_dir(self.folder).expect("the folder of cases");
        let mut cases: Vec<PathBuf> = folder
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .collect();
        cases.sort();
        assert!(cases.len() >= self.at_least, "cases are missing: {}", cases.len());
        cases
    }

    fn check(&self) {
        let update = std::env::var_os("UPDATE_EXPECT").is_some();
        let mut wrong = Vec::new();
        for case in self.cases() {
            let Some(said) = (self.said)(&case).map(|said| said.to_string()) else {
                wrong.push(format!("{}: nothing is wrong", case.display()));
                continue;
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
}

#[test]
fn every_misuse_is_reported_with_its_place_and_its_cure() {
    CLIENTS.check();
}

#[test]
fn what_a_server_would_refuse_is_refused_with_its_place_and_its_cure() {
    DEFINITIONS.check();
}

#[test]
fn what_goes_against_conventions_is_a_warning_that_can_be_made_an_error() {
    CONVENTIONS.check();
}
