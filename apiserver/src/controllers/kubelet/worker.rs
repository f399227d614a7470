//! `Worker`: one pod on the node.
//!
//! In: the pod as it is wanted, and what has become of its containers. Out: what to start and what to stop. It is a plain function of these
//! and the time.

use core::time::Duration;
use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::Value;

use crate::{
    protocol::Fields,
    strategy::{at, text},
};

use super::run::{End, RestartPolicy, Role, Run, State};

/// One pod on the node.
#[derive(Debug)]
pub(super) struct Worker {
    pub uid: Box<str>,
    pub runs: Vec<Run>,
    pub address: String,
    pub started: Timestamp,
    /// When the node took the pod on.
    pub at: Duration,
    /// The pod ran longer than it may.
    pub is_late: bool,
    /// What its annotations say in vain, as far as it was told.
    pub faults: BTreeSet<String>,
}

/// What is to be done with a container, by its place among the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Start(usize),
    /// Asks it to end, and makes it after so long.
    Stop(usize, Duration),
}

/// What of a pod decides about its containers.
#[derive(Debug)]
pub(super) struct Wanted {
    pub policy: RestartPolicy,
    pub is_deleted: bool,
    pub grace: Duration,
    pub deadline: Option<Duration>,
}

impl Wanted {
    pub(super) fn of(pod: &Fields) -> Self {
        let seconds = |path: &str| at(pod, path).and_then(Value::as_u64).map(Duration::from_secs);
        let is_deleted = at(pod, "metadata.deletionTimestamp").is_some();
        let own = seconds("spec.terminationGracePeriodSeconds");
        let asked = seconds("metadata.deletionGracePeriodSeconds").filter(|_| is_deleted);
        Self {
            policy: match text(pod, "spec.restartPolicy") {
                "Never" => RestartPolicy::Never,
                "OnFailure" => RestartPolicy::OnFailure,
                _ => RestartPolicy::Always,
            },
            is_deleted,
            grace: asked.or(own).unwrap_or(Duration::from_secs(30)),
            deadline: seconds("spec.activeDeadlineSeconds"),
        }
    }
}

/// The containers of a list in the spec.
pub(super) fn containers<'a>(pod: &'a Fields, list: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    at(pod, &format!("spec.{list}")).and_then(Value::as_array).into_iter().flatten()
}

/// Takes over what the status says of a container: this kubelet may not be the first that has the pod. What ran then does not run now.
fn recall(run: &mut Run, pod: &Fields, (now, at): (Timestamp, Duration)) {
    let lists = ["initContainerStatuses", "containerStatuses"];
    let named = |status: &&Value| status.get("name").is_some_and(|name| *name == *run.name);
    let find = |list: &str| {
        let statuses = self::at(pod, &format!("status.{list}")).and_then(Value::as_array)?;
        statuses.iter().find(named)
    };
    let Some(status) = lists.into_iter().find_map(find) else { return };
    let number = |pointer: &str| status.pointer(pointer).and_then(Value::as_i64);
    let time = |pointer: &str| {
        let text = status.pointer(pointer).and_then(Value::as_str);
        text.and_then(|text| text.parse().ok()).unwrap_or(now)
    };
    let attempt = number("/restartCount").and_then(|count| u32::try_from(count).ok()).unwrap_or_default();
    let ended = |code: i32, reason, started, finished| {
        State::Ended(End { code, reason, message: String::new(), started, finished, at, attempt })
    };
    let code = ["/state/terminated/exitCode", "/lastState/terminated/exitCode"].into_iter().find_map(number);
    let state = match (status.pointer("/state/running"), code) {
        (Some(_), _) => ended(137, Some("ContainerStatusUnknown"), time("/state/running/startedAt"), now),
        (None, Some(code)) => {
            let state = if status.pointer("/state/terminated").is_some() { "state" } else { "lastState" };
            let time = |name: &str| time(&format!("/{state}/terminated/{name}"));
            ended(i32::try_from(code).unwrap_or(255), None, time("startedAt"), time("finishedAt"))
        }
        (None, None) => return,
    };
    run.attempt = attempt;
    run.state = state;
}

impl Worker {
    pub(super) fn new(pod: &Fields, address: String, (now, at): (Timestamp, Duration)) -> Self {
        let name = |container: &'_ Value| {
            container.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let mut runs = Vec::new();
        for container in containers(pod, "initContainers") {
            let is_sidecar = container.get("restartPolicy").is_some_and(|policy| policy == "Always");
            let role = if is_sidecar { Role::Sidecar } else { Role::Init };
            runs.push(Run::new(&name(container), role));
        }
        runs.extend(containers(pod, "containers").map(|container| Run::new(&name(container), Role::Main)));
        runs.iter_mut().for_each(|run| recall(run, pod, (now, at)));
        Self {
            uid: text(pod, "metadata.uid").into(),
            runs,
            address,
            started: now,
            at,
            is_late: false,
            faults: BTreeSet::new(),
        }
    }

    /// What is to be done now.
    pub(super) fn plan(&mut self, wanted: &Wanted, now: Duration) -> Vec<Action> {
        self.is_late |= wanted.deadline.is_some_and(|deadline| now >= self.at + deadline);
        if wanted.is_deleted || self.is_late {
            return self.stop(|_| true, wanted.grace);
        }
        if self.mains_are_over(wanted.policy) || self.has_failed_to_begin(wanted.policy) {
            return self.stop(|run| run.role == Role::Sidecar, wanted.grace);
        }
        let mut actions = Vec::new();
        let mut blocked = false;
        for (index, run) in self.runs.iter().enumerate() {
            if blocked {
                break;
            }
            if run.may_start(wanted.policy).is_some_and(|from| from <= now) {
                actions.push(Action::Start(index));
            }
            blocked = match run.role {
                Role::Init => run.end().is_none_or(|end| end.code != 0),
                Role::Sidecar => !run.is_running() && run.attempt == 0,
                Role::Main => false,
            };
        }
        actions
    }

    fn stop(&self, which: impl Fn(&Run) -> bool, grace: Duration) -> Vec<Action> {
        let runs = self.runs.iter().enumerate();
        let runs = runs.filter(|(_, run)| which(run) && run.is_alive() && run.stopping.is_none());
        runs.map(|(index, _)| Action::Stop(index, grace)).collect()
    }

    fn mains(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| run.role == Role::Main)
    }

    pub(super) fn mains_are_over(&self, policy: RestartPolicy) -> bool {
        self.mains().all(|run| run.is_over(policy))
    }

    /// Whether a container that has to end well before the others did not, and is not started again.
    pub(super) fn has_failed_to_begin(&self, policy: RestartPolicy) -> bool {
        let inits = self.runs.iter().filter(|run| run.role == Role::Init);
        inits.into_iter().any(|run| run.is_over(policy) && run.end().is_some_and(|end| end.code != 0))
    }

    pub(super) fn is_alive(&self) -> bool {
        self.runs.iter().any(Run::is_alive)
    }

    /// When something may have to be started or ended although nothing happens.
    pub(super) fn due(&self, wanted: &Wanted, now: Duration) -> Option<Duration> {
        let starts = self.runs.iter().filter_map(|run| run.may_start(wanted.policy));
        let deadline = wanted.deadline.map(|deadline| self.at + deadline).filter(|_| !self.is_late);
        starts.chain(deadline).filter(|due| *due > now).min()
    }
}
