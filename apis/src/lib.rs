//! Annotated type packages, the input of the generators: a module for each group, in it one for each version.
//!
//! The three shapes of root types are all here: structs written out ([`cnat`], [`myresource`]), kube's derive
//! ([`webapp`]), and types of k8s-openapi re-exported ([`core`], [`apps`], [`coordination`]). After a change run
//! `hack/update-codegen.sh`.

pub mod apps;
pub mod cnat;
pub mod coordination;
pub mod core;
pub mod myresource;
pub mod webapp;
