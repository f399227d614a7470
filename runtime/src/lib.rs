//! What generated code and controllers run on.
//!
//! [`object`] is all that a type package needs and the only module without the feature `client` (on by default);
//! everything else talks to a server, or keeps what a server said.

#[cfg(feature = "client")]
pub mod client;
pub mod object;
#[cfg(feature = "client")]
pub mod workqueue;
