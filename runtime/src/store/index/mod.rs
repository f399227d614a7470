//! Indexes: finding objects by what a function says of them.
//!
//! In: a name and a function from an object to its values. Out: a typed handle, [`Index`], that finds the objects of a
//! value at the cost of what it finds. Never: an index that disagrees with its store; both change in one step.

mod erased;
mod handle;
mod postings;

pub(super) use erased::{IndexFunction, IndexState, Values, function};
pub use handle::{DuplicateIndex, Index};
pub(super) use postings::Postings;
