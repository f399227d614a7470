//! Markers: the text of a comment line to a typed marker.
//!
//! In: one line of a comment, without its slashes. Out: nothing (the line is no marker, or somebody else's), a marker
//! with the values that its definition asks for, or what is wrong with it and where. One registry has all markers:
//! names, where they may stand, arguments, help. It never knows to which item a comment belongs.

mod grammar;
mod registry;
mod value;

pub use grammar::{Argument, Fault, Marker, Misread, parse, parse_option};
pub use registry::{Category, Definition, Form, Kind, Parameter, Targets, definitions, find, options};
pub use value::Value;
