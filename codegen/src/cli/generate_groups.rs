//! `generate-groups`: the historic form, `<generators> <output> <apis> "<groups>" [flags]`.

use super::answer::parse;
use super::kube_codegen::{Source, configured};
use super::run::{Invocation, RunOptions, run as run_job};
use super::{Exit, Terminal, Tool};
use crate::config::{Generators, Groups, Job, Settings};
use clap::{CommandFactory, Parser};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

const USAGE: &str = "\
generate-groups <GENERATORS> <OUTPUT> <APIS> \"<GROUP>:<VERSION>,<VERSION> <GROUP>:<VERSION>\" [FLAGS]
       generate-groups <GENERATORS> [FLAGS]    (the rest from kube-codegen.toml)";

const EXAMPLES: &str = "\
Generators: all, or a comma list of object (also: deepcopy), client, lister, informer, applyconfiguration.

Examples:
  generate-groups all
      everything, as kube-codegen.toml says
  generate-groups all src/client src/apis \"cnat:v1alpha1 webapp:v1,v2\"
      everything, into a module of this crate
  generate-groups client,lister,informer ../my-client my-apis \"cnat:v1alpha1\" \\
      --go-header-file hack/boilerplate.txt
      some of it, into a crate of its own, from the crate `my-apis`

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Runs generators over groups of annotated types
#[derive(Debug, Parser)]
#[command(name = "generate-groups", version, after_help = EXAMPLES, override_usage = USAGE)]
struct GenerateGroups {
    /// `all`, or a comma list of generators
    #[arg(value_name = "GENERATORS")]
    generators: Generators,

    /// Where the generated code goes: as --output
    #[arg(value_name = "OUTPUT", id = "OUTPUT", requires = "GROUPS")]
    second: Option<PathBuf>,

    /// Where the types are: as --apis
    #[arg(value_name = "APIS", id = "APIS")]
    third: Option<String>,

    /// The groups and versions: as --groups
    #[arg(value_name = "GROUPS", id = "GROUPS")]
    fourth: Option<Groups>,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    run: RunOptions,
}

pub(super) fn run(arguments: Vec<OsString>, terminal: &mut Terminal<'_>) -> Exit {
    let tool = Tool::GenerateGroups.name();
    let invocation = Invocation::new(tool, &arguments);
    if let Some(exit) = incomplete(&arguments, terminal) {
        return exit;
    }
    let parsed = match parse::<GenerateGroups>(tool, arguments, terminal) {
        Ok(parsed) => parsed,
        Err(exit) => return exit,
    };
    if let Err(exit) = parsed.run.enter(terminal) {
        return exit;
    }
    let GenerateGroups { generators, second, third, fourth, settings, source, run } = parsed;
    let by_place = Settings { output: second, apis: third, groups: fourth, ..Settings::default() };
    let job = if by_place.output.is_some() {
        Job::new(&by_place.over(settings), &generators, &BTreeSet::new())
    } else {
        configured(&source, settings, Some(generators))
    };
    run_job(job, &run, &invocation, terminal)
}

/// Usage for a call without arguments, and a complaint about one whose arguments stop half way.
fn incomplete(arguments: &[OsString], terminal: &mut Terminal<'_>) -> Option<Exit> {
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let positional = words.iter().filter(|word| !word.starts_with('-')).count();
    // A flag whose value is a word of its own would be miscounted; clap sorts that out.
    let certain = words.iter().all(|word| !word.starts_with('-') || word.contains('='));
    match (positional, certain) {
        (0, true) => {
            let help = GenerateGroups::command().render_help().to_string();
            terminal.print(&help);
            Some(Exit::Done)
        }
        (count @ (2 | 3), true) => {
            terminal.error(&format!(
                "{count} arguments are given; four are needed, or one with the rest in kube-codegen.toml"
            ));
            terminal.tell(&format!("\nUsage: {USAGE}\n\nFor more, try `generate-groups --help`.\n"));
            Some(Exit::Usage)
        }
        _ => None,
    }
}
