//! Webhooks: who answers them, and how they are reached.
//!
//! In: calls that a request wants made. Out: their answers: from handlers in this process, or over HTTPS. What goes wrong on the way is told in
//! the words of a real server.

#[cfg(feature = "http")]
mod client;

use std::{collections::BTreeMap, future::Future, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{FutureExt as _, future::BoxFuture};
use parking_lot::RwLock;
use serde_json::Value;

use super::ApiServer;
use crate::{
    admission::calls::{Answer, Call, Target},
    protocol::quoted,
};

type Handler = Arc<dyn Fn(Value) -> BoxFuture<'static, Value> + Send + Sync>;

/// Webhooks that are answered in this process, by their addresses.
#[derive(Default)]
pub(super) struct Handlers(RwLock<BTreeMap<String, Handler>>);

impl Handlers {
    fn find(&self, url: &str) -> Option<Handler> {
        let handlers = self.0.read();
        handlers.get(&plain(url)).cloned()
    }
}

/// An address without its query and the port that goes without saying.
fn plain(url: &str) -> String {
    let url = url.split_once('?').map_or(url, |(url, _)| url);
    let rest = url.strip_prefix("https://").unwrap_or(url);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    format!("{}/{path}", host.strip_suffix(":443").unwrap_or(host))
}

impl ApiServer {
    /// Answers a webhook in this process: whatever configuration names this address, admission and conversion alike, has its reviews
    /// answered by `handler`. A service is reached under `https://<name>.<namespace>.svc/<path>`.
    ///
    /// ```
    /// # async fn example() -> kube::Result<()> {
    /// use kube_codegen_apiserver::ApiServer;
    /// use serde_json::json;
    ///
    /// let server = ApiServer::default();
    /// server.webhook("https://policy.test/validate", |review| async move {
    ///     let uid = review["request"]["uid"].clone();
    ///     json!({
    ///         "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
    ///         "response": {"uid": uid, "allowed": false, "status": {"message": "not today"}},
    ///     })
    /// });
    /// // ... and a ValidatingWebhookConfiguration with `clientConfig: {url: https://policy.test/validate}` ...
    /// # Ok(())
    /// # }
    /// ```
    pub fn webhook<F>(&self, url: &str, handler: impl Fn(Value) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Value> + Send + 'static,
    {
        let handler: Handler = Arc::new(move |review| handler(review).boxed());
        self.0.webhooks.0.write().insert(plain(url), handler);
    }

    /// Makes one call.
    pub(super) async fn call(&self, call: Call) -> Answer {
        let limit = Duration::from_secs(call.target.timeout.max(1));
        let url = call.target.url.clone();
        let outcome = match tokio::time::timeout(limit, self.reach(&call.target, call.body.clone())).await {
            Ok(Ok(body)) => Ok(body),
            Ok(Err(Unreached::Answered(why))) => Err(why),
            Ok(Err(Unreached::OnTheWay(why))) => Err(format!("Post {}: {why}", quoted(&url))),
            Err(_) => Err(format!("Post {}: context deadline exceeded", quoted(&url))),
        };
        call.answered(outcome)
    }

    async fn reach(&self, target: &Target, body: Bytes) -> Result<Bytes, Unreached> {
        if let Some(handler) = self.0.webhooks.find(&target.url) {
            let review = serde_json::from_slice(&body).unwrap_or_default();
            return Ok(handler(review).await.to_string().into());
        }
        if let Some((namespace, name)) = &target.service {
            // No service leads anywhere: there are no networks of a cluster here.
            let known = self.0.core.lock().has_service(namespace, name);
            let why = match known {
                true => format!("no endpoints available for service {}", quoted(name)),
                false => format!("service {} not found", quoted(name)),
            };
            return Err(Unreached::OnTheWay(why));
        }
        #[cfg(feature = "http")]
        return client::post(target, body).await;
        #[cfg(not(feature = "http"))]
        Err(Unreached::OnTheWay("this server was built without HTTPS (feature `http`)".to_owned()))
    }
}

/// Why there is no answer.
#[derive(Debug)]
enum Unreached {
    /// The webhook was not reached.
    OnTheWay(String),
    /// It was, and said something else.
    #[cfg_attr(
        not(feature = "http"),
        expect(dead_code, reason = "only what comes over HTTPS may be no answer")
    )]
    Answered(String),
}
