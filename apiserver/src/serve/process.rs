//! Containers as processes.
//!
//! In: commands, and orders to end. Out: what they write, line by line, and how they end. A process is a child of this one with the same
//! rights; it leads a group of its own, so that what it starts ends with it. When the server goes, all of them do.

use std::{
    collections::HashMap,
    io,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    sync::{Arc, Weak},
    time::Duration,
};

use bytes::Bytes;
use jiff::Timestamp;
use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader},
    process::{Child, Command},
    time::timeout,
};

use crate::{
    controllers::{Launch, Report, RunId},
    server::LogSide,
};

use super::{ApiServer, Shared, logs::LogBook};

/// How long is waited for the rest of what a process wrote, where something that it started still holds the pipe.
const REST: Duration = Duration::from_secs(1);

/// The longest piece of a line that is kept in one, in bytes.
const PIECE: u64 = 16 * 1024;

/// The processes of a server.
#[derive(Debug)]
pub(super) struct Processes {
    folder: TempDir,
    /// The leaders of their groups.
    alive: Mutex<HashMap<RunId, Pid>>,
}

impl Processes {
    /// Makes the folder in which processes work.
    pub(super) fn new() -> io::Result<Arc<Self>> {
        let folder = tempfile::Builder::new().prefix("kube-codegen-pods-").tempdir()?;
        Ok(Arc::new(Self { folder, alive: Mutex::default() }))
    }

    /// The folder in which processes work, each in one of its own.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Starts a process.
    pub(super) fn start(self: &Arc<Self>, launch: &Launch, book: LogBook, server: Weak<Shared>) {
        let run = launch.run.clone();
        let spawned = self.spawn(launch);
        let report = |report: Report| {
            if let Some(shared) = server.upgrade() {
                ApiServer(shared).report(&run, &report);
            }
        };
        let child = match spawned {
            Ok(child) => child,
            Err(error) => {
                // It has written nothing.
                book.open(&run);
                book.close(&run);
                let program = launch.command.first().cloned().unwrap_or_default();
                return report(Report::Failed(format!("cannot start {program:?}: {error}")));
            }
        };
        book.open(&run);
        report(Report::Started);
        tokio::spawn(watch(child, run, book, (Arc::downgrade(self), server)));
    }

    fn spawn(&self, launch: &Launch) -> io::Result<Child> {
        let (program, arguments) = launch.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let home = self.folder.path().join(&*launch.run.uid).join(&launch.run.container);
        let folder = home.join(relative(&launch.folder));
        std::fs::create_dir_all(&folder)?;
        let mut command = Command::new(program);
        command.args(arguments).env_clear();
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
            .env("HOME", &home)
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let child = command.spawn()?;
        if let Some(pid) = pid(&child) {
            self.alive.lock().insert(launch.run.clone(), pid);
        }
        Ok(child)
    }

    /// Asks a process to end, and makes it after so long.
    pub(super) fn stop(self: &Arc<Self>, run: RunId, grace: Duration) {
        if grace.is_zero() {
            return self.kill(&run);
        }
        if let Some(pid) = self.alive.lock().get(&run) {
            // It may have ended this moment.
            let _ = kill_process(*pid, Signal::TERM);
        }
        let processes = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(grace).await;
            if let Some(processes) = processes.upgrade() {
                processes.kill(&run);
            }
        });
    }

    /// Ends a process and all that it has started.
    fn kill(&self, run: &RunId) {
        if let Some(pid) = self.alive.lock().get(run) {
            // They may have ended this moment.
            let _ = kill_process_group(*pid, Signal::KILL);
        }
    }

    /// Drops what a pod has left.
    pub(super) fn forget(&self, uid: &str) {
        // What cannot be removed now goes with the whole folder.
        let _ = std::fs::remove_dir_all(self.folder.path().join(uid));
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for pid in self.alive.get_mut().values() {
            // It may have ended this moment.
            let _ = kill_process_group(*pid, Signal::KILL);
        }
    }
}

fn pid(child: &Child) -> Option<Pid> {
    Pid::from_raw(i32::try_from(child.id()?).ok()?)
}

/// A path that leads nowhere else.
fn relative(path: &str) -> PathBuf {
    path.split('/').filter(|part| !["", ".", ".."].contains(part)).collect()
}

/// Reads what a process writes until it ends.
async fn watch(
    mut child: Child,
    run: RunId,
    book: LogBook,
    (processes, server): (Weak<Processes>, Weak<Shared>),
) {
    let pid = pid(&child);
    let out = child.stdout.take().map(|pipe| read(pipe, LogSide::Stdout, run.clone(), book.clone()));
    let err = child.stderr.take().map(|pipe| read(pipe, LogSide::Stderr, run.clone(), book.clone()));
    let pipes = tokio::spawn(async move {
        tokio::join!(async { futures::future::OptionFuture::from(out).await }, async {
            futures::future::OptionFuture::from(err).await
        })
    });
    let status = child.wait().await;
    if let Some(pid) = pid {
        // What it has started ends with it.
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let rest = pipes.abort_handle();
    if timeout(REST, pipes).await.is_err() {
        rest.abort();
    }
    if let Some(processes) = processes.upgrade() {
        processes.alive.lock().remove(&run);
    }
    book.close(&run);
    if let Some(shared) = server.upgrade() {
        ApiServer(shared).report(&run, &Report::Ended(status.map_or(255, code)));
    }
}

/// The code of a process, or 128 and the number of the signal that ended it.
fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(255)
}

async fn read(pipe: impl AsyncRead + Unpin, side: LogSide, run: RunId, book: LogBook) {
    let mut reader = BufReader::new(pipe);
    let mut line = Vec::new();
    while let Ok(1..) = (&mut reader).take(PIECE).read_until(b'\n', &mut line).await {
        book.write(&run, side, Bytes::from(std::mem::take(&mut line)), Timestamp::now());
    }
}
