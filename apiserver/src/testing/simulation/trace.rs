//! What happened in a run, line by line.

use std::{fmt, time::Duration};

/// What happened in a run: each request with its answer, and all that went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    lines: Vec<String>,
}

impl Trace {
    pub(super) fn note(&mut self, at: Duration, who: &str, what: &str) {
        self.lines.push(format!("{:10.3} {who}: {what}", at.as_secs_f64()));
    }

    /// The lines: seconds since the beginning, who, what.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A run that did not end well. It prints its whole trace.
#[derive(Debug, thiserror::Error)]
#[error("{trace}seed {seed}: {message}")]
pub struct Failure {
    /// The seed, with which it fails again.
    pub seed: u64,
    /// What the story says.
    pub message: String,
    /// What happened.
    pub trace: Trace,
}
