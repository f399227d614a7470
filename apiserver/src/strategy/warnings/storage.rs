//! Volumes, claims, drivers, classes of storage, and quotas.
//!
//! In: an object of these kinds. Out: what a client is told of it.

use serde_json::Value;

use crate::{protocol::Fields, schema::Amount};

use super::{
    annotation, at, broken_amount, is_broken, items,
    labels::{self, Values},
    listed, text, word,
};

pub(super) fn volume(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    const ANNOTATIONS: [(&str, &str); 2] = [
        (
            "volume.beta.kubernetes.io/storage-class",
            "deprecated since v1.8; use \"storageClassName\" attribute instead",
        ),
        (
            "volume.beta.kubernetes.io/mount-options",
            "deprecated since v1.31; use \"mountOptions\" attribute instead",
        ),
    ];
    const SOURCES: [(&str, &str, &str); 6] = [
        ("cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"),
        ("photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
        ("scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
        ("storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"),
        ("glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
        ("rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"),
    ];
    let mut out = Vec::new();
    for (key, why) in ANNOTATIONS {
        if annotation(object, key).is_some() {
            out.push(format!("metadata.annotations[{key}]: {why}"));
        }
    }
    if text(object, "spec.persistentVolumeReclaimPolicy") == "Recycle" {
        out.push(
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use \
             dynamic provisioning."
                .to_owned(),
        );
    }
    let path = "spec.nodeAffinity.required.nodeSelectorTerms";
    for (index, term) in listed(object, path) {
        labels::term(term, &format!("{path}[{index}]"), Values::Left, &mut out);
    }
    for (name, shown, why) in SOURCES {
        if at(object, "spec").is_some_and(|spec| !spec[name].is_null()) {
            out.push(format!("spec.{shown}: {why}"));
        }
    }
    out
}

pub(super) fn claim(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    const KEY: &str = "volume.beta.kubernetes.io/storage-class";
    let mut out = Vec::new();
    if annotation(object, KEY).is_some() {
        out.push(format!(
            "metadata.annotations[{KEY}]: deprecated since v1.8; use \"storageClassName\" attribute instead"
        ));
    }
    if let Some(spec) = at(object, "spec") {
        claim_spec(spec, "spec", &mut out);
    }
    out
}

/// The spec of a claim, wherever it stands.
pub(super) fn claim_spec(spec: &Value, path: &str, out: &mut Vec<String>) {
    for part in ["requests", "limits"] {
        let amount = &spec["resources"][part]["storage"];
        if is_broken(amount) {
            out.push(broken_amount(&format!("{path}.resources.{part}[storage]"), amount));
        }
    }
}

pub(super) fn driver(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    const WHY: &str = "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging \
                       of tokens in volume attributes";
    let same = old.is_some_and(|old| at(old, "spec.tokenRequests") == at(object, "spec.tokenRequests"));
    let asked = listed(object, "spec.tokenRequests").next().is_some();
    let open = at(object, "spec.serviceAccountTokenInSecrets").is_none_or(Value::is_null);
    if asked && open && !same { vec![WHY.to_owned()] } else { Vec::new() }
}

pub(super) fn class(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    for (index, topology) in listed(object, "allowedTopologies") {
        for (number, expression) in items(topology, "matchLabelExpressions") {
            if let Some(why) = labels::outdated(word(expression, "key")) {
                out.push(format!("allowedTopologies[{index}].matchLabelExpressions[{number}].key: {why}"));
            }
        }
    }
    out
}

pub(super) fn capacity(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    at(object, "nodeTopology").map(|topology| labels::selector(topology, "nodeTopology")).unwrap_or_default()
}

pub(super) fn quota(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    let Some(hard) = at(object, "spec.hard").filter(|_| old.is_none()) else { return out };
    for name in ["cpu", "memory", "storage", "ephemeral-storage"] {
        let (full, limit) = (format!("requests.{name}"), format!("limits.{name}"));
        let bare = matches!(name, "cpu" | "memory") && hard[&full].is_null();
        let request = if bare { name } else { full.as_str() };
        let (least, most) = (word(hard, request), word(hard, &limit));
        if let (Some(low), Some(high)) = (Amount::parse(least), Amount::parse(most))
            && low > high
        {
            out.push(format!("ResourceQuota {request} ({least}) should be less than {limit} ({most})"));
        }
    }
    out
}
