//! CustomResourceDefinitions: what a definition says, which names it gets, and what is wrong with it.
//!
//! In: the object of a definition, and the other definitions of its group. Out: the same with its defaults, a typed view of it, its
//! conditions, every fault in the words of a real server. It serves nothing and stores nothing.

mod approval;
mod check;
mod conditions;
mod defaults;
mod held;
mod internal;
mod model;
mod names;
mod warnings;

pub(crate) use approval::approval;
pub(crate) use check::{check, check_status};
pub(crate) use conditions::{Condition, FINALIZER, condition, is_true, set_condition};
pub(crate) use defaults::{set_defaults, storage_version};
pub(crate) use held::{Aside, set_aside};
pub(crate) use model::{Definition, Names, Version};
pub(crate) use names::{Taken, review};
pub(crate) use warnings::warnings;
