//! Kinds: their names within a version, the names of their methods, and what versions of one kind share.

use super::span;
use crate::diagnostic::{CheckProblem, Diagnostic, Diagnostics, MethodProblem};
use crate::model::{Group, Model, Resource, Scope, Version};
use crate::naming::rust_ident;
use std::collections::BTreeSet;

/// Methods that every client may have, apart from those of its verbs.
const OWN_METHODS: [&str; 6] = ["new", "pages", "watch_from", "client", "clone", "fmt"];

/// The methods of verbs, in the plain form; each has one with `_with` as well.
const VERB_METHODS: [&str; 13] = [
    "create",
    "update",
    "update_status",
    "delete",
    "delete_collection",
    "get",
    "list",
    "watch",
    "patch",
    "patch_status",
    "apply",
    "apply_status",
    "pages",
];

pub(super) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    for (group, version) in model.versions() {
        for (at, resource) in version.resources.iter().enumerate() {
            methods(resource, diagnostics);
            files(group, resource, diagnostics);
            for other in version.resources.iter().take(at) {
                pair(group, version, (other, resource), diagnostics);
            }
        }
    }
    model.groups.iter().for_each(|group| scopes(group, diagnostics));
}

fn methods(resource: &Resource, diagnostics: &mut Diagnostics) {
    let verbs = VERB_METHODS.iter().flat_map(|name| [(*name).to_owned(), format!("{name}_with")]);
    let taken: BTreeSet<String> = verbs.chain(OWN_METHODS.map(str::to_owned)).collect();
    for (at, method) in resource.methods.iter().enumerate() {
        let names = &method.names;
        let clash = |name: &String| taken.contains(name.trim_start_matches("r#"));
        if let Some(function) = [&names.function, &names.function_with].into_iter().find(|name| clash(name)) {
            let problem = MethodProblem::Clash { method: names.name.clone(), function: function.clone() };
            diagnostics.add(problem, span(&method.place));
        }
        let same = |earlier: &&crate::model::Method| {
            let other = &earlier.names;
            other.function == names.function
                || other.function_with == names.function
                || other.function == names.function_with
        };
        if let Some(first) = resource.methods.iter().take(at).find(same) {
            let problem = MethodProblem::Twice { method: names.name.clone() };
            let diagnostic = Diagnostic::new(problem, span(&method.place));
            diagnostics.push(diagnostic.with_related(span(&first.place), "the first one"));
        }
    }
}

/// The group's own client lies in a file beside those of the kinds.
fn files(group: &Group, resource: &Resource, diagnostics: &mut Diagnostics) {
    let reserved = format!("{}.rs", group.names.client_module);
    if resource.names.file == reserved {
        let problem = CheckProblem::ReservedFile { kind: resource.kind.clone(), file: reserved };
        diagnostics.add(problem, span(&resource.place));
    }
}

fn pair(
    group: &Group,
    version: &Version,
    (first, second): (&Resource, &Resource),
    diagnostics: &mut Diagnostics,
) {
    let mut report = |problem: CheckProblem| {
        let diagnostic = Diagnostic::new(problem, span(&second.place));
        diagnostics.push(diagnostic.with_related(span(&first.place), "the other one"));
    };
    if first.kind == second.kind {
        report(CheckProblem::SameKind {
            group: group.name.clone(),
            version: version.name.clone(),
            kind: first.kind.clone(),
        });
        return;
    }
    let (one, other) = (&first.names, &second.names);
    let names = [
        ("the file", &one.file, &other.file),
        ("the resource", &one.plural, &other.plural),
        ("the accessor", &one.getter, &other.getter),
        ("the client", &one.client, &other.client),
    ];
    // One clash leads to the next; the first says enough.
    let clash =
        names.into_iter().find(|(_, one, other)| one == other).map(|(what, name, _)| (what, name.clone()));
    let list = || {
        let own = |left: &Resource, right: &Resource| left.names.list_kind == right.kind;
        (own(first, second) || own(second, first)).then(|| ("the list type", list_kind(first, second)))
    };
    if let Some((what, name)) = clash.or_else(list) {
        report(CheckProblem::SameName { first: first.kind.clone(), second: second.kind.clone(), what, name });
    }
}

fn list_kind(first: &Resource, second: &Resource) -> String {
    let is_list = first.names.list_kind == second.kind;
    rust_ident(if is_list { &second.kind } else { &first.kind })
}

/// A resource lives in namespaces in all its versions, or in none.
fn scopes(group: &Group, diagnostics: &mut Diagnostics) {
    let words = |scope: Scope| match scope {
        Scope::Namespaced => "in namespaces",
        Scope::Cluster => "outside of namespaces",
    };
    for (at, version) in group.versions.iter().enumerate() {
        for resource in &version.resources {
            let earlier = group.versions.iter().take(at).find_map(|earlier| {
                let same = earlier.resources.iter().find(|other| other.kind == resource.kind)?;
                Some((&earlier.name, same))
            });
            let Some((first_version, first)) = earlier.filter(|(_, first)| first.scope != resource.scope)
            else {
                continue;
            };
            let problem = CheckProblem::TwoScopes {
                kind: resource.kind.clone(),
                first: words(first.scope),
                first_version: first_version.clone(),
                second: words(resource.scope),
                second_version: version.name.clone(),
            };
            let diagnostic = Diagnostic::new(problem, span(&resource.place));
            diagnostics.push(diagnostic.with_related(span(&first.place), "the other version"));
        }
    }
}
