//! The server as a thing to hold: a handle, a builder, a tower service.
//!
//! In: HTTP requests. Out: HTTP responses. Here are the clock, the lock and the waiting; the state machine has none of them.

mod body;
mod builder;
#[cfg(feature = "data")]
pub(crate) mod data;
mod driver;
mod files;
mod finish;
#[cfg(feature = "http")]
pub(crate) mod http;
mod kubelet;
pub(crate) mod load;
mod logs;
#[cfg(all(unix, feature = "process"))]
mod process;
mod reached;
mod service;
mod webhooks;

use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;

pub use body::ResponseBody;
pub use builder::Builder;
pub use kubelet::Kubelet;
pub use logs::{LogSource, LogStream};
pub use service::Service;

use self::{driver::Crew, logs::LogBook, reached::Reached};
use crate::{
    access::User,
    admission::calls::Call,
    controllers::Origin,
    protocol::Status,
    server::{Conversions, Core, Door, LogQuery, Progress, Reply, Request, Session},
};

/// An in-memory Kubernetes API server.
///
/// A handle: clones are the same server, which goes away with the last of them, its clients and its watches.
///
/// ```
/// # async fn example() -> kube::Result<()> {
/// use k8s_openapi::api::core::v1::Namespace;
/// use kube_codegen_apiserver::ApiServer;
///
/// let server = ApiServer::default();
/// let namespaces: kube::Api<Namespace> = kube::Api::all(server.client());
/// assert!(namespaces.get_opt("default").await?.is_some());
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(example()).unwrap();
/// ```
#[derive(Clone)]
pub struct ApiServer(Arc<Shared>);

/// How often a request is begun anew while what it is about changes under the webhooks that it asks.
const ROUNDS: usize = 64;

pub(crate) struct Shared {
    core: Mutex<Core>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// The version that was last reached: what waiting watches wait for.
    reached: Reached,
    logs: Option<Arc<dyn LogSource>>,
    /// Webhooks that are answered in this process.
    webhooks: webhooks::Handlers,
    /// What the containers of the kubelet have written.
    book: LogBook,
    #[cfg(all(unix, feature = "process"))]
    processes: Option<Arc<process::Processes>>,
    /// The controllers, where there are any. Locked after the core, never before.
    crew: Option<Mutex<Crew>>,
}

impl ApiServer {
    /// A server with the built-in kinds.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Settings for a server.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// A client of this server, in process, whose default namespace is `default`.
    ///
    /// Has to be called inside a tokio runtime, as has every `kube::Client`.
    pub fn client(&self) -> kube::Client {
        self.begin();
        kube::Client::new(self.service(), "default")
    }

    /// The server as a tower service.
    pub fn service(&self) -> Service {
        Service::new(self.clone())
    }

    /// Forgets every past version. Lists and watches that name one are told that it has expired (410), as is a watch that has not
    /// yet seen the present.
    pub fn compact(&self) {
        self.0.core.lock().compact();
    }

    /// The version of the newest change.
    pub fn resource_version(&self) -> u64 {
        self.0.core.lock().version()
    }

    /// Stores an object that is there already, such as a test's seed or a part of a recorded cluster: whole, with its status, uid,
    /// times and managed fields where it has them. What is missing of these is filled in, as is its namespace. Its resource version is
    /// always a new one.
    ///
    /// # Errors
    ///
    /// When its kind is not served, its metadata is not valid, or an object of its name is there.
    pub fn import(&self, object: serde_json::Value) -> Result<(), Status> {
        let now = (self.0.clock)();
        let (result, version) = {
            let mut core = self.0.core.lock();
            let result = core.import(object, now);
            self.observe(&mut core, Origin::Import);
            (result, core.version())
        };
        self.reached(version);
        result
    }

    /// Lets whoever shows `token` over a connection be the administrator.
    #[cfg(feature = "http")]
    pub(crate) fn trust(&self, token: &str) {
        self.0.core.lock().trust(token.to_owned(), User::admin());
    }

    /// Who sends a request with these headers, or 401.
    pub(crate) fn authenticate(
        &self,
        parts: &::http::request::Parts,
        door: Door,
    ) -> Result<Arc<User>, Status> {
        let now = (self.0.clock)();
        self.0.core.lock().authenticate(&parts.headers, parts.uri.path(), door, now)
    }

    /// Answers one request and wakes the watches if it changed something. Webhooks are asked without holding anybody up.
    pub(crate) async fn answer(&self, request: &Request) -> Reply {
        let mut session = Session::new((self.0.clock)());
        for _ in 0..ROUNDS {
            let (progress, version) = {
                let mut core = self.0.core.lock();
                let progress = core.proceed(request, &mut session);
                self.observe(&mut core, Origin::Request);
                (progress, core.version())
            };
            self.reached(version);
            match progress {
                Progress::Done(reply) => return reply,
                Progress::Waits(calls) => {
                    let answers = calls.into_iter().map(|call| self.call(call));
                    session.learn(futures::future::join_all(answers).await);
                }
            }
        }
        let why = "request did not complete within requested timeout";
        Status::new(504, "Timeout", format!("Timeout: {why}")).into()
    }

    /// Forgets a request that has ended before its time, so that nothing of it is left to the next.
    fn abandon(&self) {
        self.0.core.lock().abandon();
    }

    /// Asks conversion webhooks what a watch waits for.
    async fn convert(self, calls: Vec<Call>, mut conversions: Conversions) -> Conversions {
        let answers = calls.into_iter().map(|call| self.call(call));
        conversions.learn_all(futures::future::join_all(answers).await);
        conversions
    }

    /// Answers one request of the server's own, without asking webhooks.
    pub(crate) fn answer_by_itself(&self, request: &Request) -> Reply {
        let now = (self.0.clock)();
        let (reply, version) = {
            let mut core = self.0.core.lock();
            let reply = core.handle(request, now);
            self.observe(&mut core, Origin::Request);
            (reply, core.version())
        };
        self.reached(version);
        reply
    }

    /// The log of a container, from whoever runs it.
    fn log(&self, query: &LogQuery) -> Result<LogStream, Status> {
        match &self.0.logs {
            Some(source) => source.open(query),
            None => {
                let address = self.0.core.lock().kubelet_address(&query.node)?;
                Err(logs::unreachable(query, &address))
            }
        }
    }

    fn reached(&self, version: u64) {
        self.0.reached.advance(version);
    }
}

impl Default for ApiServer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for ApiServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApiServer")
            .field("resource_version", &self.resource_version())
            .finish_non_exhaustive()
    }
}
