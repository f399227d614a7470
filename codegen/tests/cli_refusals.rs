//! What commands refuse of files and arguments, and that nothing is lost with it.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use kube_codegen::cli::{self, Exit, Terminal, Tool};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use tempfile::TempDir;

const TYPES: &str = "\
// +groupName=shop.example.com

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube_codegen_runtime::object::TypeMeta;
use serde::{Deserialize, Serialize};

// +genclient
// +kubebuilder:object:root=true
/// Order is what somebody wants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    #[serde(flatten, skip_deserializing)]
    pub type_meta: TypeMeta<Order>,
    pub metadata: ObjectMeta,
}
";

/// A crate with one type package.
fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    write("src/apis/shop/v1.rs", TYPES);
    write("kube-codegen.toml", "apis = \"src/apis\"\noutput = \"src/client\"\n[crd]\noutput = \"crd\"\n");
    folder
}

/// Runs a command in a folder: how it ends, and what it says.
fn run(tool: Tool, folder: &Path, arguments: &[&str]) -> (Exit, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::new(&mut out, &mut err);
    let exit = cli::run(tool, words(folder, arguments), &mut terminal);
    (exit, String::from_utf8([out, err].concat()).unwrap())
}

/// Arguments with paths that do not depend on the current folder, which tests share.
fn words(folder: &Path, arguments: &[&str]) -> Vec<OsString> {
    let folder = folder.to_str().unwrap();
    arguments.iter().map(|word| word.replace("{here}", folder).into()).collect()
}

#[test]
fn a_source_file_that_is_damaged_takes_no_definition_along() {
    let project = project();
    let arguments = ["crd", "{here}/src", "--output", "{here}/crd"];
    let (exit, said) = run(Tool::KubeCodegen, project.path(), &arguments);
    assert_eq!(exit, Exit::Done, "{said}");
    let definition = project.path().join("crd/shop.example.com_orders.yaml");
    let before = fs::read(&definition).unwrap();
    let file = project.path().join("src/apis/shop/v1.rs");
    fs::write(&file, [TYPES.as_bytes(), b"// \xff"].concat()).unwrap();
    let (exit, said) = run(Tool::KubeCodegen, project.path(), &arguments);
    assert_eq!(exit, Exit::Failed, "{said}");
    assert!(said.contains("the text is not UTF-8") && said.contains("v1.rs"), "{said}");
    assert_eq!(fs::read(&definition).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    let project = project();
    let said = |arguments: &[&str]| {
        let (exit, said) = run(Tool::KubeCodegen, project.path(), arguments);
        assert_eq!(exit, Exit::Failed, "{arguments:?}: {said}");
        assert!(said.contains("no regular file"), "{arguments:?}: {said}");
    };
    said(&["crd", "/dev/zero", "--stdout"]);
    said(&["crd", "{here}/src", "--stdout", "--header-file", "/dev/zero"]);
    said(&["all", "--config", "/dev/zero"]);
    let manifests = project.path().join("manifests");
    fs::create_dir(&manifests).unwrap();
    std::os::unix::fs::symlink("/dev/zero", manifests.join("zero.yaml")).unwrap();
    said(&["schemapatch", "{here}/src", "--manifests", "{here}/manifests"]);
}

#[test]
fn settings_of_any_length_are_refused() {
    let project = project();
    fs::write(project.path().join("kube-codegen.toml"), "a".repeat(2 << 20)).unwrap();
    let (exit, said) =
        run(Tool::KubeCodegen, project.path(), &["all", "--config", "{here}/kube-codegen.toml"]);
    assert_eq!(exit, Exit::Failed);
    assert!(said.contains("it has more than 1048576 bytes"), "{said}");
}

/// A disk that is full.
struct Full;

impl Write for Full {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_result_that_cannot_be_written_is_no_success() {
    let project = project();
    for arguments in [["crd", "{here}/src", "--stdout"].as_slice(), &["markers"], &["--help"]] {
        let (mut full, mut err) = (Full, Vec::new());
        let mut terminal = Terminal::new(&mut full, &mut err);
        let exit = cli::run(Tool::KubeCodegen, words(project.path(), arguments), &mut terminal);
        assert_eq!(exit, Exit::Failed, "{arguments:?}");
        assert!(String::from_utf8(err).unwrap().contains("error: cannot write the result"));
    }
}

#[test]
fn names_that_would_leave_the_output_are_refused() {
    let project = project();
    for plural in ["Order:a/b", "Order:..", "Order:", "Order/x:orders"] {
        let arguments = ["all", "--config", "{here}/kube-codegen.toml", "--plural-exceptions", plural];
        let (exit, said) = run(Tool::KubeCodegen, project.path(), &arguments);
        assert_eq!(exit, Exit::Usage, "{plural}: {said}");
    }
    let table = "apis = \"src/apis\"\noutput = \"src/client\"\nplural-exceptions = { Order = \"a/b\" }\n";
    fs::write(project.path().join("kube-codegen.toml"), table).unwrap();
    let (exit, said) =
        run(Tool::KubeCodegen, project.path(), &["all", "--config", "{here}/kube-codegen.toml"]);
    assert_eq!(exit, Exit::Failed);
    assert!(said.contains("`Order:a/b` is no pair of kind and plural"), "{said}");
    for name in ["", "a/b", ".."] {
        let name = format!("--role-name={name}");
        let (exit, said) = run(Tool::KubeCodegen, project.path(), &["rbac", "{here}/src", "--stdout", &name]);
        assert!(exit == Exit::Failed && said.contains("cannot be the name of a role"), "{name}: {said}");
    }
    for name in ["../x", "fn", "a b", ""] {
        let name = format!("--clientset-name={name}");
        let arguments = [
            "--input=shop/v1",
            "--input-base={here}/src/apis",
            "--output-dir={here}/src/client/clientset",
            name.as_str(),
        ];
        let (exit, said) = run(Tool::ClientGen, project.path(), &arguments);
        assert_eq!(exit, Exit::Usage, "{name}: {said}");
    }
    assert!(!project.path().join("src/client").exists());
}

#[test]
fn a_licence_note_whose_comment_is_not_closed_takes_no_code_along() {
    let project = project();
    fs::write(project.path().join("note.txt"), "/*\nCopyright").unwrap();
    let arguments = ["all", "--config", "{here}/kube-codegen.toml", "--header-file", "{here}/note.txt"];
    let (exit, said) = run(Tool::KubeCodegen, project.path(), &arguments);
    assert_eq!(exit, Exit::Done, "{said}");
    let root = fs::read_to_string(project.path().join("src/client/mod.rs")).unwrap();
    assert!(root.starts_with("/*\nCopyright\n*/\n\n// Code generated by"), "{root}");
}
