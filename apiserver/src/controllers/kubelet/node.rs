//! The node of a kubelet, and the lease that says it is alive.
//!
//! In: its name and address, and the time. Out: the objects as a kubelet writes them.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{server::timestamp, strategy::at};

use super::super::agent::Agent;

/// How often the lease is renewed, in seconds.
pub(super) const BEAT: u64 = 10;
/// Every how manieth renewal the status is written too.
const STATUS_EVERY: u64 = 30;

/// What a node is known by.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub name: String,
    pub address: String,
}

/// What pods may take of the node.
const RESOURCES: [(&str, &str); 4] =
    [("cpu", "8"), ("ephemeral-storage", "100Gi"), ("memory", "16Gi"), ("pods", "110")];

/// How much of a resource there is.
pub(super) fn allocatable(name: &str) -> Option<&'static str> {
    RESOURCES.iter().find(|(known, _)| *known == name).map(|(_, amount)| *amount)
}

impl Node {
    /// Makes the node and its lease if they are not there, and says that it is alive.
    pub(super) fn beat(&self, agent: &mut Agent<'_>, count: u64) {
        let registry = agent.core.registry();
        let nodes = registry.of_kind("v1", "Node").cloned();
        let leases = registry.of_kind("coordination.k8s.io/v1", "Lease").cloned();
        let (Some(nodes), Some(leases)) = (nodes, leases) else { return };
        let there = agent.read(&nodes, &self.name);
        if there.is_none() {
            agent.create(&nodes, "", &self.object());
        }
        if there.is_none() || count.is_multiple_of(STATUS_EVERY) {
            let status = self.status(agent.now);
            agent.patch(&nodes, &self.name, "/status", &json!({"status": status}));
        }
        let Some(node) = agent.read(&nodes, &self.name) else { return };
        let renewed = json!({"spec": {"renewTime": micro(agent.now)}});
        let key = format!("kube-node-lease/{}", self.name);
        if agent.read(&leases, &key).is_some() {
            agent.patch(&leases, &key, "", &renewed);
            return;
        }
        let lease = json!({
            "metadata": {"name": self.name, "namespace": "kube-node-lease", "ownerReferences": [{
                "apiVersion": "v1", "kind": "Node", "name": self.name, "uid": at(&node, "metadata.uid"),
            }]},
            "spec": {"holderIdentity": self.name, "leaseDurationSeconds": 40, "renewTime": micro(agent.now)},
        });
        agent.create(&leases, "kube-node-lease", &lease);
    }

    fn object(&self) -> Value {
        json!({
            "metadata": {"name": self.name, "labels": {
                "beta.kubernetes.io/arch": ARCHITECTURE, "beta.kubernetes.io/os": "linux",
                "kubernetes.io/arch": ARCHITECTURE, "kubernetes.io/hostname": self.name,
                "kubernetes.io/os": "linux",
            }},
        })
    }

    fn status(&self, now: Timestamp) -> Value {
        let resources: Value =
            RESOURCES.iter().map(|(name, amount)| ((*name).to_owned(), Value::from(*amount))).collect();
        let condition = |kind: &str, status: &str, reason: &str, message: &str| {
            json!({
                "type": kind, "status": status, "reason": reason, "message": message,
                "lastHeartbeatTime": timestamp(now), "lastTransitionTime": timestamp(now),
            })
        };
        json!({
            "addresses": [
                {"type": "InternalIP", "address": self.address},
                {"type": "Hostname", "address": self.name},
            ],
            "allocatable": resources,
            "capacity": resources,
            "conditions": [
                condition(
                    "MemoryPressure", "False", "KubeletHasSufficientMemory",
                    "kubelet has sufficient memory available"
                ),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
                condition(
                    "PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"
                ),
                condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
            ],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "nodeInfo": {
                "architecture": ARCHITECTURE, "bootID": "", "containerRuntimeVersion": "kube-codegen://1",
                "kernelVersion": "", "kubeProxyVersion": "", "kubeletVersion": "v1.37.2", "machineID": "",
                "operatingSystem": "linux", "osImage": "kube-codegen", "systemUUID": "",
            },
        })
    }
}

/// How Kubernetes names what this was built for.
const ARCHITECTURE: &str = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };

fn micro(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
}
