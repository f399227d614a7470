//! The cells of pods: what their containers are up to, in a few words.

use jiff::Timestamp;
use serde_json::Value;

use super::{
    Cells, row,
    value::{age, at, condition, flag, int, is_deleted, list, name, since, text, text_or, time},
};

/// What has been seen of a pod's containers so far.
#[derive(Default)]
struct Seen {
    reason: String,
    ready: usize,
    restarts: i64,
    /// When a container last ended before it was started again, as written.
    last_restart: Option<Value>,
    /// The same two of init containers that go on running.
    side_restarts: i64,
    side_last_restart: Option<Value>,
}

pub(super) fn pod(pod: &Value, now: Timestamp) -> Cells {
    let init = list(pod, "spec.initContainers");
    let sidecars = init.iter().filter(|container| is_sidecar(container)).count();
    let total = list(pod, "spec.containers").len() + sidecars;
    let mut seen = Seen { reason: first_reason(pod), ..Seen::default() };
    let initializing = look_at_init(pod, &mut seen);
    let initialized = condition(pod, "status.conditions", "Initialized")
        .is_some_and(|condition| text(condition, "status") == "True");
    if !initializing || initialized {
        look_at_containers(pod, &mut seen);
    }
    if is_deleted(pod) {
        if text(pod, "status.reason") == "NodeLost" {
            seen.reason = "Unknown".to_owned();
        } else if !["Succeeded", "Failed"].contains(&text(pod, "status.phase")) {
            seen.reason = "Terminating".to_owned();
        }
    }
    let restarts = match &seen.last_restart {
        Some(last) if seen.restarts != 0 => {
            format!("{} ({} ago)", seen.restarts, since(last, "finishedAt", now))
        }
        _ => seen.restarts.to_string(),
    };
    let ip = list(pod, "status.podIPs").first().map_or("", |first| text(first, "ip"));
    row![
        name(pod),
        format!("{}/{total}", seen.ready),
        seen.reason,
        restarts,
        age(pod, now),
        if ip.is_empty() { "<none>" } else { ip },
        text_or(pod, "spec.nodeName", "<none>"),
        text_or(pod, "status.nominatedNodeName", "<none>"),
        gates(pod),
    ]
}

/// What a table says besides about a pod that has come to its end.
pub(super) fn pod_conditions(pod: &Value) -> Option<&'static str> {
    match text(pod, "status.phase") {
        "Succeeded" => Some(
            r#"[{"type":"Completed","status":"True","reason":"Succeeded","message":"The pod has completed successfully."}]"#,
        ),
        "Failed" => {
            Some(r#"[{"type":"Completed","status":"True","reason":"Failed","message":"The pod failed."}]"#)
        }
        _ => None,
    }
}

fn first_reason(pod: &Value) -> String {
    let gated = list(pod, "status.conditions").iter().any(|condition| {
        text(condition, "type") == "PodScheduled" && text(condition, "reason") == "SchedulingGated"
    });
    match gated {
        true => "SchedulingGated".to_owned(),
        false => text_or(pod, "status.reason", text(pod, "status.phase")).to_owned(),
    }
}

fn is_sidecar(container: &Value) -> bool {
    text(container, "restartPolicy") == "Always"
}

/// The later of two ends.
fn later(last: &mut Option<Value>, status: &Value) {
    let end = at(status, "lastState.terminated");
    let is_later = match (time(end, "finishedAt"), last.as_ref().and_then(|last| time(last, "finishedAt"))) {
        (Some(end), Some(last)) => end > last,
        (Some(_), None) => true,
        (None, _) => false,
    };
    if is_later {
        *last = Some(end.clone());
    }
}

/// Looks at the init containers; whether one of them is still to be done.
fn look_at_init(pod: &Value, seen: &mut Seen) -> bool {
    let init = list(pod, "spec.initContainers");
    for (index, status) in list(pod, "status.initContainerStatuses").iter().enumerate() {
        let own = init.iter().find(|container| text(container, "name") == text(status, "name"));
        let sidecar = own.is_some_and(is_sidecar);
        seen.restarts += int(status, "restartCount");
        later(&mut seen.last_restart, status);
        if sidecar {
            seen.side_restarts += int(status, "restartCount");
            later(&mut seen.side_last_restart, status);
        }
        let ended = at(status, "state.terminated");
        let waits = text(status, "state.waiting.reason");
        if ended.is_object() && int(ended, "exitCode") == 0 {
            continue;
        }
        if sidecar && flag(status, "started") {
            seen.ready += usize::from(flag(status, "ready"));
            continue;
        }
        seen.reason = if ended.is_object() {
            format!("Init:{}", end(ended))
        } else if !waits.is_empty() && waits != "PodInitializing" {
            format!("Init:{waits}")
        } else {
            format!("Init:{index}/{}", init.len())
        };
        return true;
    }
    false
}

fn look_at_containers(pod: &Value, seen: &mut Seen) {
    seen.restarts = seen.side_restarts;
    seen.last_restart = seen.side_last_restart.take();
    let (mut running, mut failure) = (false, None);
    for status in list(pod, "status.containerStatuses").iter().rev() {
        seen.restarts += int(status, "restartCount");
        later(&mut seen.last_restart, status);
        let waits = text(status, "state.waiting.reason");
        let ended = at(status, "state.terminated");
        if !waits.is_empty() {
            seen.reason = waits.to_owned();
        } else if ended.is_object() {
            seen.reason = end(ended);
            if int(ended, "exitCode") != 0 {
                failure = Some(seen.reason.clone());
            }
        } else if flag(status, "ready") && at(status, "state.running").is_object() {
            running = true;
            seen.ready += 1;
        }
    }
    if seen.reason == "Completed" {
        let ready = list(pod, "status.conditions")
            .iter()
            .any(|condition| text(condition, "type") == "Ready" && text(condition, "status") == "True");
        match (running, failure) {
            (true, _) if ready => seen.reason = "Running".to_owned(),
            (_, Some(failure)) => seen.reason = failure,
            (true, None) => seen.reason = "NotReady".to_owned(),
            (false, None) => {}
        }
    }
}

/// Why a container ended.
fn end(terminated: &Value) -> String {
    match (text(terminated, "reason"), int(terminated, "signal")) {
        ("", 0) => format!("ExitCode:{}", int(terminated, "exitCode")),
        ("", signal) => format!("Signal:{signal}"),
        (reason, _) => reason.to_owned(),
    }
}

fn gates(pod: &Value) -> String {
    let gates = list(pod, "spec.readinessGates");
    if gates.is_empty() {
        return "<none>".to_owned();
    }
    let open = gates.iter().filter(|gate| {
        condition(pod, "status.conditions", text(gate, "conditionType"))
            .is_some_and(|condition| text(condition, "status") == "True")
    });
    format!("{}/{}", open.count(), gates.len())
}
