//! The type packages.

pub mod order0;
pub mod order1;
pub mod order2;
pub mod order3;
