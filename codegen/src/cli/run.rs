//! A run: a job is done, or compared, and the terminal says what came of it.

use super::{Exit, Terminal};
use crate::config::Job;
use crate::diagnostic::{Diagnostic, Diagnostics, Problem, SourceProblem};
use crate::generate::{self, Failure, Outcome};
use crate::output::Mode;
use crate::source::PackageInput;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How a run behaves, whichever command it belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct RunOptions {
    /// Write nothing; print a diff and exit with 1 when files are not what they should be
    #[arg(long, visible_alias = "verify-only", conflicts_with = "dry_run")]
    pub check: bool,

    /// Write nothing; say what a run would do
    #[arg(long)]
    pub dry_run: bool,

    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Name every file that changes; twice: the unchanged ones too
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// The folder from which relative paths count
    #[arg(short = 'C', long, value_name = "FOLDER")]
    pub directory: Option<PathBuf>,

    /// How the command is called, in what `--check` tells people to run
    #[arg(long, value_name = "PROGRAM", hide = true)]
    pub called_as: Option<String>,

    /// What `--check` tells people to run; the same command without `--check` when left out
    #[arg(long, value_name = "COMMAND", hide = true)]
    pub repair_command: Option<String>,
}

impl RunOptions {
    pub(super) fn mode(&self) -> Mode {
        match (self.check, self.dry_run) {
            (true, _) => Mode::Check,
            (false, true) => Mode::DryRun,
            (false, false) => Mode::Write,
        }
    }

    /// Makes `--directory` the current folder.
    ///
    /// # Errors
    /// There is no such folder; the terminal has been told.
    pub(super) fn enter(&self, terminal: &mut Terminal<'_>) -> Result<(), Exit> {
        let Some(folder) = &self.directory else { return Ok(()) };
        std::env::set_current_dir(folder).map_err(|error| {
            terminal.error(&format!("cannot enter `{}`: {}", folder.display(), error.kind()));
            Exit::Usage
        })
    }
}

/// The command line of a run, to be shown to people.
#[derive(Debug, Clone)]
pub(super) struct Invocation {
    program: &'static str,
    arguments: Vec<OsString>,
}

impl Invocation {
    pub(super) fn new(program: &'static str, arguments: &[OsString]) -> Self {
        Self { program, arguments: arguments.to_vec() }
    }

    /// The same command, but such that it writes.
    fn repairing(&self, called_as: Option<&str>) -> String {
        let arguments = self.arguments.iter().map(|argument| argument.to_string_lossy());
        let dropped = |word: &str| {
            ["--check", "--verify-only"].contains(&word)
                || ["--called-as=", "--fallback-config="].iter().any(|flag| word.starts_with(flag))
        };
        let kept = arguments.filter(|argument| !dropped(argument));
        let program = called_as.unwrap_or(self.program);
        let words = std::iter::once(quoted(program)).chain(kept.map(|word| quoted(&word)));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=./:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Does a job, and says what came of it.
pub(super) fn run(
    job: Result<Job, Diagnostics>,
    options: &RunOptions,
    invocation: &Invocation,
    terminal: &mut Terminal<'_>,
) -> Exit {
    let started = Instant::now();
    let packages = job.as_ref().map(|job| job.packages.clone()).unwrap_or_default();
    let outcome = job.map_err(Failure::Input).and_then(|job| generate::run(&job, options.mode()));
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(failure) => {
            complain(&failure, &packages, terminal);
            return Exit::Failed;
        }
    };
    report(&outcome, options, terminal);
    if !options.quiet {
        if !outcome.warnings.is_empty() {
            let text = outcome.warnings.render(terminal.style());
            terminal.tell(&text);
        }
        outcome.notes.iter().for_each(|note| terminal.note(note));
    }
    // Where the result is printed, nothing else may be.
    if !options.quiet && outcome.printed.is_none() {
        terminal.line(&summary(&outcome, options, started));
    }
    if !options.check || outcome.report.is_up_to_date() {
        return Exit::Done;
    }
    let repair =
        options.repair_command.clone().unwrap_or_else(|| invocation.repairing(options.called_as.as_deref()));
    terminal.error(&format!("generated files are out of date; to repair, run:\n\n    {repair}\n"));
    Exit::Failed
}

fn report(outcome: &Outcome, options: &RunOptions, terminal: &mut Terminal<'_>) {
    let report = &outcome.report;
    terminal.print(outcome.printed.as_deref().unwrap_or_default());
    report.drift.iter().for_each(|diff| terminal.print(diff));
    let (writes, removes) = match options.mode() {
        Mode::Write => ("wrote", "removed"),
        Mode::Check | Mode::DryRun => ("would write", "would remove"),
    };
    if options.verbose > 0 || (options.dry_run && !options.quiet) {
        list(writes, &report.written, terminal);
        list(removes, &report.removed, terminal);
    }
    if options.verbose > 1 {
        list("unchanged", &report.unchanged, terminal);
    }
}

fn list(what: &str, files: &[PathBuf], terminal: &mut Terminal<'_>) {
    for file in files {
        terminal.line(&format!("{what} {}", shown(file)));
    }
}

/// A path as people would write it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let path = here.as_deref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
    path.strip_prefix(".").unwrap_or(path).display().to_string().replace('\\', "/")
}

fn summary(outcome: &Outcome, options: &RunOptions, started: Instant) -> String {
    let report = &outcome.report;
    let (written, removed) = match options.mode() {
        Mode::Write => ("written", "removed"),
        Mode::Check | Mode::DryRun => ("to write", "to remove"),
    };
    let kinds = match (outcome.groups, outcome.kinds) {
        // Manifests alone: no types were read.
        (0, 0) => String::new(),
        (groups, kinds) => format!("{}, {}: ", counted(groups, "group"), counted(kinds, "kind")),
    };
    format!(
        "{kinds}{} {written}, {} unchanged, {} {removed}, {} ms",
        counted(report.written.len(), "file"),
        report.unchanged.len(),
        report.removed.len(),
        started.elapsed().as_millis(),
    )
}

pub(super) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("{count} {what}") } else { format!("{count} {what}s") }
}

/// Says what is wrong, and what there is in place of a type package that was not found.
pub(super) fn complain(failure: &Failure, packages: &[PackageInput], terminal: &mut Terminal<'_>) {
    match failure {
        Failure::Input(diagnostics) => {
            let text = diagnostics.render(terminal.style());
            terminal.tell(&text);
            if diagnostics.iter().any(is_missing_package) {
                let apis: BTreeSet<&Path> = packages.iter().map(|package| package.apis.as_path()).collect();
                apis.into_iter().for_each(|folder| tell_what_is_in(folder, terminal));
            }
        }
        Failure::Output(_) => terminal.tell(&failure.to_string()),
    }
    terminal.tell("nothing was written\n");
}

fn is_missing_package(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.problem, Problem::Source(SourceProblem::PackageNotFound { .. }))
}

fn tell_what_is_in(folder: &Path, terminal: &mut Terminal<'_>) {
    let groups = crate::config::packages(folder);
    let shown = folder.display();
    if groups.is_empty() {
        terminal.note(&format!("there is no type package in `{shown}`"));
    } else {
        terminal.note(&format!("what there is in `{shown}`: \"{groups}\""));
    }
}
