//! The conditions of a namespace that is going.
//!
//! In: what is there, and what was found. Out: the five conditions in their order; the times of those that stay as they are stay too.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::server::timestamp;

/// What is wrong, or still to be waited for; nothing where all is well.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// What went wrong with deleting.
    pub failures: Option<String>,
    /// Which resources are left.
    pub remaining: Option<String>,
    /// Which finalizers they have.
    pub finalizers: Option<String>,
}

/// A condition: its type, its reason and message when all is well, and its reason when not.
const CONDITIONS: [[&str; 4]; 5] = [
    [
        "NamespaceDeletionDiscoveryFailure",
        "ResourcesDiscovered",
        "All resources successfully discovered",
        "DiscoveryFailed",
    ],
    [
        "NamespaceDeletionGroupVersionParsingFailure",
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
        "GroupVersionParsingFailed",
    ],
    [
        "NamespaceDeletionContentFailure",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
        "ContentDeletionFailed",
    ],
    [
        "NamespaceContentRemaining",
        "ContentRemoved",
        "All content successfully removed",
        "SomeResourcesRemain",
    ],
    [
        "NamespaceFinalizersRemaining",
        "ContentHasNoFinalizers",
        "All content-preserving finalizers finished",
        "SomeFinalizersRemain",
    ],
];

/// The conditions that follow from what was found.
pub(super) fn updated(before: &[Value], findings: &Findings, now: Timestamp) -> Vec<Value> {
    let mut conditions = before.to_vec();
    let found = [
        None,
        None,
        findings.failures.as_deref(),
        findings.remaining.as_deref(),
        findings.finalizers.as_deref(),
    ];
    for ([kind, well, all_well, wrong], found) in CONDITIONS.into_iter().zip(found) {
        let (status, reason, message) = match found {
            Some(message) => ("True", wrong, message),
            None => ("False", well, all_well),
        };
        let there = conditions.iter_mut().find(|condition| condition.get("type").is_some_and(|t| t == kind));
        let since = there.as_ref().filter(|there| there.get("status").is_some_and(|old| old == status));
        let since = since.and_then(|there| there.get("lastTransitionTime")).cloned();
        let condition = json!({
            "type": kind,
            "status": status,
            "lastTransitionTime": since.unwrap_or_else(|| timestamp(now).into()),
            "reason": reason,
            "message": message,
        });
        match there {
            Some(there) => *there = condition,
            None => conditions.push(condition),
        }
    }
    conditions
}
