//! The sample controllers' binary.

fn main() {}
