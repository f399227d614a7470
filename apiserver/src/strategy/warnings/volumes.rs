//! Volumes of pods: old ones, and files in them that would stand in each other's way.
//!
//! In: the spec of a pod. Out: what a client is told of its volumes.

use serde_json::Value;

use crate::protocol::quoted;

use super::{items, storage, word};

/// Kinds of volumes that do nothing any more, with the names by which they are told.
const OLD: [(&str, &str, &str); 9] = [
    ("photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("gitRepo", "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    ("scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

/// Volumes of kinds that do nothing any more, and amounts of claims that are none.
pub(super) fn old(spec: &Value, path: &str, out: &mut Vec<String>) {
    for (index, volume) in items(spec, "volumes") {
        let (before, after) = OLD.split_at(7);
        let tell = |kinds: &[(&str, &str, &str)], out: &mut Vec<String>| {
            for (_, shown, why) in kinds.iter().filter(|(kind, ..)| !volume[*kind].is_null()) {
                out.push(format!("{path}.volumes[{index}].{shown}: {why}"));
            }
        };
        tell(before, out);
        let claim = &volume["ephemeral"]["volumeClaimTemplate"]["spec"];
        storage::claim_spec(
            claim,
            &format!("{path}.volumes[{index}].ephemeral.volumeClaimTemplate.spec"),
            out,
        );
        tell(after, out);
    }
}

/// A file of a volume, and where its content comes from.
#[derive(Clone, PartialEq, Eq)]
struct File {
    path: String,
    source: String,
}

impl File {
    fn new(path: &str, source: &str) -> Self {
        Self { path: path.trim_end_matches('/').to_owned(), source: source.to_owned() }
    }

    fn shown(&self) -> String {
        let path = quoted(&self.path);
        if self.source.is_empty() { path } else { format!("{path} ({})", self.source) }
    }

    /// Whether one of the two is in the way of the other.
    fn meets(&self, other: &Self) -> bool {
        let folder = |file: &Self| format!("{}/", file.path);
        !self.path.is_empty()
            && !other.path.is_empty()
            && (folder(self).starts_with(&folder(other)) || folder(other).starts_with(&folder(self)))
    }
}

/// Files that stand in each other's way.
pub(super) fn overlaps(spec: &Value, out: &mut Vec<String>) {
    for (_, volume) in items(spec, "volumes") {
        let name = quoted(word(volume, "name"));
        let sources = [
            ("configMap", format!("ConfigMap {}", quoted(word(&volume["configMap"], "name")))),
            ("secret", format!("Secret {}", quoted(word(&volume["secret"], "secretName")))),
            ("downwardAPI", "DownwardAPI".to_owned()),
        ];
        for (kind, what) in sources {
            let mut files = Vec::new();
            add(&name, &what, listed(&volume[kind], ""), &mut files, out);
        }
        let mut files = Vec::new();
        for (_, source) in items(&volume["projected"], "sources") {
            if source.as_object().is_none_or(serde_json::Map::is_empty) {
                out.push(format!("volume {name} (Projected) has no sources provided"));
            }
            add(&name, "Projected", projected(source), &mut files, out);
        }
    }
}

fn add(name: &str, what: &str, new: Vec<File>, files: &mut Vec<File>, out: &mut Vec<String>) {
    for file in new {
        for other in files.iter().filter(|other| file.meets(other)) {
            let (file, other) = (file.shown(), other.shown());
            out.push(format!("volume {name} ({what}): overlapping paths: {file} with {other}"));
        }
        files.push(file);
    }
}

fn listed(source: &Value, what: &str) -> Vec<File> {
    items(source, "items").map(|(_, item)| File::new(word(item, "path"), what)).collect()
}

/// The files of one source of a projected volume.
fn projected(source: &Value) -> Vec<File> {
    let named = |kind: &str, shown: &str| {
        listed(&source[kind], &format!("{shown} {}", quoted(word(&source[kind], "name"))))
    };
    if !source["configMap"].is_null() {
        return named("configMap", "ConfigMap");
    }
    if !source["secret"].is_null() {
        return named("secret", "Secret");
    }
    if !source["downwardAPI"].is_null() {
        return listed(&source["downwardAPI"], "DownwardAPI");
    }
    if !source["serviceAccountToken"].is_null() {
        return vec![File::new(word(&source["serviceAccountToken"], "path"), "ServiceAccountToken")];
    }
    let bundle = &source["clusterTrustBundle"];
    if !bundle.is_null() {
        let name = if bundle["name"].is_null() { word(bundle, "signerName") } else { word(bundle, "name") };
        return vec![File::new(word(bundle, "path"), &format!("ClusterTrustBundle {}", quoted(name)))];
    }
    let certificate = &source["podCertificate"];
    let parts = [
        ("certificateChainPath", "PodCertificate chain"),
        ("keyPath", "PodCertificate key"),
        ("credentialBundlePath", "PodCertificate credential bundle"),
    ];
    let there = parts.into_iter().filter(|(name, _)| !word(certificate, name).is_empty());
    there.map(|(name, what)| File::new(word(certificate, name), what)).collect()
}
