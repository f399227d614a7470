//! Claims for volumes: they grow only where their class lets them.
//!
//! In: a claim as it is stored and as it is to be, and the storage classes. Out: the refusal, if there is one.

use serde_json::Value;

use crate::{
    protocol::{Fields, Status},
    strategy::{at, text},
};

use super::{Attempt, Cluster, Operation, amount::Amount};

const SIZE: &str = "spec.resources.requests.storage";
const BETA_CLASS: &str = "volume.beta.kubernetes.io/storage-class";

/// Whether a claim may become as large as it wants to.
pub(super) fn validate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<(), Status> {
    let grows = attempt.is_core("persistentvolumeclaims")
        && attempt.subresource.is_empty()
        && attempt.operation == Operation::Update;
    let Some(old) = attempt.old.filter(|_| grows) else { return Ok(()) };
    let size = |claim: &Fields| at(claim, SIZE).map(Amount::read).unwrap_or_default();
    if size(object) <= size(old) {
        return Ok(());
    }
    if text(old, "status.phase") != "Bound" {
        return Err(attempt.forbidden("Only bound persistent volume claims can be expanded"));
    }
    let class = class(object);
    let known = Some(class).filter(|name| !name.is_empty() && *name == self::class(old));
    let class = known.and_then(|name| cluster.get("storage.k8s.io", "storageclasses", "", name));
    match class.and_then(|class| class.get("allowVolumeExpansion").and_then(Value::as_bool)) {
        Some(true) => Ok(()),
        _ => Err(attempt.forbidden(
            "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
        )),
    }
}

/// The class of a claim, in the old way or the new one.
fn class(claim: &Fields) -> &str {
    let old_way = at(claim, "metadata.annotations").and_then(|annotations| annotations.get(BETA_CLASS));
    match old_way.and_then(Value::as_str) {
        Some(name) => name,
        None => text(claim, "spec.storageClassName"),
    }
}
