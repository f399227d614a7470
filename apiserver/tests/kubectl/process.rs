//! Commands in process groups of their own, and the server that they talk to.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Write as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

const STEP: Duration = Duration::from_millis(10);

/// The program of this crate, with a kubeconfig.
pub(crate) struct Server {
    child: Child,
    pub(crate) config: Value,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kube-codegen-apiserver"));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        let file = ready.trim_end().split_once("export KUBECONFIG=").unwrap().1;
        let config: Value = serde_saphyr::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let url = config["clusters"][0]["cluster"]["server"].as_str().unwrap().to_owned();
        Self { child, config, url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running command; its outputs go to files, so that nothing blocks.
pub(crate) struct Process {
    child: Child,
    stdout: tempfile::NamedTempFile,
    stderr: tempfile::NamedTempFile,
}

/// Where and with what commands run.
pub(crate) struct Place<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) environment: &'a [(&'static str, String)],
}

impl Process {
    pub(crate) fn start(text: &str, stdin: Option<&str>, place: &Place<'_>) -> Self {
        let (stdout, stderr) =
            (tempfile::NamedTempFile::new().unwrap(), tempfile::NamedTempFile::new().unwrap());
        let to = |file: &tempfile::NamedTempFile| -> File { file.reopen().unwrap() };
        let mut command = Command::new("bash");
        command
            .args(["-c", text])
            .current_dir(place.folder)
            .env_clear()
            .envs(place.environment.iter().map(|(name, value)| (*name, value)))
            .process_group(0)
            .stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(to(&stdout))
            .stderr(to(&stderr));
        let mut child = command.spawn().unwrap();
        if let Some((mut pipe, text)) = child.stdin.take().zip(stdin.map(str::to_owned)) {
            // Who does not read it all has ended.
            std::thread::spawn(move || {
                let _ = pipe.write_all(text.as_bytes());
            });
        }
        Self { child, stdout, stderr }
    }

    /// The exit code, or none when the time is up.
    pub(crate) fn wait(&mut self, limit: Duration) -> Option<i32> {
        let end = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status.code().unwrap_or(-1));
            }
            if Instant::now() > end {
                return None;
            }
            std::thread::sleep(STEP);
        }
    }

    /// Ends the whole group.
    pub(crate) fn end(&mut self) {
        for sign in ["-TERM", "-KILL"] {
            let group = format!("-{}", self.child.id());
            // The group may have ended already.
            let _ = Command::new("kill").args([sign, "--", &group]).stderr(Stdio::null()).status();
            if self.wait(Duration::from_secs(2)).is_some() {
                return;
            }
        }
    }

    pub(crate) fn outputs(&self) -> (String, String) {
        let text = |file: &tempfile::NamedTempFile| {
            String::from_utf8_lossy(&fs::read(file.path()).unwrap()).into_owned()
        };
        (text(&self.stdout), text(&self.stderr))
    }
}
