//! Where type packages begin, when nobody says so.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{self, Exit, Terminal, Tool};
use kube_codegen::config::{Reach, package_files};
use kube_codegen::diagnostic::Diagnostics;
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
    let mut wrong = Diagnostics::new();
    let found = package_files(folder.path(), Reach::All, &mut wrong);
    assert!(wrong.is_empty());
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

#[test]
fn a_file_that_a_package_includes_is_part_of_it() {
    let included = [("kinds.rs", "include!(\"parts/more.rs\");"), ("kinds/parts/more.rs", "")];
    assert_eq!(packages(&included), ["kinds.rs"]);
}

/// A workspace in which the types of a kind come through other crates, under other names.
const WORKSPACE: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"api\", \"common\", \"deeper\"]\n
         [workspace.dependencies]\nk8s = { package = \"k8s-openapi\", version = \"0.29\" }\n
         inherited = { package = \"deeper\", path = \"deeper\" }\n",
    ),
    (
        "api/Cargo.toml",
        "[package]\nname = \"api\"\nversion = \"0.1.0\"\n
         [dependencies]\nshared = { package = \"common\", path = \"../common\" }\nk8s.workspace = true\ninherited.workspace = true\n",
    ),
    ("common/Cargo.toml", "[package]\nname = \"common\"\nversion = \"0.1.0\"\n[dependencies]\ndeeper = { path = \"../deeper\" }\n"),
    ("deeper/Cargo.toml", "[package]\nname = \"deeper\"\nversion = \"0.1.0\"\n"),
    (
        "api/src/lib.rs",
        "use shared::prelude::*;\nuse k8s::apimachinery::pkg::apis::meta::v1 as meta;\nextern crate k8s as machinery;
         #[derive(CustomResource, Serialize, Deserialize, JsonSchema)]
         #[kube(group = \"shop.example.com\", version = \"v1\", kind = \"Order\", namespaced)]
         pub struct OrderSpec { pub port: IntOrString, pub part: Part, pub leaf: Leaf, pub names: Names<Text>, pub at: meta::Time,
             pub size: machinery::apimachinery::pkg::api::resource::Quantity, pub direct: inherited::Leaf, pub by: BTreeMap<Text, bool> }",
    ),
    (
        "common/src/lib.rs",
        "mod parts;\npub mod prelude { pub use crate::parts::*; pub use deeper::*; pub use serde::{Deserialize, Serialize};
             pub use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString; pub use std::collections::*; }",
    ),
    (
        "common/src/parts.rs",
        "#[derive(Serialize, Deserialize)]\npub struct Part { pub leaf: deeper::Leaf }\npub type Names<T> = Vec<T>;\npub type Text = String;\nuse serde::*;",
    ),
    ("deeper/src/lib.rs", "#[derive(serde::Serialize, serde::Deserialize)]\npub struct Leaf { pub n: u16 }\nstruct Part;"),
];

#[test]
fn types_come_through_preludes_of_other_crates_and_under_other_names() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in WORKSPACE {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let paths = format!("paths={}", folder.path().join("api/src").display());
    let words = ["crd".to_owned(), paths, "output:stdout".to_owned()];
    let exit = cli::run(Tool::ControllerGen, words.map(Into::into), &mut Terminal::new(&mut out, &mut err));
    assert_eq!(exit, Exit::Done, "{}", String::from_utf8_lossy(&err));
    let definition: serde_json::Value = serde_saphyr::from_slice(&out).unwrap();
    let spec =
        &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"];
    let number = serde_json::json!({"type": "integer", "minimum": 0, "maximum": 65535});
    let leaf = serde_json::json!({"type": "object", "properties": {"n": number}, "required": ["n"]});
    assert_eq!(spec["leaf"], leaf);
    assert_eq!(spec["direct"], leaf);
    assert_eq!(spec["part"]["properties"]["leaf"], leaf);
    assert_eq!(spec["port"]["x-kubernetes-int-or-string"], true);
    assert_eq!(spec["size"]["x-kubernetes-int-or-string"], true);
    assert_eq!(spec["names"], serde_json::json!({"type": "array", "items": {"type": "string"}}));
    assert_eq!(spec["at"], serde_json::json!({"type": "string", "format": "date-time"}));
    assert_eq!(spec["by"]["additionalProperties"], serde_json::json!({"type": "boolean"}));
}
