//! `Desk`: the questions of one request to conversion webhooks, and the answers so far.
//!
//! In: questions from wherever an object is looked at. Out: answers that are there; what has none yet is collected. What could not be converted
//! is noted, and the request asks for that before it answers or stores anything.

use std::collections::HashMap;

use parking_lot::Mutex;

use super::{Question, Unconverted};
use crate::protocol::Fields;

/// What came of questions: by the wanted version, and the object as it was sent.
pub(crate) type Known = HashMap<(String, String), Result<Fields, String>>;

/// Why something has no right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub why: String,
    /// The key and version of the stored object that could not be shown; none where one could not be stored.
    pub stored: Option<(String, u64)>,
}

/// Where questions are left.
#[derive(Debug, Default)]
pub(crate) struct Desk(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// None where the server works by itself and cannot wait.
    session: Option<Session>,
}

/// What one request wants to know, and knows.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub known: Known,
    pub wanted: Vec<Question>,
    failure: Option<Failure>,
}

impl Desk {
    /// Begins a request with what it knows.
    pub(crate) fn open(&self, known: Known) {
        self.0.lock().session = Some(Session { known, ..Session::default() });
    }

    /// Ends it.
    pub(crate) fn close(&self) -> Session {
        self.0.lock().session.take().unwrap_or_default()
    }

    /// Whether somebody asks who can wait.
    pub(super) fn is_open(&self) -> bool {
        self.0.lock().session.is_some()
    }

    pub(super) fn ask(&self, question: Question) -> Result<Fields, Unconverted> {
        let mut state = self.0.lock();
        let Some(session) = &mut state.session else { return Err(Unconverted::Waits) };
        let key = (question.desired, question.sent);
        if let Some(known) = session.known.get(&key) {
            return known.clone().map_err(Unconverted::Failed);
        }
        let (desired, sent) = key;
        if !session.wanted.iter().any(|other| other.sent == sent && other.desired == desired) {
            session.wanted.push(Question { desired, sent, ..question });
        }
        Err(Unconverted::Waits)
    }

    pub(super) fn note(&self, failure: Failure) {
        if let Some(session) = &mut self.0.lock().session {
            session.failure.get_or_insert(failure);
        }
    }

    /// Whether something has to be asked first.
    pub(crate) fn waits(&self) -> bool {
        self.0.lock().session.as_ref().is_some_and(|session| !session.wanted.is_empty())
    }

    /// What could not be converted since this was last asked.
    pub(crate) fn failure(&self) -> Option<Failure> {
        self.0.lock().session.as_mut().and_then(|session| session.failure.take())
    }
}

impl Session {
    /// What could not be converted.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }
}
