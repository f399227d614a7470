//! Certificates: who may decide about them, sign them, and speak for a signer.
//!
//! In: signing requests and bundles of authorities, and what users may do. Out: the refusal, if there is one. Where everybody may do
//! everything only the request for the group of administrators is refused.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{
    access::{Attributes, Decision, ResourceAttributes},
    protocol::{Fields, Status},
    strategy::{at, organizations, text},
};

use super::{Attempt, Operation};

const GROUP: &str = "certificates.k8s.io";
const CLIENT_SIGNER: &str = "kubernetes.io/kube-apiserver-client";
const SIGNER: &str = "spec.signerName";

/// Whether somebody may do this with a certificate.
pub(super) fn validate(attempt: &Attempt<'_>, object: &Fields) -> Result<(), Status> {
    if attempt.resource.group != GROUP {
        return Ok(());
    }
    match (attempt.resource.plural.as_str(), attempt.subresource, attempt.old) {
        ("certificatesigningrequests", "", _) => no_administrators(attempt, object),
        ("certificatesigningrequests", "approval", Some(old)) => decides(attempt, old),
        ("certificatesigningrequests", "status", Some(old)) => signs(attempt, object, old),
        ("clustertrustbundles", _, old) => attests(attempt, object, old),
        _ => Ok(()),
    }
}

/// Nobody becomes an administrator by a certificate for clients.
fn no_administrators(attempt: &Attempt<'_>, object: &Fields) -> Result<(), Status> {
    if text(object, SIGNER) != CLIENT_SIGNER {
        return Ok(());
    }
    let request = STANDARD.decode(text(object, "spec.request")).unwrap_or_default();
    if organizations(&request).iter().any(|name| name == "system:masters") {
        let why = format!("use of {CLIENT_SIGNER} signer with system:masters group is not allowed");
        return Err(attempt.forbidden(&why));
    }
    Ok(())
}

fn decides(attempt: &Attempt<'_>, old: &Fields) -> Result<(), Status> {
    let signer = text(old, SIGNER);
    let refused =
        || attempt.forbidden(&format!("user not permitted to approve requests with signerName {signer:?}"));
    if may(attempt, "approve", signer) { Ok(()) } else { Err(refused()) }
}

fn signs(attempt: &Attempt<'_>, object: &Fields, old: &Fields) -> Result<(), Status> {
    let same = |path: &str| {
        let part = |object: &'_ Fields| at(object, path).filter(|part| !is_empty(part)).cloned();
        part(object) == part(old)
    };
    if same("status.certificate") && same("status.conditions") {
        return Ok(());
    }
    let signer = text(old, SIGNER);
    let refused =
        || attempt.forbidden(&format!("user not permitted to sign requests with signerName {signer:?}"));
    if may(attempt, "sign", signer) { Ok(()) } else { Err(refused()) }
}

fn attests(attempt: &Attempt<'_>, object: &Fields, old: Option<&Fields>) -> Result<(), Status> {
    let signer = text(object, SIGNER);
    let only_collected = attempt.operation == Operation::Update
        && old.is_some_and(|old| without_ends(old.clone()) == without_ends(object.clone()));
    if signer.is_empty() || only_collected || may(attempt, "attest", signer) {
        return Ok(());
    }
    Err(attempt.forbidden(&format!("user not permitted to attest for signerName {signer:?}")))
}

/// An object without what the garbage collector writes, and what every write leaves.
fn without_ends(mut object: Fields) -> Fields {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        for name in ["ownerReferences", "finalizers", "managedFields", "resourceVersion"] {
            metadata.remove(name);
        }
    }
    object
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty)
}

/// Whether the user may do this for a signer, by its name or by its domain.
fn may(attempt: &Attempt<'_>, verb: &str, signer: &str) -> bool {
    let Some(roles) = attempt.asked.roles else { return true };
    let domain = signer.split('/').next().unwrap_or_default();
    [signer.to_owned(), format!("{domain}/*")].into_iter().any(|name| {
        let signers = ResourceAttributes {
            group: GROUP.to_owned(),
            resource: "signers".to_owned(),
            name,
            ..ResourceAttributes::default()
        };
        let decision = roles.decide(attempt.asked.user, &Attributes::resource(verb, signers));
        matches!(decision, Decision::Allowed(_))
    })
}
