//! The toolchain in a crate of somebody else: outside of this workspace, with types in a nested module, a group with a
//! hyphen, a kind of the cluster, a kind that is its own plural, fields that are keywords, versions inside a file.
//!
//! The crate is built into this workspace's target folder, with the features that its dependencies have here, so that
//! they are not built again.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "support/externals.rs"]
mod externals;
mod support;

use externals::{externals, profile};
use support::{target, text, workspace};

const GROUPS: &str = "net_guard:v1 fleet:v1 ships:v1";

/// Somebody's crate, in a folder of its own.
struct Stranger {
    folder: tempfile::TempDir,
}

impl Stranger {
    fn new() -> Self {
        let stranger = Self { folder: tempfile::tempdir().unwrap() };
        stranger.take("stranger");
        stranger
    }

    /// Takes over all files of a fixture.
    fn take(&self, fixture: &str) {
        copy(&workspace().join("tests/fixtures").join(fixture), self.folder.path());
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Calls the script from within the crate.
    fn generate(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(workspace().join("hack/generate-groups.sh"));
        command.args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    fn generated(&self, arguments: &[&str]) -> String {
        let output = self.generate(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs cargo on the crate; its own code denies warnings.
    fn cargo(&self, arguments: &[&str]) {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).arg("--offline").current_dir(self.folder.path());
        command.env("CARGO_TARGET_DIR", target());
        let output = command.output().unwrap();
        assert!(output.status.success(), "cargo {arguments:?}: {}", text(&output));
    }

    /// Gives the crate a manifest with the dependencies of this workspace.
    fn add_manifest(&self) {
        let root = workspace();
        let mut lines = vec![
            "[package]\nname = \"strange-operator\"\nversion = \"0.0.0\"\nedition = \"2024\"".to_owned(),
            "[workspace]".to_owned(),
            profile(),
            "[dependencies]".to_owned(),
        ];
        let path = |folder: &str| root.join(folder).display().to_string();
        lines.push(format!(
            "kube-codegen-runtime = {{ path = {:?}, features = [\"client\"] }}",
            path("runtime")
        ));
        lines.extend(externals());
        lines.push(format!(
            "[dev-dependencies]\nkube-codegen-apiserver = {{ path = {:?} }}",
            path("apiserver")
        ));
        fs::write(self.path("Cargo.toml"), lines.join("\n") + "\n").unwrap();
        fs::copy(root.join("Cargo.lock"), self.path("Cargo.lock")).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_strangers_crate_compiles_without_warnings_and_its_fake_answers() {
    let stranger = Stranger::new();
    stranger.add_manifest();
    stranger.generated(&["deepcopy", "src/kube/client", "src/kube/apis", GROUPS]);
    stranger.generated(&["client,lister,informer", "src/kube/client", "src/kube/apis", GROUPS]);
    assert!(!stranger.path("src/kube/client/applyconfiguration").exists());
    stranger.cargo(&["test", "--quiet"]);

    let summary = stranger.generated(&["all", "src/kube/client", "src/kube/apis", GROUPS]);
    assert!(summary.starts_with("3 groups, 3 kinds: "), "{summary}");
    stranger.cargo(&["test", "--quiet", "--no-run"]);

    let again = stranger.generated(&["all", "src/kube/client", "src/kube/apis", GROUPS]);
    assert!(again.contains(" 0 files written, "), "{again}");
}

#[test]
fn a_strangers_build_script_generates_what_the_crate_includes() {
    let stranger = Stranger::new();
    stranger.add_manifest();
    let edit = |file: &str, from: &str, to: &str| {
        let text = fs::read_to_string(stranger.path(file)).unwrap();
        assert!(text.contains(from), "{file}: {text}");
        fs::write(stranger.path(file), text.replacen(from, to, 1)).unwrap();
    };
    let codegen = workspace().join("codegen");
    edit(
        "Cargo.toml",
        "[dependencies]",
        &format!("[build-dependencies]\nkube-codegen = {{ path = {codegen:?} }}\n[dependencies]"),
    );
    stranger.take("stranger-with-a-build-script");
    for group in ["net_guard", "ships"] {
        let out = format!(
            "include!(concat!(env!(\"OUT_DIR\"), \"/kube/apis/{group}/v1/zz_generated.object.rs\"));"
        );
        edit(&format!("src/kube/apis/{group}/v1.rs"), "include!(\"v1/zz_generated.object.rs\");", &out);
    }

    stranger.cargo(&["test", "--quiet"]);

    let sources = ["src/kube/client", "src/kube/apis/net_guard/v1"];
    assert!(sources.iter().all(|folder| !stranger.path(folder).exists()), "the sources stay as they are");
}

#[test]
fn what_is_wrong_in_a_strangers_types_is_told_and_nothing_is_written() {
    let package = "src/kube/apis/net_guard/v1.rs";
    let faults = [
        ("// +groupName=net-guard.example.com", "// net-guard", "`+groupName`"),
        ("// +genclient\n", "// +genclient\n// +genclient:onlyVerbs=get,lst\n", "unknown verb `lst`"),
        ("// +genclient\n", "// +genclient\n// +genclient:noStauts\n", "`+genclient:noStatus`"),
        ("// +genclient\n", "", "`+genclient`"),
    ];
    for (from, to, said) in faults {
        let stranger = Stranger::new();
        fs::write(stranger.path("Cargo.toml"), "[package]\nname = \"strange-operator\"\n").unwrap();
        let types = fs::read_to_string(stranger.path(package)).unwrap();
        fs::write(stranger.path(package), types.replacen(from, to, 1)).unwrap();

        let output = stranger.generate(&[
            "client,lister,informer",
            "src/kube/client",
            "src/kube/apis",
            "net_guard:v1",
        ]);

        assert_eq!(output.status.code(), Some(1), "{}", text(&output));
        assert!(text(&output).contains(said), "{said}: {}", text(&output));
        assert!(!stranger.path("src/kube/client").exists(), "{said}");
    }
}
