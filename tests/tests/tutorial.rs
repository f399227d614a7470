//! The tutorial, followed word by word: its files are written, its commands are run, and what it prints is what is printed.
//!
//! Two things differ: the crate is built with the versions and features that this workspace has, so that little is built; and the API server
//! of the last chapter runs in this process.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

#[path = "support/externals.rs"]
mod externals;
mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

use externals::{externals, profile};
use kube_codegen_apiserver::{ApiServer, Http, Manifests};
use kube_codegen_runtime::CancellationToken;
use support::{target, text, workspace};

/// What stands in a page, in order.
#[derive(Debug)]
enum Part {
    File { path: String, text: String },
    Command { command: String, printed: Vec<String> },
}

/// The files and commands of a page. A file is a block of code below a line that is its path.
fn parts(page: &str) -> Vec<Part> {
    let (mut parts, mut lines, mut last) = (Vec::new(), page.lines(), "");
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let path = last.strip_prefix('`').and_then(|last| last.strip_suffix("`:"));
            match (language, path) {
                ("console", _) => parts.extend(commands(&block)),
                (_, Some(path)) => {
                    parts.push(Part::File { path: path.to_owned(), text: block.join("\n") + "\n" });
                }
                (language, None) => assert_eq!(language, "text", "a block that nobody runs"),
            }
        }
        if !line.is_empty() {
            last = line;
        }
    }
    parts
}

fn commands(block: &[&str]) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => {
                found.push(Part::Command { command: command.to_owned(), printed: Vec::new() });
            }
            (None, Some(Part::Command { printed, .. })) => printed.push((*line).to_owned()),
            (None, _) => unreachable!("{line} is printed by nothing"),
        }
    }
    found
}

/// The reader's manifest, with dependencies as they are built already.
fn manifest(text: &str) -> String {
    let root = workspace().display().to_string();
    let externals = externals();
    let names: Vec<&str> = externals.iter().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
    let is_own = |line: &&str| line.split_once(" = ").is_none_or(|(name, _)| !names.contains(&name));
    let own: Vec<&str> = text.lines().filter(is_own).collect();
    let own = own.join("\n").replace("../kube-codegen", &root);
    let own = own.replace("[dependencies]", &format!("[dependencies]\n{}", externals.join("\n")));
    format!("{own}\n[workspace]\n\n{}\n", profile())
}

/// Whoever reads the page.
struct Reader {
    folder: PathBuf,
    kubeconfig: Option<PathBuf>,
    running: Vec<Child>,
    serving: CancellationToken,
}

impl Reader {
    fn shell(&self, command: &str) -> Command {
        let mut shell = Command::new("bash");
        shell.args(["-c", command]).current_dir(&self.folder);
        shell.env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true");
        if let Some(kubeconfig) = &self.kubeconfig {
            shell.env("KUBECONFIG", kubeconfig);
        }
        shell
    }

    fn run(&self, command: &str) -> String {
        let output: Output = self.shell(command).output().unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if path.ends_with("Cargo.toml") {
            fs::write(&path, manifest(text)).unwrap();
            fs::copy(workspace().join("Cargo.lock"), path.with_file_name("Cargo.lock")).unwrap();
        } else {
            fs::write(path, text).unwrap();
        }
    }

    /// What `hack/run-apiserver.sh` does.
    async fn serve(&self, arguments: &str) {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let [_, "--load", folder, "--kubeconfig", kubeconfig] = words[..] else {
            unreachable!("{arguments} is not what is done here")
        };
        let server = ApiServer::builder().build();
        server.load(&Manifests::read([self.folder.join(folder)]).unwrap()).unwrap();
        let http = Http::bind(&server, ([127, 0, 0, 1], 0).into()).await.unwrap();
        http.write_kubeconfig(&self.folder.join(kubeconfig)).unwrap();
        tokio::spawn(http.serve(self.serving.clone()));
    }

    async fn follow(&mut self, command: &str, printed: &[String]) {
        if let Some(folder) = command.strip_prefix("cd ") {
            self.folder.push(folder);
        } else if let Some(kubeconfig) = command.strip_prefix("export KUBECONFIG=") {
            self.kubeconfig = Some(self.folder.join(kubeconfig));
        } else if let Some(arguments) = command.strip_prefix("../kube-codegen/hack/run-apiserver.sh") {
            self.serve(&format!("serve{arguments}")).await;
        } else if command == "cargo run --quiet" {
            self.run("cargo build --quiet");
            let built = target().join("debug/greeter");
            self.running.push(self.shell(&format!("exec {}", built.display())).spawn().unwrap());
        } else if command.starts_with("kubectl") && Command::new("kubectl").arg("version").output().is_err() {
            // Without kubectl there is nobody to look.
        } else {
            let said = self.run(command);
            let mut lines = said.lines();
            for line in printed {
                // Newer versions of kubectl say more at the end of some lines.
                let said = lines.next().unwrap_or_default();
                assert!(said.starts_with(line.as_str()), "{command}: {said:?} is not {line:?}");
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.serving.cancel();
        for child in &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tutorial_ends_where_it_says() {
    let folder = tempfile::tempdir().unwrap();
    symlink(workspace(), folder.path().join("kube-codegen")).unwrap();
    let mut reader = Reader {
        folder: folder.path().to_owned(),
        kubeconfig: None,
        running: Vec::new(),
        serving: CancellationToken::new(),
    };
    let page = fs::read_to_string(workspace().join("docs/tutorial.md")).unwrap();
    let parts = parts(&page);
    assert!(parts.len() > 20, "{parts:?}");
    for part in &parts {
        match part {
            Part::File { path, text } => reader.write(path, text),
            Part::Command { command, printed } => reader.follow(command, printed).await,
        }
    }
    assert!(Path::new(&reader.folder).join("config/rbac/role.yaml").exists());
}
