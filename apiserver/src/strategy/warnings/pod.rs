//! What a client is told about a pod that is valid and yet may not do what was meant.
//!
//! In: a pod, or a template of pods. Out: the sentences, in the order in which a real server tells them.

use std::fmt;

use serde_json::{Value, json};

use crate::protocol::{Fields, quoted};

use super::{
    addresses, at, broken_amount, is_broken, items,
    labels::{self, Values},
    volumes, word,
};

/// The warnings about a pod, or about a template of pods at a path such as `spec.template`.
pub(super) fn of(object: &Fields, path: &str) -> Vec<String> {
    let pod = if path.is_empty() { None } else { at(object, path) };
    let part = |name: &str| match pod {
        Some(pod) => &pod[name],
        None => object.get(name).filter(|_| path.is_empty()).unwrap_or(&Value::Null),
    };
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let (spec, place) = (part("spec"), below("spec"));
    let notes = Notes { annotations: &part("metadata")["annotations"], path: below("metadata.annotations") };
    let mut out = Vec::new();
    nodes(spec, &place, &mut out);
    for (key, why) in OLD_ANNOTATIONS.iter().filter(|(key, _)| notes.has(key)) {
        out.push(format!("{}[{key}]: {why}", notes.path));
    }
    volumes::old(spec, &place, &mut out);
    volumes::overlaps(spec, &mut out);
    twice(spec, &place, ("hostAliases", "ip"), &mut out);
    twice(spec, &place, ("imagePullSecrets", "name"), &mut out);
    for (index, _) in items(spec, "imagePullSecrets").filter(|(_, secret)| word(secret, "name").is_empty()) {
        out.push(format!("{place}.imagePullSecrets[{index}].name: invalid empty name \"\""));
    }
    for name in BYTES {
        amount(&spec["overhead"][name], format_args!("{place}.overhead[{name}]"), &mut out);
    }
    if spec["securityContext"]["seccompProfile"].is_null() {
        notes.outdated(SECCOMP, &mut out);
    }
    for (container, path) in containers(spec, &place) {
        notes.container(container, spec, !path.starts_with("spec."), &mut out);
        self::container(container, &path, &mut out);
    }
    ports(spec, &place, &mut out);
    if spec["terminationGracePeriodSeconds"].as_i64().is_some_and(|seconds| seconds < 0) {
        out.push(format!(
            "{place}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1"
        ));
    }
    affinity(spec, &place, &mut out);
    for (index, server) in items(&spec["dnsConfig"], "nameservers") {
        let path = format!("{place}.dnsConfig.nameservers[{index}]");
        addresses::address(&path, server.as_str().unwrap_or_default(), &mut out);
    }
    for (index, alias) in items(spec, "hostAliases") {
        addresses::address(&format!("{place}.hostAliases[{index}].ip"), word(alias, "ip"), &mut out);
    }
    out
}

const BYTES: [&str; 2] = ["memory", "ephemeral-storage"];
const SECCOMP: &str = "seccomp.security.alpha.kubernetes.io/pod";
const OLD_ANNOTATIONS: [(&str, &str); 3] = [
    (
        "scheduler.alpha.kubernetes.io/critical-pod",
        "non-functional in v1.16+; use the \"priorityClassName\" field instead",
    ),
    ("security.alpha.kubernetes.io/sysctls", "non-functional in v1.11+; use the \"sysctls\" field instead"),
    (
        "security.alpha.kubernetes.io/unsafe-sysctls",
        "non-functional in v1.11+; use the \"sysctls\" field instead",
    ),
];

/// The annotations of a pod or of a template, with their path.
struct Notes<'v> {
    annotations: &'v Value,
    path: String,
}

impl Notes<'_> {
    fn has(&self, key: &str) -> bool {
        !self.annotations[key].is_null()
    }

    fn outdated(&self, key: &str, out: &mut Vec<String>) {
        if self.has(key) {
            out.push(format!(
                "{}[{key}]: non-functional in v1.27+; use the \"seccompProfile\" field instead",
                self.path
            ));
        }
    }

    /// Annotations that mean one container, where the container does not say it itself.
    fn container(&self, container: &Value, spec: &Value, template: bool, out: &mut Vec<String>) {
        if self.annotations.is_null() {
            return;
        }
        let (name, security) = (word(container, "name"), &container["securityContext"]);
        if security["seccompProfile"].is_null() {
            self.outdated(&format!("container.seccomp.security.alpha.kubernetes.io/{name}"), out);
        }
        let key = format!("container.apparmor.security.beta.kubernetes.io/{name}");
        let profile = self.annotations[&key].as_str();
        let Some(profile) = profile.filter(|_| template && security["appArmorProfile"].is_null()) else {
            return;
        };
        if app_armor(profile).is_none_or(|meant| meant != spec["securityContext"]["appArmorProfile"]) {
            out.push(format!(
                "{}[{key}]: deprecated since v1.30; use the \"appArmorProfile\" field instead",
                self.path
            ));
        }
    }
}

/// The field that an annotation about `AppArmor` stands for.
fn app_armor(annotation: &str) -> Option<Value> {
    match annotation {
        "unconfined" => Some(json!({"type": "Unconfined"})),
        "runtime/default" => Some(json!({"type": "RuntimeDefault"})),
        other => {
            let name = other.strip_prefix("localhost/").filter(|name| !name.is_empty())?;
            Some(json!({"type": "Localhost", "localhostProfile": name}))
        }
    }
}

/// All containers, with their paths.
fn containers<'v>(spec: &'v Value, path: &str) -> impl Iterator<Item = (&'v Value, String)> {
    let lists = ["initContainers", "containers", "ephemeralContainers"].into_iter();
    lists.flat_map(move |list| {
        items(spec, list).map(move |(index, container)| (container, format!("{path}.{list}[{index}]")))
    })
}

/// Items of a list that are there twice by one of their members.
fn twice(spec: &Value, path: &str, (list, member): (&str, &str), out: &mut Vec<String>) {
    let mut seen: Vec<&str> = Vec::new();
    for (index, item) in items(spec, list) {
        let own = word(item, member);
        if seen.contains(&own) {
            out.push(format!("{path}.{list}[{index}].{member}: duplicate {member} {}", quoted(own)));
        } else {
            seen.push(own);
        }
    }
}

fn amount(amount: &Value, path: fmt::Arguments<'_>, out: &mut Vec<String>) {
    if is_broken(amount) {
        out.push(broken_amount(&path.to_string(), amount));
    }
}

/// Which nodes are meant, by labels that have another name by now.
fn nodes(spec: &Value, path: &str, out: &mut Vec<String>) {
    for (key, _) in spec["nodeSelector"].as_object().into_iter().flatten() {
        if let Some(why) = labels::outdated(key) {
            out.push(format!("{path}.nodeSelector[{key}]: {why}"));
        }
    }
    let affinity = &spec["affinity"]["nodeAffinity"];
    let place = format!("{path}.affinity.nodeAffinity");
    let list = "requiredDuringSchedulingIgnoredDuringExecution";
    for (index, term) in items(&affinity[list], "nodeSelectorTerms") {
        labels::term(term, &format!("{place}.{list}.nodeSelectorTerms[{index}]"), Values::Left, out);
    }
    let list = "preferredDuringSchedulingIgnoredDuringExecution";
    for (index, term) in items(affinity, list) {
        labels::term(&term["preference"], &format!("{place}.{list}[{index}].preference"), Values::Read, out);
    }
    for (index, constraint) in items(spec, "topologySpreadConstraints") {
        let key = word(constraint, "topologyKey");
        if let Some(why) = labels::outdated(key) {
            out.push(format!("{path}.topologySpreadConstraints[{index}].topologyKey: {key} is {why}"));
        }
        if constraint["labelSelector"].is_null() {
            out.push(format!("{path}.topologySpreadConstraints[{index}].labelSelector: {NO_POD}"));
        }
    }
}

const NO_POD: &str = "a null labelSelector results in matching no pod";

/// Terms without a selector, which choose nothing.
fn affinity(spec: &Value, path: &str, out: &mut Vec<String>) {
    for kind in ["podAffinity", "podAntiAffinity"] {
        let affinity = &spec["affinity"][kind];
        let list = "requiredDuringSchedulingIgnoredDuringExecution";
        for (index, _) in items(affinity, list).filter(|(_, term)| term["labelSelector"].is_null()) {
            out.push(format!("{path}.affinity.{kind}.{list}[{index}].labelSelector: {NO_POD}"));
        }
        let list = "preferredDuringSchedulingIgnoredDuringExecution";
        for (index, term) in items(affinity, list) {
            if term["podAffinityTerm"]["labelSelector"].is_null() {
                out.push(format!(
                    "{path}.affinity.{kind}.{list}[{index}].podAffinityTerm.labelSelector: {NO_POD}"
                ));
            }
        }
    }
}

fn container(container: &Value, path: &str, out: &mut Vec<String>) {
    for name in BYTES {
        for part in ["limits", "requests"] {
            let path = format_args!("{path}.resources.{part}[{name}]");
            amount(&container["resources"][part][name], path, out);
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    for (index, variable) in items(container, "env") {
        let name = word(variable, "name");
        if !seen.contains(&name) {
            seen.push(name);
            continue;
        }
        let reference = format!("$({name})");
        let value = word(variable, "value");
        if !variable["valueFrom"].is_null() || value == reference || !value.contains(&reference) {
            let name = quoted(name);
            out.push(format!(
                "{path}.env[{index}]: hides previous definition of {name}, which may be dropped when using apply"
            ));
        }
    }
}

/// Ports that are there twice, by number or by name, in one pod.
fn ports(spec: &Value, path: &str, out: &mut Vec<String>) {
    let mut seen: Vec<(String, &Value)> = Vec::new();
    for (container, place) in containers(spec, path) {
        for (number, port) in items(container, "ports") {
            let place = format!("{place}.ports[{number}]");
            if !word(port, "hostIP").is_empty() && port["hostPort"].as_i64().unwrap_or_default() == 0 {
                out.push(format!("{place}: hostIP set without hostPort: {}", go_port(port)));
            }
            for (other, known) in &seen {
                same_number((&place, port), (other, known), out);
            }
            seen.push((place, port));
        }
    }
    let mut names: Vec<(&str, &str)> = Vec::new();
    for (place, port) in &seen {
        let name = word(port, "name");
        match names.iter().find(|(known, _)| *known == name) {
            _ if name.is_empty() => {}
            None => names.push((name, place)),
            Some((_, other)) => out.push(format!(
                "{place}: duplicate port name {} with {other}, services and probes that select ports by name will use {other}",
                quoted(name)
            )),
        }
    }
}

/// Two ports with one number.
fn same_number((place, port): (&str, &Value), (other, known): (&str, &Value), out: &mut Vec<String>) {
    let same = |name: &str| port[name] == known[name];
    if !same("containerPort") || !same("protocol") {
        return;
    }
    let number = |port: &Value| port["hostPort"].as_i64().unwrap_or_default();
    let (host, before) = (number(port), number(known));
    let anywhere = |port: &Value| word(port, "hostIP").is_empty();
    let what = if host == before && word(port, "hostIP") == word(known, "hostIP") {
        "duplicate"
    } else if host == 0 || before == 0 {
        "overlapping"
    } else if host == before && anywhere(port) != anywhere(known) {
        "dangerously ambiguous"
    } else {
        return;
    };
    out.push(format!("{place}: {what} port definition with {other}"));
}

/// A port as Go prints its struct.
fn go_port(port: &Value) -> String {
    let number = |name: &str| port[name].as_i64().unwrap_or_default();
    format!(
        "{{Name:{} HostPort:{} ContainerPort:{} Protocol:{} HostIP:{}}}",
        word(port, "name"),
        number("hostPort"),
        number("containerPort"),
        word(port, "protocol"),
        word(port, "hostIP")
    )
}
