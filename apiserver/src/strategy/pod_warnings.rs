//! What a client is told about a pod that is valid and yet may not do what was meant.

use std::collections::HashMap;

use serde_json::Value;

use crate::protocol::{Fields, quoted};

use super::at;

/// The warnings about the spec of a pod at a path, such as `spec.template.spec`.
pub(super) fn of(object: &Fields, path: &str) -> Vec<String> {
    let Some(spec) = at(object, path) else { return Vec::new() };
    let mut out = Vec::new();
    node_labels(spec, path, &mut out);
    aliases(spec, path, &mut out);
    for (index, secret) in items(spec, "imagePullSecrets") {
        if text(secret, "name").is_empty() {
            out.push(format!("{path}.imagePullSecrets[{index}].name: invalid empty name \"\""));
        }
        let twice =
            items(spec, "imagePullSecrets").take(index).any(|(_, other)| other["name"] == secret["name"]);
        if twice {
            let name = quoted(text(secret, "name"));
            out.push(format!("{path}.imagePullSecrets[{index}].name: duplicate name {name}"));
        }
    }
    volumes(spec, path, &mut out);
    for list in ["initContainers", "containers"] {
        for (index, container) in items(spec, list) {
            self::container(container, &format!("{path}.{list}[{index}]"), &mut out);
        }
    }
    if spec["terminationGracePeriodSeconds"].as_i64().is_some_and(|seconds| seconds < 0) {
        out.push(format!(
            "{path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1"
        ));
    }
    ports(spec, path, &mut out);
    selectors(spec, path, &mut out);
    out
}

fn items<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
    value[name].as_array().into_iter().flatten().enumerate()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// Terms without a selector, which choose nothing.
fn selectors(spec: &Value, path: &str, out: &mut Vec<String>) {
    const WHY: &str = "a null labelSelector results in matching no pod";
    for (index, constraint) in items(spec, "topologySpreadConstraints") {
        if constraint["labelSelector"].is_null() {
            out.push(format!("{path}.topologySpreadConstraints[{index}].labelSelector: {WHY}"));
        }
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        let affinity = &spec["affinity"][kind];
        let list = "requiredDuringSchedulingIgnoredDuringExecution";
        for (index, term) in items(affinity, list) {
            if term["labelSelector"].is_null() {
                out.push(format!("{path}.affinity.{kind}.{list}[{index}].labelSelector: {WHY}"));
            }
        }
        let list = "preferredDuringSchedulingIgnoredDuringExecution";
        for (index, term) in items(affinity, list) {
            if term["podAffinityTerm"]["labelSelector"].is_null() {
                out.push(format!(
                    "{path}.affinity.{kind}.{list}[{index}].podAffinityTerm.labelSelector: {WHY}"
                ));
            }
        }
    }
}

fn node_labels(spec: &Value, path: &str, out: &mut Vec<String>) {
    const OLD: &[(&str, &str, &str)] = &[
        ("beta.kubernetes.io/arch", "v1.14", "kubernetes.io/arch"),
        ("beta.kubernetes.io/os", "v1.14", "kubernetes.io/os"),
        ("failure-domain.beta.kubernetes.io/region", "v1.17", "topology.kubernetes.io/region"),
        ("failure-domain.beta.kubernetes.io/zone", "v1.17", "topology.kubernetes.io/zone"),
        ("beta.kubernetes.io/instance-type", "v1.17", "node.kubernetes.io/instance-type"),
    ];
    for (key, _) in spec["nodeSelector"].as_object().into_iter().flatten() {
        if let Some((_, since, new)) = OLD.iter().find(|(old, ..)| old == key) {
            out.push(format!("{path}.nodeSelector[{key}]: deprecated since {since}; use \"{new}\" instead"));
        }
    }
}

fn aliases(spec: &Value, path: &str, out: &mut Vec<String>) {
    let mut seen: Vec<&str> = Vec::new();
    for (index, alias) in items(spec, "hostAliases") {
        let address = text(alias, "ip");
        if seen.contains(&address) {
            out.push(format!("{path}.hostAliases[{index}].ip: duplicate ip {}", quoted(address)));
        }
        seen.push(address);
    }
}

fn volumes(spec: &Value, path: &str, out: &mut Vec<String>) {
    const OLD: &[(&str, &str)] = &[
        ("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
        ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
        ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
        ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
        ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
        ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
        ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
        ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
        ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
    ];
    for (index, volume) in items(spec, "volumes") {
        for (kind, why) in OLD.iter().filter(|(kind, _)| !volume[*kind].is_null()) {
            out.push(format!("{path}.volumes[{index}].{kind}: {why}"));
        }
    }
}

fn container(container: &Value, path: &str, out: &mut Vec<String>) {
    let mut seen: HashMap<&str, &Value> = HashMap::new();
    for (index, variable) in items(container, "env") {
        let name = text(variable, "name");
        if seen.insert(name, variable).is_some() {
            out.push(format!(
                "{path}.env[{index}]: hides previous definition of {}, which may be dropped when using apply",
                quoted(name)
            ));
        }
    }
    for part in ["requests", "limits"] {
        for name in ["memory", "ephemeral-storage"] {
            let amount = container["resources"][part][name].as_str().unwrap_or_default();
            let broken = crate::schema::Amount::parse(amount).is_some_and(|amount| !amount.is_whole());
            if broken {
                let shown = quoted(amount);
                out.push(format!("{path}.resources.{part}[{name}]: fractional byte value {shown} is invalid, must be an integer"));
            }
        }
    }
}

/// Ports that are there twice, by number or by name, in one pod.
fn ports(spec: &Value, path: &str, out: &mut Vec<String>) {
    let mut seen: Vec<(String, &Value)> = Vec::new();
    for list in ["initContainers", "containers"] {
        for (index, container) in items(spec, list) {
            for (number, port) in items(container, "ports") {
                let place = format!("{path}.{list}[{index}].ports[{number}]");
                for (other, known) in &seen {
                    same_number((&place, port), (other, known), out);
                }
                if let Some((other, known)) =
                    seen.iter().find(|(_, known)| text(known, "name") == text(port, "name"))
                {
                    same_name((&place, port), (other, known), out);
                }
                if !text(port, "hostIP").is_empty() && port["hostPort"].as_i64().unwrap_or_default() == 0 {
                    out.push(format!("{place}: hostIP set without hostPort: {}", go_port(port)));
                }
                seen.push((place, port));
            }
        }
    }
}

/// A port as Go prints its struct.
fn go_port(port: &Value) -> String {
    let number = |name: &str| port[name].as_i64().unwrap_or_default();
    format!(
        "{{Name:{} HostPort:{} ContainerPort:{} Protocol:{} HostIP:{}}}",
        text(port, "name"),
        number("hostPort"),
        number("containerPort"),
        text(port, "protocol"),
        text(port, "hostIP")
    )
}

/// Two ports with one number.
fn same_number((place, port): (&str, &Value), (other, known): (&str, &Value), out: &mut Vec<String>) {
    let same = |name: &str| port[name] == known[name];
    let holder = |place: &str| place.rsplit_once(".ports").map(|(container, _)| container.to_owned());
    if same("containerPort") && same("protocol") {
        let host = port["hostPort"].as_i64().unwrap_or_default();
        let before = known["hostPort"].as_i64().unwrap_or_default();
        if holder(place) == holder(other) && host == before && same("hostIP") {
            out.push(format!("{place}: duplicate port definition with {other}"));
        } else if host == 0 || before == 0 || host == before {
            out.push(format!("{place}: overlapping port definition with {other}"));
        }
    }
}

/// Two ports with one name.
fn same_name((place, port): (&str, &Value), (other, known): (&str, &Value), out: &mut Vec<String>) {
    let name = text(port, "name");
    if !name.is_empty() && name == text(known, "name") {
        out.push(format!(
            "{place}: duplicate port name {} with {other}, services and probes that select ports by name will use {other}",
            quoted(name)
        ));
    }
}
