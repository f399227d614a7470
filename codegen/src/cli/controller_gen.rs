//! `controller-gen`: generators, `paths=` and `output:` in the form of its Go namesake. This version has `object` only.

use super::run::{Invocation, RunOptions, run as run_job};
use super::{Exit, Terminal, Tool, answer, markers, parts};
use crate::config::{Generators, Job, Placement, Settings};
use crate::diagnostic::{Diagnostics, Span};
use crate::output::Generator;
use crate::source::PackageInput;
use clap::Parser;
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Arguments:
  object[:headerFile=FILE]   trait impls and list types, beside the types
  paths=PATHS                type packages, several with `;`: ./src/apis/cnat/v1alpha1, or ./... for all below
  output:none                write nothing, only check the input (also output:object:none)

Example:
  controller-gen object:headerFile=hack/boilerplate.rs.txt paths=./...

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Generators of manifests that this version does not have.
const MANIFESTS: &[&str] = &["crd", "rbac", "webhook", "schemapatch"];

/// Runs controller-gen's generators over annotated types
#[derive(Debug, Parser)]
#[command(name = "controller-gen", version, after_help = EXAMPLES)]
struct ControllerGen {
    /// Generators, `paths=..` and `output:..`
    #[arg(value_name = "ARGUMENTS")]
    words: Vec<String>,

    /// Print the reference of all markers, as Markdown
    #[arg(short = 'w', long)]
    which_markers: bool,

    #[command(flatten)]
    run: RunOptions,
}

/// What the words say.
#[derive(Debug, Default)]
struct Request {
    object: Option<Object>,
    paths: Vec<String>,
    none: Output,
}

/// The `object` generator with its arguments.
#[derive(Debug, Default)]
struct Object {
    header_file: Option<PathBuf>,
}

#[derive(Debug, Default, PartialEq)]
enum Output {
    #[default]
    BesideTypes,
    None,
}

pub(super) fn run(arguments: Vec<OsString>, terminal: &mut Terminal<'_>) -> Exit {
    let tool = Tool::ControllerGen.name();
    let invocation = Invocation::new(tool, &arguments);
    let mut parsed = match answer::parse::<ControllerGen>(tool, arguments, terminal) {
        Ok(parsed) => parsed,
        Err(exit) => return exit,
    };
    if parsed.which_markers {
        terminal.print(&markers::markdown());
        return Exit::Done;
    }
    let request = match request(&parsed.words, terminal) {
        Ok(request) => request,
        Err(complaint) => {
            terminal.error(&complaint);
            return Exit::Usage;
        }
    };
    if let Err(exit) = parsed.run.enter(terminal) {
        return exit;
    }
    parsed.run.dry_run |= request.none == Output::None;
    run_job(job(&request), &parsed.run, &invocation, terminal)
}

fn request(words: &[String], terminal: &mut Terminal<'_>) -> Result<Request, String> {
    let mut request = Request::default();
    for word in words {
        let (name, arguments) = word.split_once(':').unwrap_or((word, ""));
        match name {
            "object" => request.object = Some(object(arguments, terminal)?),
            "output" => request.none = output(arguments)?,
            name if MANIFESTS.contains(&name) => {
                return Err(format!("this version has no generator `{name}`: it writes no manifests yet"));
            }
            "applyconfiguration" => {
                return Err("apply configurations are made by `applyconfiguration-gen`".to_owned());
            }
            _ => match word.split_once('=') {
                Some(("paths", paths)) => {
                    let paths = paths.trim_matches('"').split(';').filter(|path| !path.is_empty());
                    request.paths.extend(paths.map(str::to_owned));
                }
                _ => return Err(unknown(word)),
            },
        }
    }
    match (&request.object, request.paths.is_empty()) {
        (None, _) => Err("no generator is named; write `object`".to_owned()),
        (_, true) => Err("nothing says where the types are; write `paths=./...`".to_owned()),
        _ => Ok(request),
    }
}

fn unknown(word: &str) -> String {
    let name = word.split([':', '=']).next().unwrap_or(word);
    let meant = crate::naming::nearest(name, ["object", "paths", "output"]);
    let meant = meant.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
    format!("`{word}` is no generator, and neither `paths=` nor `output:`{meant}")
}

fn object(arguments: &str, terminal: &mut Terminal<'_>) -> Result<Object, String> {
    let mut object = Object::default();
    for argument in arguments.split(',').filter(|argument| !argument.is_empty()) {
        match argument.split_once('=') {
            Some(("headerFile", file)) => object.header_file = Some(PathBuf::from(file.trim_matches('"'))),
            Some(("year", _)) => terminal.note("`year` has no effect: headers are taken as they stand"),
            _ => return Err(format!("`object` has no argument `{argument}`; it takes `headerFile=FILE`")),
        }
    }
    Ok(object)
}

fn output(rule: &str) -> Result<Output, String> {
    let rule = rule.strip_prefix("object:").unwrap_or(rule);
    match rule.split_once('=').unwrap_or((rule, "")).0 {
        "none" => Ok(Output::None),
        "dir" | "stdout" | "artifacts:config" | "artifacts:code" => {
            Err(format!("`output:{rule}` is not supported: the files of `object` stand beside the types"))
        }
        _ => Err(format!(
            "there is no output rule `{rule}`; the rules are `output:none`, and nothing for beside the types"
        )),
    }
}

fn job(request: &Request) -> Result<Job, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut packages: Vec<PackageInput> = Vec::new();
    for path in &request.paths {
        match parts::inputs_of(path) {
            Ok(found) => packages
                .extend(found.into_iter().filter(|input| !packages.contains(input)).collect::<Vec<_>>()),
            Err(problem) => diagnostics.add(problem, Span::file(PathBuf::new())),
        }
    }
    let header_file = request.object.as_ref().and_then(|object| object.header_file.clone());
    let settings = Settings { header_file, ..Settings::default() };
    let job = Job::over(packages, &settings, &Generators::one(Generator::Object), Placement::BesideTypes);
    match job {
        Ok(job) => diagnostics.into_result(job),
        Err(others) => {
            diagnostics.extend(others);
            Err(diagnostics)
        }
    }
}
