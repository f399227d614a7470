//! From what a pod is to be to what it is.
//!
//! In: the pod and the worker that has it. Out: containers started and stopped, its status written, in the end the pod itself removed.

use core::time::Duration;
use std::{collections::BTreeSet, sync::Arc};

use serde_json::{Value, json};

use crate::{
    protocol::Fields,
    registry::Resource,
    strategy::{at, text},
};

use super::{
    super::agent::Agent,
    Moment, NAME, NodeAgent, Order, Play, RunId, events,
    events::Event,
    launch,
    rules::{self, Rules},
    run::{RestartPolicy, Run, State, Stop},
    status::{self, Surroundings},
    worker::{Action, Wanted, Worker, containers},
};

/// After how long it is tried again to start what could not be started.
pub(super) const AGAIN: Duration = Duration::from_secs(10);

impl NodeAgent {
    /// Brings a pod on.
    pub(super) fn sync(
        &mut self,
        agent: &mut Agent<'_>,
        (pods, key): (&Resource, &Arc<str>),
        pod: &Fields,
        moment: Moment,
    ) {
        if self.workers.get(key).is_some_and(|worker| *worker.uid != *text(pod, "metadata.uid")) {
            self.drop_worker(key);
        }
        let wanted = Wanted::of(pod);
        let over = ["Succeeded", "Failed"].contains(&text(pod, "status.phase"));
        let Some(mut worker) =
            self.workers.remove(key).or_else(|| (!over).then(|| self.take_on(pod, moment)))
        else {
            if wanted.is_deleted {
                remove(agent, pods, key, pod);
            }
            return;
        };
        self.tell_faults(agent, pod, &mut worker);
        self.play(&mut worker, pod, &wanted, moment);
        loop {
            let actions = worker.plan(&wanted, moment.at);
            if actions.is_empty() {
                break;
            }
            for action in actions {
                self.act(agent, (pod, &mut worker), action, moment);
            }
            self.play(&mut worker, pod, &wanted, moment);
        }
        self.write_status(agent, (pods, key, pod), (&worker, &wanted), moment);
        if wanted.is_deleted && !worker.is_alive() {
            self.orders.push(Order::Forget(worker.uid));
            remove(agent, pods, key, pod);
            return;
        }
        if let Some(due) = self.next(&worker, pod, &wanted, moment.at) {
            self.timers.insert(Arc::clone(key), due);
        }
        self.workers.insert(Arc::clone(key), worker);
    }

    fn take_on(&mut self, pod: &Fields, moment: Moment) -> Worker {
        self.addresses += 1;
        let address = match self.play {
            Play::Simulated { .. } => {
                format!("10.244.{}.{}", self.addresses / 250 % 250, self.addresses % 250 + 1)
            }
            Play::Processes => self.node.address.clone(),
        };
        Worker::new(pod, address, (moment.now, moment.at))
    }

    /// Says once what of a pod's annotations means nothing to this kubelet.
    fn tell_faults(&self, agent: &mut Agent<'_>, pod: &Fields, worker: &mut Worker) {
        let names: Vec<&str> = worker.runs.iter().map(|run| run.name.as_str()).collect();
        let faults: BTreeSet<String> = match self.play {
            Play::Simulated { .. } => rules::faults(pod, &names).collect(),
            Play::Processes => rules::named(pod)
                .map(|key| format!("{key} says nothing: containers are processes here, and not played"))
                .collect(),
        };
        for fault in faults.difference(&worker.faults) {
            events::record(agent, pod, None, &Event::warning(NAME, "InvalidAnnotation", fault));
        }
        worker.faults = faults;
    }

    fn rules(&self, pod: &Fields, run: &Run, wanted: &Wanted) -> Rules {
        let run_for = match self.play {
            Play::Simulated { run_for } if !run.restarts_when_well(wanted.policy) => Some(run_for),
            _ => None,
        };
        Rules::of(pod, &run.name, run_for)
    }

    /// Lets simulated containers do what their rules say; processes speak for themselves.
    fn play(&mut self, worker: &mut Worker, pod: &Fields, wanted: &Wanted, moment: Moment) {
        if self.play == Play::Processes {
            return;
        }
        for index in 0..worker.runs.len() {
            let Some(run) = worker.runs.get_mut(index) else { continue };
            let rules = self.rules(pod, run, wanted);
            let id = RunId { uid: worker.uid.clone(), container: run.name.clone(), attempt: run.attempt };
            if let State::Starting { at } = run.state
                && moment.at >= at + rules.start_after
            {
                if let Some(reason) = &rules.waiting {
                    run.stuck(reason, String::new(), Some(moment.at + AGAIN));
                    continue;
                }
                run.started(moment.now, moment.at);
                self.orders.push(Order::Open(id.clone()));
                if !rules.logs.is_empty() {
                    self.orders.push(Order::Write(id.clone(), rules.logs.clone()));
                }
            }
            let Some((due, code)) = ends(run, &rules) else { continue };
            if moment.at >= due {
                run.ended(code, None, (moment.now, moment.at));
                self.orders.push(Order::Close(id));
            }
        }
    }

    fn act(
        &mut self,
        agent: &mut Agent<'_>,
        (pod, worker): (&Fields, &mut Worker),
        action: Action,
        moment: Moment,
    ) {
        let (Action::Start(index) | Action::Stop(index, _)) = action;
        let uid = worker.uid.clone();
        let address = worker.address.clone();
        let Some(run) = worker.runs.get_mut(index) else { return };
        if let Action::Stop(_, grace) = action {
            run.stopping = Some(Stop { asked: moment.at, grace });
            let message = format!("Stopping container {}", run.name);
            events::record(agent, pod, Some(&run.name), &Event::normal(NAME, "Killing", &message));
            if self.play == Play::Processes {
                self.orders.push(Order::Stop(
                    RunId { uid, container: run.name.clone(), attempt: run.attempt },
                    grace,
                ));
            }
            return;
        }
        run.begin(moment.at);
        let name = run.name.clone();
        let id = RunId { uid, container: name.clone(), attempt: run.attempt };
        if self.play == Play::Processes {
            let spec = ["initContainers", "containers"].into_iter().find_map(|list| {
                containers(pod, list)
                    .find(|container| container.get("name").is_some_and(|there| *there == *name))
            });
            let place = (&self.node, address.as_str());
            match launch::launch(agent, pod, spec.unwrap_or(&Value::Null), id, place) {
                Ok(launch) => self.orders.push(Order::Start(Box::new(launch))),
                Err((reason, message)) => {
                    events::record(
                        agent,
                        pod,
                        Some(&name),
                        &Event::warning(NAME, "Failed", &format!("Error: {message}")),
                    );
                    run.stuck(reason, message, Some(moment.at + AGAIN));
                    return;
                }
            }
        }
        events::record(agent, pod, Some(&name), &Event::normal(NAME, "Created", "Container created"));
        events::record(agent, pod, Some(&name), &Event::normal(NAME, "Started", "Container started"));
    }

    fn write_status(
        &self,
        agent: &mut Agent<'_>,
        (pods, key, pod): (&Resource, &str, &Fields),
        (worker, wanted): (&Worker, &Wanted),
        moment: Moment,
    ) {
        let ready = |run: &Run| match (&self.play, &run.state) {
            (Play::Simulated { .. }, State::Running { at, .. }) => {
                let after = self.rules(pod, run, wanted).ready_after;
                after.is_some_and(|after| moment.at >= *at + after)
            }
            _ => run.is_running(),
        };
        let host = self.node.address.as_str();
        let around = Surroundings { pod, wanted, host, now: moment.now, at: moment.at, ready: &ready };
        let status = status::status(worker, &around);
        let there = at(pod, "status");
        let is_news =
            |(name, value): (&String, &Value)| there.and_then(|there| there.get(name)) != Some(value);
        if !status.as_object().is_some_and(|status| status.iter().any(is_news)) {
            return;
        }
        let change = json!({"metadata": {"uid": &*worker.uid}, "status": status});
        let answer = agent.patch(pods, key, "/status", &change);
        if !answer.is_done() {
            tracing::warn!(pod = key, why = answer.message(), "the status of a pod could not be written");
        }
    }

    /// When a pod is to be looked at again although nothing happens.
    fn next(&self, worker: &Worker, pod: &Fields, wanted: &Wanted, now: Duration) -> Option<Duration> {
        let mut due = worker.due(wanted, now);
        if self.play == Play::Processes {
            return due;
        }
        for run in &worker.runs {
            let rules = self.rules(pod, run, wanted);
            let next = match &run.state {
                State::Starting { at } => Some(*at + rules.start_after),
                State::Running { at, .. } => {
                    rules.ready_after.map(|after| *at + after).filter(|ready| *ready > now)
                }
                _ => None,
            };
            let end = ends(run, &rules).map(|(due, _)| due);
            due = due.into_iter().chain(next).chain(end).min();
        }
        due
    }
}

/// When a simulated container ends, and how.
fn ends(run: &Run, rules: &Rules) -> Option<(Duration, i32)> {
    let State::Running { at, .. } = run.state else {
        let stop = run.stopping?;
        return matches!(run.state, State::Starting { .. }).then_some((stop.asked, 137));
    };
    let by_itself = rules.run_for.map(|run_for| (at + run_for, rules.exit_code));
    let asked = run.stopping.map(|stop| match rules.stop_after <= stop.grace {
        true => (stop.asked + rules.stop_after, 0),
        false => (stop.asked + stop.grace, 137),
    });
    by_itself.into_iter().chain(asked).min()
}

/// The end of a pod whose containers have ended.
fn remove(agent: &mut Agent<'_>, pods: &Resource, key: &str, pod: &Fields) {
    let options = json!({"gracePeriodSeconds": 0, "preconditions": {"uid": text(pod, "metadata.uid")}});
    let answer = agent.delete(pods, key, &options);
    if !answer.is_done() {
        tracing::warn!(pod = key, why = answer.message(), "a pod could not be removed");
    }
}

impl Run {
    /// Whether it is started again even when it ends well.
    fn restarts_when_well(&self, policy: RestartPolicy) -> bool {
        match self.role {
            super::run::Role::Sidecar => true,
            super::run::Role::Main => policy == RestartPolicy::Always,
            super::run::Role::Init => false,
        }
    }
}
