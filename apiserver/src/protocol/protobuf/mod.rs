//! Kubernetes' protobuf: what client-go and kubectl send and like best for built-in kinds.
//!
//! In: bytes of a body. Out: JSON values, and back: JSON text to bytes, the same bytes as a real server writes. Which field has which
//! number comes from data; nothing here knows a kind by name. It never asks what may be set: unset members are filled in elsewhere.

mod answer;
mod decode;
mod descriptor;
mod encode;
mod envelope;
mod error;
mod openapi;
mod special;
mod wire;
mod zero;

use serde_json::{Map, Value};

pub(crate) use answer::{List, event, list};
pub(crate) use envelope::Envelope;
pub use error::ProtobufError;
pub use openapi::encode_openapi_v2;

/// The media type.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";

/// Writes the JSON of an object of a built-in kind as protobuf, in the envelope that travels.
///
/// The JSON must be in the form in which servers answer; its `apiVersion` and `kind` say what it is.
///
/// ```
/// use kube_codegen_apiserver::protobuf;
///
/// let namespace = br#"{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"demo"}}"#;
/// let body = protobuf::encode(namespace)?;
/// assert!(body.starts_with(b"k8s\0"));
/// assert_eq!(protobuf::decode(&body)?["metadata"]["name"], "demo");
/// # Ok::<(), protobuf::ProtobufError>(())
/// ```
///
/// # Errors
///
/// When the text is no JSON, a value does not fit its field, or the kind has no message: custom kinds have none.
pub fn encode(json: &[u8]) -> Result<Vec<u8>, ProtobufError> {
    answer::object(json)
}

/// Reads an object of a built-in kind: what its bytes set, `apiVersion` and `kind` included.
///
/// # Errors
///
/// When the bytes are no envelope, or not what the message of its kind may hold.
pub fn decode(body: &[u8]) -> Result<Value, ProtobufError> {
    let envelope = Envelope::open(body)?;
    let mut out = decode_message(envelope.message, envelope.api_version, envelope.kind)?;
    out.insert("kind".to_owned(), envelope.kind.into());
    out.insert("apiVersion".to_owned(), envelope.api_version.into());
    Ok(Value::Object(out))
}

/// Reads a message of a kind into the members of an object; `apiVersion` and `kind` are not among them. Without a version the kind alone
/// decides.
pub(crate) fn decode_message(
    message: &[u8],
    api_version: &str,
    kind: &str,
) -> Result<Map<String, Value>, ProtobufError> {
    let mut out = Map::new();
    let Some(descriptor) = descriptor::kind(api_version, kind) else {
        return Err(ProtobufError::NoMessage { api_version: api_version.to_owned(), kind: kind.to_owned() });
    };
    decode::members(message, descriptor, &mut out, 0)?;
    Ok(out)
}
