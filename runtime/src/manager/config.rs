//! The settings of a manager, as the flags and the environment of a process give them.
//!
//! In: the flags of kubebuilder's `main`, or variables of their names. Out: a manager's builder, or what is wrong with them. Never: a
//! setting that is taken and not kept: what this manager cannot do is refused.

use std::{net::SocketAddr, num::NonZeroUsize, time::Duration};

use super::{Manager, ManagerBuilder, values::Value};
use crate::{
    client::{Client, ResourceClient},
    leader_election::{InvalidSettings, LeaderElector},
    object::{letters, stable_hash},
};

/// What one setting is called, what it is for, and where it goes.
type Setting = (&'static str, &'static str, for<'c> fn(&'c mut ManagerConfig) -> Value<'c>);

/// The settings of a manager. Its defaults are those of a kubebuilder project, but for metrics over TLS, which have to be
/// asked for.
///
/// ```
/// use std::time::Duration;
/// use kube_codegen_runtime::manager::ManagerConfig;
///
/// let flags = ["--leader-elect", "--metrics-bind-address=:8080", "--graceful-shutdown-timeout", "1m30s", "--name", "x"];
/// let (config, rest) = ManagerConfig::default().with_flags(flags.map(String::from))?;
/// assert!(config.leader_elect && config.metrics_bind_address.is_some());
/// assert_eq!(config.graceful_shutdown_timeout, Duration::from_secs(90));
/// assert_eq!(rest, ["--name", "x"], "flags of the program's own are left to it");
/// # Ok::<(), kube_codegen_runtime::manager::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManagerConfig {
    /// Where `/metrics` is answered; nowhere by default (`--metrics-bind-address`; `0` for nowhere).
    pub metrics_bind_address: Option<SocketAddr>,
    /// Where `/healthz` and `/readyz` are answered; by default at port 8081 (`--health-probe-bind-address`).
    pub health_probe_bind_address: Option<SocketAddr>,
    /// Whether metrics are answered over TLS, to those alone whom the cluster lets read them (`--metrics-secure`). The program has to be built
    /// with the feature `secure-metrics`.
    pub metrics_secure: bool,
    /// The folder of the certificate; without one the manager makes a certificate itself (`--metrics-cert-path`).
    pub metrics_cert_path: Option<String>,
    /// `--metrics-cert-name`
    pub metrics_cert_name: String,
    /// `--metrics-cert-key`
    pub metrics_cert_key: String,
    /// The folder of the certificate of webhooks; by default `k8s-webhook-server/serving-certs` among temporary files, where kubebuilder mounts
    /// it (`--webhook-cert-path`). The program has to be built with the feature `webhook`.
    pub webhook_cert_path: Option<String>,
    /// `--webhook-cert-name`
    pub webhook_cert_name: String,
    /// `--webhook-cert-key`
    pub webhook_cert_key: String,
    /// Whether one of several replicas works (`--leader-elect`).
    pub leader_elect: bool,
    /// The name of the Lease (`--leader-election-id`).
    pub leader_election_id: String,
    /// The namespace of the Lease; by default that of the client (`--leader-election-namespace`).
    pub leader_election_namespace: Option<String>,
    /// `--leader-election-lease-duration`
    pub lease_duration: Duration,
    /// `--leader-election-renew-deadline`
    pub renew_deadline: Duration,
    /// `--leader-election-retry-period`
    pub retry_period: Duration,
    /// How long tasks have at the stop (`--graceful-shutdown-timeout`).
    pub graceful_shutdown_timeout: Duration,
    /// How many keys a controller may work on at a time, for programs to hand on (`--max-concurrent-reconciles`).
    pub max_concurrent_reconciles: NonZeroUsize,
}

impl Default for ManagerConfig {
    fn default() -> Self {
        Self {
            metrics_bind_address: None,
            health_probe_bind_address: Some(SocketAddr::from(([0, 0, 0, 0], 8081))),
            metrics_secure: false,
            metrics_cert_path: None,
            metrics_cert_name: "tls.crt".to_owned(),
            metrics_cert_key: "tls.key".to_owned(),
            webhook_cert_path: None,
            webhook_cert_name: "tls.crt".to_owned(),
            webhook_cert_key: "tls.key".to_owned(),
            leader_elect: false,
            leader_election_id: String::new(),
            leader_election_namespace: None,
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
            graceful_shutdown_timeout: Duration::from_secs(30),
            max_concurrent_reconciles: NonZeroUsize::MIN,
        }
    }
}

/// A setting that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A value does not fit.
    #[error("{setting}: {value:?} {why}")]
    Value {
        /// The flag or the variable.
        setting: String,
        /// The value.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// A flag stands without its value.
    #[error("{flag} needs a value")]
    Missing {
        /// The flag.
        flag: String,
    },
    /// Leader election has no name to compete for.
    #[error("--leader-elect needs --leader-election-id: the name of the Lease")]
    NoLease,
    /// The times do not fit together.
    #[error("the times of the leader election do not fit together")]
    Election(#[from] InvalidSettings),
}

pub(super) const SETTINGS: &[Setting] = &[
    ("metrics-bind-address", "Where /metrics is answered, such as :8080; 0 for nowhere", |config| {
        Value::Address(&mut config.metrics_bind_address)
    }),
    ("health-probe-bind-address", "Where /healthz and /readyz are answered; 0 for nowhere", |config| {
        Value::Address(&mut config.health_probe_bind_address)
    }),
    ("leader-elect", "Let one of several replicas work, and others take over when it ends", |config| {
        Value::Switch(&mut config.leader_elect)
    }),
    ("leader-election-id", "The name of the Lease", |config| Value::Text(&mut config.leader_election_id)),
    ("leader-election-namespace", "The namespace of the Lease; without it, that of the client", |config| {
        Value::Some(&mut config.leader_election_namespace)
    }),
    ("leader-election-lease-duration", "How long others wait after the last renewal they saw", |config| {
        Value::Duration(&mut config.lease_duration)
    }),
    ("leader-election-renew-deadline", "How long the leader tries to renew before it gives up", |config| {
        Value::Duration(&mut config.renew_deadline)
    }),
    ("leader-election-retry-period", "How long to wait between attempts", |config| {
        Value::Duration(&mut config.retry_period)
    }),
    ("graceful-shutdown-timeout", "How long tasks have to end at the stop", |config| {
        Value::Duration(&mut config.graceful_shutdown_timeout)
    }),
    ("max-concurrent-reconciles", "How many objects a controller may work on at a time", |config| {
        Value::Number(&mut config.max_concurrent_reconciles)
    }),
    // Kubebuilder's manifests and mains have these.
    (
        "metrics-secure",
        "Answer /metrics over TLS, to those alone who may get it in the cluster",
        metrics_secure,
    ),
    ("metrics-cert-path", "The folder of the certificate of /metrics; without it, one is made", |config| {
        Value::Some(&mut config.metrics_cert_path)
    }),
    ("metrics-cert-name", "The file of the certificate, in that folder", |config| {
        Value::Text(&mut config.metrics_cert_name)
    }),
    ("metrics-cert-key", "The file of its key, in that folder", |config| {
        Value::Text(&mut config.metrics_cert_key)
    }),
    ("webhook-cert-path", "The folder of the certificate of webhooks", |config| {
        webhook(Value::Some(&mut config.webhook_cert_path))
    }),
    ("webhook-cert-name", "The file of the certificate, in that folder", |config| {
        webhook(Value::Text(&mut config.webhook_cert_name))
    }),
    ("webhook-cert-key", "The file of its key, in that folder", |config| {
        webhook(Value::Text(&mut config.webhook_cert_key))
    }),
    ("enable-http2", "Not served here", |_| Value::Not("is not served here")),
];

#[cfg(feature = "secure-metrics")]
fn metrics_secure(config: &mut ManagerConfig) -> Value<'_> {
    Value::Switch(&mut config.metrics_secure)
}

#[cfg(not(feature = "secure-metrics"))]
fn metrics_secure(_: &mut ManagerConfig) -> Value<'_> {
    Value::Not("is not served: this program was built without the feature secure-metrics")
}

/// A setting of webhooks, where there are any.
#[cfg(feature = "webhook")]
fn webhook(value: Value<'_>) -> Value<'_> {
    value
}

#[cfg(not(feature = "webhook"))]
fn webhook(_: Value<'_>) -> Value<'_> {
    Value::Not("is not served: this program was built without the feature webhook")
}

/// What variables of the environment begin with.
const PREFIX: &str = "MANAGER_";

impl ManagerConfig {
    /// Takes the flags of this config, as Go's programs write them (`-flag value`, `--flag=value`, a switch alone), and leaves the others in
    /// their order, together with all that stands behind `--`.
    ///
    /// # Errors
    /// If a value is missing or does not fit.
    pub fn with_flags(
        mut self,
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<(Self, Vec<String>), ConfigError> {
        let (mut arguments, mut rest) = (arguments.into_iter(), Vec::new());
        while let Some(argument) = arguments.next() {
            let name = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-')).unwrap_or_default();
            let (name, value) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (name, None),
            };
            let Some((.., at)) = SETTINGS.iter().find(|(flag, ..)| *flag == name) else {
                let ends = argument == "--";
                rest.push(argument);
                if ends {
                    break;
                }
                continue;
            };
            let value = match value {
                None if at(&mut self).is_switch() => Some("true".to_owned()),
                None => arguments.next(),
                value => value,
            };
            let flag = format!("--{name}");
            let value = value.ok_or_else(|| ConfigError::Missing { flag: flag.clone() })?;
            set(at(&mut self), flag, value)?;
        }
        rest.extend(arguments);
        Ok((self, rest))
    }

    /// Takes the variables of this config: the prefix, and the flag in capitals (`MANAGER_LEADER_ELECT`). Empty ones are as good as unset.
    ///
    /// # Errors
    /// If a value does not fit.
    pub fn with_variables(
        mut self,
        prefix: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        for (flag, _, at) in SETTINGS {
            let name = format!("{prefix}{}", flag.replace('-', "_").to_uppercase());
            if let Some(value) = variable(&name).filter(|value| !value.is_empty()) {
                set(at(&mut self), name, value)?;
            }
        }
        Ok(self)
    }

    /// What the environment of this process says (variables that begin with `MANAGER_`), and over that its command line; beside it what of
    /// the command line is left to the program.
    ///
    /// # Errors
    /// As [`with_flags`](Self::with_flags) and [`with_variables`](Self::with_variables).
    pub fn of_this_process() -> Result<(Self, Vec<String>), ConfigError> {
        Self::of_the_environment()?.with_flags(std::env::args().skip(1))
    }

    /// What the environment of this process says.
    pub(super) fn of_the_environment() -> Result<Self, ConfigError> {
        Self::default().with_variables(PREFIX, |name| std::env::var(name).ok())
    }

    /// A manager with these settings, in the making. The identity of a candidate is the host's name with something random behind it, as in
    /// controller-runtime.
    ///
    /// # Errors
    /// If the settings of the leader election do not fit.
    pub fn builder(&self, client: &Client) -> Result<ManagerBuilder, ConfigError> {
        let mut builder = Manager::builder().shutdown_limit(self.graceful_shutdown_timeout);
        if let Some(address) = self.health_probe_bind_address {
            builder = builder.health_address(address);
        }
        if let Some(address) = self.metrics_bind_address {
            builder = builder.metrics_address(address);
        }
        #[cfg(feature = "secure-metrics")]
        if self.metrics_secure {
            builder = builder.secure_metrics(self.secure_metrics(client));
        }
        if !self.leader_elect {
            return Ok(builder);
        }
        if self.leader_election_id.is_empty() {
            return Err(ConfigError::NoLease);
        }
        let namespace =
            self.leader_election_namespace.as_deref().unwrap_or_else(|| client.default_namespace());
        let leases = ResourceClient::namespaced(client.clone(), namespace);
        let elector = LeaderElector::builder(leases, &self.leader_election_id, &identity())
            .lease_duration(self.lease_duration)
            .renew_deadline(self.renew_deadline)
            .retry_period(self.retry_period)
            .build()?;
        Ok(builder.leader_election(elector))
    }
}

#[cfg(feature = "secure-metrics")]
impl ManagerConfig {
    fn secure_metrics(&self, client: &Client) -> super::SecureMetrics {
        let secure = match self.metrics_cert_path.as_deref().filter(|path| !path.is_empty()) {
            Some(path) => {
                let folder = std::path::Path::new(path);
                super::SecureMetrics::with_files(
                    folder.join(&self.metrics_cert_name),
                    folder.join(&self.metrics_cert_key),
                )
            }
            None => super::SecureMetrics::self_signed(),
        };
        secure.reviewed_by(client.clone())
    }
}

#[cfg(feature = "webhook")]
impl ManagerConfig {
    /// A server of webhooks with the certificate of these settings, at port 9443 of all addresses, as kubebuilder's deployments expect it.
    /// Add to it what it is to answer, and then it to the manager.
    pub fn webhook_server(&self) -> crate::webhook::WebhookServer {
        let folder = match self.webhook_cert_path.as_deref().filter(|path| !path.is_empty()) {
            Some(path) => std::path::PathBuf::from(path),
            None => std::env::temp_dir().join("k8s-webhook-server").join("serving-certs"),
        };
        crate::webhook::WebhookServer::new(([0, 0, 0, 0], 9443).into(), &folder)
            .files(folder.join(&self.webhook_cert_name), folder.join(&self.webhook_cert_key))
    }
}

/// A name for this life of this process: the host's, with something random behind it.
fn identity() -> String {
    let host = std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty());
    let host = host.or_else(|| std::fs::read_to_string("/etc/hostname").ok()).unwrap_or_default();
    let random = letters(stable_hash(&[&fastrand::u128(..).to_string(), &std::process::id().to_string()]));
    format!("{}_{random}", host.trim())
}

pub(super) fn set(at: Value<'_>, setting: String, value: String) -> Result<(), ConfigError> {
    at.set(&value).map_err(|why| ConfigError::Value { setting, value, why })
}
