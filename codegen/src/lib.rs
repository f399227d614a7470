//! The generators.
