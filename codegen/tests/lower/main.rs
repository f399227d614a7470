//! From annotated source to the model.

mod comments;
mod fields;
mod foreign;
mod hazards;
mod layouts;
mod names;
mod roots;
mod support;
mod tags;
