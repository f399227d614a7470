//! What the annotations of a pod say about how its containers are to be played.
//!
//! In: annotations and what the kubelet does without them. Out: rules for one container. An annotation for one container (`exit-code.main`)
//! goes before the one for all (`exit-code`); what cannot be read is as if it were not there.

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

/// Reads `90`, `1.5s`, `200ms`, `2m`, `1h`; a number alone counts seconds.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * unit).ok()
}
