//! Further methods: every verb, on subresources and on the kind itself, with types of this and of other crates.

pub mod expected;
pub mod input;
