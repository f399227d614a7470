//! What a test wants around a server: a record of requests, reactors, faults, seeds.
//!
//! In: requests of a client. Out: the same requests on their way to a server, or answers made up by the test. It uses the
//! server only through its public side; [`Recorder`] and [`Faults`] are tower layers, which stand as well in front of any other.
//!
//! - [`Fake`] has it all, over an in-memory server.
//! - [`Action`] is a request as it was sent: `assert_eq!(fake.actions(), ["get pods default/a"])`.
//! - [`Reaction`] is what a reactor answers in the server's place. Nothing is locked while one decides, so that it may call the
//!   client itself.
//! - [`Faults`] are what goes wrong in between: failures, delays, gates, broken connections, lost answers, watches that end,
//!   reads from the past, dropped history.
//! - `simulation` (feature `simulation`) runs whole processes over a server, from a seed, with everything going wrong that can.

mod action;
mod builder;
mod fake;
mod faults;
mod reaction;
mod record;
mod reply;
mod seed;
#[cfg(feature = "simulation")]
pub mod simulation;
mod through;
mod verb;

pub use action::Action;
pub use builder::{FakeBuilder, FakeError};
pub use fake::Fake;
pub use faults::{Fault, FaultLayer, Faults, Faulty, Gate};
pub use reaction::Reaction;
pub use record::{Record, RecordLayer, Recorder};
pub use reply::Body;
pub use seed::{Seed, SeedError};
pub use verb::Verb;
