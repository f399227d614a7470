//! `Session`: a request that may have to wait for servers elsewhere.
//!
//! In: a request, and the answers to its questions so far. Out: the reply, or further questions. Until there is a reply the request leaves no
//! trace: it is given up where an answer is missing, and begun anew when that is there. It makes the same uids and names each time.

use jiff::Timestamp;

use crate::{
    admission::calls::{Answer, Call, Calls, Target},
    conversion::{Asked, Known, Question},
    store::{Batch as Frames, Watcher},
};

use super::{Core, Reply, Request};

/// How long a conversion may take, in seconds.
const CONVERSION: u64 = 30;

/// A request on its way.
#[derive(Debug)]
pub(crate) struct Session {
    now: Timestamp,
    answers: Vec<Answer>,
    conversions: Conversions,
    /// Where its uids and names come from, and the names of its questions, once it waits.
    random: Option<(fastrand::Rng, fastrand::Rng)>,
}

/// What conversion webhooks have said, and are being asked.
#[derive(Debug, Default)]
pub(crate) struct Conversions {
    known: Known,
    asked: Vec<(String, Asked)>,
}

impl Conversions {
    /// Takes up an answer, unless it is none to a question of these.
    fn learn(&mut self, answer: Answer) -> Option<Answer> {
        let Some(place) = self.asked.iter().position(|(uid, _)| *uid == answer.uid) else {
            return Some(answer);
        };
        let (uid, asked) = self.asked.swap_remove(place);
        asked.read(&uid, &answer.outcome, &mut self.known);
        None
    }

    /// Takes up answers to nothing but these questions.
    pub(crate) fn learn_all(&mut self, answers: impl IntoIterator<Item = Answer>) {
        for answer in answers {
            self.learn(answer);
        }
    }

    /// The calls that answer these questions.
    fn ask(&mut self, questions: Vec<Question>, calls: &mut Calls) -> Vec<Call> {
        let call = |question: Question| {
            let asked = Asked::new(question);
            let mut target = Target::read(asked.client(), CONVERSION);
            let separator = if target.url.contains('?') { '&' } else { '?' };
            target.url = format!("{}{separator}timeout={CONVERSION}s", target.url);
            let call = calls.call(target, |uid| asked.review(uid));
            self.asked.push((call.uid().to_owned(), asked));
            call
        };
        questions.into_iter().map(call).collect()
    }
}

/// How far a request has come.
#[derive(Debug)]
pub(crate) enum Progress {
    Done(Reply),
    /// These have to be answered first.
    Waits(Vec<Call>),
}

/// How far a watch has come.
#[derive(Debug)]
pub(crate) enum Polled {
    Sends(Frames),
    /// These have to be answered first.
    Waits(Vec<Call>),
}

impl Session {
    /// A request of this moment.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self { now, answers: Vec::new(), conversions: Conversions::default(), random: None }
    }

    /// Takes up answers.
    pub(crate) fn learn(&mut self, answers: impl IntoIterator<Item = Answer>) {
        let conversions = &mut self.conversions;
        self.answers.extend(answers.into_iter().filter_map(|answer| conversions.learn(answer)));
    }
}

impl Core {
    /// Goes on with a request as far as it gets.
    pub(crate) fn proceed(&mut self, request: &Request, session: &mut Session) -> Progress {
        loop {
            let own = session.random.clone();
            let names = own.as_ref().map(|(_, names)| names.clone()).unwrap_or_default();
            self.calls = Calls::with(std::mem::take(&mut session.answers), names);
            self.registry.desk().open(std::mem::take(&mut session.conversions.known));
            let kept = own.map(|(own, _)| std::mem::replace(&mut self.random, own));
            let reply = self.handle(request, session.now);
            if let Some(kept) = kept {
                self.random = kept;
            }
            let mut calls = std::mem::take(&mut self.calls);
            let desk = self.registry.desk().close();
            session.answers = std::mem::take(&mut calls.answers);
            session.conversions.known = desk.known;
            if calls.wanted.is_empty() && desk.wanted.is_empty() {
                return Progress::Done(reply);
            }
            match &mut session.random {
                Some((_, names)) => {
                    let mut wanted = std::mem::take(&mut calls.wanted);
                    wanted.extend(session.conversions.ask(desk.wanted, &mut calls));
                    *names = calls.random;
                    return Progress::Waits(wanted);
                }
                // From here on it is the same request each time.
                None => session.random = Some((self.random.fork(), self.random.fork())),
            }
        }
    }

    /// Forgets what a request that has ended before its time wanted to know.
    pub(crate) fn abandon(&mut self) {
        self.calls = Calls::default();
        self.registry.desk().close();
    }

    /// What a watch sends next. One that shows objects as a webhook has converted them may have to wait, and ends where that fails.
    pub(crate) fn poll(
        &mut self,
        watcher: &mut Watcher,
        conversions: &mut Conversions,
        (limit, now): (usize, Timestamp),
    ) -> Polled {
        if !watcher.asks() {
            return Polled::Sends(watcher.poll(&self.store, limit, now));
        }
        let before = watcher.clone();
        self.registry.desk().open(std::mem::take(&mut conversions.known));
        let frames = watcher.poll(&self.store, limit, now);
        let desk = self.registry.desk().close();
        if desk.has_failed() {
            return Polled::Sends(Frames { frames: Vec::new(), last: true });
        }
        if desk.wanted.is_empty() {
            return Polled::Sends(frames);
        }
        *watcher = before;
        let mut calls = Calls::with(Vec::new(), self.random.fork());
        conversions.known = desk.known;
        Polled::Waits(conversions.ask(desk.wanted, &mut calls))
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
