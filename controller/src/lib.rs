//! Sample controllers on generated code: how to write one.
//!
//! A controller is a loop, and each of its parts has a file here:
//!
//! 1. An **informer** from the generated factory keeps a copy of all objects and says what changes.
//! 2. A **queue** takes the keys of what changed. It knows only that something is to be done ([`worker`]).
//! 3. **Workers** take keys, look up how the object is now, and see what became of it ([`changes`]).
//! 4. A **handler** does what is to be done ([`Handler`]). If it fails, the key comes back later, a limited number of
//!    times.
//!
//! [`Controller`] wires these together, [`my_resource`] and [`pod`] say for which kind.
//!
//! Workers look at how things are, not at what happened: an object that changed three times before a worker came to it
//! is handled once, and after a lost connection the next look finds what was missed. The one thing that cannot be
//! looked up is an object deleted while the controller was not running; where that matters, use a finalizer.

pub mod changes;
mod controller;
mod counts;
mod handler;
pub mod my_resource;
pub mod pod;
pub mod worker;

pub use controller::Controller;
pub use counts::{Counted, Counts};
pub use handler::{Handler, HandlerError, LogAndCount};
pub use worker::RunError;
