//! Security contexts of pods and of containers.

use crate::validation::{Findings, Spot, formats};

const SYSCTL: &str = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

pub(super) fn of_pod(out: &mut Findings, spec: &Spot<'_>) {
    let context = spec.get("securityContext");
    for name in ["fsGroup", "runAsUser", "runAsGroup"] {
        formats::user_id(out, &context.get(name));
    }
    for group in context.items("supplementalGroups") {
        formats::user_id(out, &group);
    }
    sysctls(out, spec, &context);
    out.maybe_one_of(&context.get("fsGroupChangePolicy"), &["Always", "OnRootMismatch"]);
    seccomp(out, &context.get("seccompProfile"));
    windows(out, &context.get("windowsOptions"));
    app_armor(out, &context.get("appArmorProfile"));
    out.maybe_one_of(&context.get("supplementalGroupsPolicy"), &["Merge", "Strict"]);
    out.maybe_one_of(&context.get("seLinuxChangePolicy"), &["MountOption", "Recursive"]);
}

fn sysctls(out: &mut Findings, spec: &Spot<'_>, context: &Spot<'_>) {
    let mut seen: Vec<&str> = Vec::new();
    for sysctl in context.items("sysctls") {
        let name = sysctl.get("name");
        let text = sysctl.text("name");
        if text.is_empty() {
            out.required(&name, "");
        } else if !is_sysctl(text) {
            out.invalid(&name, format!("must have at most 253 characters and match regex {SYSCTL}"));
        } else if seen.contains(&text) {
            out.duplicate(&name);
        }
        let dotted = text.replace('/', ".");
        let ipc = ["kernel.sem", "kernel.shm", "kernel.msg", "fs.mqueue."];
        if spec.is_true("hostNetwork") && dotted.starts_with("net.") {
            out.invalid(&name, "may not be specified when 'hostNetwork' is true");
        } else if spec.is_true("hostIPC") && ipc.iter().any(|prefix| dotted.starts_with(prefix)) {
            out.invalid(&name, "may not be specified when 'hostIPC' is true");
        }
        seen.push(text);
    }
}

fn is_sysctl(text: &str) -> bool {
    let edge =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let part = |part: &str| {
        let bytes = part.as_bytes();
        edge(bytes.first())
            && edge(bytes.last())
            && bytes.iter().all(|byte| edge(Some(byte)) || matches!(byte, b'-' | b'_'))
    };
    text.len() <= 253 && text.split(['.', '/']).all(part)
}

fn seccomp(out: &mut Findings, profile: &Spot<'_>) {
    if !profile.is_set() {
        return;
    }
    let kind = profile.get("type");
    if kind.is_empty() {
        out.required(&kind, "type is required when seccompProfile is set");
    } else {
        out.maybe_one_of(&kind, &["Localhost", "RuntimeDefault", "Unconfined"]);
    }
    let file = profile.get("localhostProfile");
    if kind.str() == "Localhost" {
        if file.is_set() {
            formats::relative_path(out, &file);
        } else {
            out.required(&file, "must be set when seccomp type is Localhost");
        }
    } else if file.is_set() {
        let value = format!("{{\"Type\":{},\"LocalhostProfile\":{}}}", kind.value(), file.value());
        out.invalid_printed(&file, value, "can only be set when seccomp type is Localhost");
    }
}

fn app_armor(out: &mut Findings, profile: &Spot<'_>) {
    if !profile.is_set() {
        return;
    }
    let (kind, file) = (profile.get("type"), profile.get("localhostProfile"));
    match kind.str() {
        "Localhost" => {
            if file.str().trim() != file.str() {
                out.invalid(&file, "must not be padded with whitespace");
            } else if file.is_empty() {
                out.required(&file, "must be set when AppArmor type is Localhost");
            }
            if file.str().len() > 4095 {
                out.too_long(&file, 4095);
            }
        }
        "RuntimeDefault" | "Unconfined" if file.is_set() => {
            out.invalid(&file, "can only be set when AppArmor type is Localhost");
        }
        "" => out.required(&kind, "type is required when appArmorProfile is set"),
        _ => out.maybe_one_of(&kind, &["Localhost", "RuntimeDefault", "Unconfined"]),
    }
}

fn windows(out: &mut Findings, options: &Spot<'_>) {
    let name = options.get("gmsaCredentialSpecName");
    if name.is_set() {
        formats::subdomain(out, &name);
    }
    let spec = options.get("gmsaCredentialSpec");
    if spec.is_set() && spec.is_empty() {
        out.invalid(&spec, "gmsaCredentialSpec cannot be an empty string");
    } else if spec.str().len() > 64 * 1024 {
        out.invalid(&spec, "gmsaCredentialSpec size must be under 64 KiB");
    }
    let user = options.get("runAsUserName");
    if user.is_set() && user.is_empty() {
        out.invalid(&user, "runAsUserName cannot be an empty string");
    }
}

pub(super) fn of_container(out: &mut Findings, context: &Spot<'_>, has_host_users: bool) {
    if !context.is_set() {
        return;
    }
    for name in ["runAsUser", "runAsGroup"] {
        formats::user_id(out, &context.get(name));
    }
    let mount = context.get("procMount");
    out.maybe_one_of(&mount, &["Default", "Unmasked"]);
    if has_host_users && mount.str() == "Unmasked" {
        out.invalid(&mount, "`hostUsers` must be false to use `Unmasked`");
    }
    seccomp(out, &context.get("seccompProfile"));
    let escalates = context.get("allowPrivilegeEscalation").value();
    if escalates == &serde_json::Value::Bool(false) {
        if context.is_true("privileged") {
            let why = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
            out.invalid(context, why);
        }
        for capability in context.items("capabilities.add") {
            if capability.str() == "CAP_SYS_ADMIN" {
                let why =
                    "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
                out.invalid(context, why);
            }
        }
    }
    windows(out, &context.get("windowsOptions"));
    app_armor(out, &context.get("appArmorProfile"));
}
