//! Scenarios and what came of them.

use std::{collections::BTreeMap, io::Read as _};

use flate2::read::GzDecoder;
use serde::Deserialize;

/// A scenario with what its commands printed.
#[derive(Debug, Deserialize)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) namespace: Option<bool>,
    #[serde(default)]
    pub(crate) cleanup: Vec<String>,
    steps: Vec<Written>,
    pub(crate) commands: Vec<Printed>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Written {
    Plain(String),
    Full(Box<Step>),
}

/// One step.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Step {
    pub(crate) run: String,
    pub(crate) stdin: Option<String>,
    pub(crate) timeout: Option<f64>,
    pub(crate) sort: bool,
    pub(crate) hide: Vec<String>,
    pub(crate) ages: bool,
    /// For how many seconds the command is repeated until it succeeds.
    pub(crate) retry: f64,
    pub(crate) quiet: bool,
    pub(crate) sleep: Option<f64>,
    /// The name of a command that goes on.
    pub(crate) background: Option<String>,
    pub(crate) settle: Option<f64>,
    pub(crate) until: Option<String>,
    /// The name of a command that is ended.
    pub(crate) collect: Option<String>,
    pub(crate) lines: Option<usize>,
    pub(crate) within: Option<f64>,
}

/// What a command printed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Printed {
    pub(crate) run: String,
    pub(crate) exit: serde_json::Value,
    pub(crate) stdout: Vec<String>,
    pub(crate) stderr: Vec<String>,
    /// What another version of kubectl prints.
    pub(crate) with: BTreeMap<String, serde_json::Value>,
}

impl Scenario {
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step> {
        self.steps.iter().map(|step| match step {
            Written::Plain(run) => Step { run: run.clone(), ..Step::default() },
            Written::Full(step) => (**step).clone(),
        })
    }
}

impl Printed {
    /// What a version of kubectl prints.
    pub(crate) fn as_with(&self, version: &str) -> Self {
        let mut printed = self.clone();
        let Some(other) = self.with.get(version) else { return printed };
        let lines = |name: &str| serde_json::from_value(other[name].clone()).ok();
        if let Some(exit) = other.get("exit") {
            printed.exit = exit.clone();
        }
        printed.stdout = lines("stdout").unwrap_or(printed.stdout);
        printed.stderr = lines("stderr").unwrap_or(printed.stderr);
        printed
    }
}

/// What came of a scenario.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) name: String,
    pub(crate) commands: usize,
    pub(crate) different: Vec<usize>,
    pub(crate) report: String,
}

impl Outcome {
    pub(crate) fn differing(&self) -> impl Iterator<Item = (String, usize)> {
        self.different.iter().map(|index| (self.name.clone(), *index))
    }
}

/// The recorded scenarios.
pub(crate) fn load() -> Vec<Scenario> {
    let mut text = String::new();
    GzDecoder::new(&include_bytes!("recordings.json.gz")[..]).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// What two runs of a command print differently.
pub(crate) fn difference(want: &Printed, got: &Printed) -> Vec<String> {
    let mut out = Vec::new();
    if want.exit != got.exit {
        out.push(format!("exit: want {} got {}", want.exit, got.exit));
    }
    for (name, want, got) in [("stdout", &want.stdout, &got.stdout), ("stderr", &want.stderr, &got.stderr)] {
        if want != got {
            let lost = want.iter().filter(|line| !got.contains(line)).map(|line| format!("{name}: -{line}"));
            out.extend(lost);
            let new = got.iter().filter(|line| !want.contains(line)).map(|line| format!("{name}: +{line}"));
            out.extend(new);
            if out.is_empty() {
                out.push(format!("{name}: the same lines in another order or number"));
            }
        }
    }
    out
}
