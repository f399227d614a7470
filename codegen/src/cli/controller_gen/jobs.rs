//! From what the words say to a job.

use super::request::{Request, Rule, text_of, texts};
use crate::cli::parts::inputs_of;
use crate::config::{
    ConventionLevel, Conventions, CrdJob, CrdSource, Destination, Generators, HeaderChoice, Job, ManifestJob,
    ManifestKind, Placement, Settings, type_packages,
};
use crate::crd::{CrdOptions, Refusals};
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::emit::{Attribution, ROLE_FILE, RbacOptions};
use crate::marker::{Marker, Value};
use crate::output::Generator;
use crate::schema::{DescriptionLimit, EmbeddedObjectMeta, Floats};
use crate::source::PackageInput;
use std::path::{Path, PathBuf};

/// The job.
///
/// # Errors
/// What cannot be found, or is not supported.
pub(super) fn job(request: &Request) -> Result<Job, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut object = None;
    let mut manifests = Vec::new();
    for generator in &request.generators {
        let made = match generator.definition.name {
            "object" => types(request, generator).map(|job| object = Some(job)),
            "rbac" => rbac(request, generator).map(|job| manifests.push(job)),
            "webhook" => manifest(request, generator, ManifestKind::Webhook).map(|job| manifests.push(job)),
            "crd" => crd(request, generator).map(|job| manifests.push(job)),
            "schemapatch" => schema_patch(request, generator).map(|job| manifests.push(job)),
            "applyconfiguration" => Err(absent("apply configurations are made by `applyconfiguration-gen`")),
            name => Err(absent(&format!("this version has no generator `{name}`"))),
        };
        if let Err(wrong) = made {
            diagnostics.extend(wrong);
        }
    }
    let job = object.unwrap_or_else(|| Job::of_manifests(Vec::new()));
    diagnostics.into_result(Job { manifests, ..job })
}

fn rbac(request: &Request, generator: &Marker) -> Result<ManifestJob, Diagnostics> {
    let role_name = text_of(generator, "roleName").unwrap_or_default();
    let file_name = text_of(generator, "fileName").unwrap_or_else(|| ROLE_FILE.to_owned());
    manifest(request, generator, ManifestKind::Rbac(RbacOptions { role_name, file_name }))
}

fn crd(request: &Request, generator: &Marker) -> Result<ManifestJob, Diagnostics> {
    let mut options = CrdOptions::default();
    let is_on = |name: &str| value_of(generator, name) == Some(&Value::Bool(true));
    if is_on("allowDangerousTypes") {
        options.schema.floats = Floats::Allowed;
    }
    if is_on("generateEmbeddedObjectMeta") {
        options.schema.embedded_object_meta = EmbeddedObjectMeta::Fields;
    }
    if let Some(Value::Integer(bytes)) = value_of(generator, "maxDescLen") {
        options.schema.descriptions =
            usize::try_from(*bytes).map_or(DescriptionLimit::None, DescriptionLimit::Bytes);
    }
    if let Some(Value::Bool(preserve)) =
        value_of(generator, "deprecatedV1beta1CompatibilityPreserveUnknownFields")
    {
        options.preserve_unknown_fields = Some(*preserve);
    }
    let versions = value_of(generator, "crdVersions").map(texts).unwrap_or_default();
    if let Some(version) = versions.iter().find(|version| *version != "v1") {
        return Err(absent(&format!(
            "`crdVersions={version}`: `v1` is the only version of CRDs that there is"
        )));
    }
    let attribution = if is_on("omitToolVersion") { Attribution::None } else { Attribution::Annotated };
    let source = CrdSource::Packages(type_packages(&request.paths)?);
    // Its namesake writes these.
    options.refusals = match text_of(generator, "refusals").as_deref() {
        Some("deny") => Refusals::Deny,
        Some("ignore") => Refusals::Ignore,
        _ => Refusals::Warn,
    };
    // Its namesake says nothing of them.
    let level = match text_of(generator, "conventions").as_deref() {
        Some("warn") => ConventionLevel::Warn,
        Some("deny") => ConventionLevel::Deny,
        _ => ConventionLevel::Ignore,
    };
    let conventions = Conventions { level, ..Conventions::default() };
    manifest(request, generator, ManifestKind::Crd(CrdJob { options, attribution, source, conventions }))
}

/// The options that `crd` and `schemapatch` share are read by their names.
fn schema_patch(request: &Request, generator: &Marker) -> Result<ManifestJob, Diagnostics> {
    let manifests = PathBuf::from(text_of(generator, "manifests").unwrap_or_default());
    crd(request, generator).map(|job| job.patching(manifests))
}

fn value_of<'a>(generator: &'a Marker, name: &str) -> Option<&'a Value> {
    generator.arguments.iter().find(|argument| argument.name == name).map(|argument| &argument.value)
}

fn manifest(request: &Request, generator: &Marker, kind: ManifestKind) -> Result<ManifestJob, Diagnostics> {
    let destination = match request.rule_of(generator.definition.name) {
        Rule::Folder(folder) | Rule::Artifacts { config: folder, .. } => Destination::Folder(folder),
        Rule::Stdout => Destination::Stdout,
        Rule::None => Destination::Nowhere,
    };
    let file = text_of(generator, "headerFile").map(PathBuf::from);
    let year = text_of(generator, "year");
    let choice = HeaderChoice { file: file.as_deref(), year: year.as_deref() };
    let paths = if matches!(kind, ManifestKind::Crd(_)) { &[] } else { request.paths.as_slice() };
    ManifestJob::new(kind, paths, destination, choice)
}

/// The job of the `object` generator, whose files stand beside the types whatever the rule for all is.
fn types(request: &Request, generator: &Marker) -> Result<Job, Diagnostics> {
    let placement = match (request.rule_of("object"), request.own_rule_of("object")) {
        (Rule::None, _) => Placement::Nowhere,
        (Rule::Artifacts { code: Some(_), .. }, _) | (_, Some(Rule::Folder(_) | Rule::Stdout)) => {
            return Err(absent("the files of `object` stand beside the types, and nowhere else"));
        }
        _ => Placement::BesideTypes,
    };
    let settings =
        Settings { header_file: text_of(generator, "headerFile").map(PathBuf::from), ..Settings::default() };
    let packages = packages(&request.paths)?;
    let mut job = Job::over(packages, &settings, &Generators::one(Generator::Object), placement)?;
    if let Some(year) = text_of(generator, "year") {
        job.options.header = job.options.header.with_year(&year);
    }
    Ok(job)
}

/// The type packages of `paths=`.
fn packages(paths: &[String]) -> Result<Vec<PackageInput>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut packages: Vec<PackageInput> = Vec::new();
    let here = ["./...".to_owned()];
    let paths = if paths.is_empty() { here.as_slice() } else { paths };
    for path in paths {
        match inputs_of(path) {
            Ok(found) => {
                for input in found {
                    if !packages.contains(&input) {
                        packages.push(input);
                    }
                }
            }
            Err(problem) => diagnostics.add(problem, Span::file(Path::new(""))),
        }
    }
    diagnostics.into_result(packages)
}

fn absent(message: &str) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.add(ConfigProblem::Invalid { message: message.to_owned() }, Span::file(PathBuf::new()));
    diagnostics
}
