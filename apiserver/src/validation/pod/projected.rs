//! Volumes that put several sources into one folder.

use crate::validation::{Findings, Spot, certificates, formats, labels};

use super::volumes::{downward_file, key_to_path};

const KEY_TYPES: &[&str] = &["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];

/// The paths that have been given out, of the whole volume.
struct Paths<'p> {
    place: &'p Spot<'p>,
    taken: Vec<String>,
}

impl Paths<'_> {
    /// Gives out a path; `told` is what the error shows.
    fn take(&mut self, out: &mut Findings, path: &str, told: &str) {
        if self.taken.iter().any(|taken| taken == path) {
            out.invalid_as(self.place, told, "conflicting duplicate paths");
        } else {
            self.taken.push(path.to_owned());
        }
    }
}

pub(super) fn projected(out: &mut Findings, volume: &Spot<'_>) {
    formats::file_mode(out, &volume.get("defaultMode"));
    let mut paths = Paths { place: volume, taken: Vec::new() };
    for source in volume.items("sources") {
        let mut count = 0;
        for kind in [
            "secret",
            "configMap",
            "downwardAPI",
            "serviceAccountToken",
            "clusterTrustBundle",
            "podCertificate",
        ] {
            let part = source.get(kind);
            if !part.is_set() {
                continue;
            }
            count += 1;
            match kind {
                "secret" | "configMap" => keyed(out, &part, &mut paths),
                "downwardAPI" => files(out, &part, &mut paths),
                "serviceAccountToken" => token(out, &part, volume),
                "clusterTrustBundle" => bundle(out, &part, &mut paths),
                _ => certificate(out, &part, &mut paths),
            }
        }
        if count > 1 {
            out.forbidden(&source, "may not specify more than 1 volume type per source");
        }
    }
}

fn keyed(out: &mut Findings, part: &Spot<'_>, paths: &mut Paths<'_>) {
    out.present(&part.get("name"));
    for item in part.items("items") {
        key_to_path(out, &item);
        if !item.text("path").is_empty() {
            paths.take(out, item.text("path"), part.text("name"));
        }
    }
}

fn files(out: &mut Findings, part: &Spot<'_>, paths: &mut Paths<'_>) {
    for file in part.items("items") {
        downward_file(out, &file, part);
        if !file.text("path").is_empty() {
            paths.take(out, file.text("path"), file.text("path"));
        }
    }
}

fn token(out: &mut Findings, part: &Spot<'_>, volume: &Spot<'_>) {
    let seconds = part.get("expirationSeconds");
    match seconds.int() {
        None => out.required(&seconds, ""),
        Some(short) if short < 600 => {
            out.invalid(&seconds, "may not specify a duration less than 10 minutes");
        }
        Some(long) if long > 1 << 32 => {
            out.invalid(&seconds, "may not specify a duration larger than 2^32 seconds");
        }
        Some(_) => {}
    }
    let told = volume.get("path");
    let path = part.get("path").moved(&told);
    if path.is_empty() {
        out.required(&path, "");
    } else {
        formats::free_path(out, &path);
    }
}

fn bundle(out: &mut Findings, part: &Spot<'_>, paths: &mut Paths<'_>) {
    let (name, signer) = (part.get("name"), part.get("signerName"));
    match (name.is_set(), signer.is_set()) {
        (true, true) => out.invalid(part, "only one of name and signerName may be used"),
        (true, false) => {
            if name.is_empty() {
                out.required(&name, "must be a valid object name");
            }
            for error in certificates::bundle_name_errors(name.str()) {
                out.invalid(&name, format!("not a valid clustertrustbundlename: {error}"));
            }
            let selector = part.get("labelSelector");
            if selector.is_set() {
                out.invalid(&selector, "labelSelector must be unset if name is specified");
            }
        }
        (false, true) => {
            if signer.is_empty() {
                out.required(&signer, "must be a valid signer name");
            }
            certificates::signer_name(out, &signer);
            labels::selector(out, &part.get("labelSelector"));
        }
        (false, false) => out.required(part, "either name or signerName must be specified"),
    }
    out.present(&part.get("path"));
    formats::free_path(out, &part.get("path"));
    paths.take(out, part.text("path"), part.text("path"));
}

fn certificate(out: &mut Findings, part: &Spot<'_>, paths: &mut Paths<'_>) {
    certificates::signer_name(out, &part.get("signerName"));
    let kind = part.get("keyType");
    if !KEY_TYPES.contains(&kind.str()) {
        out.not_supported(&kind, KEY_TYPES);
    }
    let most = if part.text("signerName").starts_with("kubernetes.io/") { 86_400 } else { 7_862_400 };
    let seconds = part.get("maxExpirationSeconds");
    if seconds.int().is_some_and(|seconds| seconds < 3600) {
        out.invalid(&seconds, "if provided, maxExpirationSeconds must be >= 3600");
    }
    if seconds.int().is_some_and(|seconds| seconds > most) {
        out.invalid(&seconds, format!("if provided, maxExpirationSeconds must be <= {most}"));
    }
    let mut any = false;
    for name in ["credentialBundlePath", "keyPath", "certificateChainPath"] {
        let path = part.get(name);
        if !path.is_empty() {
            any = true;
            formats::free_path(out, &path);
            paths.take(out, path.str(), path.str());
        }
    }
    if !any {
        out.required(part, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath");
    }
}
