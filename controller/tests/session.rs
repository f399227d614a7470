//! The terminal session of the README, played again: the same commands, and what they print, up to times, ports and made-up names.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

const EXE: &str = env!("CARGO_BIN_EXE_sample-controller");
/// How the README starts the program, which is built already here.
const CARGO_RUN: &str = "cargo run --quiet --package sample-controller --";
/// How long a command may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A command of the session, with the lines that it prints.
#[derive(Debug)]
struct Step {
    command: String,
    printed: Vec<String>,
}

/// All sessions of the README, one after the other.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for block in text.split("<!-- test: controller/tests/session.rs -->\n```console\n").skip(1) {
        for line in block.split("\n```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => steps.push(Step { command: command.to_owned(), printed: Vec::new() }),
                None => steps.last_mut().unwrap().printed.push(line.to_owned()),
            }
        }
    }
    steps
}

/// A line without what differs from run to run.
fn same(line: &str, folder: &Path) -> String {
    let line = line.replace(folder.to_str().unwrap(), "/tmp");
    let words = line.split_whitespace().map(|word| {
        let letters = word.trim_end_matches(';');
        let digits = letters.trim_end_matches(char::is_alphabetic);
        let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        let is_time = letters.len() == 20 && letters.ends_with('Z') && letters.contains('T');
        match () {
            () if is_number => "<n>".to_owned(),
            () if is_time => "<time>".to_owned(),
            () if letters.starts_with("https://127.0.0.1:") => "<url>".to_owned(),
            () if letters.starts_with("at-sample-") => "<pod>".to_owned(),
            () => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A terminal with an environment of its own.
struct Terminal {
    folder: tempfile::TempDir,
    exports: Vec<(String, String)>,
}

impl Terminal {
    fn start(&self, command: &str) -> Child {
        // As a terminal would name the folder of temporary files.
        let command = command.replace("/tmp/", &format!("{}/", self.folder.path().display()));
        let command = command.replace(CARGO_RUN, EXE);
        let mut shell = Command::new("bash");
        // In place of the shell where there is one program, so that ending it ends the program.
        let exec = if command.contains(['|', ';']) { "" } else { "exec " };
        shell.args(["-c", &format!("exec 2>&1; {exec}{command}")]).current_dir(root());
        shell.env("TMPDIR", self.folder.path()).env("RUST_LOG", "off").envs(self.exports.clone());
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
    }

    /// Runs a command to its end.
    fn run(&self, step: &Step) {
        let mut child = self.start(&step.command);
        let mut printed = String::new();
        child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        assert!(child.wait().unwrap().success(), "{}\n{printed}", step.command);
        self.assert_printed(step, &printed.lines().map(str::to_owned).collect::<Vec<_>>());
    }

    /// Runs a command that does not end by itself, until it has printed as many lines as it should.
    fn follow(&self, step: &Step) -> Running {
        let mut child = Running(self.start(&step.command));
        let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let (mut printed, end) = (Vec::new(), Instant::now() + PATIENCE);
        let expected = step.printed.iter().filter(|line| *line != "^C").count();
        while printed.len() < expected {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = receiver.recv_timeout(left) else { break };
            // A watch that begins before the controller has seen the object shows that as well.
            if !line.starts_with("at-sample           ") {
                printed.push(line);
            }
        }
        // Whoever goes on printing must be read.
        thread::spawn(move || receiver.iter().for_each(drop));
        self.assert_printed(step, &printed);
        child
    }

    fn assert_printed(&self, step: &Step, printed: &[String]) {
        let expected = step.printed.iter().filter(|line| *line != "^C");
        let expected: Vec<_> = expected.map(|line| same(line, self.folder.path())).collect();
        let printed: Vec<_> = printed.iter().map(|line| same(line, self.folder.path())).collect();
        assert_eq!(printed, expected, "{}", step.command);
    }
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}

#[test]
fn the_session_of_the_readme_comes_out_as_printed() {
    let there = |program: &str| Command::new(program).arg("--help").output().is_ok();
    if !there("kubectl") {
        eprintln!("left out: there is no kubectl");
        return;
    }
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let steps = steps(&text);
    assert!(steps.len() >= 6, "{steps:?}");
    let mut terminal = Terminal { folder: tempfile::tempdir().unwrap(), exports: Vec::new() };
    let mut running = Vec::new();
    for step in &steps {
        if let Some(export) = step.command.strip_prefix("export ") {
            let (name, value) = export.split_once('=').unwrap();
            let value = value.replace("/tmp", terminal.folder.path().to_str().unwrap());
            terminal.exports.push((name.to_owned(), value));
        } else if step.command.contains("--embedded") || step.command.contains("--watch") {
            running.push(terminal.follow(step));
        } else {
            terminal.run(step);
        }
    }
    // The watch before the cluster.
    running.into_iter().rev().for_each(drop);
}
