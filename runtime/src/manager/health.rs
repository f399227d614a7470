//! Health and readiness, as probes and people ask for them.
//!
//! In: named checks, and a path with its query. Out: a status and a text in the form of Kubernetes' own components. Never: the reason of a
//! failure; that is for the log.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use parking_lot::RwLock;
use tracing::warn;

type Check = dyn Fn() -> Result<(), String> + Send + Sync;

/// Named checks behind one path. A cheap handle.
#[derive(Clone, Default)]
pub struct Checks {
    checks: Arc<RwLock<BTreeMap<String, Arc<Check>>>>,
}

impl Checks {
    /// Adds a check, or replaces the one of that name. It must answer at once; `Err` is a reason for the log.
    pub fn add(&self, name: &str, check: impl Fn() -> Result<(), String> + Send + Sync + 'static) {
        self.checks.write().insert(name.to_owned(), Arc::new(check));
    }

    /// The answer to `/<endpoint>` or `/<endpoint>/<check>` with this query: `verbose`, and any number of `exclude=<check>`.
    #[must_use]
    pub(super) fn answer(&self, endpoint: &str, check: Option<&str>, query: &str) -> (u16, String) {
        let checks: Vec<(String, Arc<Check>)> = {
            let checks = self.checks.read();
            let wanted = checks.iter().filter(|(name, _)| check.is_none_or(|check| check == name.as_str()));
            wanted.map(|(name, check)| (name.clone(), Arc::clone(check))).collect()
        };
        if let (Some(check), true) = (check, checks.is_empty()) {
            return (404, format!("there is no check {check}\n"));
        }
        let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let (mut excluded, mut verbose) = (Vec::new(), false);
        for (key, value) in pairs {
            match key {
                "exclude" => excluded.push(value),
                "verbose" => verbose = true,
                _ => {}
            }
        }
        let (healthy, mut text) = run(endpoint, &checks, &mut excluded);
        for name in excluded {
            // Writing to a string does not fail.
            let _ = writeln!(text, "warn: some health checks cannot be excluded: no matches for {name:?}");
        }
        let _ = writeln!(text, "{endpoint} check {}", if healthy { "passed" } else { "failed" });
        match (healthy, verbose) {
            (true, false) => (200, "ok".to_owned()),
            (true, true) => (200, text),
            (false, _) => (500, text),
        }
    }
}

fn run(endpoint: &str, checks: &[(String, Arc<Check>)], excluded: &mut Vec<&str>) -> (bool, String) {
    let (mut healthy, mut text) = (true, String::new());
    for (name, check) in checks {
        if excluded.contains(&name.as_str()) {
            excluded.retain(|other| other != name);
            let _ = writeln!(text, "[+]{name} excluded: ok");
            continue;
        }
        match check() {
            Ok(()) => {
                let _ = writeln!(text, "[+]{name} ok");
            }
            Err(reason) => {
                warn!(endpoint, check = name, reason, "a health check has failed");
                let _ = writeln!(text, "[-]{name} failed: reason withheld");
                healthy = false;
            }
        }
    }
    (healthy, text)
}

impl std::fmt::Debug for Checks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.checks.read().keys()).finish()
    }
}
