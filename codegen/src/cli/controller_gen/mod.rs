//! `controller-gen`: generators, `paths=` and `output:` in the form of its Go namesake.

mod help;
mod jobs;
mod request;

use super::run::{Invocation, RunOptions, run as run_job};
use super::{Exit, Terminal, Tool, answer};
use clap::{ArgAction, CommandFactory, Parser};
use request::Request;
use std::ffi::OsString;

const EXAMPLES: &str = "\
Examples:
  controller-gen rbac:roleName=manager-role webhook paths=./... output:rbac:dir=config/rbac output:stdout
      roles to a folder, webhook configurations to the terminal
  controller-gen object:headerFile=hack/boilerplate.rs.txt paths=./src/apis/...
      trait impls beside the types
  controller-gen rbac:roleName=manager-role -ww
      the markers that roles are made from, with their arguments

Without an output rule, manifests of a generator go to `config/<generator>`, and Rust code beside the types.
Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Runs controller-gen's generators over Rust source
#[derive(Debug, Parser)]
#[command(
    name = "controller-gen",
    after_help = EXAMPLES,
    disable_help_flag = true,
    disable_version_flag = true
)]
struct ControllerGen {
    /// Generators, `paths=..` and `output:..`; `-h` lists them
    #[arg(value_name = "ARGUMENTS")]
    words: Vec<String>,

    /// List the markers of the generators named: -w in short, -ww with arguments, -www in full, -wwww as JSON
    #[arg(short = 'w', long = "which-markers", action = ArgAction::Count)]
    which_markers: u8,

    /// List the arguments: -h in short, -hh with their own arguments, -hhh in full, -hhhh as JSON
    #[arg(short = 'h', long = "detailed-help", action = ArgAction::Count)]
    detailed_help: u8,

    /// Print this help
    #[arg(long)]
    help: bool,

    /// Print the version
    #[arg(long)]
    version: bool,

    /// Known from Go; without effect
    #[arg(long, value_name = "TAGS")]
    load_build_tags: Vec<String>,

    #[command(flatten)]
    run: RunOptions,
}

pub(super) fn run(arguments: Vec<OsString>, terminal: &mut Terminal<'_>) -> Exit {
    let tool = Tool::ControllerGen.name();
    let invocation = Invocation::new(tool, &arguments);
    let parsed = match answer::parse::<ControllerGen>(tool, arguments, terminal) {
        Ok(parsed) => parsed,
        Err(exit) => return exit,
    };
    if let Some(exit) = told(&parsed, terminal) {
        return exit;
    }
    let words = parsed.words.join(" ");
    let request = match Request::read(&parsed.words) {
        Ok(request) => request,
        Err(complaints) => {
            complaints.iter().for_each(|complaint| terminal.error(complaint));
            hint(&words, terminal);
            return Exit::Usage;
        }
    };
    if parsed.which_markers > 0 {
        terminal.print(&help::markers(&request, parsed.which_markers));
        return Exit::Done;
    }
    if let Err(exit) = parsed.run.enter(terminal) {
        return exit;
    }
    request.notes.iter().for_each(|note| terminal.note(note));
    let job = jobs::job(&request);
    let exit = run_job(job, &parsed.run, &invocation, terminal);
    if exit == Exit::Failed && !parsed.run.check {
        hint(&words, terminal);
    }
    exit
}

/// What needs no source at all.
fn told(parsed: &ControllerGen, terminal: &mut Terminal<'_>) -> Option<Exit> {
    if parsed.version {
        terminal.line(&format!("Version: v{}", env!("CARGO_PKG_VERSION")));
    } else if parsed.help {
        terminal.print(&ControllerGen::command().render_help().to_string());
    } else if parsed.detailed_help > 0 {
        terminal.print(&help::options(parsed.detailed_help));
    } else {
        return None;
    }
    Some(Exit::Done)
}

fn hint(words: &str, terminal: &mut Terminal<'_>) {
    let words = if words.is_empty() { String::new() } else { format!(" {words}") };
    terminal.tell(&format!(
        "run `controller-gen{words} -w` to see all available markers, or `controller-gen{words} -h` for usage\n"
    ));
}
