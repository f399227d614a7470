//! `Owner` and `Ending`: what the metadata of an object says about whom it belongs to, and about its end.
//!
//! In: metadata. Out: the facts that garbage collection turns on, so that nobody has to read the object again for them.

use serde_json::Value;

use crate::protocol::Fields;

/// One owner of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner {
    pub uid: Box<str>,
    /// Whether the owner's deletion in the foreground waits for this object.
    pub blocks: bool,
}

/// Whether an object is on its way out, and what that waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ending {
    /// It has a time of deletion.
    pub begun: bool,
    /// It has the finalizer that waits for its dependents to go.
    pub foreground: bool,
    /// It has the finalizer that waits for its dependents to be let go.
    pub orphan: bool,
}

/// The finalizer of deletions in the foreground.
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of deletions that leave dependents alone.
pub(crate) const ORPHAN: &str = "orphan";

impl Ending {
    pub(super) fn of(metadata: Option<&Fields>) -> Self {
        let Some(metadata) = metadata else { return Self::default() };
        let finalizers = metadata.get("finalizers").and_then(Value::as_array);
        let has = |name: &str| finalizers.is_some_and(|list| list.iter().any(|finalizer| finalizer == name));
        Self {
            begun: metadata.contains_key("deletionTimestamp"),
            foreground: has(FOREGROUND),
            orphan: has(ORPHAN),
        }
    }

    /// It waits for its dependents to go.
    pub(crate) fn awaits_dependents(self) -> bool {
        self.begun && self.foreground
    }

    /// It waits for its dependents to be let go.
    pub(crate) fn awaits_orphaning(self) -> bool {
        self.begun && self.orphan
    }
}

/// Whom the metadata names as owners.
pub(super) fn owners(metadata: Option<&Fields>) -> Box<[Owner]> {
    let references = metadata.and_then(|metadata| metadata.get("ownerReferences")).and_then(Value::as_array);
    let owners = references.into_iter().flatten().filter_map(|reference| {
        Some(Owner {
            uid: reference.get("uid")?.as_str()?.into(),
            blocks: reference.get("blockOwnerDeletion").and_then(Value::as_bool).unwrap_or_default(),
        })
    });
    owners.collect()
}
