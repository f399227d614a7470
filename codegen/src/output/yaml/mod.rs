//! YAML: values as the text that Go's Kubernetes tools print.
//!
//! In: a JSON value. Out: a block of YAML with keys in natural order, two blanks an indent, the dashes of a list at the
//! column of its key, and long text folded near 80 columns, so that a manifest does not change when the tool does.

mod emitter;
mod order;
mod patch;
mod resolve;
mod scalar;

pub use patch::{PatchError, patch_schemas};

use serde_json::Value;

/// A document, without the line that leads it.
pub fn document(value: &Value) -> String {
    emitter::print(value)
}

/// Documents one after the other, each led by `---`.
pub fn documents<'a>(values: impl IntoIterator<Item = &'a Value>) -> String {
    values.into_iter().map(|value| format!("---\n{}", document(value))).collect()
}
