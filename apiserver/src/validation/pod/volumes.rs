//! The volumes of pods, by the kinds that are in use everywhere; the others are in [`storage`](super::storage).

use crate::{
    protocol::{FieldError, names::dns_subdomain_errors},
    validation::{Findings, Spot, formats, resources},
};

use super::{env, images, projected, storage};

/// The kinds of sources in the order in which a real server looks for them, each with the name by which it forbids a second one.
const SOURCES: &[(&str, &str)] = &[
    ("emptyDir", "emptyDir"),
    ("hostPath", "hostPath"),
    ("gitRepo", "gitRepo"),
    ("gcePersistentDisk", "gcePersistentDisk"),
    ("awsElasticBlockStore", "awsElasticBlockStore"),
    ("secret", "secret"),
    ("nfs", "nfs"),
    ("iscsi", "iscsi"),
    ("glusterfs", "glusterfs"),
    ("flocker", "flocker"),
    ("persistentVolumeClaim", "persistentVolumeClaim"),
    ("rbd", "rbd"),
    ("cinder", "cinder"),
    ("cephfs", "cephFS"),
    ("quobyte", "quobyte"),
    ("downwardAPI", "downwarAPI"),
    ("fc", "fc"),
    ("flexVolume", "flexVolume"),
    ("configMap", "configMap"),
    ("azureFile", "azureFile"),
    ("vsphereVolume", "vsphereVolume"),
    ("photonPersistentDisk", "photonPersistentDisk"),
    ("portworxVolume", "portworxVolume"),
    ("azureDisk", "azureDisk"),
    ("storageos", "storageos"),
    ("projected", "projected"),
    ("scaleIO", "scaleIO"),
    ("csi", "csi"),
    ("ephemeral", "ephemeral"),
    ("image", "image"),
];
const HOST_PATH_TYPES: &[&str] =
    &["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

/// Checks the volumes of a pod; the ones that are in order may be mounted. `pod` is the name of the pod, where it has one.
pub(super) fn volumes<'s>(out: &mut Findings, list: &'s Spot<'_>, pod: &str) -> Vec<Spot<'s>> {
    let mut good: Vec<Spot<'s>> = Vec::new();
    let made = |claim: &str| {
        let mut volumes = list.each().filter(|volume| volume.has("ephemeral"));
        !pod.is_empty() && volumes.any(|volume| format!("{pod}-{}", volume.text("name")) == claim)
    };
    for volume in list.each() {
        let before = out.count();
        sources(out, &volume, pod);
        let name = volume.get("name");
        if name.is_empty() {
            out.required(&name, "");
        } else {
            formats::label(out, &name);
        }
        if good.iter().any(|other| other.text("name") == name.str()) {
            out.duplicate(&name);
        }
        let claim = volume.get("persistentVolumeClaim.claimName");
        let fine = before == out.count();
        if volume.has("persistentVolumeClaim") && made(claim.str()) {
            out.invalid(&claim, "must not reference a PVC that gets created for an ephemeral volume");
        }
        if fine {
            good.push(volume);
        }
    }
    good
}

fn sources(out: &mut Findings, volume: &Spot<'_>, pod: &str) {
    let mut found = false;
    for (kind, told) in SOURCES {
        let source = volume.get(kind);
        if !source.is_set() {
            continue;
        }
        if std::mem::replace(&mut found, true) {
            out.forbidden(&volume.alias(kind, told), "may not specify more than 1 volume type");
            continue;
        }
        self::source(out, kind, &source, volume);
        if *kind == "ephemeral" && !pod.is_empty() && !volume.text("name").is_empty() {
            let claim = format!("{pod}-{}", volume.text("name"));
            for error in dns_subdomain_errors(&claim) {
                let why = format!("PVC name {claim:?}: {error}");
                out.push(FieldError::invalid_text(volume.get("name").path(), volume.text("name"), why));
            }
        }
    }
    if !found {
        out.required(volume, "must specify a volume type");
    }
}

fn source(out: &mut Findings, kind: &str, source: &Spot<'_>, volume: &Spot<'_>) {
    match kind {
        "emptyDir" => empty_dir(out, source),
        "hostPath" => host_path(out, source),
        "secret" => keyed(out, source, "secretName"),
        "configMap" => keyed(out, source, "name"),
        "persistentVolumeClaim" => out.present(&source.get("claimName")),
        "downwardAPI" => {
            formats::file_mode(out, &source.get("defaultMode"));
            for file in source.items("items") {
                downward_file(out, &file, source);
            }
        }
        "projected" => projected::projected(out, source),
        "csi" => storage::inline_csi(out, source),
        "ephemeral" => ephemeral(out, source),
        "image" => {
            out.present(&source.get("reference"));
            images::pull_policy(out, &source.get("pullPolicy"));
        }
        _ => storage::source(out, kind, source, volume),
    }
}

fn empty_dir(out: &mut Findings, source: &Spot<'_>) {
    let limit = source.get("sizeLimit");
    if resources::amount(&limit).is_some_and(|amount| amount.is_negative()) {
        out.forbidden(&limit, "SizeLimit field must be a valid resource quantity");
    }
    let mode = source.get("mode");
    if mode.int().is_some_and(|mode| !(0..=0o1777).contains(&mode)) {
        out.invalid(&mode, "must be a number between 0 and 01777 (octal), both inclusive");
    }
}

pub(super) fn host_path(out: &mut Findings, source: &Spot<'_>) {
    let path = source.get("path");
    if path.is_empty() {
        return out.required(&path, "");
    }
    formats::no_backsteps(out, &path);
    out.maybe_one_of(&source.get("type"), HOST_PATH_TYPES);
}

/// A source of files under keys.
fn keyed(out: &mut Findings, source: &Spot<'_>, name: &str) {
    out.present(&source.get(name));
    formats::file_mode(out, &source.get("defaultMode"));
    for item in source.items("items") {
        key_to_path(out, &item);
    }
}

pub(super) fn key_to_path(out: &mut Findings, item: &Spot<'_>) {
    out.present(&item.get("key"));
    out.present(&item.get("path"));
    formats::free_path(out, &item.get("path"));
    formats::file_mode(out, &item.get("mode"));
}

/// A file that tells something about the pod; `place` is where errors about it are told.
pub(super) fn downward_file(out: &mut Findings, file: &Spot<'_>, place: &Spot<'_>) {
    let told = place.get("path");
    let path = file.get("path").moved(&told);
    out.present(&path);
    formats::free_path(out, &path);
    let (field, resource) = (place.get("fieldRef"), place.get("resourceFieldRef"));
    let (field, resource) =
        (file.get("fieldRef").moved(&field), file.get("resourceFieldRef").moved(&resource));
    if field.is_set() {
        env::field_ref(out, &field, env::OF_FILES);
        if resource.is_set() {
            out.invalid_as(
                place,
                "resource",
                "fieldRef and resourceFieldRef can not be specified simultaneously",
            );
        }
    } else if resource.is_set() {
        env::resource_ref(out, &resource, env::Container::Named);
    } else {
        out.required(place, "one of fieldRef and resourceFieldRef is required");
    }
    formats::file_mode(out, &file.get("mode").moved(&place.get("mode")));
}

fn ephemeral(out: &mut Findings, source: &Spot<'_>) {
    let template = source.get("volumeClaimTemplate");
    if !template.is_set() {
        return out.required(&template, "");
    }
    crate::validation::volume_claims::template(out, &template);
}
