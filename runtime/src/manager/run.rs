//! The life of a process.
//!
//! In: what was added, and a stop. Out: everything started in order, and ended in order. Never: an end that waits longer than its limit.

use std::{fmt, future::Future, net::SocketAddr, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::{sync::watch, task::JoinSet, time::timeout};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};
use tracing::info;

use super::{
    BoxError, Checks, ManagerBuilder, ManagerError, Metrics,
    group::{Adder, Group, Running, Task, group},
    informers::Informers,
    pages::{Guard, Pages},
};
#[cfg(feature = "webhook")]
use crate::webhook::{WebhookMetrics, WebhookServer};
use crate::{
    controller::{Controller, ControllerBuilder, Reconciler},
    events::{EventBroadcaster, EventRecorder, Recorders},
    informer::{Factory, SharedInformer},
    leader_election::LeaderElector,
    object::Object,
    serving::{Door, Server},
};

/// Everything a controller process is made of. A cheap handle: parts can be added through any clone, before and after the start.
#[derive(Clone)]
pub struct Manager {
    shared: Arc<Shared>,
}

struct Shared {
    informers: Informers,
    everywhere: Adder,
    leader: Adder,
    live: Checks,
    ready: Checks,
    metrics: Metrics,
    recorders: Option<Recorders>,
    addresses: watch::Sender<Addresses>,
    #[cfg(feature = "webhook")]
    webhooks: Mutex<Webhooks>,
    /// Taken by the one run.
    parts: Mutex<Option<Parts>>,
}

/// The webhooks of a process.
#[cfg(feature = "webhook")]
#[derive(Default)]
struct Webhooks {
    /// Taken by the one run.
    added: Vec<WebhookServer>,
    /// There from the first one on.
    metrics: Option<WebhookMetrics>,
}

/// Where a manager answers, once it does.
#[derive(Clone, Copy, Debug, Default)]
struct Addresses {
    health: Option<SocketAddr>,
    metrics: Option<SocketAddr>,
    #[cfg(feature = "webhook")]
    webhooks: Option<SocketAddr>,
}

struct Parts {
    everywhere: Group,
    leader: Group,
    running: Running,
    elector: Option<LeaderElector>,
    health: Option<SocketAddr>,
    metrics: Option<SocketAddr>,
    #[cfg(feature = "secure-metrics")]
    secure: Option<super::SecureMetrics>,
    events: Option<EventBroadcaster>,
    shutdown_limit: Duration,
}

impl Parts {
    /// Whom metrics are shown to, and over what.
    fn guard(&self) -> Result<(Door, Guard), ManagerError> {
        #[cfg(feature = "secure-metrics")]
        if let Some(secure) = &self.secure {
            let acceptor = secure
                .acceptor()
                .map_err(|source| ManagerError::Certificate { purpose: "metrics", source })?;
            return Ok((
                Door::Tls(acceptor),
                secure.access().map_or(Guard::Nobody, |access| Guard::Access(access.into())),
            ));
        }
        Ok((Door::Plain, Guard::Nobody))
    }
}

impl Manager {
    /// Begins a manager.
    pub fn builder() -> ManagerBuilder {
        ManagerBuilder::default()
    }

    pub(super) fn new(builder: ManagerBuilder) -> Self {
        let running = Running::default();
        let ((everywhere, everywhere_group), (leader, leader_group)) =
            (group(running.clone()), group(running.clone()));
        let recorders = builder.events.as_ref().map(EventBroadcaster::recorders);
        let parts = Parts {
            everywhere: everywhere_group,
            leader: leader_group,
            running,
            elector: builder.elector,
            health: builder.health,
            metrics: builder.metrics_address,
            #[cfg(feature = "secure-metrics")]
            secure: builder.secure_metrics,
            events: builder.events,
            shutdown_limit: builder.shutdown_limit,
        };
        let informers = Informers::default();
        for checks in [&builder.live, &builder.ready] {
            checks.add("ping", || Ok(()));
        }
        builder.ready.add("informers", {
            let informers = informers.clone();
            move || {
                if informers.are_synced() {
                    Ok(())
                } else {
                    Err("the first lists are not through".to_owned())
                }
            }
        });
        let shared = Shared {
            informers,
            everywhere,
            leader,
            live: builder.live,
            ready: builder.ready,
            metrics: builder.metrics,
            recorders,
            addresses: watch::Sender::default(),
            #[cfg(feature = "webhook")]
            webhooks: Mutex::default(),
            parts: Mutex::new(Some(parts)),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Adds the informers that a factory has by now, and those it makes before the start.
    pub fn add_informers(&self, factory: &Factory) {
        self.shared.informers.add(factory.clone());
    }

    /// Begins a controller whose runs and queue are counted in this manager's metrics.
    pub fn controller<K: Object>(&self, name: &str, informer: &SharedInformer<K>) -> ControllerBuilder<K> {
        let metrics = &self.shared.metrics;
        Controller::builder(name, informer)
            .metrics(metrics.of_controller(name))
            .queue_metrics(metrics.of_queue(name))
    }

    /// Adds a controller, to run while this process leads.
    pub fn add_controller<R: Reconciler>(&self, controller: Controller<R>) {
        let name = controller.name().to_owned();
        self.shared.metrics.watch(&name, controller.workers().get(), controller.queue().clone());
        self.shared.leader.add(Task {
            name: format!("the controller {name}"),
            run: Box::new(move |stop| {
                Box::pin(async move { controller.run(stop).await.map_err(Into::into) })
            }),
        });
    }

    /// Adds a task, to run while this process leads. It ends when the token is cancelled; an error ends the manager.
    pub fn add_leader_task<F>(&self, name: &str, task: impl FnOnce(CancellationToken) -> F + Send + 'static)
    where
        F: Future<Output = Result<(), BoxError>> + Send + 'static,
    {
        self.shared.leader.add(named(name, task));
    }

    /// Adds webhooks, to be answered in every process from before the first lists until after the last run. Their metrics are among this
    /// manager's, and `webhooks` is one of the checks of readiness. What is added after the start is not answered.
    #[cfg(feature = "webhook")]
    pub fn add_webhooks(&self, server: WebhookServer) {
        let addresses = self.shared.addresses.subscribe();
        self.shared.ready.add("webhooks", move || match addresses.borrow().webhooks {
            Some(_) => Ok(()),
            None => Err("webhooks are not answered yet".to_owned()),
        });
        let mut webhooks = self.shared.webhooks.lock();
        let metrics = webhooks.metrics.get_or_insert_with(|| {
            let metrics = WebhookMetrics::default();
            self.shared.metrics.register(|registry| metrics.register(registry));
            metrics
        });
        let server = server.counted_in(metrics.clone());
        webhooks.added.push(server);
    }

    /// Adds a task, to run in every process once the caches are filled.
    pub fn add_task<F>(&self, name: &str, task: impl FnOnce(CancellationToken) -> F + Send + 'static)
    where
        F: Future<Output = Result<(), BoxError>> + Send + 'static,
    {
        self.shared.everywhere.add(named(name, task));
    }

    /// The checks behind `/healthz`: should this process be ended?
    #[must_use]
    pub fn health(&self) -> &Checks {
        &self.shared.live
    }

    /// The checks behind `/readyz`: should this process be asked? `informers` is one of them.
    #[must_use]
    pub fn readiness(&self) -> &Checks {
        &self.shared.ready
    }

    /// The metrics.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// A recorder of events for a controller of this name; one that only writes the log, where the manager was built without
    /// [`events`](ManagerBuilder::events).
    #[must_use]
    pub fn recorder(&self, controller: &str) -> EventRecorder {
        match &self.shared.recorders {
            Some(recorders) => recorders.recorder(controller),
            None => EventRecorder::silent(controller),
        }
    }

    /// Waits until health probes are answered, and says where; `None` if they are not to be.
    pub async fn health_address(&self) -> Option<SocketAddr> {
        self.address(|addresses| addresses.health).await
    }

    /// Waits until scrapes are answered, and says where; `None` if they are not to be.
    pub async fn metrics_address(&self) -> Option<SocketAddr> {
        self.address(|addresses| addresses.metrics).await
    }

    /// Waits until webhooks are answered, and says where; of several servers, where the last one added is.
    #[cfg(feature = "webhook")]
    pub async fn webhook_address(&self) -> Option<SocketAddr> {
        self.address(|addresses| addresses.webhooks).await
    }

    async fn address(&self, which: impl Fn(&Addresses) -> Option<SocketAddr>) -> Option<SocketAddr> {
        let mut addresses = self.shared.addresses.subscribe();
        let known = addresses.wait_for(|addresses| which(addresses).is_some()).await;
        known.ok().and_then(|addresses| which(&addresses))
    }

    /// Runs everything until `stop`, or until a part fails; then ends everything. Dropping the future drops all tasks.
    ///
    /// A second run of the same manager does nothing.
    ///
    /// # Errors
    /// The first failure, or that not everything ended in time.
    pub async fn run(self, stop: CancellationToken) -> Result<(), ManagerError> {
        let Some(mut parts) = self.shared.parts.lock().take() else { return Ok(()) };
        let (pages, caches) = (CancellationToken::new(), CancellationToken::new());
        let quiet = CancellationToken::new();
        let servers = self.servers(&parts, &pages).await?;
        let questions = CancellationToken::new();
        #[cfg(feature = "webhook")]
        let webhooks = self.webhooks(&questions).await?;
        let events = parts.events.take();
        let events = events.map(|events| AbortOnDropHandle::new(tokio::spawn(events.run(quiet.clone()))));
        let lived = self.live(parts, &caches, &stop).await;
        // Everything that has something to tell has ended.
        quiet.cancel();
        if let Some(events) = events {
            // It catches nothing and nobody aborts it: its only failure is a panic, which has been reported.
            let _ = events.await;
        }
        self.shared.informers.shutdown().await;
        questions.cancel();
        #[cfg(feature = "webhook")]
        webhooks.join_all().await;
        pages.cancel();
        servers.join_all().await;
        info!("all has ended");
        lived
    }

    /// Health and metrics.
    async fn servers(&self, parts: &Parts, stop: &CancellationToken) -> Result<JoinSet<()>, ManagerError> {
        let shared = &self.shared;
        let mut servers = JoinSet::new();
        if let Some(address) = parts.health {
            let pages = Pages::Health { live: shared.live.clone(), ready: shared.ready.clone() };
            let server = Server::bind(address, pages, Door::Plain).await?;
            shared.addresses.send_modify(|addresses| addresses.health = server.address());
            servers.spawn(server.serve(stop.clone()));
        }
        if let Some(address) = parts.metrics {
            let (door, guard) = parts.guard()?;
            let server =
                Server::bind(address, Pages::Metrics(shared.metrics.clone().into(), guard), door).await?;
            shared.addresses.send_modify(|addresses| addresses.metrics = server.address());
            servers.spawn(server.serve(stop.clone()));
        }
        Ok(servers)
    }

    /// Webhooks: the API server may ask them about the first list already.
    #[cfg(feature = "webhook")]
    async fn webhooks(&self, stop: &CancellationToken) -> Result<JoinSet<()>, ManagerError> {
        let mut servers = JoinSet::new();
        let added = std::mem::take(&mut self.shared.webhooks.lock().added);
        for webhooks in added {
            let server = webhooks.bind().await?;
            self.shared.addresses.send_modify(|addresses| addresses.webhooks = server.address());
            servers.spawn(server.serve(stop.clone()));
        }
        Ok(servers)
    }

    /// Caches, tasks, and the work of a leader, up to the end of the tasks.
    async fn live(
        &self,
        parts: Parts,
        caches: &CancellationToken,
        stop: &CancellationToken,
    ) -> Result<(), ManagerError> {
        match stop.run_until_cancelled(self.shared.informers.start(caches)).await {
            None => return Ok(()),
            Some(synced) => synced?,
        }
        let Parts { everywhere, leader, running, elector, shutdown_limit, .. } = parts;
        let ending = stop.child_token();
        let mut tasks = JoinSet::new();
        tasks.spawn(everywhere.run(ending.clone()));
        let _status = elector.as_ref().map(|elector| self.watch_election(elector));
        tasks.spawn(lead(leader, elector, ending.clone()));
        let first = tokio::select! {
            biased;
            () = stop.cancelled() => Ok(()),
            Some(ended) = tasks.join_next() => ended.unwrap_or(Ok(())),
        };
        info!("ending");
        ending.cancel();
        let rest = async {
            let mut result = Ok(());
            while let Some(ended) = tasks.join_next().await {
                result = result.and(ended.unwrap_or(Ok(())));
            }
            result
        };
        let ended = timeout(shutdown_limit, rest).await;
        let ended = ended.unwrap_or_else(|_| {
            Err(ManagerError::ShutdownTimeout { limit: shutdown_limit, dropped: running.names() })
        });
        first.and(ended)
    }

    /// Keeps the metric of the election true.
    fn watch_election(&self, elector: &LeaderElector) -> AbortOnDropHandle<()> {
        let (metrics, lease, mut status) =
            (self.shared.metrics.clone(), elector.lease_name().to_owned(), elector.status());
        AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                metrics.leading(&lease, i64::from(status.borrow_and_update().is_leading));
                if status.changed().await.is_err() {
                    metrics.leading(&lease, 0);
                    return;
                }
            }
        }))
    }
}

/// The group of the leader, with the Lease or without.
async fn lead(
    group: Group,
    elector: Option<LeaderElector>,
    stop: CancellationToken,
) -> Result<(), ManagerError> {
    let Some(elector) = elector else { return group.run(stop).await };
    let mut result = Ok(());
    let led = elector
        .run(stop, async |leadership| {
            result = group.run(leadership.ended().clone()).await;
        })
        .await;
    result.and(led.map_err(Into::into))
}

fn named<F>(name: &str, task: impl FnOnce(CancellationToken) -> F + Send + 'static) -> Task
where
    F: Future<Output = Result<(), BoxError>> + Send + 'static,
{
    Task { name: name.to_owned(), run: Box::new(move |stop| Box::pin(task(stop))) }
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manager")
            .field("health", &self.shared.live)
            .field("readiness", &self.shared.ready)
            .finish_non_exhaustive()
    }
}
