//! What is to be done about an At next.
//!
//! In: an At, its pod if there is one, and the time. Out: one step. Never: a request, or a clock; this is a function.

use jiff::Timestamp;
use k8s_openapi::api::core::v1::Pod;
use sample_apis::cnat::v1alpha1::{At, AtPhase, AtStatus};

use super::{
    pod::{self, End},
    schedule::Order,
    status::{self, Progress},
};

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Nothing, until something happens.
    Rest,
    /// Nothing, until this time.
    Wait(Timestamp),
    /// The status is to be written, and then the next step looked for. It must be written over the very version that this was decided on.
    Write {
        /// The status.
        status: Box<AtStatus>,
        /// What to tell others of it; nothing where it is no news.
        news: Option<Progress>,
    },
    /// The pod is to be made, if the server says that the At is still as it is here.
    Start,
    /// The pod is to be let go: what became of it is written down.
    Release,
}

/// The next step.
#[must_use]
pub fn next(at: &At, pod: Option<&Pod>, now: Timestamp) -> Step {
    if at.metadata.deletion_timestamp.is_some() {
        return release_or_rest(pod);
    }
    match at.phase() {
        Some(AtPhase::Done) => observe(at).unwrap_or_else(|| release_or_rest(pod)),
        Some(AtPhase::Running) => running(at, pod, now),
        Some(AtPhase::Pending) | None => pending(at, pod, now),
    }
}

fn pending(at: &At, pod: Option<&Pod>, now: Timestamp) -> Step {
    let started = || Progress::Started { pod: pod::name(at) };
    // There is a pod, so it was begun; the status must have been lost, as after a restore without statuses.
    if pod.is_some() {
        return write(at, started(), now, Step::Rest);
    }
    let order = match Order::of(&at.spec) {
        Ok(order) => order,
        Err(problem) => {
            let progress = Progress::Invalid { reason: problem.reason(), message: problem.to_string() };
            return write(at, progress, now, Step::Rest);
        }
    };
    if now < order.due {
        return write(at, Progress::Scheduled { due: order.due }, now, Step::Wait(order.due));
    }
    let late = now.duration_since(order.due).as_secs();
    if let Some(deadline) = at.spec.starting_deadline_seconds.filter(|deadline| late > *deadline) {
        let message =
            format!("the command was to run at {}, and no later than {deadline} seconds after", order.due);
        return write(at, Progress::Failed { reason: "Missed", message }, now, Step::Rest);
    }
    write(at, started(), now, Step::Rest)
}

fn running(at: &At, pod: Option<&Pod>, now: Timestamp) -> Step {
    match pod.map(pod::end) {
        None => Step::Start,
        Some(None) => observe(at).unwrap_or(Step::Rest),
        Some(Some(End::Succeeded)) => write(at, Progress::Completed, now, Step::Rest),
        Some(Some(End::Failed { reason, message })) => {
            write(at, Progress::Failed { reason, message }, now, Step::Rest)
        }
    }
}

/// The step for a pod that cannot be made, now or ever.
#[must_use]
pub fn refused(at: &At, reason: &'static str, message: String, now: Timestamp) -> Step {
    write(at, Progress::Failed { reason, message }, now, Step::Rest)
}

fn write(at: &At, progress: Progress, now: Timestamp, otherwise: Step) -> Step {
    let Some(status) = status::of(at, &progress, now) else { return otherwise };
    let known = at.status.as_ref().and_then(|status| {
        let ready = status.conditions.iter().find(|condition| condition.type_ == "Ready")?;
        Some((status.phase, ready.reason.clone()))
    });
    let is_news = known != Some((status.phase, progress.reason().to_owned()));
    Step::Write { status: Box::new(status), news: is_news.then_some(progress) }
}

fn observe(at: &At) -> Option<Step> {
    let status = Box::new(status::observing(at)?);
    Some(Step::Write { status, news: None })
}

fn release_or_rest(pod: Option<&Pod>) -> Step {
    if pod.is_some_and(pod::is_held) { Step::Release } else { Step::Rest }
}
