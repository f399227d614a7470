//! What can be wrong with bytes that should be protobuf, in the words of a real server's reader.

use thiserror::Error;

/// Why bytes cannot be read, or a value cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProtobufError {
    /// There is no body.
    #[error("empty data")]
    Empty,
    /// The body does not begin with the four bytes that every body begins with.
    #[error("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")]
    NoPrefix,
    /// Nothing follows the four bytes.
    #[error("empty body")]
    EmptyBody,
    /// The bytes end within a field.
    #[error("unexpected EOF")]
    UnexpectedEnd,
    /// An integer of more than 64 bits.
    #[error("proto: integer overflow")]
    Overflow,
    /// A length that is negative.
    #[error("proto: negative length found during unmarshaling")]
    NegativeLength,
    /// The end of a group that has not begun.
    #[error("proto: unexpected end of group")]
    UnexpectedEndOfGroup,
    /// A way of writing that does not exist.
    #[error("proto: illegal wireType {0}")]
    IllegalWireType(u8),
    /// A field of another type.
    #[error("proto: wrong wireType = {wire} for field {field}")]
    WrongWireType {
        /// How it is written.
        wire: u8,
        /// Which field.
        field: String,
    },
    /// The end of a group where a field should begin.
    #[error("proto: {0}: wiretype end group for non-group")]
    EndGroup(&'static str),
    /// A field with a number that no field can have.
    #[error("proto: {message}: illegal tag {number} (wire type {wire})")]
    IllegalTag {
        /// The message.
        message: &'static str,
        /// The number.
        number: i32,
        /// How it is written.
        wire: u8,
    },
    /// Messages inside messages, too many.
    #[error("proto: {0}: nested too deeply")]
    TooDeep(&'static str),
    /// A moment outside the years 0 to 9999.
    #[error("Time.MarshalJSON: year outside of range [0,9999]")]
    Year,
    /// JSON inside the message, or the JSON to be written, is malformed or does not fit.
    #[error("{0}")]
    Json(String),
    /// The kind has no message.
    #[error(
        "object {api_version}, Kind={kind} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf \
         message"
    )]
    NoMessage {
        /// Group and version, as objects write them.
        api_version: String,
        /// The kind.
        kind: String,
    },
}
