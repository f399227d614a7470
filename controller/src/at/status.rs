//! The status of an At.
//!
//! In: the status as it is, and how far the At is. Out: the status as it should be. Never: a phase that goes back.

use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use sample_apis::cnat::v1alpha1::{At, AtPhase, AtStatus};

/// How far an At is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits for its time.
    Scheduled {
        /// Its time.
        due: Timestamp,
    },
    /// Nobody can do what it says.
    Invalid {
        /// Why, as one word.
        reason: &'static str,
        /// Why.
        message: String,
    },
    /// Its time has come.
    Started {
        /// The pod that there will be.
        pod: String,
    },
    /// Its command has succeeded.
    Completed,
    /// It has not, or was not run.
    Failed {
        /// Why, as one word.
        reason: &'static str,
        /// Why.
        message: String,
    },
}

impl Progress {
    /// As one word, for conditions and events.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Scheduled { .. } => "Scheduled",
            Self::Started { .. } => "Started",
            Self::Completed => "Completed",
            Self::Invalid { reason, .. } | Self::Failed { reason, .. } => reason,
        }
    }

    /// What was being done, for events.
    #[must_use]
    pub fn action(&self) -> &'static str {
        match self {
            Self::Scheduled { .. } | Self::Invalid { .. } => "Scheduling",
            Self::Started { .. } => "Starting",
            Self::Completed | Self::Failed { .. } => "Running",
        }
    }

    /// As a sentence.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Scheduled { due } => format!("the command runs at {due}"),
            Self::Started { pod } => format!("the pod {pod} runs the command"),
            Self::Completed => "the command has succeeded".to_owned(),
            Self::Invalid { message, .. } | Self::Failed { message, .. } => message.clone(),
        }
    }

    /// Whether somebody should look at it.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        matches!(self, Self::Invalid { .. } | Self::Failed { .. })
    }

    fn phase(&self) -> AtPhase {
        match self {
            Self::Scheduled { .. } | Self::Invalid { .. } => AtPhase::Pending,
            Self::Started { .. } => AtPhase::Running,
            Self::Completed | Self::Failed { .. } => AtPhase::Done,
        }
    }
}

/// The status that says so; `None` if the present one does.
#[must_use]
pub fn of(at: &At, progress: &Progress, now: Timestamp) -> Option<AtStatus> {
    let before = at.status.clone().unwrap_or_default();
    let mut after = before.clone();
    after.phase = before.phase.max(Some(progress.phase()));
    after.observed_generation = at.metadata.generation;
    if let Progress::Started { pod } = progress {
        after.pod_name = Some(pod.clone());
    }
    let set = |conditions: &mut Vec<Condition>, type_: &str, is: bool| {
        let new = Condition {
            type_: type_.to_owned(),
            status: if is { "True" } else { "False" }.to_owned(),
            reason: progress.reason().to_owned(),
            message: progress.message(),
            observed_generation: at.metadata.generation,
            last_transition_time: Time(now),
        };
        put(conditions, new);
    };
    set(&mut after.conditions, "Ready", !progress.is_trouble());
    match progress {
        Progress::Completed => set(&mut after.conditions, "Complete", true),
        Progress::Failed { .. } => set(&mut after.conditions, "Failed", true),
        _ => {}
    }
    (after != before).then_some(after)
}

/// The status of an At whose spec was changed when that could have no effect any more; `None` if it says so already.
#[must_use]
pub fn observing(at: &At) -> Option<AtStatus> {
    let before = at.status.clone()?;
    let seen = before.observed_generation == at.metadata.generation;
    (!seen).then_some(AtStatus { observed_generation: at.metadata.generation, ..before })
}

/// A condition in place of the one of its type. Its time is that of the last change of its status.
fn put(conditions: &mut Vec<Condition>, mut new: Condition) {
    match conditions.iter_mut().find(|condition| condition.type_ == new.type_) {
        Some(before) => {
            if before.status == new.status {
                new.last_transition_time = before.last_transition_time.clone();
            }
            *before = new;
        }
        None => conditions.push(new),
    }
}
