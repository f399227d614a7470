//! Types in the shape of kube's derive.

pub mod expected;
pub mod input;
