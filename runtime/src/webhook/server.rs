//! The server of webhooks.
//!
//! In: POSTs of reviews, over TLS. Out: reviews with responses; for what is no review a code and a sentence. Never: a body of more than
//! 7 MiB, or an answer that waits for a body forever.

use std::{
    collections::BTreeMap,
    fmt,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures::FutureExt as _;
use http::{HeaderMap, Method, Request, Response, header::CONTENT_TYPE};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::{
    CONVERT, Conversion, Defaulter, Denied, Handler, Validator, admission,
    conversion::{self, Converts},
    guard::guarded,
    head::Head,
    metrics::WebhookMetrics,
    mutating_path, validating_path,
};
use crate::{
    manager::ManagerError,
    object::Object,
    serving::{Answers, Certificate, Door, PLAIN, Server, response},
};

/// What is served, in messages.
const PURPOSE: &str = "webhooks";
const JSON: &str = "application/json";
/// The longest body; an object may take 1.5 MiB in etcd, and a review has two, with their managed fields.
const LONGEST: usize = 7 * 1024 * 1024;
/// How long a body may take to come.
const BODY_LIMIT: Duration = Duration::from_secs(30);

/// Admission and conversion webhooks behind one address; see the [module](super).
#[must_use]
pub struct WebhookServer {
    address: SocketAddr,
    certificates: PathBuf,
    key: PathBuf,
    hooks: Hooks,
}

#[derive(Clone, Default)]
struct Hooks {
    routes: BTreeMap<String, Handler>,
    kinds: Vec<Arc<dyn Converts>>,
    metrics: WebhookMetrics,
}

impl WebhookServer {
    /// A server at this address, with the certificate in `tls.crt` and its key in `tls.key` of a folder, as cert-manager and a mounted
    /// Secret have them. Both are read at the start, and again when they change.
    pub fn new(address: SocketAddr, folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref();
        Self {
            address,
            certificates: folder.join("tls.crt"),
            key: folder.join("tls.key"),
            hooks: Hooks::default(),
        }
    }

    /// With the certificate and its key in other files.
    pub fn files(mut self, certificates: impl AsRef<Path>, key: impl AsRef<Path>) -> Self {
        (self.certificates, self.key) = (certificates.as_ref().to_owned(), key.as_ref().to_owned());
        self
    }

    /// Answers [`mutating_path`] of a kind.
    pub fn defaulter<K: Object>(self, defaulter: impl Defaulter<K>) -> Self {
        self.defaulter_at(&mutating_path::<K>(), defaulter)
    }

    /// Answers another path; several webhooks may be about one kind.
    pub fn defaulter_at<K: Object>(self, path: &str, defaulter: impl Defaulter<K>) -> Self {
        let defaulter = Arc::new(defaulter);
        self.handler(path, move |review| {
            let defaulter = Arc::clone(&defaulter);
            async move { admission::default(&*defaulter, review).await }
        })
    }

    /// Answers [`validating_path`] of a kind.
    pub fn validator<K: Object>(self, validator: impl Validator<K>) -> Self {
        self.validator_at(&validating_path::<K>(), validator)
    }

    /// Answers another path; several webhooks may be about one kind.
    pub fn validator_at<K: Object>(self, path: &str, validator: impl Validator<K>) -> Self {
        let validator = Arc::new(validator);
        self.handler(path, move |review| {
            let validator = Arc::clone(&validator);
            async move { admission::validate(&*validator, review).await }
        })
    }

    /// Converts the objects of a kind, when `/convert` is asked.
    pub fn conversion<Hub: Object>(mut self, conversion: Conversion<Hub>) -> Self {
        self.hooks.kinds.push(Arc::new(conversion));
        let kinds = self.hooks.kinds.clone();
        self.handler(CONVERT, move |review| {
            let answer = conversion::convert(&kinds, review);
            async move { answer }
        })
    }

    /// Answers a path with code of one's own: in goes the whole review, out comes the review that is answered.
    pub fn handler<F>(mut self, path: &str, handler: impl Fn(Value) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Value> + Send + 'static,
    {
        // The handler itself may panic, before there is a future.
        let handler = Arc::new(handler);
        let lazy = move |review| {
            let handler = Arc::clone(&handler);
            async move { handler(review).await }.boxed()
        };
        self.hooks.routes.insert(path.to_owned(), Arc::new(lazy));
        self
    }

    /// The paths that are answered.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.hooks.routes.keys().map(String::as_str)
    }

    /// Answers one review without a network: what tests need. A path that nobody answers is denied.
    pub async fn answer(&self, path: &str, review: Value) -> Value {
        match self.hooks.routes.get(path) {
            Some(handler) => self.hooks.run(path, handler, review).await,
            None => Head::of(&review).refuse(&Denied::bad_request(format!("there is no webhook at {path}"))),
        }
    }

    /// Counts what is answered there.
    pub(crate) fn counted_in(mut self, metrics: WebhookMetrics) -> Self {
        self.hooks.metrics = metrics;
        self
    }

    /// Takes the address and reads the certificate.
    pub(crate) async fn bind(self) -> Result<Server<impl Answers>, ManagerError> {
        let certificate = Certificate::read(PURPOSE, &self.certificates, &self.key);
        let acceptor = certificate.and_then(Certificate::acceptor);
        let acceptor = acceptor.map_err(|source| ManagerError::Certificate { purpose: PURPOSE, source })?;
        Server::bind(self.address, self.hooks, Door::Tls(acceptor)).await
    }
}

impl Hooks {
    async fn run(&self, path: &str, handler: &Handler, review: Value) -> Value {
        let head = Head::of(&review);
        let answer = guarded(path, &self.metrics.panics, async { handler(review).await }).await;
        answer.unwrap_or_else(|panic| head.refuse(&Denied::internal(panic)))
    }

    /// The answer, or a code and a sentence.
    async fn review(
        &self,
        path: &str,
        handler: &Handler,
        request: Request<Incoming>,
    ) -> Result<Value, (u16, String)> {
        if *request.method() != Method::POST {
            return Err((405, "only POST is answered here\n".to_owned()));
        }
        if !is_json(request.headers()) {
            return Err((415, format!("reviews are sent as {JSON}\n")));
        }
        let body = Limited::new(request.into_body(), LONGEST).collect();
        let body = match timeout(BODY_LIMIT, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return Err((413, format!("a review has {LONGEST} bytes at most\n")));
            }
            Ok(Err(error)) => return Err((400, format!("the body broke off: {error}\n"))),
            Err(_) => return Err((408, format!("the body did not come within {BODY_LIMIT:?}\n"))),
        };
        let review: Value = serde_json::from_slice(&body)
            .map_err(|error| (400, format!("the body is no JSON: {error}\n")))?;
        if !review["request"].is_object() {
            return Err((400, "the body is no review: it has no request\n".to_owned()));
        }
        Ok(self.run(path, handler, review).await)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(JSON))
}

impl Answers for Hooks {
    fn purpose(&self) -> &'static str {
        PURPOSE
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path().to_owned();
        let Some(handler) = self.routes.get(&path) else {
            let known = self.routes.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            return response(404, PLAIN, format!("there is no webhook at this path; there is {known}\n"));
        };
        let (began, _running) = (Instant::now(), self.metrics.begin(&path));
        let answer = match self.review(&path, handler, request).await {
            Ok(review) => response(200, JSON, review.to_string()),
            Err((code, why)) => response(code, PLAIN, why),
        };
        self.metrics.end(&path, answer.status().as_u16(), began.elapsed());
        answer
    }
}

impl fmt::Debug for WebhookServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookServer")
            .field("address", &self.address)
            .field("certificates", &self.certificates)
            .field("key", &self.key)
            .field("paths", &self.paths().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
