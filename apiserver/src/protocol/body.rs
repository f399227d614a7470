//! Bodies of requests: bytes to JSON values.
//!
//! In: bytes and a content type. Out: a value, or the `Status` for what cannot be read. It does not know what the value should be.

use serde_json::Value;

use super::{
    Status,
    protobuf::{self, Envelope, ProtobufError},
};

/// How the body of a create, update or delete is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyFormat {
    Json,
    Yaml,
    Protobuf,
}

/// How a patch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchFormat {
    Json,
    Merge,
    Strategic,
    Apply,
}

/// The media type of a header, without its parameters.
pub(crate) fn media_type(header: &str) -> &str {
    header.split(';').next().unwrap_or_default().trim()
}

impl BodyFormat {
    /// Reads a content type; an absent one is JSON.
    pub(crate) fn of(content_type: &str) -> Option<Self> {
        match media_type(content_type) {
            "" | "application/json" => Some(Self::Json),
            "application/yaml" => Some(Self::Yaml),
            protobuf::MEDIA_TYPE => Some(Self::Protobuf),
            _ => None,
        }
    }
}

impl PatchFormat {
    /// Reads a content type.
    pub(crate) fn of(content_type: &str) -> Option<Self> {
        match media_type(content_type) {
            "application/json-patch+json" => Some(Self::Json),
            "application/merge-patch+json" => Some(Self::Merge),
            "application/strategic-merge-patch+json" => Some(Self::Strategic),
            "application/apply-patch+yaml" => Some(Self::Apply),
            _ => None,
        }
    }
}

/// Reads a body; `expected` is the kind that the answer about an unreadable one names.
pub(crate) fn decode_object(body: &[u8], format: BodyFormat, expected: &str) -> Result<Value, Status> {
    match format {
        BodyFormat::Json => serde_json::from_slice(body).map_err(|error| {
            let why = super::json_error::describe(body, &error);
            unrecognised(expected, &format!("couldn't get version/kind; json parse error: {why}"))
        }),
        BodyFormat::Yaml => {
            super::yaml(body).map(|(value, _)| value).map_err(|why| unrecognised(expected, &why))
        }
        BodyFormat::Protobuf => decode_protobuf(body, "", expected),
    }
}

/// Reads a body of protobuf. `api_version` (may be empty) and `kind` are those of the path: what a body that names none is taken for.
pub(crate) fn decode_protobuf(body: &[u8], api_version: &str, kind: &str) -> Result<Value, Status> {
    let envelope = Envelope::open(body)
        .map_err(|error| unrecognised(kind, &format!("{error} ({})", super::json_error::beginning(body))))?;
    let or = |given: &'_ str, default: &str| if given.is_empty() { default } else { given }.to_owned();
    let (given_version, given_kind) = (or(envelope.api_version, api_version), or(envelope.kind, kind));
    let version = given_version.rsplit('/').next().unwrap_or_default();
    let mut fields = protobuf::decode_message(envelope.message, &given_version, &given_kind).map_err(|error| {
        let why = match error {
            ProtobufError::NoMessage { .. } => format!(
                "no kind \"{given_kind}\" is registered for version \"{given_version}\" in scheme \"pkg/runtime/scheme.go:111\""
            ),
            error => error.to_string(),
        };
        Status::bad_request(format!(
            "{given_kind} in version \"{version}\" cannot be handled as a {kind}: {why}"
        ))
    })?;
    fields.insert("kind".to_owned(), given_kind.into());
    if !given_version.is_empty() {
        fields.insert("apiVersion".to_owned(), given_version.into());
    }
    Ok(Value::Object(fields))
}

/// 400: the body is no object at all.
fn unrecognised(expected: &str, why: &str) -> Status {
    Status::bad_request(format!("the object provided is unrecognized (must be of type {expected}): {why}"))
}
