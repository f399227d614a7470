//! What the annotations of a pod say about how its containers are to be played.
//!
//! In: annotations and what the kubelet does without them. Out: rules for one container. An annotation for one container (`exit-code.main`)
//! goes before the one for all (`exit-code`); what cannot be read is as if it were not there, and is said.

use core::time::Duration;

use serde_json::Value;

use crate::{protocol::Fields, strategy::at};

/// How the annotations begin.
pub(super) const PREFIX: &str = "kubelet.kube-codegen/";

/// How a container is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    /// How long it is being made.
    pub start_after: Duration,
    /// How long it runs; without an end where there is none.
    pub run_for: Option<Duration>,
    /// How it ends.
    pub exit_code: i32,
    /// How long it runs before it is ready; never where there is none.
    pub ready_after: Option<Duration>,
    /// How long it takes to end when it is asked to.
    pub stop_after: Duration,
    /// Why it cannot be started at all, such as `ErrImagePull`.
    pub waiting: Option<String>,
    /// What it writes when it starts.
    pub logs: String,
}

impl Rules {
    /// The rules for a container.
    pub(super) fn of(pod: &Fields, container: &str, run_for: Option<Duration>) -> Self {
        let annotations = at(pod, "metadata.annotations");
        let text = |name: &str| {
            let find = |key: String| annotations.and_then(|all| all.get(&key)).and_then(Value::as_str);
            find(format!("{PREFIX}{name}.{container}")).or_else(|| find(format!("{PREFIX}{name}")))
        };
        let duration = |name: &str| text(name).and_then(duration);
        Self {
            start_after: duration("start-after").unwrap_or_default(),
            run_for: match text("run-for") {
                Some("forever") => None,
                Some(text) => self::duration(text).or(run_for),
                None => run_for,
            },
            exit_code: text("exit-code").and_then(|code| code.parse().ok()).unwrap_or_default(),
            ready_after: match text("ready-after") {
                Some("never") => None,
                Some(text) => Some(self::duration(text).unwrap_or_default()),
                None => Some(Duration::ZERO),
            },
            stop_after: duration("stop-after").unwrap_or_default(),
            waiting: text("waiting").map(str::to_owned),
            logs: text("logs").unwrap_or_default().to_owned(),
        }
    }
}

/// The annotations that there are, and what they take; none where any text will do.
const KNOWN: [(&str, Option<Takes>); 7] = [
    ("start-after", Some(Takes { reads: |text| duration(text).is_some(), words: DURATION })),
    (
        "run-for",
        Some(Takes {
            reads: |text| text == "forever" || duration(text).is_some(),
            words: "a duration, such as 90, 1.5s, 200ms or 1m30s, or forever",
        }),
    ),
    (
        "exit-code",
        Some(Takes { reads: |text| text.parse::<i32>().is_ok(), words: "a whole number, such as 0 or 137" }),
    ),
    (
        "ready-after",
        Some(Takes {
            reads: |text| text == "never" || duration(text).is_some(),
            words: "a duration, such as 90, 1.5s, 200ms or 1m30s, or never",
        }),
    ),
    ("stop-after", Some(Takes { reads: |text| duration(text).is_some(), words: DURATION })),
    ("waiting", None),
    ("logs", None),
];
const DURATION: &str = "a duration, such as 90, 1.5s, 200ms or 1m30s";

/// What an annotation takes.
struct Takes {
    reads: fn(&str) -> bool,
    words: &'static str,
}

/// The annotations of a pod that are meant for the kubelet.
pub(super) fn named(pod: &Fields) -> impl Iterator<Item = &String> {
    let annotations = at(pod, "metadata.annotations").and_then(Value::as_object);
    annotations.into_iter().flatten().map(|(key, _)| key).filter(|key| key.starts_with(PREFIX))
}

/// What is wrong with the annotations of a pod with these containers, in one text each.
pub(super) fn faults<'p>(pod: &'p Fields, containers: &[&str]) -> impl Iterator<Item = String> + use<'p> {
    let annotations = at(pod, "metadata.annotations").and_then(Value::as_object);
    let own = annotations.into_iter().flatten().filter_map(|(key, value)| {
        Some((key, key.strip_prefix(PREFIX)?, value.as_str().unwrap_or_default()))
    });
    let containers: Vec<String> = containers.iter().map(|name| (*name).to_owned()).collect();
    own.filter_map(move |(key, rest, value)| {
        let (name, container) = rest.split_once('.').map_or((rest, None), |(name, of)| (name, Some(of)));
        let Some((_, takes)) = KNOWN.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = KNOWN.iter().map(|(known, _)| *known).collect();
            return Some(format!("{key} says nothing: the kubelet knows {}", known.join(", ")));
        };
        if let Some(container) = container.filter(|of| !containers.iter().any(|name| name == of)) {
            let there = containers.join(", ");
            return Some(format!("{key} says nothing: the pod has no container {container:?}, but {there}"));
        }
        let takes = takes.as_ref().filter(|takes| !(takes.reads)(value))?;
        Some(format!("{key} says nothing: {value:?} is not {}", takes.words))
    })
}

/// Reads `90`, `1.5s`, `200ms`, `2m`, `1h`, `1m30s`; a number alone counts seconds.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let (mut rest, mut seconds) = (text, 0.0);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let (unit, after) =
            after.split_at(after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len()));
        seconds += number.parse::<f64>().ok()?
            * match unit {
                "ms" => 0.001,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                _ => return None,
            };
        rest = after;
    }
    (!text.is_empty()).then(|| Duration::try_from_secs_f64(seconds).ok()).flatten()
}
