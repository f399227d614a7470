//! Permissions against usage: what code may ask for and no marker grants, and the other way round.

use super::span;
use crate::diagnostic::{Diagnostic, Diagnostics, ManifestProblem};
use crate::model::{Model, Permission, Usage, UsageReport};
use std::collections::{BTreeMap, BTreeSet};

/// Compares the permissions of markers with what generated clients may ask for.
pub fn check_usage(permissions: &[Permission], usage: &UsageReport, model: &Model) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    not_granted(permissions, &usage.requests, &mut diagnostics);
    for (resource, place) in &usage.unseen {
        diagnostics.add(ManifestProblem::UnseenUse { resource: resource.clone() }, span(place));
    }
    let unseen: BTreeSet<&str> = usage.unseen.iter().map(|(resource, _)| resource.as_str()).collect();
    for permission in permissions {
        never_used(permission, &usage.requests, (model, &unseen), &mut diagnostics);
    }
    diagnostics
}

/// One problem for each resource, with all its verbs and places.
fn not_granted(permissions: &[Permission], requests: &[Usage], diagnostics: &mut Diagnostics) {
    let mut missing: BTreeMap<(&str, &str), Vec<&Usage>> = BTreeMap::new();
    for request in requests {
        if !permissions.iter().any(|permission| grants(permission, request)) {
            missing.entry((&request.group, &request.resource)).or_default().push(request);
        }
    }
    for ((group, resource), requests) in missing {
        let verbs: BTreeSet<&str> = requests.iter().map(|request| request.verb.as_str()).collect();
        let problem = ManifestProblem::NotGranted {
            group: group.to_owned(),
            resource: resource.to_owned(),
            verbs: quoted(verbs),
        };
        let Some((first, others)) = requests.split_first() else { continue };
        let diagnostic = Diagnostic::new(problem, span(&first.place));
        let others = others.iter().filter(|other| other.place != first.place);
        diagnostics.push(others.fold(diagnostic, |diagnostic, other| {
            diagnostic.with_related(span(&other.place), format!("`{}` here", other.verb))
        }));
    }
}

/// What a marker grants for kinds of the model, and nobody asks for. Of other resources nobody knows.
fn never_used(
    permission: &Permission,
    requests: &[Usage],
    (model, unseen): (&Model, &BTreeSet<&str>),
    diagnostics: &mut Diagnostics,
) {
    for resource in &permission.resources {
        let (plural, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        let is_known = model.resources().any(|(group, _, known)| {
            known.names.plural == plural && matches_any(&permission.groups, &group.name)
        });
        if !is_known || unseen.contains(plural) || !matches!(subresource, "" | "status") {
            continue;
        }
        let is_used = |verb: &&String| {
            requests.iter().any(|request| {
                request.resource == *resource
                    && request.verb == **verb
                    && matches_any(&permission.groups, &request.group)
            })
        };
        let unused = permission.verbs.iter().filter(|verb| verb.as_str() != "*" && !is_used(verb));
        let unused: BTreeSet<&str> = unused.map(String::as_str).collect();
        if !unused.is_empty() {
            let problem = ManifestProblem::NeverUsed { resource: resource.clone(), verbs: quoted(unused) };
            diagnostics.add(problem, span(&permission.place));
        }
    }
}

/// Whether a permission allows a request; one for some names only allows it for those.
fn grants(permission: &Permission, request: &Usage) -> bool {
    let (_, subresource) = request.resource.split_once('/').unwrap_or((&request.resource, ""));
    let resource = |granted: &String| {
        granted == "*" || *granted == request.resource || granted.strip_prefix("*/") == Some(subresource)
    };
    matches_any(&permission.groups, &request.group)
        && permission.resources.iter().any(resource)
        && permission.verbs.iter().any(|verb| verb == "*" || *verb == request.verb)
}

fn matches_any(groups: &[String], group: &str) -> bool {
    groups.iter().any(|granted| granted == "*" || granted == group || (granted == "core" && group.is_empty()))
}

fn quoted(words: BTreeSet<&str>) -> String {
    words.into_iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
