//! Permissions and webhooks: from the comments of any Rust file to the model.
//!
//! Their markers count wherever code stands: above and within functions, in their doc comments, at the top of a file. In the doc
//! comment of a type or a field they would be read as a part of the type, and are refused.

use super::notes::{Note, NoteOrigin, read_those, refuse_blocks, span};
use super::webhooks::webhook;
use crate::diagnostic::{Diagnostics, MarkerProblem};
use crate::marker::Definition;
use crate::model::{Manifests, Marker, MarkerValue, Permission, WebhookConfiguration, WebhookKind};
use crate::source::{Comment, CommentKind, Documented, SourceFile};
use std::rc::Rc;

/// Reads the markers of roles in these files.
pub fn lower_permissions(files: &[Rc<SourceFile>], diagnostics: &mut Diagnostics) -> Vec<Permission> {
    let wanted = |definition: &Definition| definition.name == "kubebuilder:rbac";
    markers(files, wanted, diagnostics).iter().map(permission).collect()
}

/// Reads the markers of webhooks and their configurations in these files.
pub fn lower_webhooks(files: &[Rc<SourceFile>], diagnostics: &mut Diagnostics) -> Manifests {
    let wanted = |definition: &Definition| definition.name.starts_with("kubebuilder:webhook");
    let mut manifests = Manifests::default();
    for marker in markers(files, wanted, diagnostics) {
        if marker.name == "kubebuilder:webhook" {
            manifests.webhooks.push(webhook(kind(&marker), &marker, diagnostics));
        } else {
            manifests.configurations.push(WebhookConfiguration {
                kind: kind(&marker),
                name: marker.text("name").map(str::to_owned),
                place: marker.place.clone(),
            });
        }
    }
    manifests
}

fn markers(
    files: &[Rc<SourceFile>],
    wanted: fn(&Definition) -> bool,
    diagnostics: &mut Diagnostics,
) -> Vec<Marker> {
    let mut found = Vec::new();
    for file in files {
        for comment in file.comments() {
            found.extend(of_comment(file, comment, wanted, diagnostics).into_iter().map(|note| note.marker));
        }
    }
    found
}

fn of_comment(
    file: &SourceFile,
    comment: &Comment,
    wanted: fn(&Definition) -> bool,
    diagnostics: &mut Diagnostics,
) -> Vec<Note> {
    let is_line = comment.kind == CommentKind::Plain && comment.alone;
    let is_doc = matches!(comment.kind, CommentKind::OuterDoc | CommentKind::InnerDoc);
    if comment.kind == CommentKind::Block {
        refuse_blocks(file, comment.start..comment.end, diagnostics);
    }
    if !is_line && !is_doc {
        return Vec::new();
    }
    let mut notes = read_those(file, &[*comment], wanted, diagnostics);
    let documented = match comment.kind {
        CommentKind::OuterDoc if !notes.is_empty() => file.documented(comment),
        _ => Documented::Code,
    };
    let found = match documented {
        Documented::Code => return notes,
        Documented::Type => "in the documentation of a type",
        Documented::Member => "in the documentation of a field or variant",
    };
    for note in notes.drain(..).filter(|note| note.origin == NoteOrigin::Doc) {
        let problem = MarkerProblem::WrongTarget {
            name: note.marker.name,
            allowed: "above a function, in its documentation, or at the top of a file".to_owned(),
            found: found.to_owned(),
        };
        diagnostics.add(problem, span(&note.marker.place));
    }
    notes
}

fn permission(marker: &Marker) -> Permission {
    let text = |name: &str| marker.text(name).map(str::to_owned);
    Permission {
        groups: marker.texts("groups"),
        resources: marker.texts("resources"),
        resource_names: marker.texts("resourceNames"),
        verbs: marker.texts("verbs"),
        urls: marker.texts("urls"),
        namespace: text("namespace"),
        role_name: text("roleName"),
        place: marker.place.clone(),
    }
}

fn kind(marker: &Marker) -> WebhookKind {
    match marker.argument("mutating") {
        Some(MarkerValue::Bool(true)) => WebhookKind::Mutating,
        _ => WebhookKind::Validating,
    }
}
