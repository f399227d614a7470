//! The program `kube-codegen-apiserver`.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::{Api, api::ListParams, config::Kubeconfig};
use tempfile::TempDir;

use crate::client;

pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kube-codegen-apiserver"))
}

pub(crate) fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// A program that has said its ready line. It ends with the test, however that ends.
pub(crate) struct Program {
    child: Child,
    ready: String,
}

impl Program {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        Self { child, ready }
    }

    pub(crate) fn kubeconfig(&self) -> &str {
        self.ready.trim_end().split_once("export KUBECONFIG=").unwrap().1
    }

    pub(crate) fn terminate(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
#[tokio::test]
async fn it_says_that_it_is_ready_and_ends_when_told() {
    let folder = TempDir::new().unwrap();
    let objects = folder.path().join("objects.yaml");
    fs::write(&objects, "{apiVersion: v1, kind: ConfigMap, metadata: {name: one}}").unwrap();
    let file = folder.path().join("kubeconfig");
    let mut program = Program::start(program().arg("--kubeconfig").arg(&file).arg("--load").arg(&objects));
    assert!(program.ready.starts_with("ready at https://127.0.0.1:"), "{}", program.ready);
    assert_eq!(Path::new(program.kubeconfig()), file);
    assert_eq!(mode(&file), 0o600);
    assert!(!fs::read_to_string(&file).unwrap().contains(">-"), "every value stands in one line");
    let client = client(Kubeconfig::read_from(&file).unwrap()).await;
    Api::<ConfigMap>::default_namespaced(client).get("one").await.unwrap();
    assert_eq!(program.terminate(), Some(0));
    assert!(file.exists(), "a kubeconfig that was asked for stays");
}

#[cfg(unix)]
#[tokio::test]
async fn a_kubeconfig_nobody_named_goes_with_the_program() {
    let folder = TempDir::new().unwrap();
    let mut program = Program::start(program().env("TMPDIR", folder.path()));
    let file = Path::new(program.kubeconfig()).to_owned();
    assert!(file.starts_with(folder.path()));
    assert_eq!(mode(&file), 0o600);
    let client = client(Kubeconfig::read_from(&file).unwrap()).await;
    assert_eq!(Api::<Namespace>::all(client).list(&ListParams::default()).await.unwrap().items.len(), 4);
    assert_eq!(program.terminate(), Some(0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn it_replaces_its_own_kubeconfig_and_no_other() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("config");
    for _ in 0..2 {
        drop(Program::start(program().arg("--kubeconfig").arg(&file)));
    }
    let text = fs::read_to_string(&file).unwrap();
    let other = text.replace("kube-codegen-apiserver", "production");
    fs::write(&file, &other).unwrap();
    let (code, said, error) = output(program().arg("--kubeconfig").arg(&file));
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(error.contains("is not the kubeconfig of such a server"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), other);
}

#[test]
fn what_it_cannot_do_it_says_in_one_line() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let cases: [(&[&str], &str); 3] = [
        (&["--listen", &address], "error: cannot listen on 127.0.0.1:"),
        (&["--load", "gone.yaml"], "error: cannot read gone.yaml: "),
        (&["--kubeconfig", "/gone/config"], "error: cannot write the kubeconfig /gone/config: "),
    ];
    for (arguments, expected) in cases {
        let (code, said, error) = output(program().args(arguments));
        assert_eq!((code, said.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(error.starts_with(expected) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn help_has_examples() {
    let (code, help, _) = output(program().arg("--help"));
    assert_eq!(code, Some(0));
    for part in ["--listen", "--kubeconfig", "--load", "--data", "--kubelet", "Examples:"] {
        assert!(help.contains(part), "{help}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_neither_read_nor_replaced() {
    use std::os::unix::net::UnixListener;

    let folder = TempDir::new().unwrap();
    let socket = folder.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    for option in ["--kubeconfig", "--data"] {
        let (code, _, said) = output(program().arg(option).arg(&socket));
        assert_eq!(code, Some(1), "{said}");
        assert!(said.ends_with("socket: it is no regular file\n"), "{said}");
        assert!(!fs::metadata(&socket).unwrap().is_file());
    }
    let (code, _, said) = output(program().args(["--load", "/dev/zero"]));
    assert_eq!((code, said.as_str()), (Some(1), "error: cannot read /dev/zero: it is a device\n"));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_kubeconfig_stays_a_link() {
    let folder = TempDir::new().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    drop(Program::start(program().arg("--kubeconfig").arg(&link)));
    assert!(link.is_symlink() && fs::read_to_string(&file).unwrap().contains("current-context"));
    assert_eq!(mode(&file), 0o600);
}

#[cfg(unix)]
#[test]
fn objects_come_through_a_pipe() {
    let mut command = program();
    command
        .args(["--load", "/dev/stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"{apiVersion: v1, kind: Nonsense, metadata: {name: one}}")
        .unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(said.contains("/dev/stdin, document 1: no kind \"Nonsense\" of \"v1\""), "{said}");
}
