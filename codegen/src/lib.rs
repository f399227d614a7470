//! Generators for Kubernetes controllers: annotated Rust types in, typed clients, fakes, listers, informers and apply
//! configurations out.
//!
//! The folders of this crate are the steps of the pipeline, in this order:
//! `source -> marker -> lower -> model -> check -> emit -> output`, beside them [`naming`] and [`diagnostic`].
//! [`load`] is the front half, up to the checked model; [`generate`] is the whole. Around them stand [`config`] (what the
//! user wants), [`cli`], and for build scripts [`Builder`].

mod builder;
pub mod check;
pub mod cli;
pub mod config;
pub mod crd;
pub mod diagnostic;
pub mod emit;
pub mod generate;
mod load;
pub mod lower;
pub mod marker;
pub mod model;
pub mod naming;
mod new_crate;
pub mod output;
pub mod schema;
pub mod source;

pub use builder::{BuildError, Builder};
pub use check::Wanted;
pub use load::{
    Audit, Inputs, Loaded, load, load_audit, load_controllers, load_definitions, load_permissions,
    load_webhooks,
};
pub use source::PackageInput;
