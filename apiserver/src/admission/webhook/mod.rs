//! Admission webhooks: servers elsewhere that are asked about writes.
//!
//! In: their configurations, a write, and the answers that have come so far. Out: the object with their changes, or a refusal, in the words
//! of a real server; and the calls that are still to be made.

mod answer;
mod read;
mod run;

pub(crate) use self::run::Asking;
pub(super) use self::{
    read::{Kind, Webhook, read},
    run::{mutate, validate},
};
