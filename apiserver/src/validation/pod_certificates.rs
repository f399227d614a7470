//! Requests of pods for certificates.
//!
//! In: a request. Out: what is wrong with it. Keys and signatures are not verified: only that there is something that may be one.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::protocol::{
    FieldError,
    names::{dns_subdomain_errors, qualified_name_errors},
};

use super::{Checks, Findings, Spot, certificates::signer_name, conditions, pem};

pub(super) const CHECKS: Checks =
    Checks { create, update: |out, new, old| out.immutable(&new.get("spec"), &old.get("spec")), status };

const LARGEST: usize = 10 * 1024;
const LONGEST_UID: usize = 128;
const SHORTEST: i64 = 60 * 60;
const LONGEST: i64 = 91 * 24 * 60 * 60;
const LONGEST_OF_CLUSTER: i64 = 24 * 60 * 60;

fn create(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    signer_name(out, &spec.get("signerName"));
    let told = spec.get("unverifiedUserAnnotations");
    for (key, _) in spec.entries("unverifiedUserAnnotations") {
        let key = key.to_lowercase();
        let errors = qualified_name_errors(&key);
        let is_good = errors.is_empty();
        for error in errors {
            out.invalid_as(&told, key.as_str(), error);
        }
        if is_good && !key.contains('/') {
            out.invalid_as(&told, key.as_str(), "must be a domain-prefixed key (such as \"acme.io/foo\")");
        }
    }
    for (name, uid) in
        [("podName", "podUID"), ("serviceAccountName", "serviceAccountUID"), ("nodeName", "nodeUID")]
    {
        let (name, uid) = (spec.get(name), spec.get(uid));
        for error in dns_subdomain_errors(name.str()) {
            out.invalid_as(&name, name.str(), error);
        }
        if uid.is_empty() {
            out.invalid_as(&uid, "", "must not be empty");
        }
        if uid.str().len() > LONGEST_UID {
            out.too_long(&uid, LONGEST_UID);
        }
    }
    let seconds = spec.get("maxExpirationSeconds");
    let Some(number) = seconds.int() else { return out.required(&seconds, "must be set") };
    let most =
        if spec.text("signerName").starts_with("kubernetes.io/") { LONGEST_OF_CLUSTER } else { LONGEST };
    if !(SHORTEST..=most).contains(&number) {
        out.invalid(&seconds, format!("must be in the range [{SHORTEST}, {most}]"));
    }
    keys(out, &spec);
}

fn keys(out: &mut Findings, spec: &Spot<'_>) {
    let (stub, key, proof) =
        (spec.get("stubPKCS10Request"), spec.get("pkixPublicKey"), spec.get("proofOfPossession"));
    let bytes = |spot: &Spot<'_>| STANDARD.decode(spot.str()).unwrap_or_default();
    match (stub.is_empty(), key.is_empty(), proof.is_empty()) {
        (false, true, true) => {
            let content = bytes(&stub);
            if content.len() > LARGEST {
                out.too_long(&stub, LARGEST);
            } else if !pem::is_sequence(&content) {
                omitted(out, &stub, "must be a valid PKCS#10 CSR");
            }
        }
        (true, false, false) => {
            let content = bytes(&key);
            if content.len() > LARGEST {
                out.too_long(&key, LARGEST);
            } else if bytes(&proof).len() > LARGEST {
                out.too_long(&proof, LARGEST);
            } else if !pem::is_sequence(&content) {
                out.invalid(&key, "must be a valid PKIX-serialized public key");
            }
        }
        _ => omitted(
            out,
            spec,
            "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set",
        ),
    }
}

/// The value is wrong and is not told.
fn omitted(out: &mut Findings, spot: &Spot<'_>, why: &str) {
    out.push(FieldError::invalid_printed(spot.path(), "", why));
}

const ENDS: &[&str] = &["Issued", "Denied", "Failed"];

/// Whether a request has come to one of these ends.
fn has_ended(object: &Spot<'_>, ends: &[&str]) -> bool {
    object.items("status.conditions").any(|condition| ends.contains(&condition.text("type")))
}

fn status(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let status = new.get("status");
    let mut known = 0;
    for condition in status.items("conditions") {
        let (kind, state) = (condition.get("type"), condition.get("status"));
        if !ENDS.contains(&kind.str()) {
            out.not_supported(&kind, ENDS);
            continue;
        }
        known += 1;
        if known > 1 {
            let why = "There may be at most one condition with type \"Issued\", \"Denied\", or \"Failed\"";
            out.invalid(&kind, why);
        }
        if state.str() != "True" {
            out.not_supported(&state, &["True"]);
        }
    }
    conditions::conditions(out, &status.get("conditions"), conditions::Rules::Written);
    if out.count() > 0 {
        return;
    }
    let same = status.value() == old.get("status").value();
    if has_ended(old, ENDS) {
        if !same {
            omitted(out, &status, "immutable after PodCertificateRequest is issued, denied, or failed");
        }
    } else if has_ended(new, &["Denied", "Failed"]) {
        let others = status
            .members()
            .into_iter()
            .flatten()
            .any(|(name, value)| name != "conditions" && !value.is_null());
        if others {
            omitted(
                out,
                &status,
                "non-condition status fields must be empty when denying or failing the PodCertificateRequest",
            );
        }
    } else if has_ended(new, &["Issued"]) {
        issued(out, &status);
    } else if !same {
        omitted(
            out,
            &status,
            "status is immutable unless transitioning to \"Issued\", \"Denied\", or \"Failed\"",
        );
    }
}

fn issued(out: &mut Findings, status: &Spot<'_>) {
    let chain = status.get("certificateChain");
    let blocks = pem::blocks(chain.str().as_bytes());
    let Some(leaf) = blocks.first() else {
        return out.invalid_as(
            &chain,
            chain.str(),
            "issued certificate chain must contain at least one certificate",
        );
    };
    if leaf.kind != "CERTIFICATE" {
        let why = "issued certificate chain must consist entirely of CERTIFICATE PEM blocks";
        return out.invalid(&chain, why);
    }
    if !pem::is_sequence(&leaf.bytes) {
        return out.invalid(&chain, "leaf certificate does not parse as valid X.509");
    }
    for (name, why) in [
        ("notBefore", "must be present and consistent with the issued certificate"),
        ("notAfter", "must be present and consistent with the issued certificate"),
        ("beginRefreshAt", "must be present and in the range [notbefore+10min, notafter-10min]"),
    ] {
        let time = status.get(name);
        if time.value() == &Value::Null {
            out.required(&time, why);
        }
    }
}
