//! Generators for Kubernetes controllers: annotated Rust types in, typed clients, fakes, listers, informers and apply
//! configurations out.
//!
//! The folders of this crate are the steps of the pipeline, in this order:
//! `source -> marker -> lower -> model -> check -> emit -> output`, beside them [`naming`] and [`diagnostic`].
//! [`load`] is the front half, up to the checked model.

pub mod check;
pub mod diagnostic;
pub mod emit;
mod load;
pub mod lower;
pub mod marker;
pub mod model;
pub mod naming;
pub mod output;
pub mod source;

pub use check::Wanted;
pub use load::{Inputs, load};
pub use source::PackageInput;
