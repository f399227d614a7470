//! The file in which the state is kept.
//!
//! In: a server. Out: its state, written a moment after it has changed and once more at the end.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use kube_codegen_apiserver::{ApiServer, Saved};
use tokio_util::sync::CancellationToken;

use crate::{counted, say};

/// How long a change may be in memory alone; longer where writing takes long.
const PAUSE: Duration = Duration::from_secs(1);
/// Writing takes no more than one part in so many of the time.
const SHARE: u32 = 10;

/// The file in which the state is kept.
pub(crate) struct Keeper {
    server: ApiServer,
    path: PathBuf,
    written: u64,
}

impl Keeper {
    /// Takes up what the file holds, and writes it if there is none, so that it is known now whether that can be done.
    pub(crate) fn begin(server: &ApiServer, path: PathBuf) -> anyhow::Result<Self> {
        match Saved::read(&path)? {
            Some(saved) => {
                let count = counted(saved.len());
                server.take_up(saved)?;
                say(&format!("took up {count} from {}", path.display()));
            }
            None => server.save(&path)?,
        }
        Ok(Self { server: server.clone(), written: server.resource_version(), path })
    }

    /// Writes what changes until the server ends, and what has changed last.
    pub(crate) async fn run(mut self, shutdown: CancellationToken) -> Self {
        let mut pause = PAUSE;
        while shutdown.run_until_cancelled(tokio::time::sleep(pause)).await.is_some() {
            let begun = Instant::now();
            if let Err(error) = self.write().await {
                say(&format!("error: {error:#}"));
            }
            pause = PAUSE.max(begun.elapsed() * SHARE);
        }
        self
    }

    /// Writes the state if it has changed.
    pub(crate) async fn write(&mut self) -> anyhow::Result<()> {
        let version = self.server.resource_version();
        if version == self.written {
            return Ok(());
        }
        let (server, path) = (self.server.clone(), self.path.clone());
        let saving = tokio::task::spawn_blocking(move || server.save(&path));
        saving.await.context("the state was not saved")??;
        self.written = version;
        Ok(())
    }
}
