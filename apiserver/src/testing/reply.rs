//! Answers that are made here instead of by a server, and the body that all answers of this room have.

use std::io;

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use tower::BoxError;

use crate::Status;

/// The body of an answer: a server's, or one made up for a test.
pub type Body = UnsyncBoxBody<Bytes, BoxError>;

/// Hides the type of a body.
pub(super) fn boxed<B>(body: B) -> Body
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    body.map_err(Into::into).boxed_unsync()
}

/// An answer of JSON text.
pub(super) fn json(code: StatusCode, text: impl Into<Bytes>) -> Response<Body> {
    let mut response = Response::new(boxed(Full::new(text.into())));
    *response.status_mut() = code;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A failure, with the header that goes with it.
pub(super) fn failure(status: &Status) -> Response<Body> {
    let code = StatusCode::from_u16(status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json(code, status.to_json());
    if let Some(seconds) = status.details().and_then(|details| details.retry_after_seconds) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// What a client sees when its connection breaks.
pub(super) fn reset() -> BoxError {
    io::Error::new(io::ErrorKind::ConnectionReset, "the connection was cut by a test").into()
}
