//! Manifests: what the user wants of roles and webhook configurations.
//!
//! In: the tables of `kube-codegen.toml`, or flags. Out: jobs with their defaults filled in. It reads header files only.

use super::apis;
use super::definitions::{CrdJob, SchemaPatchJob};
use super::job::header;
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::emit::{ROLE_FILE, RbacOptions};
use crate::naming::is_path_segment;
use crate::output::Header;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A generator of manifests with all that it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct ManifestJob {
    /// Which generator it is.
    pub kind: ManifestKind,
    /// The folders and files in which markers are looked for.
    pub paths: Vec<PathBuf>,
    /// Where the result goes.
    pub destination: Destination,
    /// The text that opens every file.
    pub header: Header,
}

impl ManifestJob {
    /// The same definitions, but for their schemas in manifests that are kept by hand.
    #[must_use]
    pub fn patching(self, manifests: PathBuf) -> Self {
        let kind = match self.kind {
            ManifestKind::Crd(definitions) => {
                ManifestKind::SchemaPatch(SchemaPatchJob { manifests, definitions })
            }
            other => other,
        };
        Self { kind, ..self }
    }
}

/// The generators of manifests, with what each needs to know.
#[derive(Debug, Clone, PartialEq)]
pub enum ManifestKind {
    /// Roles.
    Rbac(RbacOptions),
    /// Webhook configurations.
    Webhook,
    /// Custom resource definitions.
    Crd(CrdJob),
    /// The schemas in custom resource definitions that are kept by hand.
    SchemaPatch(SchemaPatchJob),
}

/// Where manifests go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Into this folder.
    Folder(PathBuf),
    /// To the terminal.
    Stdout,
    /// Nowhere: only the input is checked.
    Nowhere,
}

// Paths, output and header stand in the settings of each generator: one struct for them would need `#[serde(flatten)]`, beside which
// `deny_unknown_fields`, by which a slip in the file is told, does nothing.

/// What can be said of roles.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RbacSettings {
    /// Where markers are looked for: folders with all below them, files, or crates [default: the current folder]
    #[arg(value_name = "PATH")]
    #[serde(default)]
    pub paths: Vec<String>,

    /// The name of the roles whose markers name none
    #[arg(long, value_name = "NAME")]
    pub role_name: Option<String>,

    /// The folder of the manifest [default: config/rbac]
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// The name of the file [default: role.yaml]
    #[arg(long, value_name = "NAME")]
    pub file_name: Option<String>,

    /// The text that opens the file
    #[arg(long, value_name = "FILE")]
    pub header_file: Option<PathBuf>,

    /// What stands for ` YEAR` in the header file
    #[arg(long, value_name = "YEAR")]
    pub year: Option<String>,
}

/// What can be said of webhook configurations.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WebhookSettings {
    /// Where markers are looked for: folders with all below them, files, or crates [default: the current folder]
    #[arg(value_name = "PATH")]
    #[serde(default)]
    pub paths: Vec<String>,

    /// The folder of the manifest [default: config/webhook]
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// The text that opens the file
    #[arg(long, value_name = "FILE")]
    pub header_file: Option<PathBuf>,

    /// What stands for ` YEAR` in the header file
    #[arg(long, value_name = "YEAR")]
    pub year: Option<String>,
}

impl RbacSettings {
    /// These settings, and where they say nothing, those of `base`.
    #[must_use]
    pub fn over(self, base: Self) -> Self {
        Self {
            paths: if self.paths.is_empty() { base.paths } else { self.paths },
            role_name: self.role_name.or(base.role_name),
            output: self.output.or(base.output),
            file_name: self.file_name.or(base.file_name),
            header_file: self.header_file.or(base.header_file),
            year: self.year.or(base.year),
        }
    }

    /// The same settings with paths that start at `folder`.
    #[must_use]
    pub fn rooted(self, folder: &Path) -> Self {
        Self {
            paths: rooted(self.paths, folder),
            output: self.output.map(|path| folder.join(path)),
            header_file: self.header_file.map(|path| folder.join(path)),
            ..self
        }
    }

    /// The job, with defaults filled in.
    ///
    /// # Errors
    /// What is missing or cannot be found.
    pub fn job(&self) -> Result<ManifestJob, Diagnostics> {
        let name = self.role_name.clone();
        let role_name = name
            .ok_or(ConfigProblem::Missing { what: "how roles are called", key: "role-name" })
            .map_err(wrong)?;
        if !is_path_segment(&role_name) {
            return Err(wrong(ConfigProblem::RoleName { name: role_name }));
        }
        let file_name = self.file_name.clone().unwrap_or_else(|| ROLE_FILE.to_owned());
        let output = self.output.clone().unwrap_or_else(|| PathBuf::from("config/rbac"));
        ManifestJob::new(
            ManifestKind::Rbac(RbacOptions { role_name, file_name }),
            &self.paths,
            Destination::Folder(output),
            HeaderChoice { file: self.header_file.as_deref(), year: self.year.as_deref() },
        )
    }
}

impl WebhookSettings {
    /// These settings, and where they say nothing, those of `base`.
    #[must_use]
    pub fn over(self, base: Self) -> Self {
        Self {
            paths: if self.paths.is_empty() { base.paths } else { self.paths },
            output: self.output.or(base.output),
            header_file: self.header_file.or(base.header_file),
            year: self.year.or(base.year),
        }
    }

    /// The same settings with paths that start at `folder`.
    #[must_use]
    pub fn rooted(self, folder: &Path) -> Self {
        Self {
            paths: rooted(self.paths, folder),
            output: self.output.map(|path| folder.join(path)),
            header_file: self.header_file.map(|path| folder.join(path)),
            ..self
        }
    }

    /// The job, with defaults filled in.
    ///
    /// # Errors
    /// What cannot be found.
    pub fn job(&self) -> Result<ManifestJob, Diagnostics> {
        let output = self.output.clone().unwrap_or_else(|| PathBuf::from("config/webhook"));
        ManifestJob::new(
            ManifestKind::Webhook,
            &self.paths,
            Destination::Folder(output),
            HeaderChoice { file: self.header_file.as_deref(), year: self.year.as_deref() },
        )
    }
}

/// Which header a manifest has.
#[derive(Debug, Clone, Copy, Default)]
pub struct HeaderChoice<'a> {
    /// The file with the text.
    pub file: Option<&'a Path>,
    /// What stands for ` YEAR` in it.
    pub year: Option<&'a str>,
}

impl ManifestJob {
    /// A job.
    ///
    /// - `paths`: folders, files or crates; the current folder when there are none.
    ///
    /// # Errors
    /// What cannot be found.
    pub fn new(
        kind: ManifestKind,
        paths: &[String],
        destination: Destination,
        choice: HeaderChoice<'_>,
    ) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let paths = marker_paths(paths).unwrap_or_else(|wrong| {
            diagnostics.extend(wrong);
            Vec::new()
        });
        let header = header(choice.file).unwrap_or_else(|problem| {
            diagnostics.add(problem, Span::file(PathBuf::new()));
            Header::default()
        });
        let header = header.with_year(choice.year.unwrap_or_default());
        diagnostics.into_result(Self { kind, paths, destination, header })
    }
}

/// The places where markers are looked for: folders, files or crates; the current folder when there are none.
///
/// # Errors
/// What cannot be found.
pub fn marker_paths(paths: &[String]) -> Result<Vec<PathBuf>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut found = Vec::new();
    for path in paths {
        match folder(path) {
            Ok(path) => found.push(path),
            Err(problem) => diagnostics.add(problem, Span::file(PathBuf::new())),
        }
    }
    if paths.is_empty() {
        found.push(PathBuf::from("."));
    }
    diagnostics.into_result(found)
}

/// The folder, file or crate that is meant; everything below a folder counts, so `./...` is the same as `.`.
fn folder(path: &str) -> Result<PathBuf, ConfigProblem> {
    let folder = path.strip_suffix("...").map_or(path, |folder| folder.trim_end_matches('/'));
    apis::resolve(if folder.is_empty() { "." } else { folder })
}

pub(super) fn rooted(paths: Vec<String>, folder: &Path) -> Vec<String> {
    let paths = paths.into_iter();
    let join = |path: String| match folder.join(&path) {
        found if found.exists() => found.to_string_lossy().into_owned(),
        _ => path,
    };
    paths.map(join).collect()
}

fn wrong(problem: ConfigProblem) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.add(problem, Span::file(PathBuf::new()));
    diagnostics
}
