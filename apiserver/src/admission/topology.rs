//! Where a pod is: the zone and region of its node are labels of the pod.
//!
//! In: a new pod that has its node, or a binding, and the nodes. Out: the same with the labels of the node.

use crate::{
    protocol::Fields,
    strategy::{child, text},
};

use super::{Attempt, Cluster, Operation};

const LABELS: [&str; 2] = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/// Labels a new pod that is made for a node.
pub(super) fn mutate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &mut Fields) {
    let new = attempt.operation == Operation::Create && attempt.subresource.is_empty();
    if new && attempt.is_core("pods") {
        let node = text(object, "spec.nodeName").to_owned();
        label(cluster, &node, object);
    }
}

/// Gives a pod or a binding what is said of a node. A node that is not there says nothing.
pub(crate) fn label(cluster: &Cluster<'_>, node: &str, object: &mut Fields) {
    if node.is_empty() {
        return;
    }
    let found: Vec<(String, String)> =
        cluster.labels("nodes", node).filter(|(label, _)| LABELS.contains(&label.as_str())).collect();
    if found.is_empty() {
        return;
    }
    if let Some(labels) = child(object, "metadata").and_then(|metadata| child(metadata, "labels")) {
        labels.extend(found.into_iter().map(|(label, value)| (label, value.into())));
    }
}
