//! A client with habits: what is done to every request and with every answer.
//!
//! In: a client, and what to do. Out: a client that does it, for typed clients, generated ones and kube's own alike. Never: a request that
//! is sent twice though the server may have done it the first time; but for reads, only the server's word leads to another attempt.

mod again;
mod metrics;
mod options;
mod throttle;
mod warnings;

use std::{fmt, num::NonZeroU32, sync::Arc};

use http::{Request, Response};
use kube::{Client, api::ValidationDirective, client::Body};
use tower::service_fn;

use self::{options::Options, throttle::Throttle};
use super::ResourceClient;
use crate::object::Object;

pub(super) use self::warnings::{Handled, warnings_of};
pub use self::{
    metrics::{Answered, RequestMetrics},
    throttle::RateLimit,
    warnings::{Deduplicated, IgnoreWarnings, LogWarnings, Warning, WarningHandler},
};

/// What to do with every request of a client; nothing, unless its methods are called.
///
/// ```no_run
/// # use k8s_openapi::api::core::v1::ConfigMap;
/// use kube_codegen_runtime::client::{Deduplicated, LogWarnings, RateLimit, ResourceClient, Tuning};
///
/// # async fn example(client: kube::Client) -> kube_codegen_runtime::client::Result<()> {
/// let careful = Tuning::new()
///     .field_manager("my-operator")
///     .warnings(Deduplicated::new(LogWarnings))
///     .retries(10)
///     .rate_limit(RateLimit::per_second(20.0).burst(30))
///     .wrap(client); // also for `Clientset::new`
///
/// // What would the server make of it?
/// let trial = ResourceClient::<ConfigMap>::namespaced(careful, "default").tuned(Tuning::new().dry_run());
/// trial.create(&ConfigMap::default()).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Tuning {
    options: Options,
    warnings: Option<Arc<dyn WarningHandler>>,
    metrics: Option<Arc<dyn RequestMetrics>>,
    retries: u32,
    throttle: Option<Arc<Throttle>>,
}

impl Tuning {
    /// Nothing, so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Has the server go through every write without keeping anything of it.
    pub fn dry_run(mut self) -> Self {
        self.options.dry_run = true;
        self
    }

    /// The field manager of writes that name none.
    pub fn field_manager(mut self, name: &str) -> Self {
        self.options.field_manager = Some(name.into());
        self
    }

    /// What the server makes of unknown and repeated fields, in writes that do not say so themselves.
    pub fn field_validation(mut self, directive: ValidationDirective) -> Self {
        self.options.field_validation = Some(directive);
        self
    }

    /// Who hears of the server's warnings, in place of the log.
    pub fn warnings(mut self, handler: impl WarningHandler + 'static) -> Self {
        self.warnings = Some(Arc::new(handler));
        self
    }

    /// Who hears of requests that were answered.
    pub fn metrics(mut self, metrics: impl RequestMetrics + 'static) -> Self {
        self.metrics = Some(Arc::new(metrics));
        self
    }

    /// Sends a request again, up to this many times (client-go: ten), when the server answers 429 or a 5xx with the word how long to wait
    /// (`Retry-After`), and a read also when the connection broke, a second later.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Lets requests but those of watches, of all clones of the client together, wait for their turn. The server has its own ways to defend
    /// itself; this is for the sake of others.
    pub fn rate_limit(mut self, limit: RateLimit) -> Self {
        self.throttle = Some(Arc::new(Throttle::new(limit)));
        self
    }

    /// The client with these habits. Must be called in a tokio runtime.
    #[must_use]
    pub fn wrap(self, client: Client) -> Client {
        let namespace = client.default_namespace().to_owned();
        let (tuning, valid_until) = (Arc::new(self), *client.valid_until());
        let service = service_fn(move |request| {
            let (tuning, client) = (Arc::clone(&tuning), client.clone());
            async move { tuning.send(&client, request).await }
        });
        Client::new(service, namespace).with_valid_until(valid_until)
    }

    async fn send(&self, client: &Client, request: Request<Body>) -> kube::Result<Response<Body>> {
        let request = self.options.apply(request).await?;
        let mut response = match NonZeroU32::new(self.retries) {
            Some(retries) => self.send_again(client, request, retries).await?,
            None => self.attempt(client, request).await?,
        };
        if let Some(handler) = &self.warnings {
            for warning in warnings_of(&response) {
                handler.handle(&warning);
            }
            response.extensions_mut().insert(Handled);
        }
        Ok(response)
    }
}

impl<K: Object> ResourceClient<K> {
    /// The same client with these habits, for this kind alone. Must be called in a tokio runtime.
    #[must_use]
    pub fn tuned(self, tuning: Tuning) -> Self {
        self.map_client(|client| tuning.wrap(client))
    }
}

impl fmt::Debug for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tuning")
            .field("options", &self.options)
            .field("retries", &self.retries)
            .field("throttle", &self.throttle)
            .finish_non_exhaustive()
    }
}
