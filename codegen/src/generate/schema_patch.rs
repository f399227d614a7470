//! `schemapatch`: definitions that are kept by hand, with the schemas of the types.

use crate::check::Wanted;
use crate::config::{CrdSource, SchemaPatchJob, small};
use crate::crd::Definition;
use crate::diagnostic::{ConfigProblem, Diagnostics, Span};
use crate::load::{Inputs, Loaded, load_definitions};
use crate::output::yaml;
use serde_json::Value;
use std::path::Path;

/// The files of a folder that hold definitions of kinds of ours, patched, by their names.
///
/// # Errors
/// Everything that is wrong with types and manifests.
pub(super) fn patched(
    job: &SchemaPatchJob,
    warnings: &mut Diagnostics,
) -> Result<Vec<(String, String)>, Diagnostics> {
    let CrdSource::Packages(packages) = &job.definitions.source else { return Ok(Vec::new()) };
    let inputs = Inputs { wanted: Wanted::Manifests, ..Inputs::new(packages.clone()) };
    let Loaded { definitions, warnings: odd, .. } = load_definitions(&inputs, &job.definitions.options)?;
    warnings.extend(odd);
    let mut diagnostics = Diagnostics::new();
    let mut files = Vec::new();
    for (name, text) in manifests(&job.manifests, &mut diagnostics) {
        match file(&text, &definitions) {
            Ok(Some(text)) => files.push((name, text)),
            Ok(None) => {}
            Err(message) => {
                diagnostics.add(ConfigProblem::Invalid { message }, Span::file(job.manifests.join(name)));
            }
        }
    }
    diagnostics.into_result(files)
}

/// The YAML files of a folder with their texts, sorted.
fn manifests(folder: &Path, diagnostics: &mut Diagnostics) -> Vec<(String, String)> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let message = format!("cannot read the folder of the manifests `{}`: {error}", folder.display());
            diagnostics.add(ConfigProblem::Invalid { message }, Span::file(folder));
            return Vec::new();
        }
    };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(".yaml") || name.ends_with(".yml")).collect();
    names.sort();
    let read = |name: String| {
        let path = folder.join(&name);
        match small::text(&path, small::MANIFEST_LIMIT) {
            Ok(text) => Some((name, text)),
            Err(error) => {
                let message = format!("cannot read `{}`: {}", path.display(), small::reason(&error));
                diagnostics.add(ConfigProblem::Invalid { message }, Span::file(path));
                None
            }
        }
    };
    names.into_iter().filter_map(read).collect()
}

/// The text of a file with its definitions patched; `None` when it holds none.
fn file(text: &str, definitions: &[Definition]) -> Result<Option<String>, String> {
    let mut found = false;
    let mut patched = Vec::new();
    for part in documents(text) {
        let parsed = match serde_saphyr::from_str::<Option<Value>>(&part) {
            Ok(parsed) => parsed.unwrap_or_default(),
            Err(error) => return Err(format!("a document is no YAML: {error}")),
        };
        let at = |path: &str| parsed.pointer(path).and_then(Value::as_str).unwrap_or_default();
        if at("/kind") != "CustomResourceDefinition" {
            patched.push(part);
            continue;
        }
        found = true;
        if at("/apiVersion") != "apiextensions.k8s.io/v1" {
            return Err(format!(
                "`apiVersion: {}` of a definition is not supported; `apiextensions.k8s.io/v1` is",
                at("/apiVersion")
            ));
        }
        let (group, kind) = (at("/spec/group"), at("/spec/names/kind"));
        let known = definitions.iter().find_map(|definition| {
            let value = definition.to_value();
            let same = |path: &str, wanted: &str| value.pointer(path).and_then(Value::as_str) == Some(wanted);
            (same("/spec/group", group) && same("/spec/names/kind", kind)).then_some(value)
        });
        let Some(known) = known else {
            // A kind whose types are elsewhere.
            patched.push(part);
            continue;
        };
        let versions = known.pointer("/spec/versions").and_then(Value::as_array).cloned().unwrap_or_default();
        let schema_of = |name: &str| {
            let version =
                versions.iter().find(|version| version.get("name").and_then(Value::as_str) == Some(name))?;
            version.pointer("/schema/openAPIV3Schema").cloned()
        };
        patched.push(yaml::patch_schemas(&part, schema_of).map_err(|error| format!("`{kind}`: {error}"))?);
    }
    Ok(found.then(|| patched.concat()))
}

/// The documents of a file, each with the line that opens it; put together they are the file again.
fn documents(text: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "---" || line.starts_with("--- ") {
            documents.push(String::new());
        }
        if let Some(last) = documents.last_mut() {
            last.push_str(line);
        }
    }
    documents
}
