//! What a kubelet wants done outside the state machine.
//!
//! Plain data: which container, and what of it.

use core::time::Duration;

/// One run of one container.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RunId {
    /// Uid of the pod.
    pub uid: Box<str>,
    pub container: String,
    pub attempt: u32,
}

/// Something to be done outside the state machine.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// Starts a process.
    Start(Box<Launch>),
    /// Asks a process to end, and makes it after so long.
    Stop(RunId, Duration),
    /// Puts text into the log of a container, as if it had written it.
    Write(RunId, String),
    /// Opens a log in which nothing stands yet.
    Open(RunId),
    /// The container has ended: nothing more comes.
    Close(RunId),
    /// Drops everything of a pod.
    Forget(Box<str>),
}

/// A process that is to be started.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub run: RunId,
    /// The program and its arguments.
    pub command: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// Where it works, below the folder of the container.
    pub folder: String,
}

/// What has become of a process.
#[derive(Clone, Debug)]
pub(crate) enum Report {
    Started,
    /// It could not be started: a message.
    Failed(String),
    /// Its code, or 128 and the number of the signal.
    Ended(i32),
}
