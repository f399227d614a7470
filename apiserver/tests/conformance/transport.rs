//! The two ways to a server: in process, and over HTTPS.
//!
//! In: requests. Out: answers of one form. Each scenario has a server of its own, whatever the way.

use std::{collections::HashMap, convert::Infallible, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full, combinators::UnsyncBoxBody};
use jiff::{SignedDuration, Timestamp};
use kube_codegen_apiserver::ApiServer;
use parking_lot::Mutex;
use serde_json::Value;
use tower::Service as _;

/// A way to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// Requests are calls. Time is paused, so that waiting takes none.
    Process,
    /// Requests travel. Time is real, so that waits are kept short.
    Https,
}

/// The ways that this build has.
pub(crate) const WAYS: &[Way] =
    if cfg!(feature = "http") { &[Way::Process, Way::Https] } else { &[Way::Process] };

/// What is sent.
pub(crate) struct Sent<'a> {
    pub(crate) method: &'a str,
    pub(crate) uri: String,
    pub(crate) headers: Option<&'a Value>,
    pub(crate) content_type: Option<&'a str>,
    pub(crate) body: Option<String>,
}

/// The body of an answer, from either way.
pub(crate) type Body = UnsyncBoxBody<Bytes, Infallible>;

/// A server and the way to it.
pub(crate) struct Transport {
    server: ApiServer,
    /// What has passed on the server's clock: what the scenario slept, and no more, so that slow machines see the same times.
    passed: Arc<Mutex<Duration>>,
    #[cfg(feature = "http")]
    https: Option<crate::https::Https>,
}

impl Transport {
    pub(crate) async fn open(way: Way) -> Self {
        let morning: Timestamp = "2026-01-02T03:04:05.2Z".parse().unwrap();
        let passed = Arc::new(Mutex::new(Duration::ZERO));
        let reading = Arc::clone(&passed);
        let clock = move || {
            let so_far = SignedDuration::try_from(*reading.lock()).unwrap();
            morning.checked_add(so_far).unwrap()
        };
        let server = ApiServer::builder().seed(1).clock(clock).rbac().system_objects().build();
        #[cfg(feature = "http")]
        let https = match way {
            Way::Process => None,
            Way::Https => Some(crate::https::Https::open(&server).await),
        };
        assert!(WAYS.contains(&way), "this build has no HTTPS");
        Self {
            server,
            passed,
            #[cfg(feature = "http")]
            https,
        }
    }

    /// Lets time pass. Where time is real, only a twentieth of it is waited.
    pub(crate) async fn sleep(&self, time: Duration) {
        let waited = if self.is_remote() { time / 20 } else { time };
        tokio::time::sleep(waited).await;
        *self.passed.lock() += time;
    }

    /// How long the silence of a watch is listened to, when a scenario says so long.
    pub(crate) fn patience(&self, time: Duration) -> Duration {
        if self.is_remote() { time.min(Duration::from_millis(100)) } else { time }
    }

    /// Sends a request. A header that is given empty is left out; without `Authorization` the server's own token is shown.
    pub(crate) async fn send(&mut self, sent: Sent<'_>) -> Response<Body> {
        let request = self.request(sent);
        #[cfg(feature = "http")]
        if let Some(https) = &mut self.https {
            return https.send(request).await;
        }
        let response = self.server.service().call(request).await.unwrap();
        response.map(|body| body.boxed_unsync())
    }

    /// Sends the request of a watch: its answer may stay open while others are sent.
    pub(crate) async fn watch(&mut self, sent: Sent<'_>) -> Response<Body> {
        #[cfg(feature = "http")]
        if let Some(https) = &self.https {
            let request = self.request(sent);
            return https.send_alone(request).await;
        }
        self.send(sent).await
    }

    #[cfg(feature = "http")]
    fn is_remote(&self) -> bool {
        self.https.is_some()
    }

    #[cfg(not(feature = "http"))]
    fn is_remote(&self) -> bool {
        let _ = &self.server;
        false
    }

    fn authorization(&self) -> Option<String> {
        #[cfg(feature = "http")]
        return self.https.as_ref().map(|https| format!("Bearer {}", https.token()));
        #[cfg(not(feature = "http"))]
        None
    }

    fn request(&self, sent: Sent<'_>) -> Request<Full<Bytes>> {
        let mut headers: HashMap<String, String> =
            [("accept", "application/json"), ("user-agent", "conformance")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
        headers.extend(self.authorization().map(|value| ("authorization".to_owned(), value)));
        if sent.body.is_some() {
            let kind = sent.content_type.unwrap_or("application/json");
            headers.insert("content-type".to_owned(), kind.to_owned());
        }
        for (name, value) in sent.headers.and_then(Value::as_object).into_iter().flatten() {
            headers.insert(name.to_lowercase(), crate::step::plain(value));
        }
        headers.retain(|name, value| {
            !["content-type", "authorization"].contains(&name.as_str()) || !value.is_empty()
        });
        let mut request = Request::builder().method(sent.method).uri(sent.uri);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.body(Full::new(Bytes::from(sent.body.unwrap_or_default()))).unwrap()
    }
}
