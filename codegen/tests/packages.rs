//! Where type packages begin, when nobody says so.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::config::{Reach, package_files};
use std::fs;

const KIND: &str = "#[derive(CustomResource)]\npub struct ThingSpec {}\n";

/// The packages among these files, of which each has a kind.
fn packages(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, modules) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("{modules}\n{KIND}")).unwrap();
    }
    let found = package_files(folder.path(), Reach::All);
    found.iter().map(|file| file.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
}

#[test]
fn a_module_is_no_package_beside_its_parent_however_the_two_are_named() {
    for root in ["lib.rs", "main.rs", "mod.rs"] {
        for module in ["kinds", "zinds"] {
            let declared = format!("pub mod {module};");
            assert_eq!(packages(&[(root, &declared), (&format!("{module}.rs"), "")]), [root]);
            assert_eq!(packages(&[(root, &declared), (&format!("{module}/mod.rs"), "")]), [root]);
        }
    }
    assert_eq!(packages(&[("crd.rs", "pub mod kinds;"), ("crd/kinds.rs", "")]), ["crd.rs"]);
}

#[test]
fn a_file_that_nothing_declares_is_a_package() {
    assert_eq!(packages(&[("lib.rs", ""), ("kinds.rs", "")]), ["kinds.rs", "lib.rs"]);
    assert_eq!(packages(&[("lib.rs", "#[path = \"a.rs\"]\nmod b;"), ("main.rs", "")]), ["lib.rs"]);
}
