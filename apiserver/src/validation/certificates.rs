//! Requests for certificates, and bundles of authorities.

use crate::protocol::names::dns_subdomain_errors;

use super::{Checks, Findings, NONE, Spot};

pub(super) fn checks(_plural: &str) -> Checks {
    NONE
}

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
    for error in dns_subdomain_errors(domain) {
        out.invalid(spot, format!("validating label {domain:?}: {error}"));
    }
    if domain.split('.').count() < 2 {
        out.invalid(spot, "should be a domain with at least two segments separated by dots");
    }
    for error in dns_subdomain_errors(path) {
        out.invalid(spot, format!("validating label {path:?}: {error}"));
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
