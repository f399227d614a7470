//! The word `crd:option=value,..` of controller-gen's command line, and the run that it asks for.

use super::run::{RunOptions, complain};
use super::{Exit, Terminal};
use crate::Inputs;
use crate::check::Wanted;
use crate::config::{Reach, package_files};
use crate::crd::CrdOptions;
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::emit::crd::{self, Attribution};
use crate::generate::Failure;
use crate::output::{Generator, Header, Mode, Ownership, Root, apply};
use crate::schema::{DescriptionLimit, EmbeddedObjectMeta, Floats};
use crate::source::PackageInput;
use std::path::{Path, PathBuf};

/// What is wanted of custom resource definitions.
#[derive(Debug, Clone, Default)]
pub(super) struct CrdWords {
    options: CrdOptions,
    attribution: Attribution,
    header_file: Option<PathBuf>,
    year: String,
}

/// Where they go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    /// Into this folder.
    Folder(PathBuf),
    /// To the terminal.
    Stdout,
    /// Nowhere: only the input is checked.
    Nowhere,
}

const NAMES: [&str; 9] = [
    "allowDangerousTypes",
    "crdVersions",
    "deprecatedV1beta1CompatibilityPreserveUnknownFields",
    "generateEmbeddedObjectMeta",
    "headerFile",
    "ignoreUnexportedFields",
    "maxDescLen",
    "omitToolVersion",
    "year",
];

/// Reads the options behind `crd:`.
pub(super) fn read(arguments: &str) -> Result<CrdWords, String> {
    let mut words = CrdWords::default();
    for argument in arguments.split(',').filter(|argument| !argument.is_empty()) {
        let (name, value) = argument
            .split_once('=')
            .ok_or_else(|| format!("`{argument}` has no value; write `{argument}=..`"))?;
        let value = value.trim_matches('"');
        let flag = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("`{name}` is `true` or `false`, not `{value}`")),
        };
        match name {
            "allowDangerousTypes" if flag()? => words.options.schema.floats = Floats::Allowed,
            "generateEmbeddedObjectMeta" if flag()? => {
                words.options.schema.embedded_object_meta = EmbeddedObjectMeta::Fields;
            }
            "omitToolVersion" if flag()? => words.attribution = Attribution::None,
            "deprecatedV1beta1CompatibilityPreserveUnknownFields" => {
                words.options.preserve_unknown_fields = Some(flag()?);
            }
            "maxDescLen" => {
                let length: i64 =
                    value.parse().map_err(|_| format!("`maxDescLen` is a number, not `{value}`"))?;
                words.options.schema.descriptions =
                    usize::try_from(length).map_or(DescriptionLimit::None, DescriptionLimit::Bytes);
            }
            "crdVersions" if value.trim_matches(['{', '}']) != "v1" => {
                return Err(format!(
                    "`crdVersions={value}`: `v1` is the only version of definitions that there is"
                ));
            }
            "headerFile" => words.header_file = Some(PathBuf::from(value)),
            "year" => value.clone_into(&mut words.year),
            name if NAMES.contains(&name) => {}
            _ => {
                let meant = crate::naming::nearest(name, NAMES);
                let meant = meant.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
                return Err(format!("`crd` has no option `{name}`{meant}"));
            }
        }
    }
    Ok(words)
}

/// Makes the definitions.
pub(super) fn run(
    words: &CrdWords,
    paths: &[String],
    destination: &Destination,
    (options, terminal): (&RunOptions, &mut Terminal<'_>),
) -> Exit {
    match make(words, paths, destination, options.mode(), terminal) {
        Ok(()) => Exit::Done,
        Err(failure) => {
            complain(&failure, &[], terminal);
            Exit::Failed
        }
    }
}

fn make(
    words: &CrdWords,
    paths: &[String],
    destination: &Destination,
    mode: Mode,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let header = header(words)?;
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new(packages(paths)?) };
    let loaded = crate::load_definitions(&inputs, &words.options)?;
    match destination {
        Destination::Nowhere => {}
        Destination::Stdout => {
            for definition in &loaded.definitions {
                terminal.print(&crd::document(definition, words.attribution));
            }
        }
        Destination::Folder(folder) => {
            let files = crd::files(&loaded.definitions, words.attribution, &header);
            let ownership = Ownership::Manifests(Generator::Crd);
            let root = Root { folder: folder.clone(), ownership, files };
            let report = apply(vec![root], mode).map_err(Failure::Output)?;
            report.drift.iter().for_each(|diff| terminal.print(diff));
        }
    }
    Ok(())
}

fn header(words: &CrdWords) -> Result<Header, Failure> {
    let Some(file) = &words.header_file else { return Ok(Header::default()) };
    crate::config::header_text(file)
        .map(|text| Header::new(&text.replace(" YEAR", &format!(" {}", words.year))))
        .map_err(|problem| Failure::Input(alone(problem)))
}

fn alone(problem: ConfigProblem) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.add(problem, Span::file(PathBuf::new()));
    diagnostics
}

/// The type packages of `paths=`: folders, files, and `folder/...` for all below a folder.
fn packages(paths: &[String]) -> Result<Vec<PackageInput>, Diagnostics> {
    let mut packages = Vec::new();
    for path in paths {
        let (folder, reach) = match path.strip_suffix("...") {
            Some(folder) => (folder.trim_end_matches('/'), Reach::All),
            None => (path.trim_end_matches('/'), Reach::Folder),
        };
        let folder = Path::new(if folder.is_empty() { "." } else { folder });
        if !folder.exists() {
            let reason = "there is no such file or folder";
            return Err(alone(ConfigProblem::NotAPackage { path: path.clone(), reason }));
        }
        for file in package_files(folder, reach) {
            let input = PackageInput::new(file, "", "");
            if !packages.contains(&input) {
                packages.push(input);
            }
        }
    }
    Ok(packages)
}
