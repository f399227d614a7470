//! Custom resource definitions: what the user wants of them.
//!
//! In: the table of `kube-codegen.toml`, flags, or words of `controller-gen`. Out: a job. It looks for type packages below
//! folders, and reads header files only.

use super::discover::{Reach, package_files};
use super::manifests::{Destination, HeaderChoice, ManifestJob, ManifestKind};
use crate::crd::{ConversionService, CrdOptions, Refusals};
use crate::diagnostic::{ConfigProblem, Convention, Diagnostics, Span};
use crate::emit::Attribution;
use crate::schema::{DescriptionLimit, EmbeddedObjectMeta, Floats, OneOfStyle};
use crate::source::PackageInput;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the generator of definitions needs.
#[derive(Debug, Clone, PartialEq)]
pub struct CrdJob {
    /// What a caller decides about definitions.
    pub options: CrdOptions,
    /// Whether they say which tool made them.
    pub attribution: Attribution,
    /// Where the types are.
    pub source: CrdSource,
    /// How the conventions of APIs are taken.
    pub conventions: Conventions,
}

/// How the conventions of APIs are taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conventions {
    /// What becomes of a run that goes against one.
    pub level: ConventionLevel,
    /// Those that do not count.
    pub allowed: BTreeSet<Convention>,
}

/// What becomes of a run that goes against a convention.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConventionLevel {
    /// A warning is given.
    #[default]
    Warn,
    /// It fails, and nothing is written.
    Deny,
    /// Nothing is said.
    Ignore,
}

/// What the generator that updates definitions needs.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaPatchJob {
    /// The folder with the definitions that are kept by hand.
    pub manifests: PathBuf,
    /// Where their schemas come from.
    pub definitions: CrdJob,
}

/// Where the types of definitions are.
#[derive(Debug, Clone, PartialEq)]
pub enum CrdSource {
    /// In the type packages of the job that this one is a part of.
    OfTheJob,
    /// In these.
    Packages(Vec<PackageInput>),
}

/// What can be said of definitions.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CrdSettings {
    /// Where the types are: folders with all below them, or files [default: as kube-codegen.toml says, or the current folder]
    #[arg(value_name = "PATH")]
    #[serde(default)]
    pub paths: Vec<String>,

    /// The folder of the manifests [default: config/crd]
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// The most bytes of a description, cut back to a whole sentence; 0 for none
    #[arg(long, value_name = "BYTES")]
    pub max_description_length: Option<usize>,

    /// Allow floats, which are not recommended
    #[arg(long, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub allow_floats: Option<bool>,

    /// Write out the fields of metadata within a type
    #[arg(long, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub embedded_metadata: Option<bool>,

    /// How sets of which some fields are there are written [default: rules]
    #[arg(long, value_name = "STYLE")]
    pub one_of: Option<OneOfStyle>,

    /// The service that converts kinds with several versions, as NAMESPACE/NAME, with :PORT and /PATH where they are not 443 and /convert
    #[arg(long, value_name = "SERVICE")]
    pub conversion_service: Option<ConversionService>,

    /// What becomes of types that go against the conventions of Kubernetes APIs [default: warn]
    #[arg(long, value_name = "LEVEL")]
    pub conventions: Option<ConventionLevel>,

    /// A convention that does not count; repeated or as a comma list
    #[arg(long, value_name = "CONVENTION", value_delimiter = ',')]
    #[serde(default)]
    pub allow_conventions: Vec<Convention>,

    /// What becomes of definitions that a server would refuse though controller-gen writes them [default: deny]
    #[arg(long, value_name = "LEVEL")]
    pub refusals: Option<Refusals>,

    /// The text that opens every file
    #[arg(long, value_name = "FILE")]
    pub header_file: Option<PathBuf>,

    /// What stands for ` YEAR` in the header file
    #[arg(long, value_name = "YEAR")]
    pub year: Option<String>,
}

impl CrdSettings {
    /// These settings, and where they say nothing, those of `base`.
    #[must_use]
    pub fn over(self, base: Self) -> Self {
        Self {
            paths: if self.paths.is_empty() { base.paths } else { self.paths },
            output: self.output.or(base.output),
            max_description_length: self.max_description_length.or(base.max_description_length),
            allow_floats: self.allow_floats.or(base.allow_floats),
            embedded_metadata: self.embedded_metadata.or(base.embedded_metadata),
            one_of: self.one_of.or(base.one_of),
            conversion_service: self.conversion_service.or(base.conversion_service),
            conventions: self.conventions.or(base.conventions),
            allow_conventions: [base.allow_conventions, self.allow_conventions].concat(),
            refusals: self.refusals.or(base.refusals),
            header_file: self.header_file.or(base.header_file),
            year: self.year.or(base.year),
        }
    }

    /// The same settings with paths that start at `folder`.
    #[must_use]
    pub fn rooted(self, folder: &Path) -> Self {
        Self {
            paths: super::manifests::rooted(self.paths, folder),
            output: self.output.map(|path| folder.join(path)),
            header_file: self.header_file.map(|path| folder.join(path)),
            ..self
        }
    }

    /// The job, with defaults filled in.
    ///
    /// - `source`: where the types are when the settings name no path.
    ///
    /// # Errors
    /// What cannot be found.
    pub fn job(&self, source: CrdSource) -> Result<ManifestJob, Diagnostics> {
        // A folder is meant with all below it.
        let whole = |path: &String| {
            let is_said = !Path::new(path).is_dir() || path.ends_with("...");
            if is_said { path.clone() } else { format!("{}/...", path.trim_end_matches('/')) }
        };
        let paths: Vec<String> = self.paths.iter().map(whole).collect();
        let source = if paths.is_empty() { source } else { CrdSource::Packages(type_packages(&paths)?) };
        let mut options = CrdOptions { conversion: self.conversion_service.clone(), ..CrdOptions::default() };
        if let Some(bytes) = self.max_description_length {
            options.schema.descriptions = DescriptionLimit::Bytes(bytes);
        }
        options.refusals = self.refusals.unwrap_or_default();
        options.schema.one_of = self.one_of.unwrap_or_default();
        if self.allow_floats == Some(true) {
            options.schema.floats = Floats::Allowed;
        }
        if self.embedded_metadata == Some(true) {
            options.schema.embedded_object_meta = EmbeddedObjectMeta::Fields;
        }
        let conventions = Conventions {
            level: self.conventions.unwrap_or_default(),
            allowed: self.allow_conventions.iter().copied().collect(),
        };
        let attribution = Attribution::default();
        let output = self.output.clone().unwrap_or_else(|| PathBuf::from("config/crd"));
        ManifestJob::new(
            ManifestKind::Crd(CrdJob { options, attribution, source, conventions }),
            &[],
            Destination::Folder(output),
            HeaderChoice { file: self.header_file.as_deref(), year: self.year.as_deref() },
        )
    }
}

/// What can be said of definitions that are kept by hand.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct SchemaPatchSettings {
    /// Where the types are: folders with all below them, or files [default: as kube-codegen.toml says, or the current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,

    /// The folder of the manifests that are kept by hand
    #[arg(long, value_name = "FOLDER")]
    pub manifests: PathBuf,

    /// Where the updated manifests go [default: the folder they are in]
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// The most bytes of a description, cut back to a whole sentence; 0 for none
    #[arg(long, value_name = "BYTES")]
    pub max_description_length: Option<usize>,

    /// Allow floats, which are not recommended
    #[arg(long)]
    pub allow_floats: bool,

    /// Write out the fields of metadata within a type
    #[arg(long)]
    pub embedded_metadata: bool,

    /// How sets of which some fields are there are written [default: rules]
    #[arg(long, value_name = "STYLE")]
    pub one_of: Option<OneOfStyle>,
}

impl From<SchemaPatchSettings> for CrdSettings {
    /// What these settings say of the definitions themselves.
    fn from(settings: SchemaPatchSettings) -> Self {
        Self {
            paths: settings.paths,
            max_description_length: settings.max_description_length,
            allow_floats: settings.allow_floats.then_some(true),
            embedded_metadata: settings.embedded_metadata.then_some(true),
            one_of: settings.one_of,
            ..Self::default()
        }
    }
}

/// The type packages at these paths: folders, files, and `folder/...` for all below a folder. The current folder and all
/// below it when there are no paths.
///
/// # Errors
/// There is no such path.
pub fn type_packages(paths: &[String]) -> Result<Vec<PackageInput>, Diagnostics> {
    let mut packages = Vec::new();
    let mut diagnostics = Diagnostics::new();
    let here = [String::from("./...")];
    for path in if paths.is_empty() { here.as_slice() } else { paths } {
        let (folder, reach) = match path.strip_suffix("...") {
            Some(folder) => (folder.trim_end_matches('/'), Reach::All),
            None => (path.trim_end_matches('/'), Reach::Folder),
        };
        let folder = Path::new(if folder.is_empty() { "." } else { folder });
        if !folder.exists() {
            let reason = "there is no such file or folder";
            let problem = ConfigProblem::NotAPackage { path: path.clone(), reason };
            diagnostics.add(problem, Span::file(PathBuf::new()));
            continue;
        }
        for file in package_files(folder, reach, &mut diagnostics) {
            let input = PackageInput::new(file, "", "");
            if !packages.contains(&input) {
                packages.push(input);
            }
        }
    }
    diagnostics.into_result(packages)
}
