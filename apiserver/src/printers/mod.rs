//! Printers: what tables show of objects.
//!
//! In: a kind and objects as JSON. Out: the columns of a kind and the cells of an object, as a real server prints them. The columns of
//! built-in kinds are data, recorded from a real server; how their cells come about is told in one file a group of kinds. The columns of
//! custom kinds come from their definitions ([`Column`]). Printers never fail: what is not there is an empty cell.

mod age;
mod columns;
mod control;
mod core;
mod custom;
mod json_path;
mod network;
mod pod;
mod storage;
mod table;
mod value;
mod workload;

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

pub(crate) use custom::Column;
pub(crate) use table::{Columns, Include, Row, TableForm};

/// The cells of one object.
pub(crate) type Cells = Vec<Value>;

/// How the cells of a built-in kind are made.
type Print = fn(&Value, Timestamp) -> Cells;

/// The cells of a row.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$(serde_json::Value::from($cell)),*] };
}
use row;

/// What tables show of the objects of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Printer(Source);

#[derive(Clone, Debug)]
enum Source {
    BuiltIn {
        /// `group/version/plural`: where its columns are found.
        key: Arc<str>,
        plural: &'static str,
        print: Print,
    },
    Custom {
        definitions: Arc<str>,
        columns: Arc<[Column]>,
    },
}

/// What the rows of a list are made of.
pub(crate) struct Printed {
    /// The place of the object in the list.
    pub(crate) index: usize,
    pub(crate) cells: Cells,
    /// The conditions of the row, as JSON.
    pub(crate) conditions: Option<&'static str>,
}

impl Printer {
    /// The printer of a built-in kind.
    pub(crate) fn builtin(group: &str, version: &str, plural: &str) -> Self {
        let key = match group {
            "" => format!("{version}/{plural}"),
            group => format!("{group}/{version}/{plural}"),
        };
        let (plural, print) = print(group, plural);
        Self(Source::BuiltIn { key: key.into(), plural, print })
    }

    /// The printer of a custom kind with these columns besides the name; one without any shows its age.
    pub(crate) fn custom(columns: Vec<Column>) -> Self {
        let columns = if columns.is_empty() { vec![Column::age()] } else { columns };
        Self(Source::Custom { definitions: custom::definitions(&columns), columns: columns.into() })
    }

    /// The definitions of the columns, as JSON.
    pub(crate) fn definitions(&self) -> &str {
        match &self.0 {
            Source::BuiltIn { key, .. } => columns::definitions(key),
            Source::Custom { definitions, .. } => definitions,
        }
    }

    /// The cells of one object.
    pub(crate) fn cells(&self, object: &Value, now: Timestamp) -> Cells {
        match &self.0 {
            Source::BuiltIn { print, .. } => print(object, now),
            Source::Custom { columns, .. } => custom::cells(columns, object, now),
        }
    }

    /// The conditions of an object's row, as JSON.
    pub(crate) fn conditions(&self, object: &Value) -> Option<&'static str> {
        match self.0 {
            Source::BuiltIn { plural: "pods", .. } => pod::pod_conditions(object),
            _ => None,
        }
    }

    /// The rows of a list, in the order in which they are shown.
    pub(crate) fn rows(&self, objects: &[Value], now: Timestamp) -> Vec<Printed> {
        let mut rows: Vec<Printed> = objects
            .iter()
            .enumerate()
            .map(|(index, object)| Printed {
                index,
                cells: self.cells(object, now),
                conditions: self.conditions(object),
            })
            .collect();
        match self.0 {
            Source::BuiltIn { plural: "storageclasses", .. } => mark_default(&mut rows, objects),
            Source::BuiltIn { plural: "flowschemas", .. } => {
                rows.sort_by_cached_key(|row| objects.get(row.index).map(control::flow_schema_order));
            }
            _ => {}
        }
        rows
    }
}

fn mark_default(rows: &mut [Printed], classes: &[Value]) {
    let Some(default) = storage::default_class(classes) else { return };
    for row in rows {
        if let Some(name) = row.cells.first_mut()
            && name == default
        {
            *name = format!("{default} (default)").into();
        }
    }
}

/// How the cells of a built-in kind are made, under its plural.
fn print(group: &str, plural: &str) -> (&'static str, Print) {
    let found = PRINTERS.iter().find(|(own, name, _)| *name == plural && fits(own, group));
    found.map_or(("", core::name_and_time as Print), |(_, plural, print)| (*plural, *print))
}

/// Only `events` are in two groups, and they are printed alike.
fn fits(own: &str, group: &str) -> bool {
    own == "*" || own == group
}

const PRINTERS: &[(&str, &str, Print)] = &[
    ("", "componentstatuses", core::component_status),
    ("", "configmaps", core::config_map),
    ("", "endpoints", network::endpoints),
    ("*", "events", core::event),
    ("", "namespaces", core::namespace),
    ("", "nodes", core::node),
    ("", "persistentvolumeclaims", storage::claim),
    ("", "persistentvolumes", storage::volume),
    ("", "pods", pod::pod),
    ("", "podtemplates", workload::pod_template),
    ("", "replicationcontrollers", workload::replication_controller),
    ("", "resourcequotas", workload::quota),
    ("", "secrets", core::secret),
    ("", "serviceaccounts", core::name_and_age),
    ("", "services", network::service),
    ("admissionregistration.k8s.io", "mutatingadmissionpolicies", control::mutating_policy),
    ("admissionregistration.k8s.io", "mutatingadmissionpolicybindings", control::policy_binding),
    ("admissionregistration.k8s.io", "mutatingwebhookconfigurations", control::webhooks),
    ("admissionregistration.k8s.io", "validatingadmissionpolicies", control::validating_policy),
    ("admissionregistration.k8s.io", "validatingadmissionpolicybindings", control::policy_binding),
    ("admissionregistration.k8s.io", "validatingwebhookconfigurations", control::webhooks),
    ("apiextensions.k8s.io", "customresourcedefinitions", control::definition),
    ("apiregistration.k8s.io", "apiservices", control::api_service),
    ("apps", "controllerrevisions", workload::controller_revision),
    ("apps", "daemonsets", workload::daemon_set),
    ("apps", "deployments", workload::deployment),
    ("apps", "replicasets", workload::replica_set),
    ("apps", "statefulsets", workload::stateful_set),
    ("autoscaling", "horizontalpodautoscalers", workload::autoscaler),
    ("autoscaling", "scales", workload::scale),
    ("batch", "cronjobs", workload::cron_job),
    ("batch", "jobs", workload::job),
    ("certificates.k8s.io", "certificatesigningrequests", control::signing_request),
    ("certificates.k8s.io", "clustertrustbundles", control::trust_bundle),
    ("certificates.k8s.io", "podcertificaterequests", control::pod_certificate),
    ("coordination.k8s.io", "leases", control::lease),
    ("discovery.k8s.io", "endpointslices", network::endpoint_slice),
    ("flowcontrol.apiserver.k8s.io", "flowschemas", control::flow_schema),
    ("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", control::priority_level),
    ("networking.k8s.io", "ingressclasses", network::ingress_class),
    ("networking.k8s.io", "ingresses", network::ingress),
    ("networking.k8s.io", "ipaddresses", network::ip_address),
    ("networking.k8s.io", "networkpolicies", network::network_policy),
    ("networking.k8s.io", "servicecidrs", network::service_cidr),
    ("node.k8s.io", "runtimeclasses", control::runtime_class),
    ("policy", "poddisruptionbudgets", workload::disruption_budget),
    ("rbac.authorization.k8s.io", "clusterrolebindings", control::role_binding),
    ("rbac.authorization.k8s.io", "rolebindings", control::role_binding),
    ("resource.k8s.io", "deviceclasses", core::name_and_age),
    ("resource.k8s.io", "devicetaintrules", control::device_taint),
    ("resource.k8s.io", "resourceclaims", control::device_claim),
    ("resource.k8s.io", "resourceclaimtemplates", core::name_and_age),
    ("resource.k8s.io", "resourceslices", control::device_slice),
    ("scheduling.k8s.io", "priorityclasses", control::priority_class),
    ("storage.k8s.io", "csidrivers", storage::csi_driver),
    ("storage.k8s.io", "csinodes", storage::csi_node),
    ("storage.k8s.io", "storageclasses", storage::storage_class),
    ("storage.k8s.io", "volumeattachments", storage::attachment),
    ("storage.k8s.io", "volumeattributesclasses", storage::attributes_class),
    ("storagemigration.k8s.io", "storageversionmigrations", control::migration),
];
