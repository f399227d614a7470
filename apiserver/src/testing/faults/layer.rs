//! The layer that keeps the rules of a [`Faults`].

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Request, Response};
use http_body_util::BodyExt;
use kube::client::Body as RequestBody;
use tokio::time::sleep;
use tower::{BoxError, Layer, Service, ServiceExt};

use crate::testing::{
    action::Action,
    reply::{Body, boxed, failure, reset},
    verb::Verb,
};

use super::{
    Answer, Faults,
    rule::Effect,
    stale,
    stream::{Control, End, Stream},
};

/// Puts [`Faults`] around a service.
#[derive(Clone, Debug)]
pub struct FaultLayer {
    faults: Faults,
}

impl FaultLayer {
    pub(super) fn new(faults: Faults) -> Self {
        Self { faults }
    }
}

impl<S> Layer<S> for FaultLayer {
    type Service = Faulty<S>;

    fn layer(&self, inner: S) -> Faulty<S> {
        Faulty { faults: self.faults.clone(), inner }
    }
}

/// A service that [`Faults`] may disturb.
#[derive(Clone, Debug)]
pub struct Faulty<S> {
    faults: Faults,
    inner: S,
}

impl<S, B> Service<Request<RequestBody>> for Faulty<S>
where
    S: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Answer;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Answer, BoxError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        // A request may fail, or wait, before it needs the inner service.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody>) -> Self::Future {
        let (faults, inner) = (self.faults.clone(), self.inner.clone());
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let action = Action::read(&parts, &Bytes::new());
            let request = Request::from_parts(parts, body);
            let Some(action) = action else { return send(inner, request).await };
            faults.disturb(inner, request, action).await
        })
    }
}

/// What a request meets on its way.
#[derive(Default)]
struct Way {
    lost: bool,
    version: Option<u64>,
    limit: Option<(usize, End)>,
}

impl Faults {
    async fn disturb<S, B>(
        &self,
        inner: S,
        mut request: Request<RequestBody>,
        action: Action,
    ) -> Result<Answer, BoxError>
    where
        S: Service<Request<RequestBody>, Response = Response<B>> + Send,
        S::Future: Send,
        S::Error: Into<BoxError>,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        let mut way = Way::default();
        for effect in self.take(&action.named()) {
            match effect {
                Effect::Error(status) => return Ok(failure(&status)),
                Effect::Disconnect => return Err(reset()),
                Effect::Hang => std::future::pending().await,
                Effect::Delay(delay) => sleep(delay).await,
                Effect::Hold(lock) => lock.pass().await,
                Effect::LoseAnswer => way.lost = true,
                Effect::ReadAt(version) => way.version = Some(version),
                Effect::EndAfter(events, end) => way.limit = Some((events, end)),
            }
        }
        let stale = way.version.and_then(|version| stale::exact(request.uri(), &action, version));
        let rewritten = stale.is_some();
        if let Some(uri) = stale {
            *request.uri_mut() = uri;
        }
        let answer = send(inner, request).await?;
        if way.lost {
            return Err(reset());
        }
        if rewritten && action.verb() == Verb::Get && answer.status().is_success() {
            let list = answer.into_body().collect().await?.to_bytes();
            return Ok(stale::only(&action, &list));
        }
        if action.verb() != Verb::Watch || !answer.status().is_success() {
            return Ok(answer);
        }
        let control = Arc::new(Control::new(action));
        self.watch(&control);
        Ok(answer.map(|body| boxed(Stream::new(body, control, way.limit))))
    }
}

async fn send<S, B>(inner: S, request: Request<RequestBody>) -> Result<Response<Body>, BoxError>
where
    S: Service<Request<RequestBody>, Response = Response<B>>,
    S::Error: Into<BoxError>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let answer = inner.oneshot(request).await.map_err(Into::into)?;
    Ok(answer.map(boxed))
}
