//! Why an object is not admitted.
//!
//! In: a sentence, or what is wrong with which fields. Out: the `Status` that the client is shown.

use std::fmt::{self, Display};

use kube::core::{
    Status,
    response::{StatusCause, StatusDetails},
};
use serde_json::Value;

use crate::object::Object;

/// A refusal. A text becomes one with the code 403, as `Err("not today".into())`.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub struct Denied(Box<Status>);

impl Denied {
    /// A refusal in one sentence: 403, `Forbidden`.
    #[must_use]
    pub fn new(message: impl Display) -> Self {
        Self(Status::failure(&message.to_string(), "Forbidden").with_code(403).boxed())
    }

    /// What is wrong with the fields of an object: 422, `Invalid`, with a cause for each, as the API server itself refuses.
    pub fn invalid<K: Object>(object: &K, errors: impl IntoIterator<Item = FieldError>) -> Self {
        let errors: Vec<FieldError> = errors.into_iter().collect();
        let (group, kind) = (K::group(&()), K::kind(&()));
        let name = object.meta().name.clone().unwrap_or_default();
        let qualified = if group.is_empty() { kind.to_string() } else { format!("{kind}.{group}") };
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let told = match told.as_slice() {
            [only] => only.clone(),
            all => format!("[{}]", all.join(", ")),
        };
        let details = StatusDetails {
            name: name.clone(),
            group: group.into_owned(),
            kind: kind.into_owned(),
            causes: errors.into_iter().map(FieldError::cause).collect(),
            uid: String::new(),
            retry_after_seconds: 0,
        };
        let message = format!("{qualified} {name:?} is invalid: {told}");
        Self(Status::failure(&message, "Invalid").with_code(422).with_details(details).boxed())
    }

    /// A fault of the webhook's own rather than of the object: 500, `InternalError`.
    #[must_use]
    pub fn internal(error: impl Display) -> Self {
        Self(Status::failure(&error.to_string(), "InternalError").with_code(500).boxed())
    }

    /// A review that cannot be read: 400, `BadRequest`.
    pub(super) fn bad_request(error: impl Display) -> Self {
        Self(Status::failure(&error.to_string(), "BadRequest").with_code(400).boxed())
    }

    /// What the client is shown.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.0
    }
}

impl From<Status> for Denied {
    fn from(status: Status) -> Self {
        Self(status.boxed())
    }
}

impl From<&str> for Denied {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<String> for Denied {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

/// What is wrong with one field, in the words of the API server's own checks (`field.Error`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    field: String,
    reason: &'static str,
    told: String,
}

impl FieldError {
    fn new(field: impl Into<String>, reason: &'static str, told: String) -> Self {
        Self { field: field.into(), reason, told }
    }

    /// `spec.replicas: Invalid value: 101: must be 100 at most`.
    pub fn invalid(field: impl Into<String>, value: impl Into<Value>, why: impl Display) -> Self {
        Self::new(field, "FieldValueInvalid", format!("Invalid value: {}: {why}", value.into()))
    }

    /// `spec.command: Required value: says what is to be run`.
    pub fn required(field: impl Into<String>, why: impl Display) -> Self {
        Self::new(field, "FieldValueRequired", format!("Required value: {why}"))
    }

    /// `spec.schedule: Forbidden: cannot be changed`.
    pub fn forbidden(field: impl Into<String>, why: impl Display) -> Self {
        Self::new(field, "FieldValueForbidden", format!("Forbidden: {why}"))
    }

    /// `spec.names[1]: Duplicate value: "a"`.
    pub fn duplicate(field: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::new(field, "FieldValueDuplicate", format!("Duplicate value: {}", value.into()))
    }

    /// `spec.mode: Unsupported value: "fast": supported values: "safe", "slow"`.
    pub fn not_supported<V: Into<Value>>(
        field: impl Into<String>,
        value: impl Into<Value>,
        supported: impl IntoIterator<Item = V>,
    ) -> Self {
        let supported: Vec<String> = supported.into_iter().map(|value| value.into().to_string()).collect();
        let told = format!("Unsupported value: {}: supported values: {}", value.into(), supported.join(", "));
        Self::new(field, "FieldValueNotSupported", told)
    }

    fn cause(self) -> StatusCause {
        StatusCause { reason: self.reason.to_owned(), message: self.told, field: self.field }
    }
}

impl Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.told)
    }
}
