//! Generators for Kubernetes controllers: annotated Rust types in, typed clients, fakes, listers, informers and apply
//! configurations out.
//!
//! The folders of this crate are the steps of the pipeline, in this order:
//! `source -> marker -> lower -> model -> check -> emit -> output`, beside them [`naming`] and `diagnostic`.

pub mod emit;
pub mod model;
pub mod naming;
pub mod output;
