//! Attempts, and when another one is due.
//!
//! In: a request whose body is at hand. Out: the last answer. Never: a second attempt at a write of which nobody knows what came of it.

use std::{num::NonZeroU32, time::Duration};

use http::{Method, Request, Response};
use kube::{Client, client::Body};
use tokio::time::{Instant, sleep};
use tracing::debug;

use super::{Answered, Tuning, throttle::is_watch};
use crate::client::{broken::is_broken_off, transport::retry_after};

/// How long to wait when a connection broke.
const BREATH: Duration = Duration::from_secs(1);

impl Tuning {
    /// Attempts until the answer is one to keep.
    pub(super) async fn send_again(
        &self,
        client: &Client,
        mut request: Request<Body>,
        retries: NonZeroU32,
    ) -> kube::Result<Response<Body>> {
        let mut left = retries.get();
        loop {
            let spare = if left > 0 { copy(&request) } else { None };
            let is_read = *request.method() == Method::GET;
            let answer = self.attempt(client, request).await;
            let wait = match &answer {
                Ok(response) if response.status().as_u16() == 429 || response.status().is_server_error() => {
                    retry_after(response)
                }
                Ok(_) => None,
                Err(error) => (is_read && is_broken_off(error)).then_some(BREATH),
            };
            let (Some(wait), Some(spare)) = (wait, spare) else { return answer };
            debug!(?wait, uri = %spare.uri(), left, "sends a request again");
            if let Some(metrics) = &self.metrics {
                metrics.retried();
            }
            drop(answer);
            sleep(wait).await;
            (request, left) = (spare, left - 1);
        }
    }

    /// One attempt, when it is its turn.
    pub(super) async fn attempt(
        &self,
        client: &Client,
        request: Request<Body>,
    ) -> kube::Result<Response<Body>> {
        let watch = is_watch(&request);
        let asked = Instant::now();
        if let Some(throttle) = self.throttle.as_ref().filter(|_| !watch) {
            throttle.wait().await;
        }
        let Some(metrics) = &self.metrics else { return client.send(request).await };
        let method = request.method().clone();
        let began = Instant::now();
        let answer = client.send(request).await;
        metrics.answered(&Answered {
            method,
            watch,
            code: answer.as_ref().ok().map(Response::status),
            waited: began.duration_since(asked),
            took: began.elapsed(),
        });
        answer
    }
}

/// The same request, unless its body comes as a stream.
fn copy(request: &Request<Body>) -> Option<Request<Body>> {
    let mut copy = Request::new(request.body().try_clone()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.version_mut() = request.version();
    *copy.headers_mut() = request.headers().clone();
    *copy.extensions_mut() = request.extensions().clone();
    Some(copy)
}
