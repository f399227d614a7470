//! The type packages.

pub mod r#type;
