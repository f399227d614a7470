//! From a Status to the kind of error it is.
//!
//! In: a failure Status. Out: the variant, by its reason if that is known, else by its code. Never: by its message,
//! but for the owner in an apply conflict, which servers name nowhere else.

use std::time::Duration;

use kube::core::{
    Status,
    response::{StatusCause, StatusDetails, reason},
};

use super::{Error, FieldConflict};

pub(super) fn classify(status: Box<Status>) -> Error {
    match status.reason.as_str() {
        reason::NOT_FOUND => Error::NotFound(status),
        reason::ALREADY_EXISTS => Error::AlreadyExists(status),
        reason::CONFLICT => conflict(status),
        reason::EXPIRED | reason::GONE => Error::Expired(status),
        reason::INVALID => Error::Invalid(status),
        reason::BAD_REQUEST => Error::BadRequest(status),
        reason::UNAUTHORIZED => Error::Unauthorized(status),
        reason::FORBIDDEN => Error::Forbidden(status),
        reason::METHOD_NOT_ALLOWED | reason::NOT_ACCEPTABLE | reason::UNSUPPORTED_MEDIA_TYPE => {
            Error::Unsupported(status)
        }
        reason::REQUEST_ENTITY_TOO_LARGE => Error::TooLarge(status),
        reason::TOO_MANY_REQUESTS => too_many_requests(status),
        reason::TIMEOUT | reason::SERVER_TIMEOUT => timeout(status),
        reason::SERVICE_UNAVAILABLE => unavailable(status),
        reason::INTERNAL_ERROR => Error::Internal(status),
        _ => by_code(status),
    }
}

/// For answers of proxies and for reasons that are newer than this list.
fn by_code(status: Box<Status>) -> Error {
    match status.code {
        400 => Error::BadRequest(status),
        401 => Error::Unauthorized(status),
        403 => Error::Forbidden(status),
        404 => Error::NotFound(status),
        405 | 406 | 415 => Error::Unsupported(status),
        409 => conflict(status),
        410 => Error::Expired(status),
        413 => Error::TooLarge(status),
        422 => Error::Invalid(status),
        429 => too_many_requests(status),
        500 => Error::Internal(status),
        503 => unavailable(status),
        504 => timeout(status),
        _ => Error::Api(status),
    }
}

fn conflict(status: Box<Status>) -> Error {
    let causes = status.details.as_ref().map_or(&[] as &[_], |details| &details.causes);
    let conflicts: Vec<_> =
        causes.iter().filter(|cause| cause.reason == "FieldManagerConflict").map(field_conflict).collect();
    if conflicts.is_empty() {
        return Error::Conflict(status);
    }
    Error::ApplyConflict { conflicts, status }
}

fn field_conflict(cause: &StatusCause) -> FieldConflict {
    // `conflict with "manager" using apps/v1 at ..`
    let manager = cause.message.split('"').nth(1).map(str::to_owned);
    FieldConflict { manager, field: cause.field.clone(), message: cause.message.clone() }
}

fn too_many_requests(status: Box<Status>) -> Error {
    Error::TooManyRequests { retry_after: wait(&status), status }
}

fn timeout(status: Box<Status>) -> Error {
    Error::Timeout { retry_after: wait(&status), status }
}

fn unavailable(status: Box<Status>) -> Error {
    Error::Unavailable { retry_after: wait(&status), status }
}

fn wait(status: &Status) -> Option<Duration> {
    status.details.as_ref().and_then(retry_after)
}

/// The wait that the details ask for; they write none as zero.
pub(super) fn retry_after(details: &StatusDetails) -> Option<Duration> {
    (details.retry_after_seconds > 0).then(|| Duration::from_secs(details.retry_after_seconds.into()))
}
