//! `Gate`: what stands before the server for clients from outside.
//!
//! In: requests of a connection. Out: their answers, or 504 where a request takes too long to arrive. Whoever comes through it has to
//! say who they are.
//! Its bodies end when the server does.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request, Response, header};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::{ResponseBody, Service, protocol::Status, server::Door};

/// How long a request may take to arrive whole. Watches last longer: their answer has begun by then.
const REQUEST_LIMIT: Duration = Duration::from_secs(60);

#[derive(Clone)]
pub(super) struct Gate {
    pub(super) service: Service,
    pub(super) flow: Flow,
    pub(super) shutdown: CancellationToken,
}

impl hyper::service::Service<Request<Incoming>> for Gate {
    type Response = Response<EndingBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let gate = self.clone();
        Box::pin(async move {
            let response = gate.answer(request).await;
            Ok(response.map(|body| EndingBody::new(body, gate.shutdown)))
        })
    }
}

impl Gate {
    async fn answer(&self, mut request: Request<Incoming>) -> Response<ResponseBody> {
        let audit = request.headers().get(AUDIT_ID).cloned();
        request.extensions_mut().insert(Door::Outside);
        let mut response = self.pass(request).await;
        let headers = response.headers_mut();
        // What is refused at the door has not been through the service.
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-cache, private"));
        if let Some(audit) = audit.or_else(|| HeaderValue::try_from(uuid()).ok()) {
            headers.insert(AUDIT_ID, audit);
        }
        headers.insert(FLOW_SCHEMA, self.flow.schema.clone());
        headers.insert(PRIORITY_LEVEL, self.flow.level.clone());
        response
    }

    async fn pass(&self, request: Request<Incoming>) -> Response<ResponseBody> {
        let mut service = self.service.clone();
        match tokio::time::timeout(REQUEST_LIMIT, tower::Service::call(&mut service, request)).await {
            Ok(Ok(response)) => response,
            Err(_) => self.service.refuse(late()),
        }
    }
}

/// What answers say of the queue that a request went through; there is one for all.
#[derive(Clone)]
pub(super) struct Flow {
    schema: HeaderValue,
    level: HeaderValue,
}

impl Flow {
    pub(super) fn new() -> Self {
        let value = || HeaderValue::try_from(uuid()).unwrap_or_else(|_| HeaderValue::from_static("-"));
        Self { schema: value(), level: value() }
    }
}

const AUDIT_ID: HeaderName = HeaderName::from_static("audit-id");
const FLOW_SCHEMA: HeaderName = HeaderName::from_static("x-kubernetes-pf-flowschema-uid");
const PRIORITY_LEVEL: HeaderName = HeaderName::from_static("x-kubernetes-pf-prioritylevel-uid");

fn uuid() -> String {
    let hex = format!("{:032x}", fastrand::u128(..));
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-4{}-a{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

fn late() -> Status {
    let seconds = REQUEST_LIMIT.as_secs();
    Status::new(504, "Timeout", format!("the request did not arrive whole within {seconds} seconds"))
}

/// A body that ends early when the server does: watches would go on, and nobody could be done with them.
pub(super) struct EndingBody {
    body: ResponseBody,
    shutdown: Pin<Box<WaitForCancellationFutureOwned>>,
    ended: bool,
}

impl EndingBody {
    fn new(body: ResponseBody, shutdown: CancellationToken) -> Self {
        Self { body, shutdown: Box::pin(shutdown.cancelled_owned()), ended: false }
    }

    /// Whether this body has no end of its own in sight.
    fn is_watch(&self) -> bool {
        self.body.size_hint().exact().is_none()
    }
}

impl Body for EndingBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        if self.is_watch() && self.shutdown.as_mut().poll(cx).is_ready() {
            self.ended = true;
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.ended || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
