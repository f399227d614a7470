//! Generated clients.
