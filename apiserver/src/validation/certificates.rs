//! Requests for certificates, and bundles of authorities.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::protocol::names::{dns_label_errors, dns_subdomain_errors};

use super::{Checks, Findings, NONE, Spot, pem, pod_certificates};

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "certificatesigningrequests" => {
            Checks { create: request, update: |out, new, _| request(out, new), ..NONE }
        }
        "podcertificaterequests" => pod_certificates::CHECKS,
        "clustertrustbundles" => Checks { create: bundle, update: bundle_kept, ..NONE },
        _ => NONE,
    }
}

/// What a certificate may be for.
const USAGES: [&str; 23] = [
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
];

fn request(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let text = spec.get("request");
    let bytes = STANDARD.decode(text.str()).unwrap_or_default();
    if let Some(why) = request_error(&pem::blocks(&bytes)) {
        out.invalid(&text, why);
    }
    let usages = spec.get("usages");
    if usages.is_empty() {
        out.required(&usages, "");
    }
    for usage in usages.each().filter(|usage| !USAGES.contains(&usage.str())) {
        out.not_supported(&usage, &USAGES);
    }
    let mut seen: Vec<&str> = Vec::new();
    for usage in usages.each() {
        if seen.contains(&usage.str()) {
            out.duplicate_as(&usage, usage.str());
        }
        seen.push(usage.str());
    }
    let signer = spec.get("signerName");
    if signer.str() == "kubernetes.io/legacy-unknown" {
        out.invalid(&signer, "the legacy signerName is not allowed via this API version");
    } else {
        signer_name(out, &signer);
    }
    let seconds = spec.get("expirationSeconds");
    if seconds.int().is_some_and(|seconds| seconds < 600) {
        out.invalid(&seconds, "may not specify a duration less than 600 seconds (10 minutes)");
    }
}

/// Why this is no request that can be read.
fn request_error(blocks: &[pem::Block]) -> Option<&'static str> {
    match blocks.first() {
        Some(block) if block.kind == "CERTIFICATE REQUEST" => {
            (!pem::is_sequence(&block.bytes)).then_some("asn1: syntax error: data truncated")
        }
        _ => Some("PEM block type must be CERTIFICATE REQUEST"),
    }
}

/// How long the text of a bundle may be.
const LARGEST_BUNDLE: usize = 1 << 20;

fn bundle(out: &mut Findings, object: &Spot<'_>) {
    signer_of_bundle(out, object);
    anchors(out, &object.get("spec.trustBundle"));
}

fn bundle_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    signer_of_bundle(out, new);
    let text = new.get("spec.trustBundle");
    if text.value() != old.get("spec.trustBundle").value() {
        anchors(out, &text);
    }
    out.immutable(&new.get("spec.signerName"), &old.get("spec.signerName"));
}

fn signer_of_bundle(out: &mut Findings, object: &Spot<'_>) {
    let (signer, name) = (object.get("spec.signerName"), object.get("metadata.name"));
    if !name.is_empty() {
        for error in name_errors_of_bundle(signer.str(), name.str()) {
            out.invalid(&name, error);
        }
    }
    if !signer.is_empty() {
        signer_name(out, &signer);
    }
}

fn name_errors_of_bundle(signer: &str, name: &str) -> Vec<String> {
    if signer.is_empty() {
        let why = "ClusterTrustBundle without signer name must not have \":\" in its name";
        return if name.contains(':') { vec![why.to_owned()] } else { dns_subdomain_errors(name) };
    }
    let prefix = format!("{}:", signer.replace('/', ":"));
    match name.strip_prefix(&prefix) {
        Some(own) => dns_subdomain_errors(own),
        None => {
            vec![format!("ClusterTrustBundle for signerName {signer} must be named with prefix {prefix}")]
        }
    }
}

fn anchors(out: &mut Findings, text: &Spot<'_>) {
    const HIDDEN: &str = "\"<value omitted>\"";
    if text.str().len() > LARGEST_BUNDLE {
        return out.too_long(text, LARGEST_BUNDLE);
    }
    let blocks = pem::blocks(text.str().as_bytes());
    let before = out.count();
    for (index, block) in blocks.iter().enumerate() {
        let why = if block.kind != "CERTIFICATE" {
            format!("entry {index} has bad block type: {}", block.kind)
        } else if block.headers {
            format!("entry {index} has PEM block headers")
        } else if !pem::is_sequence(&block.bytes) {
            format!("entry {index} does not parse as X.509")
        } else {
            continue;
        };
        out.invalid_printed(text, HIDDEN, why);
    }
    if out.count() > before {
        return;
    }
    if blocks.is_empty() {
        out.invalid_printed(text, HIDDEN, "at least one trust anchor must be provided");
    }
    for (index, block) in blocks.iter().enumerate() {
        let same: Vec<String> = (blocks.iter().enumerate().skip(index))
            .filter(|(_, other)| other.bytes == block.bytes)
            .map(|(index, _)| index.to_string())
            .collect();
        let first = !blocks.iter().take(index).any(|other| other.bytes == block.bytes);
        if first && same.len() > 1 {
            let why = format!("duplicate trust anchor (indices [{}])", same.join(" "));
            out.invalid_printed(text, HIDDEN, why);
        }
    }
}

/// How long the domain of a signer may be.
const LONGEST_DOMAIN: usize = 253;

/// The name of a signer, such as `example.com/signer`.
pub(super) fn signer_name(out: &mut Findings, spot: &Spot<'_>) {
    let text = spot.str();
    if text.is_empty() {
        return out.required(spot, "");
    }
    let parts: Vec<&str> = text.split('/').collect();
    let [domain, path] = parts.as_slice() else {
        out.invalid(spot, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
        return;
    };
    if domain.len() > LONGEST_DOMAIN {
        out.too_long(spot, LONGEST_DOMAIN);
    }
    let wrong = |label: &&str| !dns_label_errors(label).is_empty();
    if let Some(label) = domain.split('.').find(wrong) {
        for error in dns_label_errors(label) {
            out.invalid_as(spot, *domain, format!("validating label {label:?}: {error}"));
        }
    }
    if !domain.contains('.') {
        out.invalid_as(spot, *domain, "should be a domain with at least two segments separated by dots");
    }
    let wrong = |label: &&str| !dns_subdomain_errors(label).is_empty();
    if let Some(label) = path.split('.').find(wrong) {
        for error in dns_subdomain_errors(label) {
            out.invalid_as(spot, *path, format!("validating label {label:?}: {error}"));
        }
    }
}

/// The name of a bundle: that of its signer, with colons for slashes, in front of a name of its own.
pub(super) fn bundle_name_errors(name: &str) -> Vec<String> {
    let own = name.rsplit(':').next().unwrap_or(name);
    if own.is_empty() && name.is_empty() {
        return vec!["name must be non-empty".to_owned()];
    }
    dns_subdomain_errors(own)
}
