//! `Kubelet`: which kubelet a server has.
//!
//! Settings, and where containers are processes the folder in which they work.

use std::time::Duration;
#[cfg(all(unix, feature = "process"))]
use std::{io, path::Path, sync::Arc};

use crate::controllers::{NodeSettings, Play};

#[cfg(all(unix, feature = "process"))]
use super::process::Processes;

/// A node that runs pods: a kubelet, and a scheduler for its one node.
///
/// ```
/// use std::time::Duration;
/// use kube_codegen_apiserver::{ApiServer, Kubelet};
///
/// let kubelet = Kubelet::simulated().run_for(Duration::from_secs(30));
/// let server = ApiServer::builder().kubelet(kubelet).build();
/// # drop(server);
/// ```
///
/// A simulated container starts at once. It runs until it is deleted where its pod restarts it whenever it ends, and otherwise for a second;
/// then it ends well. Annotations of the pod change that, for one container (`exit-code.main`) or for all of them:
///
/// | annotation | what it says |
/// | --- | --- |
/// | `kubelet.kube-codegen/start-after` | how long the container is being made: `2s`, `500ms` |
/// | `kubelet.kube-codegen/run-for` | how long it runs; `forever` |
/// | `kubelet.kube-codegen/exit-code` | how it ends |
/// | `kubelet.kube-codegen/ready-after` | how long it runs before it is ready; `never` |
/// | `kubelet.kube-codegen/stop-after` | how long it takes to end when its pod is deleted |
/// | `kubelet.kube-codegen/waiting` | why it cannot be started, such as `ErrImagePull` |
/// | `kubelet.kube-codegen/logs` | what it writes |
#[derive(Clone, Debug)]
pub struct Kubelet {
    pub(super) settings: NodeSettings,
    #[cfg(all(unix, feature = "process"))]
    pub(super) processes: Option<Arc<Processes>>,
}

impl Kubelet {
    /// A kubelet that only says that it runs containers, by rules that stand in the annotations of their pods.
    pub fn simulated() -> Self {
        let play = Play::Simulated { run_for: Duration::from_secs(1) };
        Self {
            settings: NodeSettings { node: "kube-codegen".to_owned(), play },
            #[cfg(all(unix, feature = "process"))]
            processes: None,
        }
    }

    /// A kubelet that runs the command of each container as a child process of this one.
    ///
    /// **Without isolation**: the process has the rights of this user and sees all files of this machine. Images are not looked into; the
    /// command is looked for on the `PATH`. It works in a scratch folder, which goes with the server; so do the processes. Volumes are not
    /// mounted and probes are not asked.
    ///
    /// # Errors
    ///
    /// When no scratch folder can be made.
    #[cfg(all(unix, feature = "process"))]
    pub fn processes() -> io::Result<Self> {
        Ok(Self {
            settings: NodeSettings { node: "kube-codegen".to_owned(), play: Play::Processes },
            processes: Some(Processes::new()?),
        })
    }

    /// The folder in which processes work, each in one of its own; none where containers are only simulated.
    #[cfg(all(unix, feature = "process"))]
    pub fn folder(&self) -> Option<&Path> {
        self.processes.as_deref().map(Processes::folder)
    }

    /// The name of the node.
    #[must_use]
    pub fn node(mut self, name: impl Into<String>) -> Self {
        self.settings.node = name.into();
        self
    }

    /// How long simulated containers run that are not always restarted, where no annotation says it. Processes run as long as they run.
    #[must_use]
    pub fn run_for(mut self, time: Duration) -> Self {
        if let Play::Simulated { run_for } = &mut self.settings.play {
            *run_for = time;
        }
        self
    }
}
