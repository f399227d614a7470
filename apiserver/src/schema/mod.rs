//! What values of a kind may look like: types, and what follows from them.
//!
//! In: OpenAPI schemas (of built-in kinds, from data in the crate; of custom kinds, from their definitions). Out: types to walk by, checks
//! of decoded values, normal forms, defaults. It never reads requests and never stores anything.

mod amount;
pub mod builtin;
mod decode;
mod default;
mod defaults;
pub(crate) mod internal;
mod left_out;
mod openapi;
mod order;
mod quantity;
mod strict;
pub(crate) mod structural;
mod time;
mod types;
mod zero;

pub use amount::Amount;
pub use decode::{Normal, normalize};
pub use default::set_defaults;
pub use defaults::set_builtin_defaults;
pub use left_out::LeftOut;
pub(crate) use order::{write_members, written};
pub use quantity::canonical_quantity;
pub use strict::{Strict, parse_strict};
pub use time::{canonical_micro_time, canonical_time};
pub use types::{Field, ListKind, MapKind, Scalar, Strategies, TypeSchema};

/// How Go's decoder names the JSON kind of a value.
pub(crate) fn go_json_kind(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "bool",
        serde_json::Value::Number(_) => "number",
        serde_json::Value::String(_) => "string",
        serde_json::Value::Array(_) => "array",
        serde_json::Value::Object(_) => "object",
    }
}
