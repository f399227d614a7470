//! Validation of built-in kinds: what a real server says is wrong with an object, in its words and in its order.
//!
//! In: an object in normal form and with its defaults, for updates also the stored one. Out: the errors beside those of the metadata. One
//! file a group of kinds, each with small checks over [`Spot`]s. It changes nothing and reads no store.

mod admission;
mod admission_policies;
mod apps;
mod autoscaling;
mod batch;
mod certificates;
mod conditions;
mod config;
mod cron;
mod der;
mod devices;
mod endpoints;
mod events;
mod findings;
mod flow;
mod formats;
mod jobs;
mod labels;
mod networking;
mod nodes;
mod pem;
mod percent;
mod persistent_volumes;
mod pod;
mod pod_certificates;
mod policies;
mod quotas;
mod rbac;
mod resources;
mod services;
mod small;
mod spot;
mod storage;
mod volume_claims;

use serde_json::Value;

pub(crate) use der::organizations;
pub(crate) use findings::Findings;
pub(crate) use formats::{network, parse_cidr, parse_ip};
pub(crate) use services::address_errors;
pub(crate) use spot::Spot;

use crate::protocol::FieldError;

const IMMUTABLE: &str = "field is immutable";
const NOT_NEGATIVE: &str = "must be greater than or equal to 0";

type Create = fn(&mut Findings, &Spot<'_>);
type Update = fn(&mut Findings, &Spot<'_>, &Spot<'_>);

/// The checks of one kind.
#[derive(Clone, Copy)]
pub(crate) struct Checks {
    /// Of a new object.
    create: Create,
    /// Of an object that replaces another.
    update: Update,
    /// Of a new status.
    status: Update,
}

/// A kind without rules of its own.
const NONE: Checks = Checks { create: |_, _| {}, update: |_, _, _| {}, status: |_, _, _| {} };

impl Checks {
    /// The checks of a built-in kind.
    pub(crate) fn of(group: &str, plural: &str) -> Self {
        match group {
            "" => core(plural),
            "apps" => apps::checks(plural),
            "batch" => batch::checks(plural),
            "autoscaling" => autoscaling::CHECKS,
            "policy" => policies::BUDGETS,
            "networking.k8s.io" => networking::checks(plural),
            "rbac.authorization.k8s.io" => rbac::checks(plural),
            "storage.k8s.io" => storage::checks(plural),
            "admissionregistration.k8s.io" => admission::checks(plural),
            "certificates.k8s.io" => certificates::checks(plural),
            "flowcontrol.apiserver.k8s.io" => flow::checks(plural),
            "discovery.k8s.io" => endpoints::SLICES,
            "events.k8s.io" => events::NEW,
            "resource.k8s.io" => devices::checks(plural),
            _ => small::checks(group, plural),
        }
    }

    /// The checks of a custom kind: its schema says everything.
    pub(crate) fn none() -> Self {
        NONE
    }

    /// What is wrong with a new object.
    pub(crate) fn create(&self, object: &Value) -> Vec<FieldError> {
        let mut out = Findings::about(object);
        (self.create)(&mut out, &Spot::root(object));
        out.into_errors()
    }

    /// What is wrong with an object that is to replace `old`.
    pub(crate) fn update(&self, object: &Value, old: &Value) -> Vec<FieldError> {
        let mut out = Findings::about(object);
        (self.update)(&mut out, &Spot::root(object), &Spot::root(old));
        out.into_errors()
    }

    /// What is wrong with an object whose status is to replace that of `old`.
    pub(crate) fn status(&self, object: &Value, old: &Value) -> Vec<FieldError> {
        let mut out = Findings::about(object);
        (self.status)(&mut out, &Spot::root(object), &Spot::root(old));
        out.into_errors()
    }
}

impl std::fmt::Debug for Checks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Checks")
    }
}

fn core(plural: &str) -> Checks {
    match plural {
        "pods" => pod::PODS,
        "namespaces" => small::NAMESPACES,
        "podtemplates" => small::POD_TEMPLATES,
        "replicationcontrollers" => apps::REPLICATION_CONTROLLERS,
        "services" => services::CHECKS,
        "endpoints" => endpoints::ENDPOINTS,
        "configmaps" => config::CONFIG_MAPS,
        "secrets" => config::SECRETS,
        "limitranges" => quotas::LIMIT_RANGES,
        "resourcequotas" => quotas::QUOTAS,
        "nodes" => nodes::CHECKS,
        "persistentvolumes" => persistent_volumes::CHECKS,
        "persistentvolumeclaims" => volume_claims::CHECKS,
        "events" => events::CORE,
        _ => NONE,
    }
}
