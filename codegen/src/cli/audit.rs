//! `kube-codegen rbac --from-usage`: what generated clients may ask for, against what markers grant.

use super::kube_codegen::{Source, no_config};
use super::run::{RunOptions, complain, counted};
use super::{Exit, Terminal};
use crate::check::Wanted;
use crate::config::{ConfigFile, Generators, Job, RbacSettings, marker_paths};
use crate::diagnostic::Diagnostics;
use crate::generate::Failure;
use crate::model::Model;
use crate::output::Generator;
use crate::{Audit, Inputs, load, load_audit};
use std::collections::BTreeSet;

/// What makes a comparison fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Findings {
    /// Requests that no marker grants.
    Missing,
    /// These, permissions that nobody uses, and clients that cannot be followed.
    Exact,
}

pub(super) fn run(
    (settings, findings): (RbacSettings, Findings),
    source: &Source,
    options: &RunOptions,
    terminal: &mut Terminal<'_>,
) -> Exit {
    if let Err(exit) = options.enter(terminal) {
        return exit;
    }
    let Audit { requests, findings: found } = match audit(settings, source) {
        Ok(audit) => audit,
        Err(wrong) => {
            complain(&Failure::Input(wrong), &[], terminal);
            return Exit::Failed;
        }
    };
    let found = if findings == Findings::Exact { found.denied() } else { found };
    let failed = found.has_errors();
    if failed || !options.quiet {
        let text = found.render(terminal.style());
        terminal.tell(&text);
    }
    if !options.quiet {
        let verdict = match found.is_empty() {
            true => "all granted, and nothing else",
            false if failed => "the markers do not say the same",
            false => "all granted",
        };
        let requests = counted(requests, "request");
        terminal.line(&format!("{requests} of generated clients: {verdict}"));
    }
    if failed { Exit::Failed } else { Exit::Done }
}

fn audit(settings: RbacSettings, source: &Source) -> Result<Audit, Diagnostics> {
    let file = source.read()?.ok_or_else(no_config)?;
    let model = model_of(&file)?;
    let settings = settings.over(file.rbac.unwrap_or_default());
    load_audit(&marker_paths(&settings.paths)?, &model)
}

/// The model of the type packages that a config file names.
pub(super) fn model_of(file: &ConfigFile) -> Result<Model, Diagnostics> {
    let job = Job::new(&file.settings, &Generators::one(Generator::Object), &BTreeSet::new())?;
    let inputs = Inputs {
        plural_exceptions: job.plurals.clone(),
        wanted: Wanted::Anything,
        ..Inputs::new(job.packages)
    };
    load(&inputs)
}
