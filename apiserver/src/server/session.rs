//! `Session`: a request that may have to wait for servers elsewhere.
//!
//! In: a request, and the answers to its questions so far. Out: the reply, or further questions. Until there is a reply the request leaves no
//! trace: it is given up where an answer is missing, and begun anew when that is there. It makes the same uids and names each time.

use jiff::Timestamp;

use crate::admission::calls::{Answer, Call, Calls};

use super::{Core, Reply, Request};

/// A request on its way.
#[derive(Debug)]
pub(crate) struct Session {
    now: Timestamp,
    answers: Vec<Answer>,
    /// Where its uids and names come from, and the names of its questions, once it waits.
    random: Option<(fastrand::Rng, fastrand::Rng)>,
}

/// How far a request has come.
#[derive(Debug)]
pub(crate) enum Progress {
    Done(Reply),
    /// These have to be answered first.
    Waits(Vec<Call>),
}

impl Session {
    /// A request of this moment.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self { now, answers: Vec::new(), random: None }
    }

    /// Takes up answers.
    pub(crate) fn learn(&mut self, answers: impl IntoIterator<Item = Answer>) {
        self.answers.extend(answers);
    }
}

impl Core {
    /// Goes on with a request as far as it gets.
    pub(crate) fn proceed(&mut self, request: &Request, session: &mut Session) -> Progress {
        loop {
            let own = session.random.clone();
            let names = own.as_ref().map(|(_, names)| names.clone()).unwrap_or_default();
            self.calls = Calls::with(std::mem::take(&mut session.answers), names);
            let kept = own.map(|(own, _)| std::mem::replace(&mut self.random, own));
            let reply = self.handle(request, session.now);
            if let Some(kept) = kept {
                self.random = kept;
            }
            let calls = std::mem::take(&mut self.calls);
            session.answers = calls.answers;
            if calls.wanted.is_empty() {
                return Progress::Done(reply);
            }
            match &mut session.random {
                Some((_, names)) => {
                    *names = calls.random;
                    return Progress::Waits(calls.wanted);
                }
                // From here on it is the same request each time.
                None => session.random = Some((self.random.fork(), self.random.fork())),
            }
        }
    }

    /// Whether there is a service.
    pub(crate) fn has_service(&self, namespace: &str, name: &str) -> bool {
        match self.registry.find("", "v1", "services") {
            crate::registry::Found::Resource(services) => {
                self.store.get(services.table, &services.key(namespace, name)).is_some()
            }
            _ => false,
        }
    }
}
