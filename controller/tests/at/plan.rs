//! Decisions, each from an At, a pod and a time.

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::{api::core::v1::Pod, apimachinery::pkg::apis::meta::v1::Time};
use sample_apis::cnat::v1alpha1::{At, AtPhase, AtStatus};
use sample_controller::at::{
    plan::{Step, next},
    pod,
};

const NOON: &str = "2030-01-31T12:00:00Z";

fn noon() -> Timestamp {
    NOON.parse().unwrap()
}

/// So many seconds after noon.
fn after(seconds: i64) -> Timestamp {
    noon() + SignedDuration::from_secs(seconds)
}

fn at(phase: Option<AtPhase>) -> At {
    let mut at = At::default();
    at.metadata.name = Some("nightly".into());
    at.metadata.namespace = Some("default".into());
    at.metadata.uid = Some("a".into());
    at.metadata.generation = Some(1);
    at.spec.schedule = NOON.into();
    at.spec.command = "true".into();
    at.status = phase.map(|phase| AtStatus {
        phase: Some(phase),
        observed_generation: Some(1),
        ..AtStatus::default()
    });
    at
}

fn its_pod(at: &At, phase: &str) -> Pod {
    let mut pod = pod::of(at, vec!["true".into()]).unwrap();
    pod.spec.as_mut().unwrap().node_name = Some("node".into());
    pod.status.get_or_insert_default().phase = Some(phase.into());
    pod
}

/// A step in few words: the phase and the reasons that it writes.
fn shown(step: &Step) -> String {
    match step {
        Step::Write { status, news } => {
            let conditions: Vec<_> = status
                .conditions
                .iter()
                .map(|condition| format!("{}={} {}", condition.type_, condition.status, condition.reason))
                .collect();
            let told = if news.is_some() { "" } else { " quietly" };
            format!("{:?}{told}: {}", status.phase.unwrap(), conditions.join(", "))
        }
        other => format!("{other:?}"),
    }
}

#[track_caller]
fn assert_step(at: &At, pod: Option<&Pod>, seconds: i64, expected: &str) {
    assert_eq!(shown(&next(at, pod, after(seconds))), expected);
}

/// The At as it is once the step is written.
fn written(mut at: At, pod: Option<&Pod>, seconds: i64) -> At {
    let Step::Write { status, .. } = next(&at, pod, after(seconds)) else {
        unreachable!("nothing is written")
    };
    at.status = Some(*status);
    at
}

#[test]
fn one_that_is_new_is_pending_until_its_time() {
    assert_step(&at(None), None, -60, "Pending: Ready=True Scheduled");
    let pending = written(at(None), None, -60);
    assert_eq!(next(&pending, None, after(-60)), Step::Wait(noon()));
    assert_step(&pending, None, 0, "Running: Ready=True Started");
    let running = written(pending, None, 0);
    assert_eq!(running.status.as_ref().unwrap().pod_name.as_deref(), Some(&*pod::name(&running)));
    assert_step(&running, None, 0, "Start");
}

#[test]
fn a_past_time_is_no_obstacle_without_a_deadline() {
    assert_step(&at(None), None, 86400 * 365 * 10, "Running: Ready=True Started");
    let mut with_deadline = at(None);
    with_deadline.spec.starting_deadline_seconds = Some(60);
    assert_step(&with_deadline, None, 60, "Running: Ready=True Started");
    assert_step(&with_deadline, None, 61, "Done: Ready=False Missed, Failed=True Missed");
    let mut begun = with_deadline;
    begun.status = at(Some(AtPhase::Running)).status;
    assert_step(&begun, None, 3600, "Start");
}

#[test]
fn a_pod_that_ends_ends_the_at_and_is_let_go() {
    let running = at(Some(AtPhase::Running));
    for phase in ["Pending", "Running"] {
        assert_step(&running, Some(&its_pod(&running, phase)), 0, "Rest");
    }
    let good = its_pod(&running, "Succeeded");
    assert_step(&running, Some(&good), 0, "Done: Ready=True Completed, Complete=True Completed");
    let bad = its_pod(&running, "Failed");
    assert_step(&running, Some(&bad), 0, "Done: Ready=False PodFailed, Failed=True PodFailed");
    let done = written(running, Some(&good), 0);
    assert_step(&done, Some(&good), 0, "Release");
    let mut released = good;
    released.metadata.finalizers = None;
    assert_step(&done, Some(&released), 0, "Rest");
    assert_step(&done, None, 0, "Rest");
}

#[test]
fn a_pod_that_is_deleted_before_its_end_is_not_made_again() {
    let running = at(Some(AtPhase::Running));
    let mut pod = its_pod(&running, "Running");
    pod.metadata.deletion_timestamp = Some(Time(noon()));
    pod.metadata.deletion_grace_period_seconds = Some(30);
    assert_step(&running, Some(&pod), 0, "Rest");
    pod.metadata.deletion_grace_period_seconds = Some(0);
    assert_step(&running, Some(&pod), 0, "Done: Ready=False PodDeleted, Failed=True PodDeleted");
    pod.metadata.deletion_grace_period_seconds = Some(30);
    pod.spec.as_mut().unwrap().node_name = None;
    assert_step(&running, Some(&pod), 0, "Done: Ready=False PodDeleted, Failed=True PodDeleted");
}

#[test]
fn what_cannot_be_followed_is_said_once() {
    let mut wrong = at(None);
    wrong.spec.schedule = "soon".into();
    assert_step(&wrong, None, 0, "Pending: Ready=False InvalidSchedule");
    let mut wrong = written(wrong, None, 0);
    assert_step(&wrong, None, 0, "Rest");
    wrong.spec.schedule = NOON.into();
    wrong.spec.command = "echo 'open".into();
    wrong.metadata.generation = Some(2);
    assert_step(&wrong, None, 0, "Pending: Ready=False InvalidCommand");
    let mut mended = written(wrong, None, 0);
    mended.spec.command = "true".into();
    mended.metadata.generation = Some(3);
    assert_step(&mended, None, -1, "Pending: Ready=True Scheduled");
}

#[test]
fn a_changed_time_is_followed_before_the_start_and_noted_after_it() {
    let mut pending = written(at(None), None, -60);
    pending.spec.schedule = "2030-01-31T13:00:00Z".into();
    pending.metadata.generation = Some(2);
    assert_step(&pending, None, 0, "Pending quietly: Ready=True Scheduled");
    let later = written(pending, None, 0);
    assert_eq!(next(&later, None, after(0)), Step::Wait(after(3600)));

    let mut running = at(Some(AtPhase::Running));
    running.spec.schedule = "2031-01-31T13:00:00Z".into();
    running.metadata.generation = Some(2);
    let pod = its_pod(&running, "Running");
    assert_step(&running, Some(&pod), 0, "Running quietly: ");
    assert_step(&written(running, Some(&pod), 0), Some(&pod), 0, "Rest");
}

#[test]
fn one_that_is_being_deleted_starts_nothing_and_lets_its_pod_go() {
    let mut running = at(Some(AtPhase::Running));
    running.metadata.deletion_timestamp = Some(Time(noon()));
    assert_step(&running, None, 0, "Rest");
    assert_step(&running, Some(&its_pod(&running, "Running")), 0, "Release");
}

#[test]
fn a_phase_never_goes_back() {
    let running = at(Some(AtPhase::Running));
    let pod = its_pod(&running, "Running");
    for seconds in [-86400, 0, 86400] {
        assert_step(&running, Some(&pod), seconds, "Rest");
        assert_step(&at(Some(AtPhase::Done)), None, seconds, "Rest");
    }
}

#[test]
fn the_name_of_a_pod_is_a_function_of_its_at() {
    let one = at(None);
    assert_eq!(pod::name(&one), pod::name(&at(Some(AtPhase::Running))));
    let mut other = one.clone();
    other.metadata.uid = Some("b".into());
    assert_ne!(pod::name(&one), pod::name(&other), "an At that was made anew has another pod");
    let mut long = one;
    long.metadata.name = Some(format!("{}.{}", "a".repeat(53), "b".repeat(100)));
    assert_eq!(pod::name(&long).len(), 53 + 9, "{}", pod::name(&long));
    assert!(!pod::of(&long, vec![]).unwrap().metadata.labels.unwrap().contains_key(pod::LABEL));
}
