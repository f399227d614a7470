//! Building: the versions of each kind, put together.

use super::facts::{Facts, Metadata};
use super::{CrdOptions, DefinedVersion, Definition, Refusals};
use crate::diagnostic::{CrdProblem, Diagnostic, Diagnostics, Problem, Span};
use crate::model::{Group, Model, Place, Resource, Shape, Version};
use crate::schema::{Builder, Schema};
use std::collections::BTreeMap;

/// A version of a kind with what it says.
struct Part<'a> {
    version: &'a Version,
    resource: &'a Resource,
    facts: Facts,
}

/// The definitions of all kinds that are custom resources, sorted by group and kind, and everything that is wrong.
pub fn definitions(model: &Model, options: &CrdOptions) -> (Vec<Definition>, Diagnostics) {
    let mut builder = Builder::new(model, &options.schema);
    let mut wrong = Diagnostics::new();
    let mut found = Vec::new();
    for ((group, kind), parts) in kinds(model) {
        let definition = definition((group, kind), parts, options, (&mut builder, &mut wrong));
        found.extend(definition);
    }
    wrong.extend(builder.into_diagnostics());
    match options.refusals {
        Refusals::Deny => {}
        Refusals::Warn => wrong = wrong.with_refusals_as_warnings(),
        Refusals::Ignore => wrong.retain(|found| !matches!(found.problem, Problem::Server(_))),
    }
    clashes(&found, model, &mut wrong);
    (found, wrong)
}

/// The kinds with their versions, sorted. A group may lie in several packages, each one version.
fn kinds(model: &Model) -> BTreeMap<(&str, &str), Vec<Part<'_>>> {
    let mut kinds: BTreeMap<(&str, &str), Vec<Part<'_>>> = BTreeMap::new();
    for (group, version, resource) in model.resources().filter(|found| is_custom(*found)) {
        let part = Part { version, resource, facts: Facts::of(resource) };
        kinds.entry((group.name.as_str(), resource.kind.as_str())).or_default().push(part);
    }
    kinds
}

/// Types of other crates have their definitions elsewhere.
fn is_custom((_, version, resource): (&Group, &Version, &Resource)) -> bool {
    let skipped = version.package.markers.iter().any(|marker| marker.name == "kubebuilder:skip");
    !skipped && !matches!(resource.shape, Shape::ReExport { .. })
}

fn definition(
    (group, kind): (&str, &str),
    mut parts: Vec<Part<'_>>,
    options: &CrdOptions,
    (builder, wrong): (&mut Builder<'_>, &mut Diagnostics),
) -> Option<Definition> {
    parts.sort_by(|left, right| left.version.name.cmp(&right.version.name));
    let named = parts.iter().find(|part| part.facts.explicit_plural).or(parts.first())?;
    let names = &named.resource.names;
    let first = |pick: fn(&Facts) -> &[String]| {
        let lists = parts.iter().map(|part| pick(&part.facts));
        lists.into_iter().find(|list| !list.is_empty()).unwrap_or_default().to_vec()
    };
    let mut definition = Definition {
        group: group.to_owned(),
        kind: kind.to_owned(),
        list_kind: format!("{kind}List"),
        plural: names.plural.clone(),
        singular: parts
            .iter()
            .find_map(|part| part.facts.singular.clone())
            .unwrap_or_else(|| kind.to_lowercase()),
        short_names: first(|facts| &facts.short_names),
        categories: first(|facts| &facts.categories),
        scope: named.resource.scope,
        labels: BTreeMap::new(),
        annotations: BTreeMap::new(),
        preserve_unknown_fields: options.preserve_unknown_fields,
        conversion: None,
        versions: Vec::new(),
    };
    for part in parts.iter().filter(|part| !part.facts.skipped) {
        metadata(&part.facts, &mut definition);
        let version = version(part, options, (builder, wrong));
        super::paths::check(&part.facts, &version.schema, part.resource, wrong);
        super::words::check(part.resource, wrong);
        definition.versions.push(version);
    }
    if definition.versions.is_empty() {
        return None;
    }
    if definition.versions.len() > 1 {
        definition.conversion.clone_from(&options.conversion);
    }
    storage(&parts, &mut definition, wrong);
    Some(definition)
}

fn version(
    part: &Part<'_>,
    options: &CrdOptions,
    (builder, wrong): (&mut Builder<'_>, &mut Diagnostics),
) -> DefinedVersion {
    let facts = &part.facts;
    let mut schema = builder.root(part.resource);
    if let Some(metadata) = schema.properties.get_mut("metadata") {
        *metadata = Schema::of_type("object");
    }
    options.schema.descriptions.apply(&mut schema);
    if options.refusals != Refusals::Ignore {
        super::costs::check(&schema, part.resource, wrong);
    }
    DefinedVersion {
        name: part.version.name.clone(),
        served: facts.served,
        storage: facts.storage.is_some(),
        deprecated: facts.deprecated.clone(),
        columns: facts.columns.iter().map(|(column, _)| column.clone()).collect(),
        selectable: facts.selectable.iter().map(|(path, _)| path.clone()).collect(),
        subresources: facts.subresources.clone(),
        schema,
    }
}

/// Labels and annotations of the definition itself.
fn metadata(facts: &Facts, definition: &mut Definition) {
    let pairs = facts.metadata.iter().filter_map(|(part, pair)| Some((part, pair.split_once('=')?)));
    for (part, (key, value)) in pairs {
        let map = match part {
            Metadata::Labels => &mut definition.labels,
            Metadata::Annotations => &mut definition.annotations,
        };
        map.insert(key.to_owned(), value.to_owned());
    }
}

/// One version is stored, and one at least is served.
fn storage(parts: &[Part<'_>], definition: &mut Definition, wrong: &mut Diagnostics) {
    let kind = definition.kind.clone();
    let kept: Vec<&Part<'_>> = parts.iter().filter(|part| !part.facts.skipped).collect();
    let at =
        |part: Option<&&Part<'_>>| part.map_or_else(|| Span::file(""), |part| span(&part.resource.place));
    if let [only] = definition.versions.as_mut_slice() {
        only.storage = true;
    }
    let mut stored = kept.iter().filter_map(|part| Some((part, part.facts.storage.as_ref()?)));
    match (stored.next(), stored.next()) {
        (None, _) if kept.len() > 1 => {
            let problem = CrdProblem::NoStorage { kind: kind.clone(), count: kept.len() };
            let others = kept.iter().skip(1);
            let diagnostic = Diagnostic::new(problem, at(kept.first()));
            wrong.push(others.fold(diagnostic, |diagnostic, part| {
                diagnostic.with_related(span(&part.resource.place), "another version")
            }));
        }
        (Some((first, first_place)), Some((second, second_place))) => {
            let problem = CrdProblem::TwoStorages {
                kind: kind.clone(),
                first: first.version.name.clone(),
                second: second.version.name.clone(),
            };
            let diagnostic = Diagnostic::new(problem, span(second_place));
            wrong.push(diagnostic.with_related(span(first_place), "the other one"));
        }
        _ => {}
    }
    if definition.versions.iter().all(|version| !version.served) {
        wrong.add(CrdProblem::NothingServed { kind: kind.clone() }, at(kept.first()));
    }
    let names: Vec<&str> = kept.iter().map(|part| part.version.name.as_str()).collect();
    for (name, part) in names.iter().zip(&kept).skip(1) {
        if names.iter().take_while(|other| !std::ptr::eq(*other, name)).any(|other| other == name) {
            let problem = CrdProblem::SameVersion { kind: kind.clone(), version: (*name).to_owned() };
            wrong.add(problem, span(&part.resource.place));
        }
    }
}

/// Two kinds of a group cannot have one resource.
fn clashes(found: &[Definition], model: &Model, wrong: &mut Diagnostics) {
    for (at, definition) in found.iter().enumerate() {
        let same = |other: &&Definition| other.group == definition.group && other.plural == definition.plural;
        let Some(first) = found.iter().take(at).find(same) else { continue };
        let place = model
            .resources()
            .find(|(group, _, resource)| group.name == definition.group && resource.kind == definition.kind);
        let problem = CrdProblem::SamePlural {
            group: definition.group.clone(),
            plural: definition.plural.clone(),
            first: first.kind.clone(),
            second: definition.kind.clone(),
        };
        let place = place.map_or_else(|| Span::file(""), |(_, _, resource)| span(&resource.place));
        wrong.add(problem, place);
    }
}

pub(super) fn span(place: &Place) -> Span {
    Span { file: place.file.clone(), line: place.line, column: place.column, length: place.length }
}
