//! Where containers see volumes.

use crate::validation::{Findings, Spot, formats};

/// The volumes of a pod that are in order, by name.
pub(super) type Volumes<'a> = [Spot<'a>];

pub(super) fn find<'v, 'a>(volumes: &'v Volumes<'a>, name: &str) -> Option<&'v Spot<'a>> {
    volumes.iter().find(|volume| volume.text("name") == name)
}

pub(super) fn mounts(out: &mut Findings, container: &Spot<'_>, volumes: &Volumes<'_>) {
    let list = container.get("volumeMounts");
    let device = |name: &str, value: &str| {
        let mut devices = container.items("volumeDevices");
        devices.any(|device| device.text(name) == value)
    };
    let mut paths: Vec<&str> = Vec::new();
    for mount in list.each() {
        let (name, path) = (mount.get("name"), mount.get("mountPath"));
        out.present(&name);
        let volume = find(volumes, name.str());
        if volume.is_none() {
            out.not_found(&name);
        }
        out.present(&path);
        if paths.contains(&mount.text("mountPath")) {
            out.invalid_as(&path, path.str(), "must be unique");
        }
        paths.push(mount.text("mountPath"));
        if device("name", name.str()) {
            out.invalid(&name, "must not already exist in volumeDevices");
        }
        if device("devicePath", path.str()) {
            out.invalid(&path, "must not already exist as a path in volumeDevices");
        }
        sub_paths(out, &mount, &list);
        propagation(out, &mount, container, &list);
        read_only(out, &mount, &list);
        options(out, &mount, volume);
    }
}

fn sub_paths(out: &mut Findings, mount: &Spot<'_>, list: &Spot<'_>) {
    let (plain, expanded) = (mount.get("subPath"), mount.get("subPathExpr"));
    if !plain.is_empty() {
        formats::relative_path(out, &plain.moved(&list.get("subPath")));
    }
    if !expanded.is_empty() {
        if !plain.is_empty() {
            out.invalid(&expanded, "subPathExpr and subPath are mutually exclusive");
        }
        formats::relative_path(out, &expanded.moved(&list.get("subPathExpr")));
    }
}

fn propagation(out: &mut Findings, mount: &Spot<'_>, container: &Spot<'_>, list: &Spot<'_>) {
    let name = list.get("mountPropagation");
    let value = mount.get("mountPropagation").moved(&name);
    out.maybe_one_of(&value, &["Bidirectional", "HostToContainer", "None"]);
    if value.str() == "Bidirectional" && !container.is_true("securityContext.privileged") {
        out.forbidden(&value, "Bidirectional mount propagation is available only to privileged containers");
    }
}

fn read_only(out: &mut Findings, mount: &Spot<'_>, list: &Spot<'_>) {
    let name = list.get("recursiveReadOnly");
    let value = mount.get("recursiveReadOnly").moved(&name);
    if !value.is_set() || value.str() == "Disabled" {
        return;
    }
    if !["Enabled", "IfPossible"].contains(&value.str()) {
        return out.not_supported(&value, &["Disabled", "Enabled", "IfPossible"]);
    }
    if !mount.is_true("readOnly") {
        out.forbidden(&value, "may only be specified when readOnly is true");
    }
    if !["", "None"].contains(&mount.text("mountPropagation")) {
        out.forbidden(&value, "may only be specified when mountPropagation is None or not specified");
    }
}

fn options(out: &mut Findings, mount: &Spot<'_>, volume: Option<&Spot<'_>>) {
    let list = mount.get("bindMountOptions");
    let mut seen: Vec<&str> = Vec::new();
    for option in list.each() {
        out.maybe_one_of(&option, &["nodev", "noexec", "nosuid"]);
        if seen.contains(&option.str()) {
            out.duplicate(&option);
        }
        seen.push(option.str());
    }
    if !seen.is_empty() && volume.is_some_and(|volume| volume.has("image")) {
        out.invalid(&list, "bindMountOptions may not be used with image volumes");
    }
}

pub(super) fn devices(out: &mut Findings, container: &Spot<'_>, volumes: &Volumes<'_>) {
    let mounted = |name: &str, value: &str| {
        let mut mounts = container.items("volumeMounts");
        mounts.any(|mount| mount.text(name) == value)
    };
    let list = container.get("volumeDevices");
    let (mut names, mut paths): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for device in list.each() {
        let (name, path) = (device.get("name"), device.get("devicePath"));
        out.present(&name);
        if names.contains(&device.text("name")) {
            out.invalid(&name, "must be unique");
        }
        let volume = find(volumes, name.str());
        let claimed =
            volume.is_some_and(|volume| volume.has("persistentVolumeClaim") || volume.has("ephemeral"));
        if volume.is_some() && !claimed {
            out.invalid(
                &name,
                "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
            );
        }
        if volume.is_none() {
            out.not_found(&name);
        }
        out.present(&path);
        if paths.contains(&device.text("devicePath")) {
            out.invalid(&path, "must be unique");
        }
        if path.str().split('/').any(|part| part == "..") {
            out.invalid(&path, "can not contain backsteps ('..')");
        } else {
            paths.push(device.text("devicePath"));
        }
        if !name.is_empty() {
            names.push(device.text("name"));
        }
        if mounted("name", name.str()) {
            out.invalid(&name, "must not already exist in volumeMounts");
        }
        if mounted("mountPath", path.str()) {
            out.invalid(&path, "must not already exist as a path in volumeMounts");
        }
    }
}
