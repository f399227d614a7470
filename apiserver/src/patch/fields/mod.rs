//! Sets of field paths, as `metadata.managedFields` writes them.
//!
//! In: paths, or `fieldsV1` documents. Out: sets and their algebra, and the documents again. It knows nothing of kinds or managers.

mod document;
mod path;
mod set;

pub use path::{KeyValue, PathElement, path_text};
pub(crate) use path::{same_members, same_value};
pub use set::FieldSet;
pub(crate) use set::Node;
