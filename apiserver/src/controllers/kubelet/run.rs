//! `Run`: one container, from its first start to its last end.
//!
//! In: what happened to it. Out: its state, and when it may be started again. It starts and stops nothing itself.

use core::time::Duration;

use jiff::Timestamp;

/// How long a container is held back that ended for the second time; twice as long each time after.
const BACKOFF: Duration = Duration::from_secs(10);
/// No container is held back longer.
const BACKOFF_LIMIT: Duration = Duration::from_secs(300);
/// Who ran that long is not held back next time.
const FORGIVEN: Duration = Duration::from_secs(600);

/// The code of a container whose command could not be started.
const UNSTARTED: i32 = 128;

/// What a container is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Has to end well before the next is started.
    Init,
    /// Is started in its turn among those, and runs beside the others.
    Sidecar,
    /// What the pod is for.
    Main,
}

/// When containers are started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RestartPolicy {
    Always,
    OnFailure,
    Never,
}

/// How a container ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub code: i32,
    /// Why, where the code does not say it.
    pub reason: Option<&'static str>,
    /// What more there is to say.
    pub message: String,
    pub started: Timestamp,
    pub finished: Timestamp,
    /// When, by the clock that cannot be set.
    pub at: Duration,
    pub attempt: u32,
}

/// Where a container is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It has not been started.
    Waiting,
    /// It is being made, since this moment.
    Starting {
        at: Duration,
    },
    /// It cannot be made: a reason and a message, and when it is tried again.
    Stuck {
        reason: String,
        message: String,
        until: Option<Duration>,
    },
    Running {
        started: Timestamp,
        at: Duration,
    },
    Ended(End),
}

/// A container is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop {
    pub asked: Duration,
    pub grace: Duration,
}

/// One container.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub name: String,
    pub role: Role,
    pub state: State,
    /// How it ended before this time.
    pub last: Option<End>,
    /// How often it has been started again.
    pub attempt: u32,
    /// When it was asked to end, and after how long it is made to.
    pub stopping: Option<Stop>,
    backoff: Duration,
}

impl Run {
    pub(super) fn new(name: &str, role: Role) -> Self {
        Self {
            name: name.to_owned(),
            role,
            state: State::Waiting,
            last: None,
            attempt: 0,
            stopping: None,
            backoff: Duration::ZERO,
        }
    }

    /// Whether there is a process, or will be in a moment.
    pub(super) fn is_alive(&self) -> bool {
        matches!(self.state, State::Running { .. } | State::Starting { .. })
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.state, State::Running { .. })
    }

    /// How it ended, if it has.
    pub(super) fn end(&self) -> Option<&End> {
        match &self.state {
            State::Ended(end) => Some(end),
            _ => None,
        }
    }

    /// Whether it is started again when it ends like this.
    pub(super) fn restarts(&self, policy: RestartPolicy, end: &End) -> bool {
        match (self.role, policy) {
            (Role::Sidecar, _) | (Role::Main, RestartPolicy::Always) => true,
            (Role::Init, RestartPolicy::Always | RestartPolicy::OnFailure)
            | (Role::Main, RestartPolicy::OnFailure) => end.code != 0,
            (_, RestartPolicy::Never) => false,
        }
    }

    /// Whether it has ended and stays so.
    pub(super) fn is_over(&self, policy: RestartPolicy) -> bool {
        self.end().is_some_and(|end| !self.restarts(policy, end))
    }

    /// From when on it may be started, if at all.
    pub(super) fn may_start(&self, policy: RestartPolicy) -> Option<Duration> {
        match &self.state {
            State::Waiting => Some(Duration::ZERO),
            State::Stuck { until, .. } => *until,
            State::Ended(end) if self.restarts(policy, end) => Some(end.at + self.backoff),
            _ => None,
        }
    }

    /// How long it is held back, while it is.
    pub(super) fn held_back(&self, policy: RestartPolicy, at: Duration) -> Option<Duration> {
        let end = self.end().filter(|end| self.restarts(policy, end))?;
        (at < end.at + self.backoff).then_some(self.backoff)
    }

    /// It is being made.
    pub(super) fn begin(&mut self, at: Duration) {
        if let State::Ended(end) = &self.state {
            self.last = Some(end.clone());
            self.attempt += 1;
            self.backoff = (self.backoff * 2).clamp(BACKOFF, BACKOFF_LIMIT);
        }
        self.state = State::Starting { at };
        self.stopping = None;
    }

    /// It runs.
    pub(super) fn started(&mut self, now: Timestamp, at: Duration) {
        if matches!(self.state, State::Starting { .. }) {
            self.state = State::Running { started: now, at };
        }
    }

    /// Its command could not be started: for those who look at it it has ended, and began when time did.
    pub(super) fn failed(&mut self, message: String, (now, at): (Timestamp, Duration)) {
        let started = Timestamp::UNIX_EPOCH;
        let end = End {
            code: UNSTARTED,
            reason: Some("StartError"),
            message,
            started,
            finished: now,
            at,
            attempt: self.attempt,
        };
        self.state = State::Ended(end);
    }

    /// It cannot be made.
    pub(super) fn stuck(&mut self, reason: &str, message: String, until: Option<Duration>) {
        self.state = State::Stuck { reason: reason.to_owned(), message, until };
    }

    /// It has ended.
    pub(super) fn ended(
        &mut self,
        code: i32,
        reason: Option<&'static str>,
        (now, at): (Timestamp, Duration),
    ) {
        let (started, since) = match &self.state {
            State::Running { started, at } => (*started, *at),
            State::Starting { .. } => (now, at),
            _ => return,
        };
        if at.saturating_sub(since) >= FORGIVEN {
            self.backoff = Duration::ZERO;
        }
        let message = String::new();
        let attempt = self.attempt;
        self.state = State::Ended(End { code, reason, message, started, finished: now, at, attempt });
    }
}
