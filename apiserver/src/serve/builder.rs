//! `Builder`: settings for a server.

use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::Mutex;

use crate::{
    controllers::{Controllers, Delays, Manager},
    registry::{Registration, Registry},
    server::{Authorization, Core, Namespaces, Settings, SystemObjects},
};

use super::{ApiServer, Kubelet, LogSource, Shared, driver::Crew, logs::LogBook, reached::Reached};

/// How many events of each resource are kept unless told otherwise.
const HISTORY: usize = 10_000;

/// Settings for an [`ApiServer`].
pub struct Builder {
    registrations: Vec<Registration>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    settings: Settings,
    logs: Option<Arc<dyn LogSource>>,
    controllers: Controllers,
    kubelet: Option<Kubelet>,
    quotas: Quotas,
    accounts: Accounts,
}

/// Whether quotas are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quotas {
    #[default]
    Uncounted,
    Counted,
}

/// Whether namespaces get a service account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Accounts {
    #[default]
    None,
    Given,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            registrations: Vec::new(),
            clock: Box::new(Timestamp::now),
            settings: Settings {
                seed: fastrand::u64(..),
                history: HISTORY,
                namespaces: Namespaces::Required,
                authorization: Authorization::AlwaysAllow,
                token_secret: None,
                system_objects: SystemObjects::None,
            },
            logs: None,
            controllers: Controllers::default(),
            kubelet: None,
            quotas: Quotas::default(),
            accounts: Accounts::default(),
        }
    }
}

impl Builder {
    /// Serves one more kind. Kinds that are built in stay as they are.
    #[must_use]
    pub fn register(mut self, registration: Registration) -> Self {
        self.registrations.push(registration);
        self
    }

    /// Serves more kinds.
    #[must_use]
    pub fn register_all(mut self, registrations: impl IntoIterator<Item = Registration>) -> Self {
        self.registrations.extend(registrations);
        self
    }

    /// Takes the time of objects from here rather than from the system's clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Makes uids, generated names and tokens repeatable. Who knows the seed can make tokens.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        let mut secret = [0; 32];
        fastrand::Rng::with_seed(seed).fill(&mut secret);
        self.settings.token_secret = Some(secret);
        self
    }

    /// Keeps this many events of each resource (10,000 unless told otherwise). Who asks for older ones is told that they have
    /// expired.
    #[must_use]
    pub fn history(mut self, events: usize) -> Self {
        self.settings.history = events;
        self
    }

    /// Refuses objects for namespaces that do not exist, as a real server does. This is how a server is made unless told otherwise.
    #[must_use]
    pub fn require_namespaces(mut self) -> Self {
        self.settings.namespaces = Namespaces::Required;
        self
    }

    /// Makes a namespace when the first object is created in it.
    #[must_use]
    pub fn create_namespaces(mut self) -> Self {
        self.settings.namespaces = Namespaces::MadeOnUse;
        self
    }

    /// Says how the garbage collector and the namespace controller run: by themselves, unless told otherwise.
    #[must_use]
    pub fn controllers(mut self, controllers: Controllers) -> Self {
        self.controllers = controllers;
        self
    }

    /// Gives the server a node that runs its pods, and a scheduler that binds them to it. It runs as the controllers do; with
    /// [`Controllers::Off`] there is none.
    #[must_use]
    pub fn kubelet(mut self, kubelet: Kubelet) -> Self {
        self.kubelet = Some(kubelet);
        self
    }

    /// Counts what the quotas of namespaces limit, as a controller of a real cluster does. Without it a quota holds against what its status
    /// says, which nobody changes but what is created. It runs as the controllers do; with [`Controllers::Off`] nothing is counted.
    #[must_use]
    pub fn count_quotas(mut self) -> Self {
        self.quotas = Quotas::Counted;
        self
    }

    /// Gives every namespace the service account `default`, as a controller of a real cluster does. It runs as the controllers do; with
    /// [`Controllers::Off`] there are only the accounts that clients make.
    #[must_use]
    pub fn service_accounts(mut self) -> Self {
        self.accounts = Accounts::Given;
        self
    }

    /// Answers requests for the logs of containers from here. Without a source, every node is out of reach.
    #[must_use]
    pub fn logs(mut self, source: impl LogSource + 'static) -> Self {
        self.logs = Some(Arc::new(source));
        self
    }

    /// Lets roles and bindings decide what users may do, as a real server does. Clients in this process and the holder of the kubeconfig
    /// are in the group `system:masters`, which may do everything; others come by impersonation, service account tokens, or unknown. The
    /// default roles and bindings are there.
    ///
    /// Unless told so, everybody who is known may do everything.
    #[must_use]
    pub fn rbac(mut self) -> Self {
        self.settings.authorization = Authorization::Rbac;
        self.settings.system_objects = self.settings.system_objects.max(SystemObjects::Roles);
        self
    }

    /// Starts with the objects that a fresh cluster has of itself: default roles and bindings, priority classes, flow schemas, API
    /// services, the service `kubernetes`. Without them there are only the namespaces that every cluster has.
    #[must_use]
    pub fn system_objects(mut self) -> Self {
        self.settings.system_objects = SystemObjects::All;
        self
    }

    /// The server.
    pub fn build(mut self) -> ApiServer {
        self.settings.token_secret = self.settings.token_secret.or_else(secret);
        let registry = Arc::new(Registry::new(&self.registrations));
        let mut core = Core::new(registry, &self.settings, (self.clock)());
        let book = LogBook::default();
        let plays = self.kubelet.is_some() && self.controllers != Controllers::Off;
        let logs = self.logs.or_else(|| plays.then(|| Arc::new(book.clone()) as Arc<dyn LogSource>));
        #[cfg(all(unix, feature = "process"))]
        let processes = self.kubelet.as_ref().and_then(|kubelet| kubelet.processes.clone()).filter(|_| plays);
        let settings = self.kubelet.map(|kubelet| kubelet.settings);
        let (quotas, accounts) = (self.quotas, self.accounts);
        let mut crew = |delays, runs| {
            let mut manager = Manager::new(&mut core, delays, settings.clone());
            if quotas == Quotas::Counted {
                manager.count_quotas(&core);
            }
            if accounts == Accounts::Given {
                manager.give_accounts(&core);
            }
            Crew::new(manager, runs)
        };
        let crew = match self.controllers {
            Controllers::Off => None,
            Controllers::Stepped => Some(crew(Delays::NONE, false)),
            Controllers::Running => Some(crew(Delays::RUNNING, true)),
        };
        let reached = Reached::new(core.version());
        ApiServer(Arc::new(Shared {
            core: Mutex::new(core),
            clock: self.clock,
            reached,
            logs,
            webhooks: super::webhooks::Handlers::default(),
            book,
            #[cfg(all(unix, feature = "process"))]
            processes,
            crew: crew.map(Mutex::new),
        }))
    }
}

/// Secret bytes; none where the system has none to give.
fn secret() -> Option<[u8; 32]> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).ok().map(|()| secret)
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("registrations", &self.registrations)
            .field("seed", &self.settings.seed)
            .field("history", &self.settings.history)
            .field("authorization", &self.settings.authorization)
            .finish_non_exhaustive()
    }
}
