//! `Fake`: an API server with everything a test wants around it.

use std::fmt;

use kube::Client;
use tower::{Layer, service_fn};

use crate::{ApiServer, Registration, Status};

use super::{Action, Faults, Reaction, Recorder, Seed, SeedError, Verb, reply::failure};

/// An in-memory API server whose requests are noted, may be answered by reactors, and may be disturbed by faults. A handle:
/// clones are the same fake.
///
/// A request passes the recorder with its reactors, then the faults, then reaches the server, which makes namespaces on
/// their first use, so that tests need not.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube::{Api, api::PostParams};
/// use kube_codegen_apiserver::{Status, testing::{Fake, Reaction, Verb}};
///
/// let mut seed = ConfigMap::default();
/// seed.metadata.name = Some("settings".into());
/// let fake = Fake::new([], [seed.clone().into()]);
///
/// // The code under test sees an ordinary client.
/// let maps: Api<ConfigMap> = Api::namespaced(fake.client(), "default");
/// let error = maps.create(&PostParams::default(), &seed).await.unwrap_err();
/// assert!(matches!(error, kube::Error::Api(status) if status.is_already_exists()));
/// maps.get("settings").await?;
/// assert_eq!(fake.actions(), ["create configmaps default/settings", "get configmaps default/settings"]);
///
/// fake.react(Verb::Get, "configmaps", |_| Reaction::error(Status::too_many_requests(1)));
/// assert!(maps.get("settings").await.is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Fake {
    server: ApiServer,
    recorder: Recorder,
    faults: Faults,
    client: Client,
}

impl Fake {
    /// A fake that serves the built-in kinds and these, and holds these objects. Must be called in a tokio runtime.
    ///
    /// If an object cannot be stored, every request is answered with a 500 that says which and why; see
    /// [`try_new`](Self::try_new).
    #[must_use]
    pub fn new(
        registrations: impl IntoIterator<Item = Registration>,
        seeds: impl IntoIterator<Item = Seed>,
    ) -> Self {
        let server = ApiServer::builder().register_all(registrations).create_namespaces().build();
        Self::over(server, seeds)
    }

    /// Like [`new`](Self::new), with an error where an object cannot be stored.
    ///
    /// # Errors
    ///
    /// Names each of these objects and what is wrong with it.
    pub fn try_new(
        registrations: impl IntoIterator<Item = Registration>,
        seeds: impl IntoIterator<Item = Seed>,
    ) -> Result<Self, SeedError> {
        let server = ApiServer::builder().register_all(registrations).create_namespaces().build();
        plant(&server, seeds)?;
        Ok(Self::around(server))
    }

    /// A fake around a server that is made already, for settings of its own. Seeds are treated as in [`new`](Self::new).
    #[must_use]
    pub fn over(server: ApiServer, seeds: impl IntoIterator<Item = Seed>) -> Self {
        let planted = plant(&server, seeds);
        let mut fake = Self::around(server);
        if let Err(error) = planted {
            fake.client = broken(&error);
        }
        fake
    }

    /// Like [`over`](Self::over), with an error where an object cannot be stored.
    ///
    /// # Errors
    ///
    /// Names each of these objects and what is wrong with it.
    pub fn try_over(server: ApiServer, seeds: impl IntoIterator<Item = Seed>) -> Result<Self, SeedError> {
        plant(&server, seeds)?;
        Ok(Self::around(server))
    }

    fn around(server: ApiServer) -> Self {
        let (recorder, faults) = (Recorder::new(), Faults::new());
        let service = recorder.layer().layer(faults.layer().layer(server.service()));
        Self { server, recorder, faults, client: Client::new(service, "default") }
    }

    /// The same fake, reached on another way: `client` is a client of its [`server`](Self::server), over HTTPS for example. Recording,
    /// reactors and faults stay in front. Must be called in a tokio runtime.
    #[must_use]
    pub fn through(&self, client: Client) -> Self {
        let client = self.recorder.wrap(self.faults.wrap(client));
        Self { client, ..self.clone() }
    }

    /// A client of the fake, whose default namespace is `default`.
    #[must_use]
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// The server behind it. What is asked of it directly is neither noted nor disturbed.
    #[must_use]
    pub fn server(&self) -> &ApiServer {
        &self.server
    }

    /// Puts one more object in, as if it had always been there. It is not noted, but watches see it.
    ///
    /// # Errors
    ///
    /// When it cannot be stored.
    pub fn add(&self, object: impl Into<Seed>) -> Result<(), SeedError> {
        plant(&self.server, [object.into()])
    }

    /// All requests so far, in the order in which they were sent.
    #[must_use]
    pub fn actions(&self) -> Vec<Action> {
        self.recorder.actions()
    }

    /// The requests so far that ask for a change: what a controller did, without what its informers read.
    #[must_use]
    pub fn writes(&self) -> Vec<Action> {
        self.recorder.writes()
    }

    /// Waits until a request was sent that is written so, such as `create pods default/a`; see [`Recorder::wait_for`].
    pub async fn wait_for(&self, action: &str) {
        self.recorder.wait_for(action).await;
    }

    /// Forgets the requests so far.
    pub fn clear_actions(&self) {
        self.recorder.clear_actions();
    }

    /// Lets `react` answer requests in the server's place; see [`Recorder::react`].
    pub fn react(
        &self,
        verb: Verb,
        resource: &str,
        react: impl Fn(&Action) -> Reaction + Send + Sync + 'static,
    ) {
        self.recorder.react(verb, resource, react);
    }

    /// Removes all reactors.
    pub fn clear_reactors(&self) {
        self.recorder.clear_reactors();
    }

    /// What goes wrong on the way to the server.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Forgets all past versions and ends all watches: whoever goes on from an old version is told that it has expired
    /// (410) and has to list anew.
    pub fn drop_history(&self) {
        self.server.compact();
        self.faults.cut_watches("*");
    }
}

impl fmt::Debug for Fake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fake")
            .field("server", &self.server)
            .field("recorder", &self.recorder)
            .field("faults", &self.faults)
            .finish_non_exhaustive()
    }
}

/// Stores all seeds that can be stored.
fn plant(server: &ApiServer, seeds: impl IntoIterator<Item = Seed>) -> Result<(), SeedError> {
    let mut refused = Vec::new();
    for seed in seeds {
        if let Err(status) = seed.object.and_then(|object| server.import(object)) {
            refused.push((seed.name, status));
        }
    }
    if refused.is_empty() { Ok(()) } else { Err(SeedError { refused }) }
}

/// The client of a fake that could not be made: no test passes by accident.
fn broken(error: &SeedError) -> Client {
    let status = Status::internal(error);
    let service = service_fn(move |_request| std::future::ready(Ok::<_, tower::BoxError>(failure(&status))));
    Client::new(service, "default")
}
