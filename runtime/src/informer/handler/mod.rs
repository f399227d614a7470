//! Handlers: who is told of changes, each in a task of its own.
//!
//! In: events of the reflector. Out: calls, one after the other for each handler. Never: one handler that waits for
//! another, or a reflector that waits for any.

mod hub;
mod member;
mod options;
mod registration;
mod roster;
mod task;

pub(super) use hub::{Handled, Hub};
pub use options::{Delivery, HandlerOptions};
pub use registration::HandlerRegistration;
pub(super) use task::Callback;
