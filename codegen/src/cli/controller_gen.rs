//! `controller-gen`: generators, `paths=` and `output:` in the form of its Go namesake. This version has `object` and `crd`.

use super::crd_words::{self, CrdWords, Destination};
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
  crd[:OPTIONS]              custom resource definitions, as YAML: maxDescLen=N, allowDangerousTypes=true,
                             generateEmbeddedObjectMeta=true, headerFile=FILE, year=YEAR, omitToolVersion=true
  paths=PATHS                type packages, several with `;`: ./src/apis/cnat/v1alpha1, or ./... for all below
  output:none                write nothing, only check the input (also output:object:none, output:crd:none)
  output:crd:dir=FOLDER      where the definitions go; config/crd when left out
  output:crd:stdout          print the definitions (also output:stdout)

Example:
  controller-gen object:headerFile=hack/boilerplate.rs.txt paths=./...
  controller-gen crd paths=./... output:crd:dir=config/crd/bases

Exit codes: 0 done; 1 errors in the input, or files out of date with --check; 2 wrong usage.";

/// Generators of manifests that this version does not have.
const MANIFESTS: &[&str] = &["rbac", "webhook", "schemapatch"];

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
    crd: Option<CrdWords>,
    destination: Option<Destination>,
    paths: Vec<String>,
    none: Output,
}

impl Request {
    /// Whether an output rule says where files go.
    fn places_files(&self) -> bool {
        matches!(self.destination, Some(Destination::Folder(_) | Destination::Stdout))
    }
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
    let mut exit = Exit::Done;
    if let Some(words) = &request.crd {
        let folder = || Destination::Folder(PathBuf::from("config/crd"));
        let destination = request.destination.clone().unwrap_or_else(folder);
        exit = crd_words::run(words, &request.paths, &destination, (&parsed.run, terminal));
    }
    if request.object.is_none() || exit != Exit::Done {
        return exit;
    }
    run_job(job(&request), &parsed.run, &invocation, terminal)
}

fn request(words: &[String], terminal: &mut Terminal<'_>) -> Result<Request, String> {
    let mut request = Request::default();
    for word in words {
        let (name, arguments) = word.split_once(':').unwrap_or((word, ""));
        match name {
            "object" => request.object = Some(object(arguments, terminal)?),
            "crd" => request.crd = Some(crd_words::read(arguments)?),
            "output" => output(arguments, &mut request)?,
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
        (None, _) if request.crd.is_none() => {
            Err("no generator is named; write `object` or `crd`".to_owned())
        }
        (Some(_), false) if request.crd.is_none() && request.places_files() => {
            Err("an output rule for `object` alone is not supported: its files stand beside the types"
                .to_owned())
        }
        (_, true) => Err("nothing says where the types are; write `paths=./...`".to_owned()),
        _ => Ok(request),
    }
}

fn unknown(word: &str) -> String {
    let name = word.split([':', '=']).next().unwrap_or(word);
    let meant = crate::naming::nearest(name, ["object", "crd", "paths", "output"]);
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

fn output(rule: &str, request: &mut Request) -> Result<(), String> {
    let (only, rule) = match rule.split_once(':') {
        Some(("object", rule)) => (Some("object"), rule),
        Some(("crd", rule)) => (Some("crd"), rule),
        _ => (None, rule),
    };
    let folder = |text: &str| Some(Destination::Folder(PathBuf::from(text.trim_matches('"'))));
    let destination = match rule.split_once('=').unwrap_or((rule, "")) {
        ("none", _) => {
            if only != Some("crd") {
                request.none = Output::None;
            }
            Some(Destination::Nowhere)
        }
        ("dir", path) => folder(path),
        ("artifacts:config", paths) => folder(paths.split(',').next().unwrap_or_default()),
        ("stdout", _) => Some(Destination::Stdout),
        _ => {
            return Err(format!(
                "there is no output rule `{rule}`; the rules are `none`, `stdout`, `dir=FOLDER` and `artifacts:config=FOLDER`"
            ));
        }
    };
    match only {
        Some("object") if rule != "none" => Err(format!(
            "`output:object:{rule}` is not supported: the files of `object` stand beside the types"
        )),
        Some("object") => Ok(()),
        _ => {
            request.destination = destination;
            Ok(())
        }
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
