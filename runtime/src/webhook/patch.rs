//! What a defaulter has changed, as a patch of the object that was sent.
//!
//! In: the object as it was sent, and its typed form before and after. Out: a JSON patch. Never: a member lost that the type does not know.

use json_patch::Patch;
use serde_json::Value;

/// The patch that brings `sent` what was changed between `before` and `after`.
///
/// The type may write less than was sent (members that it does not know, or leaves out when they are empty), so that only its own changes are
/// taken over.
pub(super) fn between(sent: &Value, before: &Value, after: &Value) -> Patch {
    let changes = json_patch::diff(before, after);
    let mut changed = sent.clone();
    match json_patch::patch(&mut changed, &changes) {
        Ok(()) => json_patch::diff(sent, &changed),
        // The places do not exist in what was sent: it is replaced by what the type writes.
        Err(_) => json_patch::diff(sent, after),
    }
}
