//! What generated code runs on.
