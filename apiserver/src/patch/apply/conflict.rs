//! Conflicts between an applied object and the owners of its fields.

use serde_json::Value;

use super::managed::Owner;
use crate::patch::{
    error::{Cause, PatchError},
    fields::{FieldSet, PathElement, path_text},
};

/// The fields of other owners that an applied object would change.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Conflicts(pub(crate) Vec<(Owner, FieldSet)>);

impl Conflicts {
    /// All fields in one set.
    pub(crate) fn fields(&self) -> FieldSet {
        self.0.iter().fold(FieldSet::default(), |all, (_, set)| all.union(set))
    }

    /// The conflicts without some fields.
    pub(crate) fn without(&self, fields: &FieldSet) -> Self {
        let rest = self.0.iter().map(|(owner, set)| (owner.clone(), set.clone().difference(fields)));
        Self(rest.filter(|(_, set)| !set.is_empty()).collect())
    }

    /// The answer: one cause a field and owner, and a message that groups them by owner.
    pub(crate) fn into_error(self) -> PatchError {
        let mut by_owner: Vec<(String, Vec<Vec<PathElement>>)> = Vec::new();
        let mut sorted = self.0;
        sorted.sort_by_cached_key(|(owner, _)| {
            (Value::from(owner.manager.as_str()).to_string(), owner.clone())
        });
        for (owner, set) in sorted {
            by_owner.push((owner.describe(), set.paths()));
        }
        let cause = |owner: &str, path: &Vec<PathElement>| Cause {
            reason: "FieldManagerConflict",
            message: format!("conflict with {owner}"),
            field: path_text(path),
        };
        let causes: Vec<_> =
            by_owner.iter().flat_map(|(owner, paths)| paths.iter().map(|path| cause(owner, path))).collect();
        let message = match causes.as_slice() {
            [only] => format!("Apply failed with 1 conflict: {}: {}", only.message, only.field),
            many => {
                let mut lines = Vec::new();
                for (owner, paths) in &by_owner {
                    lines.push(format!("conflicts with {owner}:"));
                    lines.extend(paths.iter().map(|path| format!("- {}", path_text(path))));
                }
                format!("Apply failed with {} conflicts: {}", many.len(), lines.join("\n"))
            }
        };
        PatchError::Conflict { message, causes }
    }
}
