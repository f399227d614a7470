//! Sending a request and judging the answer.
//!
//! In: a built request. Out: the body of a success, or the error that the answer stands for. Server warnings are
//! logged, unless the client is tuned to tell them to somebody else. Never: a retry.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, header};
use kube::{
    Client,
    client::Body,
    core::{
        Status,
        response::{StatusCause, StatusDetails},
    },
};
use serde::de::DeserializeOwned;

use super::{
    Error, Lines, LogWarnings, Result, WarningHandler,
    tuning::{Handled, warnings_of},
};

/// How much of a body that is no Status goes into the message, in characters.
const LONGEST_EXCERPT: usize = 1024;

/// Sends a request and decodes the object it is answered with.
pub(super) async fn object<R: DeserializeOwned>(client: &Client, request: Request<Vec<u8>>) -> Result<R> {
    decode(&bytes(client, request).await?)
}

/// Decodes a body.
pub(super) fn decode<R: DeserializeOwned>(body: &[u8]) -> Result<R> {
    serde_json::from_slice(body).map_err(Error::Decode)
}

/// Sends a request and collects the body of the answer.
pub(super) async fn bytes(client: &Client, request: Request<Vec<u8>>) -> Result<Bytes> {
    Ok(send(client, request).await?.into_body().collect_bytes().await?)
}

/// Sends a request and cuts the body of the answer into lines while it comes in.
pub(super) async fn lines(client: &Client, request: Request<Vec<u8>>) -> Result<Lines> {
    Ok(Lines::new(send(client, request).await?.into_body()))
}

async fn send(client: &Client, request: Request<Vec<u8>>) -> Result<Response<Body>> {
    let response = client.send(request.map(Body::from)).await?;
    log_warnings(&response);
    let code = response.status();
    if code.is_success() {
        return Ok(response);
    }
    let retry_after = retry_after(&response);
    let body = response.into_body().collect_bytes().await?;
    let status = match serde_json::from_slice::<Status>(&body) {
        Ok(status) if status.is_failure() || !status.reason.is_empty() => with_code(status, code.as_u16()),
        _ => made_up(code, &body),
    };
    Err(Error::from_status(with_retry_after(status, retry_after)))
}

/// The Status for an answer that is none: by its HTTP code, with the body as message.
fn made_up(code: http::StatusCode, body: &[u8]) -> Status {
    let text = String::from_utf8_lossy(body);
    let excerpt: String = text.trim().chars().take(LONGEST_EXCERPT).collect();
    let message = if excerpt.is_empty() { format!("the server answered {code}") } else { excerpt };
    let cause = StatusCause {
        reason: "UnexpectedServerResponse".to_owned(),
        message: message.clone(),
        field: String::new(),
    };
    let details = StatusDetails { causes: vec![cause], ..no_details() };
    Status::failure(&message, "").with_code(code.as_u16()).with_details(details)
}

fn with_code(mut status: Status, code: u16) -> Status {
    if status.code == 0 {
        status.code = code;
    }
    status
}

/// Keeps the header's word where the body has none.
fn with_retry_after(mut status: Status, retry_after: Option<Duration>) -> Status {
    if let Some(seconds) = retry_after.and_then(|wait| u32::try_from(wait.as_secs()).ok()) {
        let details = status.details.get_or_insert_with(no_details);
        if details.retry_after_seconds == 0 {
            details.retry_after_seconds = seconds;
        }
    }
    status
}

fn no_details() -> StatusDetails {
    StatusDetails {
        name: String::new(),
        group: String::new(),
        kind: String::new(),
        uid: String::new(),
        causes: Vec::new(),
        retry_after_seconds: 0,
    }
}

/// The `Retry-After` header in seconds, the only form that API servers use.
pub(super) fn retry_after<B>(response: &Response<B>) -> Option<Duration> {
    let seconds = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Logs what the server warns of, unless somebody has heard of it.
fn log_warnings(response: &Response<Body>) {
    if response.extensions().get::<Handled>().is_none() {
        warnings_of(response).iter().for_each(|warning| LogWarnings.handle(warning));
    }
}
