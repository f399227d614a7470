//! The checks behind the levels of pod security.
//!
//! In: metadata and spec of a pod. Out: what breaks a level, one sentence a check, in the words of a real server.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    protocol::{Fields, quoted},
    strategy::{at, text},
};

/// How much is asked of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Privileged,
    Baseline,
    Restricted,
}

/// What breaks a level: all sentences, or none.
pub(super) fn breaches(level: Level, pod: &Fields) -> Option<String> {
    let checks: &[for<'a> fn(&Pod<'a>) -> Option<String>] = match level {
        Level::Privileged => return None,
        Level::Baseline => &[
            |pod| pod.app_armor(),
            |pod| pod.added_capabilities(),
            |pod| pod.host_namespaces(),
            |pod| pod.host_paths(),
            |pod| pod.host_ports(),
            |pod| pod.host_probes(),
            |pod| pod.privileged(),
            |pod| pod.relaxed_proc_mount(),
            |pod| pod.se_linux(),
            |pod| pod.seccomp(),
            |pod| pod.sysctls(),
            |pod| pod.host_process(),
        ],
        Level::Restricted => &[
            |pod| pod.app_armor(),
            |pod| pod.host_namespaces(),
            |pod| pod.host_ports(),
            |pod| pod.host_probes(),
            |pod| pod.privileged(),
            |pod| pod.se_linux(),
            |pod| pod.sysctls(),
            |pod| pod.host_process(),
            |pod| pod.escalation(),
            |pod| pod.all_capabilities(),
            |pod| pod.proc_mount(),
            |pod| pod.volumes(),
            |pod| pod.non_root(),
            |pod| pod.user(),
            |pod| pod.strict_seccomp(),
        ],
    };
    let pod = Pod(pod);
    let sentences: Vec<String> = checks.iter().filter_map(|check| check(&pod)).collect();
    (!sentences.is_empty()).then(|| sentences.join(", "))
}

struct Pod<'a>(&'a Fields);

type Names = BTreeSet<String>;

impl Pod<'_> {
    fn spec(&self, path: &str) -> Option<&Value> {
        at(self.0, &format!("spec.{path}"))
    }

    fn containers(&self) -> impl Iterator<Item = &Value> {
        ["initContainers", "containers", "ephemeralContainers"]
            .into_iter()
            .filter_map(|list| self.spec(list).and_then(Value::as_array))
            .flatten()
    }

    /// The names of the containers that are bad.
    fn bad(&self, mut is_bad: impl FnMut(&Value) -> bool) -> Vec<String> {
        let bad = self.containers().filter(|container| is_bad(container));
        bad.map(|container| container.get("name").and_then(Value::as_str).unwrap_or_default().to_owned())
            .collect()
    }

    fn is_windows(&self) -> bool {
        text(self.0, "spec.os.name") == "windows"
    }

    /// Whether the pod's root is not the host's.
    fn has_own_users(&self) -> bool {
        self.spec("hostUsers") == Some(&Value::Bool(false))
    }

    fn host_namespaces(&self) -> Option<String> {
        let on = |name: &&str| self.spec(name) == Some(&Value::Bool(true));
        let names = ["hostNetwork", "hostPID", "hostIPC"].into_iter().filter(on);
        let texts: Vec<String> = names.map(|name| format!("{name}=true")).collect();
        (!texts.is_empty()).then(|| format!("host namespaces ({})", texts.join(", ")))
    }

    fn privileged(&self) -> Option<String> {
        let bad = self.bad(|container| own(container, "privileged") == Some(&Value::Bool(true)));
        let who = whom(&bad)?;
        Some(format!("privileged ({who} must not set securityContext.privileged=true)"))
    }

    fn added_capabilities(&self) -> Option<String> {
        const ALLOWED: [&str; 13] = [
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT",
        ];
        let mut found = Names::new();
        let bad = self.bad(|container| collect(capabilities(container, "add"), &ALLOWED, &mut found));
        let who = whom(&bad)?;
        let what = quote(&found);
        Some(format!(
            "non-default capabilities ({who} must not include {what} in securityContext.capabilities.add)"
        ))
    }

    fn all_capabilities(&self) -> Option<String> {
        if self.is_windows() {
            return None;
        }
        let mut found = Names::new();
        let keeping = self.bad(|container| !capabilities(container, "drop").any(|name| name == "ALL"));
        let adding =
            self.bad(|container| collect(capabilities(container, "add"), &["NET_BIND_SERVICE"], &mut found));
        let mut details = Vec::new();
        if let Some(who) = whom(&keeping) {
            details.push(format!("{who} must set securityContext.capabilities.drop=[\"ALL\"]"));
        }
        if let Some(who) = whom(&adding) {
            let what = quote(&found);
            details.push(format!("{who} must not include {what} in securityContext.capabilities.add"));
        }
        (!details.is_empty()).then(|| format!("unrestricted capabilities ({})", details.join("; ")))
    }

    fn host_paths(&self) -> Option<String> {
        let volumes = self.spec("volumes").and_then(Value::as_array).into_iter().flatten();
        let names: Vec<String> =
            volumes.filter(|volume| volume.get("hostPath").is_some()).map(name_of).collect();
        let what = plural(&names, "volume", "volumes");
        (!names.is_empty()).then(|| format!("hostPath volumes ({what} {})", quote(&names)))
    }

    fn volumes(&self) -> Option<String> {
        const ALLOWED: [&str; 9] = [
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "image",
            "persistentVolumeClaim",
            "projected",
            "secret",
        ];
        let (mut names, mut kinds) = (Vec::new(), Names::new());
        for volume in self.spec("volumes").and_then(Value::as_array).into_iter().flatten() {
            let members = volume.as_object().into_iter().flatten();
            let kind =
                members.map(|(name, _)| name.as_str()).find(|name| *name != "name").unwrap_or("unknown");
            if !ALLOWED.contains(&kind) {
                names.push(name_of(volume));
                kinds.insert(kind.to_owned());
            }
        }
        (!names.is_empty()).then(|| {
            format!(
                "restricted volume types ({} {} {} {} {})",
                plural(&names, "volume", "volumes"),
                quote(&names),
                plural(&names, "uses", "use"),
                if kinds.len() == 1 { "restricted volume type" } else { "restricted volume types" },
                quote(&kinds)
            )
        })
    }

    fn host_ports(&self) -> Option<String> {
        let mut ports = Names::new();
        let bad = self.bad(|container| {
            let list = container.get("ports").and_then(Value::as_array).into_iter().flatten();
            let hosts: Vec<String> = list
                .filter_map(|port| port.get("hostPort")?.as_i64())
                .filter(|port| *port != 0)
                .map(|port| port.to_string())
                .collect();
            let is_bad = !hosts.is_empty();
            ports.extend(hosts);
            is_bad
        });
        let who = whom(&bad)?;
        let what = if ports.len() == 1 { "hostPort" } else { "hostPorts" };
        let list: Vec<&str> = ports.iter().map(String::as_str).collect();
        Some(format!("hostPort ({who} {} {what} {})", plural(&bad, "uses", "use"), list.join(", ")))
    }

    fn host_probes(&self) -> Option<String> {
        const PLACES: [&str; 5] = [
            "/livenessProbe",
            "/readinessProbe",
            "/startupProbe",
            "/lifecycle/postStart",
            "/lifecycle/preStop",
        ];
        let mut hosts = Names::new();
        let bad: Vec<String> = self
            .bad(|container| {
                let found = PLACES.iter().flat_map(|place| {
                    ["httpGet", "tcpSocket"].into_iter().filter_map(move |way| {
                        let host = container.pointer(&format!("{place}/{way}/host"))?.as_str()?;
                        (!host.is_empty()).then(|| host.to_owned())
                    })
                });
                let found: Vec<String> = found.collect();
                let is_bad = !found.is_empty();
                hosts.extend(found);
                is_bad
            })
            .into_iter()
            .collect::<Names>()
            .into_iter()
            .collect();
        let who = whom(&bad)?;
        let what = if hosts.len() == 1 { "probe or lifecycle host" } else { "probe or lifecycle hosts" };
        let uses = plural(&bad, "uses", "use");
        Some(format!("probe or lifecycle host ({who} {uses} {what} {})", quote(&hosts)))
    }

    fn relaxed_proc_mount(&self) -> Option<String> {
        if self.has_own_users() { None } else { self.proc_mount() }
    }

    fn proc_mount(&self) -> Option<String> {
        let mut found = Names::new();
        let bad = self.bad(|container| {
            collect(own(container, "procMount").and_then(Value::as_str).into_iter(), &["Default"], &mut found)
        });
        let who = whom(&bad)?;
        Some(format!("procMount ({who} must not set securityContext.procMount to {})", quote(&found)))
    }

    fn sysctls(&self) -> Option<String> {
        const ALLOWED: [&str; 14] = [
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.ping_group_range",
            "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.ip_local_reserved_ports",
            "net.ipv4.tcp_keepalive_time",
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes",
            "net.ipv4.tcp_rmem",
            "net.ipv4.tcp_wmem",
            "net.ipv4.tcp_slow_start_after_idle",
            "net.ipv4.tcp_notsent_lowat",
        ];
        let list = self.spec("securityContext.sysctls").and_then(Value::as_array).into_iter().flatten();
        let names: Vec<String> = list.map(name_of).filter(|name| !ALLOWED.contains(&name.as_str())).collect();
        (!names.is_empty()).then(|| format!("forbidden sysctls ({})", names.join(", ")))
    }

    fn se_linux(&self) -> Option<String> {
        const ALLOWED: [&str; 5] =
            ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];
        let mut types = Names::new();
        let (mut user, mut role) = (false, false);
        let mut is_bad = |options: Option<&Value>| {
            let Some(options) = options else { return false };
            let part = |name: &str| options.get(name).and_then(Value::as_str).unwrap_or_default();
            let kind = collect([part("type")].into_iter(), &ALLOWED, &mut types);
            user |= !part("user").is_empty();
            role |= !part("role").is_empty();
            kind || !part("user").is_empty() || !part("role").is_empty()
        };
        let pod = is_bad(self.spec("securityContext.seLinuxOptions"));
        let bad = self.bad(|container| is_bad(own(container, "seLinuxOptions")));
        let who = setters(pod, &bad)?;
        let mut what = Vec::new();
        if !types.is_empty() {
            what.push(format!("{} {}", if types.len() == 1 { "type" } else { "types" }, quote(&types)));
        }
        what.extend(user.then(|| "user may not be set".to_owned()));
        what.extend(role.then(|| "role may not be set".to_owned()));
        Some(format!(
            "seLinuxOptions ({who} set forbidden securityContext.seLinuxOptions: {})",
            what.join("; ")
        ))
    }

    fn app_armor(&self) -> Option<String> {
        const ALLOWED: [&str; 2] = ["RuntimeDefault", "Localhost"];
        const ANNOTATION: &str = "container.apparmor.security.beta.kubernetes.io/";
        let mut values = Names::new();
        let mut is_bad = |profile: Option<&Value>| {
            profile.is_some_and(|profile| collect(kind_of(profile).into_iter(), &ALLOWED, &mut values))
        };
        let pod = is_bad(self.spec("securityContext.appArmorProfile"));
        let bad = self.bad(|container| is_bad(own(container, "appArmorProfile")));
        let annotations = at(self.0, "metadata.annotations").and_then(Value::as_object);
        let mut annotated: Vec<String> = annotations
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name, value.as_str()?)))
            .filter(|(name, value)| {
                name.starts_with(ANNOTATION)
                    && !(value.is_empty() || *value == "runtime/default" || value.starts_with("localhost/"))
            })
            .map(|(name, value)| format!("{name}={}", quoted(value)))
            .collect();
        annotated.sort();
        let mut who: Vec<String> = setters(pod, &bad).into_iter().collect();
        if !annotated.is_empty() {
            who.push(plural(&annotated, "annotation", "annotations").to_owned());
        }
        let list: Vec<String> = values.into_iter().chain(annotated).collect();
        (!who.is_empty()).then(|| {
            format!(
                "{} ({} must not set AppArmor profile type to {})",
                plural(&list, "forbidden AppArmor profile", "forbidden AppArmor profiles"),
                who.join(" and "),
                quote(&list)
            )
        })
    }

    fn seccomp(&self) -> Option<String> {
        let mut values = Names::new();
        let mut is_bad = |profile: Option<&Value>| {
            profile.is_some_and(|profile| collect(kind_of(profile).into_iter(), &SECCOMP, &mut values))
        };
        let pod = is_bad(self.spec("securityContext.seccompProfile"));
        let bad = self.bad(|container| is_bad(own(container, "seccompProfile")));
        let who = setters(pod, &bad)?;
        Some(format!(
            "seccompProfile ({who} must not set securityContext.seccompProfile.type to {})",
            quote(&values)
        ))
    }

    fn strict_seccomp(&self) -> Option<String> {
        if self.is_windows() {
            return None;
        }
        if let Some(found) = self.seccomp() {
            return Some(found);
        }
        if self.spec("securityContext.seccompProfile").is_some() {
            return None;
        }
        let silent = self.bad(|container| own(container, "seccompProfile").is_none());
        let who = whom(&silent)?;
        Some(format!(
            "seccompProfile (pod or {who} must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")"
        ))
    }

    fn host_process(&self) -> Option<String> {
        let on = |value: Option<&Value>| {
            value.and_then(|options| options.get("hostProcess")) == Some(&Value::Bool(true))
        };
        let pod = on(self.spec("securityContext.windowsOptions"));
        let bad = self.bad(|container| on(own(container, "windowsOptions")));
        let who = setters(pod, &bad)?;
        Some(format!("hostProcess ({who} must not set securityContext.windowsOptions.hostProcess=true)"))
    }

    fn escalation(&self) -> Option<String> {
        if self.is_windows() {
            return None;
        }
        let bad =
            self.bad(|container| own(container, "allowPrivilegeEscalation") != Some(&Value::Bool(false)));
        let who = whom(&bad)?;
        Some(format!(
            "allowPrivilegeEscalation != false ({who} must set securityContext.allowPrivilegeEscalation=false)"
        ))
    }

    fn non_root(&self) -> Option<String> {
        if self.has_own_users() {
            return None;
        }
        let pod = self.spec("securityContext.runAsNonRoot").and_then(Value::as_bool);
        let set = |container: &Value| own(container, "runAsNonRoot").and_then(Value::as_bool);
        let bad = self.bad(|container| set(container) == Some(false));
        if let Some(who) = setters(pod == Some(false), &bad) {
            return Some(format!(
                "runAsNonRoot != true ({who} must not set securityContext.runAsNonRoot=false)"
            ));
        }
        let silent = self.bad(|container| set(container).is_none() && pod != Some(true));
        let who = whom(&silent)?;
        Some(format!("runAsNonRoot != true (pod or {who} must set securityContext.runAsNonRoot=true)"))
    }

    fn user(&self) -> Option<String> {
        if self.has_own_users() {
            return None;
        }
        let is_root = |value: Option<&Value>| value.and_then(Value::as_i64) == Some(0);
        let bad = self.bad(|container| is_root(own(container, "runAsUser")));
        let who = setters(is_root(self.spec("securityContext.runAsUser")), &bad)?;
        Some(format!("runAsUser=0 ({who} must not set runAsUser=0)"))
    }
}

const SECCOMP: [&str; 2] = ["Localhost", "RuntimeDefault"];

/// A field of a container's security context.
fn own<'a>(container: &'a Value, field: &str) -> Option<&'a Value> {
    container.get("securityContext")?.get(field)
}

fn kind_of(profile: &Value) -> Option<&str> {
    Some(profile.get("type").and_then(Value::as_str).unwrap_or_default())
}

fn capabilities<'a>(container: &'a Value, list: &str) -> impl Iterator<Item = &'a str> {
    let list = own(container, "capabilities").and_then(|capabilities| capabilities.get(list)?.as_array());
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// Collects what is not allowed; says whether there was any.
fn collect<'a>(values: impl Iterator<Item = &'a str>, allowed: &[&str], found: &mut Names) -> bool {
    let bad: Vec<&str> = values.filter(|value| !allowed.contains(value)).collect();
    found.extend(bad.iter().map(|value| (*value).to_owned()));
    !bad.is_empty()
}

fn name_of(value: &Value) -> String {
    value.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn plural<'a>(names: &[String], one: &'a str, many: &'a str) -> &'a str {
    if names.len() == 1 { one } else { many }
}

/// `container "a"`, `containers "a", "b"`, or nothing.
fn whom(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| format!("{} {}", plural(names, "container", "containers"), quote(names)))
}

/// The same, with the pod before.
fn setters(pod: bool, names: &[String]) -> Option<String> {
    let parts: Vec<String> = pod.then(|| "pod".to_owned()).into_iter().chain(whom(names)).collect();
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn quote<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let texts: Vec<String> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
    texts.join(", ")
}
