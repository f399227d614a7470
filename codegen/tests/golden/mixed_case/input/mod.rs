//! The type packages.

pub mod mixed_case;
