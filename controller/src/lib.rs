//! Sample controllers on generated code: how to write an operator.
//!
//! A controller is a loop, and each of its parts has a place:
//!
//! 1. **Informers** from the generated factory keep a copy of all objects and say what changes.
//! 2. The **controller** of the runtime has a queue of keys, which knows only that something is to be done, workers, and retries.
//! 3. A **reconciler** looks how an object is now, compares that with what is wanted, and does what is missing.
//! 4. The **manager** starts and stops all of it, for the one replica that leads.
//!
//! There are three, from the smallest to the most careful:
//!
//! - [`pod`]: watches a kind that Kubernetes brings along, and reports what is wrong.
//! - [`my_resource`]: tells a [`Handler`] what was created, updated and deleted, each once.
//! - [`at`]: runs a command at a given time, in exactly one pod, whatever crashes.
//!
//! [`add_all`] puts them under one manager.
//!
//! Workers look at how things are, not at what happened: an object that changed three times before a worker came to it is handled once,
//! and after a lost connection the next look finds what was missed. The one thing that cannot be looked up is an object deleted while the
//! controller was not running; where that matters, use a finalizer, as [`at`] does for its pods.

pub mod at;
pub mod changes;
mod handler;
pub mod my_resource;
pub mod pod;
mod setup;

pub use handler::{Handler, HandlerError, LogAndCount, Told};
pub use setup::{Reports, Setup, SetupError, add_all};
