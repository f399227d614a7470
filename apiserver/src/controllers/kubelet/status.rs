//! The status of a pod, as a kubelet writes it.
//!
//! In: the pod and what has become of its containers. Out: the status; the times of conditions that stay as they are stay too.

use core::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{
    protocol::Fields,
    server::timestamp,
    strategy::{at, text},
};

use super::{
    run::{End, Role, Run, State},
    worker::{Wanted, Worker, containers},
};

/// What besides the worker a status is made of.
pub(super) struct Surroundings<'a> {
    pub pod: &'a Fields,
    pub wanted: &'a Wanted,
    pub host: &'a str,
    pub now: Timestamp,
    pub at: Duration,
    /// Whether a container is ready.
    pub ready: &'a dyn Fn(&Run) -> bool,
}

/// The members of the status that a kubelet owns.
pub(super) fn status(worker: &Worker, around: &Surroundings<'_>) -> Value {
    let phase = phase(worker, around.wanted);
    let Surroundings { pod, host, .. } = around;
    let of = |roles: &[Role]| -> Vec<Value> {
        let runs = worker.runs.iter().filter(|run| roles.contains(&run.role));
        runs.map(|run| container(worker, run, around)).collect()
    };
    let mut status = json!({
        "phase": phase,
        "conditions": conditions(worker, around, phase),
        "hostIP": host,
        "hostIPs": [{"ip": host}],
        "podIP": worker.address,
        "podIPs": [{"ip": worker.address}],
        "startTime": timestamp(worker.started),
        "containerStatuses": of(&[Role::Main]),
    });
    if worker.runs.iter().any(|run| run.role != Role::Main) {
        status["initContainerStatuses"] = of(&[Role::Init, Role::Sidecar]).into();
    }
    if let Some(generation) = at(pod, "metadata.generation") {
        status["observedGeneration"] = generation.clone();
    }
    if worker.is_late {
        status["reason"] = "DeadlineExceeded".into();
        status["message"] = "Pod was active on the node longer than the specified deadline".into();
    }
    status
}

/// The phase of a pod.
pub(super) fn phase(worker: &Worker, wanted: &Wanted) -> &'static str {
    let policy = wanted.policy;
    if worker.is_late || worker.has_failed_to_begin(policy) {
        return if worker.is_alive() { "Running" } else { "Failed" };
    }
    let has_begun = |run: &Run| run.last.is_some() || run.is_running() || run.end().is_some();
    let initialized = worker.runs.iter().all(|run| match run.role {
        Role::Init => run.end().is_some_and(|end| end.code == 0),
        Role::Sidecar => has_begun(run),
        Role::Main => true,
    });
    let mains = || worker.runs.iter().filter(|run| run.role == Role::Main);
    let over = if wanted.is_deleted {
        mains().all(|run| run.end().is_some())
    } else {
        worker.mains_are_over(policy)
    };
    if over && !worker.is_alive() {
        let well = mains().all(|run| run.end().is_some_and(|end| end.code == 0));
        return if well { "Succeeded" } else { "Failed" };
    }
    if initialized && mains().all(has_begun) { "Running" } else { "Pending" }
}

fn container(worker: &Worker, run: &Run, around: &Surroundings<'_>) -> Value {
    let lists = ["initContainers", "containers"];
    let named = |container: &&Value| container.get("name").is_some_and(|name| *name == *run.name);
    let spec = lists.into_iter().find_map(|list| containers(around.pod, list).find(named));
    let image = spec.and_then(|spec| spec.get("image")).and_then(Value::as_str).unwrap_or_default();
    let begun = !matches!(run.state, State::Waiting | State::Starting { .. } | State::Stuck { .. });
    let id = |attempt: u32| container_id(&worker.uid, &run.name, attempt);
    let ended = |end: &End| {
        let reason = end.reason.unwrap_or(if end.code == 0 { "Completed" } else { "Error" });
        let mut terminated = json!({
            "exitCode": end.code, "reason": reason, "startedAt": timestamp(end.started),
            "finishedAt": timestamp(end.finished), "containerID": id(end.attempt),
        });
        if !end.message.is_empty() {
            terminated["message"] = end.message.as_str().into();
        }
        json!({"terminated": terminated})
    };
    let held_back =
        if around.wanted.is_deleted { None } else { run.held_back(around.wanted.policy, around.at) };
    let state = match (&run.state, held_back) {
        (State::Ended(_), Some(wait)) => json!({"waiting": {
            "reason": "CrashLoopBackOff",
            "message": format!(
                "back-off {} restarting failed container={} pod={}",
                span(wait), run.name, pod_name(around.pod)
            ),
        }}),
        (State::Ended(end), None) => ended(end),
        (State::Running { started, .. }, _) => json!({"running": {"startedAt": timestamp(*started)}}),
        (State::Stuck { reason, message, .. }, _) => {
            json!({"waiting": {"reason": reason, "message": message}})
        }
        (State::Waiting | State::Starting { .. }, _) => {
            let unfinished =
                |other: &Run| other.role == Role::Init && other.end().is_none_or(|end| end.code != 0);
            let init = worker.runs.iter().any(unfinished);
            let reason = if init { "PodInitializing" } else { "ContainerCreating" };
            json!({"waiting": {"reason": reason}})
        }
    };
    let last = match (&run.state, held_back) {
        (State::Ended(end), Some(_)) => ended(end),
        _ => run.last.as_ref().map_or_else(|| json!({}), ended),
    };
    let mut status = json!({
        "name": run.name,
        "state": state,
        "lastState": last,
        "ready": ready(run, around),
        "restartCount": run.attempt,
        "image": image,
        "imageID": if begun { format!("kube-codegen.invalid/{image}") } else { String::new() },
        "started": run.is_running(),
    });
    if begun {
        status["containerID"] = id(run.attempt).into();
    }
    status
}

fn ready(run: &Run, around: &Surroundings<'_>) -> bool {
    match run.role {
        Role::Init => run.end().is_some_and(|end| end.code == 0),
        Role::Sidecar | Role::Main => run.is_running() && (around.ready)(run),
    }
}

fn conditions(worker: &Worker, around: &Surroundings<'_>, phase: &str) -> Vec<Value> {
    let unready: Vec<&str> = {
        let runs = worker.runs.iter().filter(|run| run.role != Role::Init && !ready(run, around));
        runs.map(|run| run.name.as_str()).collect()
    };
    let unfinished: Vec<&str> = {
        let runs = worker.runs.iter().filter(|run| run.role == Role::Init && !ready(run, around));
        runs.map(|run| run.name.as_str()).collect()
    };
    let completed = ["Succeeded", "Failed"].contains(&phase);
    let made = worker.is_alive() || (!completed && worker.runs.iter().any(|run| run.end().is_some()));
    let not_ready = match completed {
        true => Some(("PodCompleted", String::new())),
        false if unready.is_empty() => None,
        false => {
            Some(("ContainersNotReady", format!("containers with unready status: [{}]", unready.join(" "))))
        }
    };
    let not_initialized = (!unfinished.is_empty()).then(|| {
        let message = format!("containers with incomplete status: [{}]", unfinished.join(" "));
        ("ContainersNotInitialized", message)
    });
    let existing = at(around.pod, "status.conditions").and_then(Value::as_array);
    let mut conditions = existing.cloned().unwrap_or_default();
    let generation = at(around.pod, "metadata.generation").cloned();
    let mut put = |kind: &str, status: bool, why: Option<(&str, String)>| {
        let status = if status { "True" } else { "False" };
        let there = conditions.iter_mut().find(|condition| condition.get("type").is_some_and(|t| t == kind));
        let since = there.as_ref().filter(|there| there.get("status").is_some_and(|old| old == status));
        let since = since.and_then(|there| there.get("lastTransitionTime")).cloned();
        let mut condition = json!({
            "type": kind, "status": status, "lastProbeTime": null,
            "lastTransitionTime": since.unwrap_or_else(|| timestamp(around.now).into()),
        });
        if let Some(generation) = &generation {
            condition["observedGeneration"] = generation.clone();
        }
        if let Some((reason, message)) = why {
            condition["reason"] = reason.into();
            if !message.is_empty() {
                condition["message"] = message.into();
            }
        }
        match there {
            Some(there) => *there = condition,
            None => conditions.push(condition),
        }
    };
    let done = completed.then(|| ("PodCompleted", String::new())).filter(|_| unfinished.is_empty());
    put("PodReadyToStartContainers", made, None);
    put("Initialized", unfinished.is_empty(), not_initialized.or(done));
    put("Ready", not_ready.is_none(), not_ready.clone());
    put("ContainersReady", not_ready.is_none(), not_ready);
    put("PodScheduled", true, None);
    conditions
}

/// `name_namespace(uid)`, as kubelets name pods.
pub(super) fn pod_name(pod: &Fields) -> String {
    let part = |path: &str| text(pod, path);
    format!("{}_{}({})", part("metadata.name"), part("metadata.namespace"), part("metadata.uid"))
}

/// `10s`, `1m20s`: a time span as Go writes it.
fn span(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds}s"),
        (minutes, seconds) => format!("{minutes}m{seconds}s"),
    }
}

/// An identifier like that of a container runtime; the same for the same start of the same container.
fn container_id(uid: &str, container: &str, attempt: u32) -> String {
    let mut id = String::from("kube-codegen://");
    for part in 0..4_u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ part;
        for byte in uid.bytes().chain(container.bytes()).chain(attempt.to_be_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        id.push_str(&format!("{hash:016x}"));
    }
    id
}
