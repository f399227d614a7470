//! The protocol: what travels between a client and the server.
//!
//! In: the parts of an HTTP request. Out: what it asks for (target, options, selectors), and back: `Status` errors and replies. It never
//! looks at what is stored.

mod accept;
mod body;
mod deadline;
mod escape;
mod field_error;
mod field_selector;
mod go_number;
mod indent;
mod json_error;
mod label_selector;
pub(crate) mod names;
mod object_selector;
mod path;
pub mod protobuf;
mod query;
mod status;
mod yaml;
mod yaml_scalar;
mod yaml_text;
mod yaml_writer;

pub(crate) use accept::{Encoding, Form, Messages, MetaVersion, ObjectView, Offer, Terms, pick};
pub(crate) use body::{BodyFormat, PatchFormat, decode_object, decode_protobuf, media_type};
pub(crate) use deadline::timeout_error;
pub(crate) use escape::{escape_html, may_need_escapes};
pub use field_error::{FieldError, FieldErrorClass};
pub(crate) use field_error::{html_safe, printed, quoted};
pub(crate) use field_selector::{FieldSelector, Test};
pub(crate) use go_number::{go_float, go_number};
pub(crate) use indent::indented;
pub(crate) use json_error::{beginning, go_no_object, go_syntax_error};
pub(crate) use label_selector::LabelSelector;
pub(crate) use path::{ResourcePath, Target, escaped_name, unescape};
pub(crate) use query::{ListOptions, Query, VersionMatch, invalid_options, number_error};
pub use status::{Cause, Details, ResourceName, Status};
pub(crate) use yaml::yaml;
pub(crate) use yaml_text::read_as_yaml;
pub(crate) use yaml_writer::to_yaml;

/// The fields of an object.
pub(crate) type Fields = serde_json::Map<String, serde_json::Value>;
