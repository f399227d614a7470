//! Structural schemas: what a CustomResourceDefinition says of the objects of its kind.
//!
//! In: the JSON of an `openAPIV3Schema`. Out: a schema to walk values by, and what follows from it: pruning, defaults, validation in the
//! words of a real server, uniqueness in lists, embedded metadata. It never reads requests and never stores anything.

mod declare;
mod default;
mod embedded;
mod formats;
mod lists;
mod node;
mod numbers;
mod path;
mod pattern;
mod prune;
mod rules;
mod validate;

pub(crate) use declare::{Root, declare};
pub(crate) use default::{drop_nulls, set_defaults};
pub(crate) use embedded::{check_embedded, coerce_embedded, coerce_metadata};
pub(crate) use formats::is_recognised;
pub(crate) use lists::check_lists;
pub(crate) use node::{Additional, Rule, Structural};
pub(crate) use numbers::{has_whole_fractions, make_whole, whole_numbers};
pub(crate) use path::Path;
pub(crate) use pattern::Pattern;
pub(crate) use prune::prune;
pub(crate) use rules::{CompiledRule, Rules, compile_rule};
pub(crate) use validate::{Old, is_blocking, validate, validate_default};
