//! Groups and versions: their names in code and their folders are told apart.

use super::span;
use crate::diagnostic::{CheckProblem, Diagnostic, Diagnostics, Span};
use crate::model::{Group, Model, Version};

pub(super) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    for (at, group) in model.groups.iter().enumerate() {
        go_name(group, diagnostics);
        versions(group, diagnostics);
        for other in model.groups.iter().take(at) {
            pair(other, group, diagnostics);
        }
    }
}

fn go_name(group: &Group, diagnostics: &mut Diagnostics) {
    let go_name = group.names.go_name.clone();
    if !go_name.starts_with(|first: char| first.is_alphabetic()) {
        let problem = CheckProblem::NoGoName { group: group.name.clone(), go_name };
        diagnostics.add(problem, place(group));
    }
}

/// The marker that names a group, else the beginning of its first package.
fn place(group: &Group) -> Span {
    group.versions.first().map_or_else(|| Span::file(""), place_of)
}

fn place_of(version: &Version) -> Span {
    let marker = version.package.markers.iter().find(|marker| marker.name == "groupName");
    span(marker.map_or(&version.package.place, |marker| &marker.place))
}

fn pair(first: &Group, second: &Group, diagnostics: &mut Diagnostics) {
    let problem = if first.name == second.name {
        let (one, other) = (&first.names, &second.names);
        if one.go_name == other.go_name {
            CheckProblem::TwoFolders {
                group: first.name.clone(),
                first: one.folder.clone(),
                second: other.folder.clone(),
            }
        } else {
            CheckProblem::TwoGoNames {
                group: first.name.clone(),
                first: one.go_name.clone(),
                second: other.go_name.clone(),
            }
        }
    } else if first.names.snake == second.names.snake {
        CheckProblem::SameGoName {
            first: first.name.clone(),
            second: second.name.clone(),
            go_name: first.names.go_name.clone(),
        }
    } else if first.names.folder == second.names.folder {
        CheckProblem::SameFolder {
            first: first.name.clone(),
            second: second.name.clone(),
            folder: first.names.folder.clone(),
        }
    } else {
        return;
    };
    diagnostics.push(Diagnostic::new(problem, place(second)).with_related(place(first), "the other one"));
}

fn versions(group: &Group, diagnostics: &mut Diagnostics) {
    for (at, version) in group.versions.iter().enumerate() {
        for other in group.versions.iter().take(at) {
            let problem = if version.name == other.name {
                CheckProblem::SameVersion { group: group.name.clone(), version: version.name.clone() }
            } else if version.names.folder == other.names.folder {
                CheckProblem::SameVersionName {
                    group: group.name.clone(),
                    first: other.name.clone(),
                    second: version.name.clone(),
                    name: version.names.folder.clone(),
                }
            } else {
                continue;
            };
            let diagnostic = Diagnostic::new(problem, place_of(version));
            diagnostics.push(diagnostic.with_related(place_of(other), "the other one"));
        }
    }
}
