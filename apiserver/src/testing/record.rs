//! `Recorder`: a layer that notes every request and lets reactors answer in the server's place.
//!
//! In: requests. Out: the same requests, once they are noted and no reactor has answered. It holds no lock while a
//! reactor or the server works.

use std::{
    fmt,
    pin::pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use futures::future::BoxFuture;
use http::{Request, Response};
use kube::{Client, client::Body as RequestBody};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tower::{BoxError, Layer, Service, ServiceExt};

use super::{
    Action, Reaction,
    reply::{Body, boxed, failure, json, reset},
    through::service_of,
    verb::{Pattern, Verb},
};

type React = dyn Fn(&Action) -> Reaction + Send + Sync;

#[derive(Clone)]
struct Reactor {
    pattern: Pattern,
    react: Arc<React>,
}

#[derive(Default)]
struct Shared {
    actions: Mutex<Vec<Action>>,
    noted: Notify,
    reactors: Mutex<Vec<Reactor>>,
}

/// Notes every request for a resource, and asks reactors before the server. A handle: clones share everything.
#[derive(Clone, Default)]
pub struct Recorder {
    shared: Arc<Shared>,
}

impl Recorder {
    /// Nothing noted, no reactors.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A layer for a service that a `kube::Client` stands on.
    #[must_use]
    pub fn layer(&self) -> RecordLayer {
        RecordLayer { recorder: self.clone() }
    }

    /// The same client, with this recorder in between. Must be called in a tokio runtime.
    #[must_use]
    pub fn wrap(&self, client: Client) -> Client {
        let namespace = client.default_namespace().to_owned();
        Client::new(self.layer().layer(service_of(client)), namespace)
    }

    /// All requests so far, in the order in which they were sent.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        self.shared.actions.lock().clone()
    }

    /// The requests so far that ask for a change: what a controller did, without what its informers read.
    #[must_use]
    pub fn writes(&self) -> Vec<Action> {
        self.shared.actions.lock().iter().filter(|action| action.verb().changes()).cloned().collect()
    }

    /// Waits until a request was sent that is written so, such as `create pods default/a`; at once if it was sent already.
    /// The answer may not have come yet.
    pub async fn wait_for(&self, action: &str) {
        loop {
            let mut noted = pin!(self.shared.noted.notified());
            noted.as_mut().enable();
            if self.shared.actions.lock().iter().any(|sent| *sent == *action) {
                return;
            }
            noted.await;
        }
    }

    /// Forgets the requests so far.
    pub fn clear_actions(&self) {
        self.shared.actions.lock().clear();
    }

    /// Asks `react` about every request that matches: the verb (or [`Verb::Any`]) and the resource, such as `pods`,
    /// `pods/status`, `pods/*`, `deployments.apps` or `*`. Reactors are asked in the order in which they were added, until
    /// one does something else than [`Reaction::Continue`].
    pub fn react(
        &self,
        verb: Verb,
        resource: &str,
        react: impl Fn(&Action) -> Reaction + Send + Sync + 'static,
    ) {
        let reactor = Reactor { pattern: Pattern::new(verb, resource), react: Arc::new(react) };
        self.shared.reactors.lock().push(reactor);
    }

    /// Removes all reactors.
    pub fn clear_reactors(&self) {
        self.shared.reactors.lock().clear();
    }

    /// Notes a request and finds an answer for it among the reactors.
    async fn consult(&self, action: Action) -> Option<Result<Response<Body>, BoxError>> {
        self.shared.actions.lock().push(action.clone());
        self.shared.noted.notify_waiters();
        let reactors: Vec<_> = {
            let all = self.shared.reactors.lock();
            all.iter().filter(|reactor| reactor.pattern.matches(&action.named())).cloned().collect()
        };
        for reactor in reactors {
            let mut reaction = (reactor.react)(&action);
            while let Reaction::Later(decision) = reaction {
                reaction = decision.await;
            }
            match reaction {
                Reaction::Continue | Reaction::Later(_) => {}
                Reaction::Error(status) => return Some(Ok(failure(&status))),
                Reaction::Reply(code, text) => return Some(Ok(json(code, text))),
                Reaction::Disconnect => return Some(Err(reset())),
            }
        }
        None
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("actions", &self.shared.actions.lock().len())
            .field("reactors", &self.shared.reactors.lock().len())
            .finish()
    }
}

/// Puts a [`Recorder`] around a service.
#[derive(Clone, Debug)]
pub struct RecordLayer {
    recorder: Recorder,
}

impl<S> Layer<S> for RecordLayer {
    type Service = Record<S>;

    fn layer(&self, inner: S) -> Record<S> {
        Record { recorder: self.recorder.clone(), inner }
    }
}

/// A service whose requests a [`Recorder`] notes.
#[derive(Clone, Debug)]
pub struct Record<S> {
    recorder: Recorder,
    inner: S,
}

impl<S, B> Service<Request<RequestBody>> for Record<S>
where
    S: Service<Request<RequestBody>, Response = Response<B>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Into<BoxError>,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        // A reactor may answer alone; the inner service is asked when it is needed.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<RequestBody>) -> Self::Future {
        let (recorder, inner) = (self.recorder.clone(), self.inner.clone());
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let body = body.collect_bytes().await?;
            if let Some(action) = Action::read(&parts, &body)
                && let Some(answer) = recorder.consult(action).await
            {
                return answer;
            }
            let request = Request::from_parts(parts, RequestBody::from(body));
            let response = inner.oneshot(request).await.map_err(Into::into)?;
            Ok(response.map(boxed))
        })
    }
}
