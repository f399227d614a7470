//! What a kubelet is told when it is made.

use core::time::Duration;

/// What a kubelet is told when it is made.
#[derive(Clone, Debug)]
pub(crate) struct NodeSettings {
    /// The name of the node.
    pub node: String,
    pub play: Play,
}

/// How containers are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Play {
    /// By rules, for so long unless they say otherwise.
    Simulated { run_for: Duration },
    /// As processes.
    Processes,
}
