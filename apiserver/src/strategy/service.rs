//! Services: addresses, families, ports.
//!
//! Addresses are made from the object's uid rather than counted, since a strategy sees one object alone: the same service gets the same
//! address in every run. Where another service has it already, the server takes the next one.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use crate::{
    protocol::{FieldError, Fields},
    validation,
};

use super::{Strategy, at, child, fill, set, text};

/// The strategy of services.
#[derive(Debug)]
pub(super) struct Services;

impl Strategy for Services {
    fn prepare_create(&self, object: &mut Fields) {
        set(object, "status", json!({"loadBalancer": {}}));
        if text(object, "spec.type") == "ExternalName" {
            if ["Cluster", "Local"].contains(&text(object, "spec.internalTrafficPolicy")) {
                take(object, &["internalTrafficPolicy"]);
            }
            list_address(object);
            return;
        }
        health_port(object);
        fill_addresses(object);
        let seed = seed(object);
        if has_node_ports(object)
            && let Some(spec) = child(object, "spec")
        {
            node_ports(spec, seed);
        }
    }

    fn prepare_update(&self, object: &mut Fields, old: &Fields) {
        same_addresses(object, old);
        keep_allocated(object, old);
        drop_foreign(object, old);
        if addressed(object) && !addressed(old) {
            fill_addresses(object);
        }
        if has_node_ports(object) {
            let seed = seed(object);
            if let Some(spec) = child(object, "spec") {
                node_ports(spec, seed);
            }
        }
        health_port(object);
    }
}

/// What is wrong with the addresses that a service asks for, by themselves.
pub(crate) fn address_errors(service: &mut Fields) -> Vec<FieldError> {
    let whole = Value::Object(std::mem::take(service));
    let errors = validation::address_errors(&whole);
    super::put_back(service, whole);
    errors
}

/// The address that a client names is the first of the list.
fn list_address(object: &mut Fields) {
    let given = text(object, "spec.clusterIP").to_owned();
    if !given.is_empty()
        && let Some(spec) = child(object, "spec")
    {
        fill(spec, "clusterIPs", json!([given]));
    }
}

/// An address where the client names none, and what follows from it.
fn fill_addresses(object: &mut Fields) {
    let seed = seed(object);
    let selects =
        at(object, "spec.selector").and_then(Value::as_object).is_some_and(|labels| !labels.is_empty());
    let Some(spec) = child(object, "spec") else { return };
    let given = spec.get("clusterIP").and_then(Value::as_str).unwrap_or_default().to_owned();
    if given.is_empty()
        && spec.get("clusterIPs").and_then(Value::as_array).is_some_and(|list| !list.is_empty())
    {
        // A list alone is refused.
        return;
    }
    let address = if given.is_empty() { address(seed) } else { given };
    spec.insert("clusterIP".to_owned(), address.clone().into());
    let everywhere = address == "None" && !selects;
    let family = if address.contains(':') { "IPv6" } else { "IPv4" };
    fill(spec, "clusterIPs", json!([address]));
    fill(spec, "ipFamilies", if everywhere { json!(["IPv4", "IPv6"]) } else { json!([family]) });
    fill(spec, "ipFamilyPolicy", if everywhere { "RequireDualStack" } else { "SingleStack" }.into());
}

fn kind(object: &Fields) -> &str {
    text(object, "spec.type")
}

/// Whether a service has an address of its own.
fn addressed(object: &Fields) -> bool {
    kind(object) != "ExternalName"
}

/// Whether a service has ports on the nodes.
pub(crate) fn has_node_ports(object: &Fields) -> bool {
    let balances = kind(object) == "LoadBalancer";
    let wants = at(object, "spec.allocateLoadBalancerNodePorts") != Some(&Value::Bool(false));
    kind(object) == "NodePort" || balances && wants
}

pub(crate) fn has_health_port(object: &Fields) -> bool {
    kind(object) == "LoadBalancer" && text(object, "spec.externalTrafficPolicy") == "Local"
}

fn take(object: &mut Fields, names: &[&str]) {
    if let Some(spec) = object.get_mut("spec").and_then(Value::as_object_mut) {
        for name in names {
            spec.remove(*name);
        }
    }
}

/// One address under two names: who changes one of them means both.
fn same_addresses(object: &mut Fields, old: &Fields) {
    let same_list = at(object, "spec.clusterIPs") == at(old, "spec.clusterIPs");
    let (now, before) = (text(object, "spec.clusterIP").to_owned(), text(old, "spec.clusterIP"));
    if same_list && now != before {
        take(object, &["clusterIPs"]);
    }
    let empty = at(object, "spec.clusterIPs").and_then(Value::as_array).is_none_or(Vec::is_empty);
    if empty && !now.is_empty() && now != before {
        set(object, "spec.clusterIPs", json!([now]));
    }
}

/// What has been given out once stays, where the client says nothing about it.
fn keep_allocated(object: &mut Fields, old: &Fields) {
    if addressed(object) && addressed(old) {
        let unsaid = |object: &Fields, path: &str| match at(object, path) {
            None | Some(Value::Null) => true,
            Some(Value::String(text)) => text.is_empty() && path != "spec.ipFamilyPolicy",
            Some(Value::Array(items)) => items.is_empty(),
            Some(_) => false,
        };
        if unsaid(object, "spec.clusterIP") {
            set(object, "spec.clusterIP", text(old, "spec.clusterIP"));
        }
        let same = text(object, "spec.clusterIP") == text(old, "spec.clusterIP");
        for name in ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
            let path = format!("spec.{name}");
            if unsaid(object, &path)
                && (same || name != "clusterIPs")
                && let Some(kept) = at(old, &path)
            {
                set(object, &path, kept.clone());
            }
        }
    }
    if has_node_ports(object) && has_node_ports(old) {
        let key = |port: &Value| (port["protocol"].clone(), port["port"].clone());
        let before = at(old, "spec.ports").and_then(Value::as_array).cloned().unwrap_or_default();
        let ports =
            object.get_mut("spec").and_then(|spec| spec.get_mut("ports")).and_then(Value::as_array_mut);
        for port in ports.into_iter().flatten() {
            let kept =
                before.iter().find(|known| key(known) == key(port)).map(|known| known["nodePort"].clone());
            if port["nodePort"].as_u64().unwrap_or_default() == 0
                && let (Some(members), Some(kept)) = (port.as_object_mut(), kept)
            {
                members.insert("nodePort".to_owned(), kept);
            }
        }
    }
    if has_health_port(object) && has_health_port(old) && at(object, "spec.healthCheckNodePort").is_none() {
        set(
            object,
            "spec.healthCheckNodePort",
            at(old, "spec.healthCheckNodePort").cloned().unwrap_or_default(),
        );
    }
}

/// What only the old type of a service has goes, unless the client has changed it.
fn drop_foreign(object: &mut Fields, old: &Fields) {
    let same = |object: &Fields, path: &str| at(object, path) == at(old, path);
    if addressed(old) && !addressed(object) {
        if same(object, "spec.clusterIPs") {
            take(object, &["clusterIP", "clusterIPs"]);
        }
        for name in ["ipFamilies", "ipFamilyPolicy"] {
            if same(object, &format!("spec.{name}")) {
                take(object, &[name]);
            }
        }
    }
    if addressed(old) && !addressed(object) && same(object, "spec.internalTrafficPolicy") {
        take(object, &["internalTrafficPolicy"]);
    }
    if has_node_ports(old) && !has_node_ports(object) && node_numbers(old) == node_numbers(object) {
        let ports =
            object.get_mut("spec").and_then(|spec| spec.get_mut("ports")).and_then(Value::as_array_mut);
        for port in ports.into_iter().flatten().filter_map(Value::as_object_mut) {
            port.remove("nodePort");
        }
    }
    if has_health_port(old) && !has_health_port(object) && same(object, "spec.healthCheckNodePort") {
        take(object, &["healthCheckNodePort"]);
    }
    if kind(old) == "LoadBalancer" && kind(object) != "LoadBalancer" {
        for name in ["allocateLoadBalancerNodePorts", "loadBalancerClass"] {
            if same(object, &format!("spec.{name}")) {
                take(object, &[name]);
            }
        }
    }
    let reachable = |object: &Fields| {
        let listed = at(object, "spec.externalIPs").and_then(Value::as_array);
        matches!(kind(object), "NodePort" | "LoadBalancer")
            || (kind(object) == "ClusterIP" && listed.is_some_and(|list| !list.is_empty()))
    };
    if reachable(old) && !reachable(object) && same(object, "spec.externalTrafficPolicy") {
        take(object, &["externalTrafficPolicy"]);
    }
}

/// The ports that a service has on the nodes.
fn node_numbers(object: &Fields) -> Vec<u64> {
    let ports = at(object, "spec.ports").and_then(Value::as_array);
    let numbers = ports.into_iter().flatten().map(|port| port["nodePort"].as_u64().unwrap_or_default());
    numbers.filter(|number| *number != 0).collect()
}

/// A port by which a load balancer sees which nodes have pods.
fn health_port(object: &mut Fields) {
    if has_health_port(object)
        && at(object, "spec.healthCheckNodePort").and_then(Value::as_u64).unwrap_or_default() == 0
    {
        let port = 30000 + seed(object).rotate_left(17) % 2768;
        set(object, "spec.healthCheckNodePort", port);
    }
}

fn seed(object: &Fields) -> u64 {
    let mut hasher = DefaultHasher::new();
    text(object, "metadata.uid").hash(&mut hasher);
    hasher.finish()
}

/// An address of 10.0.0.0/12, none of the first ones.
fn address(seed: u64) -> String {
    let place = seed % 0x000f_ff00 + 0x80;
    format!("10.{}.{}.{}", place >> 16, (place >> 8) & 0xff, place & 0xff)
}

fn node_ports(spec: &mut Fields, seed: u64) {
    let ports = spec.get_mut("ports").and_then(Value::as_array_mut);
    for (index, port) in (0..).zip(ports.into_iter().flatten().filter_map(Value::as_object_mut)) {
        let number = 30000 + (seed.wrapping_add(index) % 2768);
        if port.get("nodePort").and_then(Value::as_u64).unwrap_or_default() == 0 {
            port.insert("nodePort".to_owned(), number.into());
        }
    }
}
