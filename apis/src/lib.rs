//! Annotated type packages.
