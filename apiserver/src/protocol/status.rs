//! `Status`: the one shape of every error answer (and of a few successful ones).
//!
//! In: what went wrong, about which resource. Out: a value that serialises as the `v1` `Status` object of a real API server, texts
//! included. It never decides what is an error.

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;

use super::FieldError;

/// An answer of kind `Status`: almost always a failure.
///
/// It is also the error type of everything inside the server, so that an error is worded once, where it is found.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    code: u16,
    reason: &'static str,
    message: String,
    details: Option<Box<Details>>,
    /// Where a list may go on, if it may.
    token: String,
    /// What somebody else has said, to be passed on as it is.
    relayed: Option<Box<Value>>,
    /// What the client is warned of besides.
    warnings: Vec<String>,
}

/// The machine-readable part of a [`Status`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    /// Name of the object.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// API group of the object.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The plural resource, or the kind, whichever the error is about.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Uid of the object.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// One entry for each single failure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    /// When a retry may help, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u32>,
}

/// One failure among several in a [`Status`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cause {
    /// Machine-readable class, such as `FieldValueInvalid`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: &'static str,
    /// What is wrong.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Path of the field it is about.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
}

/// The group and the plural of a resource: how errors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceName<'a> {
    /// API group, empty for the core group.
    pub group: &'a str,
    /// Plural resource (or, where a real server does so, the kind).
    pub resource: &'a str,
}

impl std::fmt::Display for ResourceName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.resource)?;
        if self.group.is_empty() {
            return Ok(());
        }
        write!(f, ".{}", self.group)
    }
}

impl ResourceName<'_> {
    pub(crate) fn details(&self, name: &str) -> Details {
        Details {
            name: name.to_owned(),
            group: self.group.to_owned(),
            kind: self.resource.to_owned(),
            ..Details::default()
        }
    }
}

impl Status {
    /// A failure with a code, a reason (may be empty) and a message.
    pub fn new(code: u16, reason: &'static str, message: impl Into<String>) -> Self {
        let (message, token) = (message.into(), String::new());
        Self { code, reason, message, details: None, token, relayed: None, warnings: Vec::new() }
    }

    /// A failure that somebody else has worded, as a JSON object of this kind. What is missing of it is filled in.
    pub(crate) fn relayed(code: u16, mut said: Value, message: &str) -> Self {
        said["code"] = code.into();
        said["message"] = message.into();
        let mut status = Self::new(code, "", message);
        status.relayed = Some(Box::new(said));
        status
    }

    /// The same failure with details.
    #[must_use]
    pub fn with_details(mut self, details: Details) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// 400: the request cannot be understood.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    /// 401: who are you?
    pub fn unauthorized() -> Self {
        Self::new(401, "Unauthorized", "Unauthorized")
    }

    /// 403: understood, and refused.
    pub fn forbidden(resource: ResourceName<'_>, name: &str, why: &str) -> Self {
        let message = match name {
            "" => format!("{resource} is forbidden: {why}"),
            name => format!("{resource} \"{name}\" is forbidden: {why}"),
        };
        Self::new(403, "Forbidden", message).with_details(resource.details(name))
    }

    /// 404: no such object.
    pub fn not_found(resource: ResourceName<'_>, name: &str) -> Self {
        Self::new(404, "NotFound", format!("{resource} \"{name}\" not found"))
            .with_details(resource.details(name))
    }

    /// 404: no such resource, in a group that exists.
    pub fn no_such_resource() -> Self {
        Self::new(404, "NotFound", "the server could not find the requested resource")
            .with_details(Details::default())
    }

    /// Whether it says that what was asked for is not served at all.
    pub(crate) fn is_no_such_resource(&self) -> bool {
        *self == Self::no_such_resource()
    }

    /// 405: the resource has no such verb.
    pub fn method_not_allowed() -> Self {
        Self::new(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")
            .with_details(Details::default())
    }

    /// 406: nothing that `Accept` names can be produced.
    pub fn not_acceptable(message: impl Into<String>) -> Self {
        Self::new(406, "NotAcceptable", message)
    }

    /// 409: an object of this name is there already.
    pub fn already_exists(resource: ResourceName<'_>, name: &str) -> Self {
        Self::new(409, "AlreadyExists", format!("{resource} \"{name}\" already exists"))
            .with_details(resource.details(name))
    }

    /// 409: the write rests on a state that is not the current one.
    pub fn conflict(resource: ResourceName<'_>, name: &str, why: &str) -> Self {
        Self::new(409, "Conflict", format!("Operation cannot be fulfilled on {resource} \"{name}\": {why}"))
            .with_details(resource.details(name))
    }

    /// 410: the asked-for version is no longer kept.
    pub fn expired(message: impl Into<String>) -> Self {
        Self::new(410, "Expired", message)
    }

    /// 413: the body is longer than the server reads.
    pub fn too_large(limit: usize) -> Self {
        Self::new(413, "RequestEntityTooLarge", format!("Request entity too large: limit is {limit}"))
    }

    /// 415: the body is of a type that the server does not read.
    pub fn unsupported_media_type(message: impl Into<String>) -> Self {
        Self::new(415, "UnsupportedMediaType", message)
    }

    /// 422: the object breaks rules of its kind; one cause a rule.
    pub fn invalid(kind: ResourceName<'_>, name: &str, errors: &[FieldError]) -> Self {
        let mut texts: Vec<String> = Vec::with_capacity(errors.len());
        for text in errors.iter().map(FieldError::to_string) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let list = match texts.as_slice() {
            [one] => one.clone(),
            many => format!("[{}]", many.join(", ")),
        };
        let mut details = kind.details(name);
        details.causes = errors.iter().map(FieldError::cause).collect();
        Self::new(422, "Invalid", format!("{kind} \"{name}\" is invalid: {list}")).with_details(details)
    }

    /// 429: come back in so many seconds.
    pub fn too_many_requests(retry_after_seconds: u32) -> Self {
        Self::new(
            429,
            "TooManyRequests",
            "the server has received too many requests and has asked us to try again later",
        )
        .with_details(Details { retry_after_seconds: Some(retry_after_seconds), ..Details::default() })
    }

    /// 500: something that should not happen.
    pub fn internal(message: impl std::fmt::Display) -> Self {
        Self::new(500, "InternalError", format!("Internal error occurred: {message}")).with_details(Details {
            causes: vec![Cause { message: message.to_string(), ..Cause::default() }],
            ..Details::default()
        })
    }

    /// 503: not now.
    pub fn service_unavailable(message: impl Into<String>) -> Self {
        Self::new(503, "ServiceUnavailable", message)
    }

    /// 504: the asked-for version is newer than anything stored, and did not come in time.
    pub fn too_large_resource_version(asked: u64, current: u64) -> Self {
        Self::new(504, "Timeout", format!("Timeout: Too large resource version: {asked}, current: {current}"))
            .with_details(Details {
                causes: vec![Cause {
                    reason: "ResourceVersionTooLarge",
                    message: "Too large resource version".to_owned(),
                    field: String::new(),
                }],
                retry_after_seconds: Some(1),
                ..Details::default()
            })
    }

    /// The HTTP status code.
    pub fn code(&self) -> u16 {
        self.code
    }

    /// The machine-readable reason; empty for a few errors, as with a real server.
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// The human-readable text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The details, where there are any.
    pub fn details(&self) -> Option<&Details> {
        self.details.as_deref()
    }

    /// The same failure, with warnings for its client.
    pub(crate) fn with_warnings(mut self, warnings: Vec<String>) -> Self {
        self.warnings.extend(warnings);
        self
    }

    /// What the client is warned of besides.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// The same failure, told in other words.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// The same failure, with the hint to come back in so many seconds.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: u32) -> Self {
        self.details.get_or_insert_default().retry_after_seconds = Some(seconds);
        self
    }

    /// The same failure with the place where a list may go on.
    #[must_use]
    pub fn with_continue(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// The same failure with one more cause.
    #[must_use]
    pub fn with_cause(mut self, cause: Cause) -> Self {
        self.details.get_or_insert_default().causes.push(cause);
        self
    }

    /// As a JSON value.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// As JSON text.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", "Status")?;
        map.serialize_entry("apiVersion", "v1")?;
        let mut metadata = serde_json::Map::new();
        if !self.token.is_empty() {
            metadata.insert("continue".to_owned(), self.token.clone().into());
        }
        map.serialize_entry("metadata", &metadata)?;
        map.serialize_entry("status", "Failure")?;
        if let Some(said) = &self.relayed {
            for name in ["message", "reason", "details", "code"] {
                if let Some(value) = said.get(name).filter(|value| !value.is_null()) {
                    map.serialize_entry(name, value)?;
                }
            }
            return map.end();
        }
        if !self.message.is_empty() {
            map.serialize_entry("message", &self.message)?;
        }
        if !self.reason.is_empty() {
            map.serialize_entry("reason", self.reason)?;
        }
        if let Some(details) = &self.details {
            map.serialize_entry("details", details)?;
        }
        map.serialize_entry("code", &self.code)?;
        map.end()
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Status {}
