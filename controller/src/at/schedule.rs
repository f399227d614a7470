//! When an At is due, and what it runs.
//!
//! In: the texts of a spec. Out: an instant and words, or what is wrong with them. Never: a guess.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use sample_apis::cnat::v1alpha1::AtSpec;

/// What is wrong with a spec. It stays wrong until somebody changes it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The schedule is no instant.
    #[error("the schedule {text:?} is no time in the form of RFC 3339, such as 2030-01-31T12:00:00Z")]
    InvalidSchedule {
        /// What stands there.
        text: String,
    },
    /// The command has no words.
    #[error("there is no command")]
    NoCommand,
    /// The command ends within quotes, or behind a backslash.
    #[error("the command {text:?} ends within quotes or behind a backslash")]
    InvalidCommand {
        /// What stands there.
        text: String,
    },
}

impl Problem {
    /// The problem as one word, for conditions and events.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::InvalidSchedule { .. } => "InvalidSchedule",
            Self::NoCommand | Self::InvalidCommand { .. } => "InvalidCommand",
        }
    }
}

/// What a spec asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// When.
    pub due: Timestamp,
    /// What.
    pub words: Vec<String>,
}

impl Order {
    /// Reads a spec.
    ///
    /// # Errors
    /// If its schedule or its command cannot be followed.
    pub fn of(spec: &AtSpec) -> Result<Self, Problem> {
        Ok(Self { due: instant(&spec.schedule)?, words: words(&spec.command)? })
    }
}

/// An instant; in UTC where the text does not say otherwise.
fn instant(text: &str) -> Result<Timestamp, Problem> {
    let invalid = || Problem::InvalidSchedule { text: text.to_owned() };
    let trimmed = text.trim();
    // Names of zones are no part of RFC 3339, and a date alone is no instant.
    if trimmed.contains('[') || !trimmed.contains([':']) {
        return Err(invalid());
    }
    trimmed.parse::<Timestamp>().or_else(|_| {
        let civil = trimmed.parse::<DateTime>().map_err(|_| invalid())?;
        civil.to_zoned(TimeZone::UTC).map(|zoned| zoned.timestamp()).map_err(|_| invalid())
    })
}

fn words(text: &str) -> Result<Vec<String>, Problem> {
    let words = shlex::split(text).ok_or_else(|| Problem::InvalidCommand { text: text.to_owned() })?;
    if words.is_empty() { Err(Problem::NoCommand) } else { Ok(words) }
}
