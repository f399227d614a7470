//! Bodies of requests: bytes to JSON values.
//!
//! In: bytes and a content type. Out: a value, or the `Status` for what cannot be read. It does not know what the value should be.

use serde_json::Value;

use super::Status;

/// How the body of a create, update or delete is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyFormat {
    Json,
    Yaml,
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
    let unrecognised = |why: String| {
        Status::bad_request(format!(
            "the object provided is unrecognized (must be of type {expected}): {why}"
        ))
    };
    match format {
        BodyFormat::Json => serde_json::from_slice(body).map_err(|error| {
            unrecognised(format!(
                "couldn't get version/kind; json parse error: {}",
                super::json_error::describe(body, &error)
            ))
        }),
        BodyFormat::Yaml => super::yaml(body).map(|(value, _)| value).map_err(unrecognised),
    }
}
