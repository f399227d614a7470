//! The kinds of storage that a volume may come from: of pods, and of persistent volumes.

use crate::{
    protocol::names::{dns_label_errors, dns_subdomain_errors},
    validation::{Findings, Spot, formats},
};

/// Members that must not be empty, by kind of source.
const REQUIRED: &[(&str, &[&str])] = &[
    ("gitRepo", &["repository"]),
    ("gcePersistentDisk", &["pdName"]),
    ("awsElasticBlockStore", &["volumeID"]),
    ("nfs", &["server", "path"]),
    ("glusterfs", &["endpoints", "path"]),
    ("rbd", &["monitors", "image"]),
    ("cinder", &["volumeID"]),
    ("cephfs", &["monitors"]),
    ("flexVolume", &["driver"]),
    ("azureFile", &["secretName", "shareName"]),
    ("vsphereVolume", &["volumePath"]),
    ("photonPersistentDisk", &["pdID"]),
    ("portworxVolume", &["volumeID"]),
    ("azureDisk", &["diskName", "diskURI"]),
    ("scaleIO", &["gateway", "system", "volumeName"]),
];

/// A source of any of these kinds. `holder` is the volume or the spec of a persistent volume.
pub(super) fn source(out: &mut Findings, kind: &str, source: &Spot<'_>, holder: &Spot<'_>) {
    let told = holder.alias(kind, if kind == "gcePersistentDisk" { "persistentDisk" } else { kind });
    let source = &source.moved(&told);
    for (known, members) in REQUIRED {
        if *known == kind {
            members.iter().for_each(|member| out.present(&source.get(member)));
        }
    }
    match kind {
        "gcePersistentDisk" | "awsElasticBlockStore" => out.within(&source.get("partition"), 1, 255),
        "gitRepo" => formats::relative_path(out, &source.get("directory")),
        "nfs" if !source.text("path").starts_with('/') => {
            out.invalid_as(&source.get("path"), source.text("path"), "must be an absolute path");
        }
        "iscsi" => iscsi(out, source, holder),
        "fc" => fibre(out, source),
        "flexVolume" => {
            for (key, option) in source.entries("options") {
                let namespace = format!(".{}", key.split('/').next().unwrap_or_default().to_lowercase());
                if namespace.ends_with(".kubernetes.io") || namespace.ends_with(".k8s.io") {
                    out.invalid_as(&option, key, "kubernetes.io and k8s.io namespaces are reserved");
                }
            }
        }
        "azureDisk" => azure_disk(out, source),
        "quobyte" => quobyte(out, source),
        "flocker" => flocker(out, source),
        _ => {}
    }
}

fn iscsi(out: &mut Findings, source: &Spot<'_>, holder: &Spot<'_>) {
    // Persistent volumes are told less of it than those of pods.
    let unlike =
        if holder.has("name") { "must be valid format starting with iqn, eui, or naa" } else { FORMAT };
    out.present(&source.get("targetPortal"));
    let name = source.get("iqn");
    if name.is_empty() {
        out.required(&name, "");
    } else {
        initiator(out, &name, unlike);
    }
    let lun = source.get("lun");
    out.within(&lun, 0, 255);
    let asks = source.is_true("chapAuthDiscovery") || source.is_true("chapAuthSession");
    if asks && !source.has("secretRef") {
        out.required(&source.get("secretRef"), "");
    }
    if source.has("secretRef") {
        out.present(&source.get("secretRef.name"));
    }
    if source.has("initiatorName") {
        initiator(out, &source.alias("initiatorName", "initiatorname"), unlike);
        let whole = holder.text("name").len() + 1 + source.text("targetPortal").len();
        if holder.has("name") && whole > 64 {
            let why = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is \
                       specified.";
            out.invalid(&holder.get("name"), why);
        }
    }
}

const FORMAT: &str = "must be valid format";

/// The name of one who begins; `unlike` is told where it is of no known form.
fn initiator(out: &mut Findings, spot: &Spot<'_>, unlike: &str) {
    let text = spot.str();
    let word = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let tail = text.get(4..).unwrap_or_default();
    if text.starts_with("iqn") {
        if !is_qualified(tail) {
            out.invalid(spot, FORMAT);
        }
    } else if text.starts_with("eui") {
        if !word(tail, 16) {
            out.invalid(spot, FORMAT);
        }
    } else if text.starts_with("naa") {
        if !word(tail, 32) {
            out.invalid(spot, FORMAT);
        }
    } else {
        out.invalid(spot, unlike);
    }
}

/// Whether a text is like `2001-04.com.example:storage.kube.sys1.xyz`.
fn is_qualified(text: &str) -> bool {
    let Some((date, rest)) = text.split_once('.') else { return false };
    let Some((authority, name)) = rest.split_once(':') else { return false };
    let date_fits = date.len() == 7
        && date
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 { byte == b'-' } else { byte.is_ascii_digit() });
    date_fits
        && !authority.is_empty()
        && !name.is_empty()
        && !name.contains([',', ';', '*', '&', '$', '|', ' ', '\t', '\n'])
}

fn quobyte(out: &mut Findings, source: &Spot<'_>) {
    const WHY: &str = "must be a host:port pair or multiple pairs separated by commas";
    let (registry, tenant) = (source.get("registry"), source.get("tenant"));
    if registry.is_empty() {
        out.required(&registry, WHY);
    } else if tenant.str().len() >= 65 {
        out.required(&tenant, "must be a UUID and may not exceed a length of 64 characters");
    } else {
        let is_pair = |pair: &&str| match pair.rsplit_once(':') {
            Some((host, _)) => !host.contains(':') || (host.starts_with('[') && host.ends_with(']')),
            None => false,
        };
        for _ in registry.str().split(',').filter(|pair| !is_pair(pair)) {
            out.invalid(&registry, WHY);
        }
    }
    out.present(&source.get("volume"));
}

fn fibre(out: &mut Findings, source: &Spot<'_>) {
    let names = source.get("targetWWNs");
    let (by_name, by_id) = (source.count("targetWWNs") > 0, source.count("wwids") > 0);
    match (by_name, by_id) {
        (false, false) => out.required(&names, "must specify either targetWWNs or wwids, but not both"),
        (true, true) => out.invalid(&names, "targetWWNs and wwids can not be specified simultaneously"),
        _ => {}
    }
    let lun = source.get("lun");
    if by_name && !lun.is_set() {
        out.required(&lun, "lun is required if targetWWNs is specified");
    } else if by_name {
        out.within(&lun, 0, 255);
    }
}

fn azure_disk(out: &mut Findings, source: &Spot<'_>) {
    out.maybe_one_of(&source.get("cachingMode"), &["None", "ReadOnly", "ReadWrite"]);
    out.maybe_one_of(&source.get("kind"), &["Dedicated", "Managed", "Shared"]);
    let uri = source.get("diskURI");
    let managed = source.text("kind") == "Managed";
    if managed && !uri.str().starts_with("/subscriptions/") {
        out.not_supported(
            &uri,
            &["/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"],
        );
    }
    if !managed && source.has("kind") && !uri.str().starts_with("https://") {
        out.not_supported(
            &uri,
            &["https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"],
        );
    }
}

fn flocker(out: &mut Findings, source: &Spot<'_>) {
    let (name, uuid) = (source.get("datasetName"), source.get("datasetUUID"));
    match (name.is_empty(), uuid.is_empty()) {
        (true, true) => out.required(source, "one of datasetName and datasetUUID is required"),
        (false, false) => {
            out.invalid_as(
                source,
                "resource",
                "datasetName and datasetUUID can not be specified simultaneously",
            );
        }
        _ => {}
    }
    if name.str().contains('/') {
        out.invalid(&name, "must not contain '/'");
    }
}

/// A CSI volume of a pod's own.
pub(super) fn inline_csi(out: &mut Findings, source: &Spot<'_>) {
    csi_driver_name(out, &source.get("driver"));
    let secret = source.get("nodePublishSecretRef");
    if secret.is_set() && secret.text("name").is_empty() {
        out.required(&secret.get("name"), "");
    } else if secret.is_set() {
        let name = secret.text("name");
        for error in dns_subdomain_errors(name) {
            out.invalid_as(&source.get("name"), name, error);
        }
    }
}

/// The name of a CSI driver.
pub(crate) fn csi_driver_name(out: &mut Findings, spot: &Spot<'_>) {
    if spot.is_empty() {
        return out.required(spot, "");
    }
    if spot.str().len() > 63 {
        out.too_long(spot, 63);
    }
    for error in dns_subdomain_errors(&spot.str().to_lowercase()) {
        out.invalid_as(spot, spot.str(), error);
    }
}

/// The source of a persistent volume.
pub(crate) fn persistent_source(out: &mut Findings, kind: &str, source: &Spot<'_>, spec: &Spot<'_>) {
    match kind {
        "hostPath" => super::volumes::host_path(out, source),
        "local" => {
            let path = source.get("path");
            if path.is_empty() {
                out.required(&path, "");
            } else {
                formats::no_backsteps(out, &path);
            }
        }
        "csi" => {
            csi_driver_name(out, &source.get("driver"));
            out.present(&source.get("volumeHandle"));
            for name in [
                "controllerPublishSecretRef",
                "controllerExpandSecretRef",
                "nodePublishSecretRef",
                "nodeExpandSecretRef",
            ] {
                let secret = source.get(name);
                if secret.is_set() {
                    named(out, &secret.get("name"), dns_subdomain_errors);
                    named(out, &secret.get("namespace"), dns_label_errors);
                }
            }
        }
        "storageos" => {
            named(out, &source.get("volumeName"), dns_label_errors);
            let space = source.get("volumeNamespace");
            out.all(&space, if space.is_empty() { Vec::new() } else { dns_label_errors(space.str()) });
            let secret = source.get("secretRef");
            if secret.is_set() {
                out.present(&secret.get("name"));
                out.present(&secret.get("namespace"));
            }
        }
        _ => {
            self::source(out, kind, source, spec);
            elsewhere(out, kind, source);
        }
    }
}

/// Where the other objects are that a persistent volume names.
fn elsewhere(out: &mut Findings, kind: &str, source: &Spot<'_>) {
    let space = source.get(if kind == "azureFile" { "secretNamespace" } else { "endpointsNamespace" });
    match kind {
        "cinder" if source.has("secretRef") => {
            out.present(&source.get("secretRef.name"));
            out.present(&source.get("secretRef.namespace"));
        }
        "azureFile" if space.is_set() => out.present(&space),
        "glusterfs" if space.is_set() && space.is_empty() => {
            out.invalid(&space, "if the endpointnamespace is set, it must be a valid namespace name");
        }
        "glusterfs" if space.is_set() => out.all(&space, dns_label_errors(space.str())),
        _ => {}
    }
}

/// A name that must be there and a good one.
fn named(out: &mut Findings, spot: &Spot<'_>, errors: fn(&str) -> Vec<String>) {
    match spot.str() {
        "" => out.required(spot, ""),
        name => out.all(spot, errors(name)),
    }
}
