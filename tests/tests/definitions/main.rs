//! Custom resource definitions of the generator, on the API server of this workspace: whether they are accepted, and whether objects
//! then fare as their types say. Cases with a number stand for faults that users of other tools had.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod accepted;
mod costs;
mod embedded;
mod lists;
mod nothing_more;
mod support;
mod values;
