//! The cells of services, endpoints, ingresses and their kin.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::Value;

use super::{
    Cells, row,
    value::{age, at, count, int, labels, list, name, selector, text, text_or, texts, with_more},
};

pub(super) fn service(object: &Value, now: Timestamp) -> Cells {
    let ports: Vec<String> = list(object, "spec.ports")
        .iter()
        .map(|port| match (int(port, "port"), int(port, "nodePort"), text(port, "protocol")) {
            (port, 0, protocol) => format!("{port}/{protocol}"),
            (port, node, protocol) => format!("{port}:{node}/{protocol}"),
        })
        .collect();
    let ports = if ports.is_empty() { "<none>".to_owned() } else { ports.join(",") };
    row![
        name(object),
        text(object, "spec.type"),
        texts(object, "spec.clusterIPs").first().copied().unwrap_or("<none>"),
        external(object),
        ports,
        age(object, now),
        labels(object, "spec.selector"),
    ]
}

fn external(service: &Value) -> String {
    let own = texts(service, "spec.externalIPs").join(",");
    match text(service, "spec.type") {
        "ClusterIP" | "NodePort" if own.is_empty() => "<none>".to_owned(),
        "ClusterIP" | "NodePort" => own,
        "LoadBalancer" => match (balancers(service), own) {
            (given, own) if given.is_empty() && own.is_empty() => "<pending>".to_owned(),
            (given, own) if given.is_empty() => own,
            (given, own) if own.is_empty() => given,
            (given, own) => format!("{given},{own}"),
        },
        "ExternalName" => text(service, "spec.externalName").to_owned(),
        _ => "<unknown>".to_owned(),
    }
}

/// The addresses that load balancers gave.
fn balancers(object: &Value) -> String {
    let given: BTreeSet<&str> = list(object, "status.loadBalancer.ingress")
        .iter()
        .map(|one| text_or(one, "ip", text(one, "hostname")))
        .filter(|address| !address.is_empty())
        .collect();
    given.into_iter().collect::<Vec<_>>().join(",")
}

pub(super) fn endpoints(object: &Value, now: Timestamp) -> Cells {
    let subsets = list(object, "subsets");
    let mut all = Vec::new();
    for subset in subsets {
        let addresses = || list(subset, "addresses").iter().map(|address| text(address, "ip"));
        let ports = list(subset, "ports");
        if ports.is_empty() {
            all.extend(addresses().map(str::to_owned));
        }
        for port in ports {
            let port = int(port, "port");
            all.extend(addresses().map(|ip| match ip.contains(':') {
                true => format!("[{ip}]:{port}"),
                false => format!("{ip}:{port}"),
            }));
        }
    }
    let shown = if subsets.is_empty() { "<none>".to_owned() } else { with_more(&all, all.len(), 3) };
    row![name(object), shown, age(object, now)]
}

pub(super) fn endpoint_slice(object: &Value, now: Timestamp) -> Cells {
    let ports: Vec<String> = list(object, "ports")
        .iter()
        .map(|port| match (at(port, "port").as_i64(), at(port, "name").as_str()) {
            (Some(port), _) => port.to_string(),
            (None, Some(name)) => name.to_owned(),
            (None, None) => "*".to_owned(),
        })
        .collect();
    let addresses: Vec<String> = list(object, "endpoints")
        .iter()
        .flat_map(|endpoint| texts(endpoint, "addresses"))
        .map(str::to_owned)
        .collect();
    let shown = |all: &[String]| match with_more(all, all.len(), 3) {
        shown if shown.is_empty() => "<unset>".to_owned(),
        shown => shown,
    };
    row![name(object), text(object, "addressType"), shown(&ports), shown(&addresses), age(object, now)]
}

pub(super) fn ingress(object: &Value, now: Timestamp) -> Cells {
    let ports = if count(object, "spec.tls") > 0 { "80, 443" } else { "80" };
    row![
        name(object),
        text_or(object, "spec.ingressClassName", "<none>"),
        hosts(list(object, "spec.rules")),
        balancers(object),
        ports,
        age(object, now),
    ]
}

fn hosts(rules: &[Value]) -> String {
    let mut shown: Vec<&str> = Vec::new();
    let mut more = false;
    for rule in rules {
        more |= shown.len() == 3;
        let host = text(rule, "host");
        if !more && !host.is_empty() {
            shown.push(host);
        }
    }
    match (shown.is_empty(), more) {
        (true, _) => "*".to_owned(),
        (false, false) => shown.join(","),
        (false, true) => format!("{} + {} more...", shown.join(","), rules.len() - 3),
    }
}

pub(super) fn ingress_class(object: &Value, now: Timestamp) -> Cells {
    let default = at(object, "metadata.annotations").get("ingressclass.kubernetes.io/is-default-class");
    let mut shown = name(object).to_owned();
    if default.and_then(Value::as_str) == Some("true") {
        shown.push_str(" (default)");
    }
    let parameters = at(object, "spec.parameters");
    let kind = text(parameters, "kind");
    let parameters = match (parameters.is_object(), at(parameters, "apiGroup").as_str()) {
        (false, _) => "<none>".to_owned(),
        (true, Some(group)) => format!("{kind}.{group}/{}", text(parameters, "name")),
        (true, None) => format!("{kind}/{}", text(parameters, "name")),
    };
    row![shown, text(object, "spec.controller"), parameters, age(object, now)]
}

pub(super) fn network_policy(object: &Value, now: Timestamp) -> Cells {
    row![name(object), selector(object, "spec.podSelector"), age(object, now)]
}

pub(super) fn service_cidr(object: &Value, now: Timestamp) -> Cells {
    row![name(object), texts(object, "spec.cidrs").join(","), age(object, now)]
}

pub(super) fn ip_address(object: &Value, now: Timestamp) -> Cells {
    let parent = at(object, "spec.parentRef");
    if !parent.is_object() {
        return row![name(object), "<none>", age(object, now)];
    }
    let resource = match text(parent, "group") {
        "" => text(parent, "resource").to_lowercase(),
        group => format!("{}.{group}", text(parent, "resource")).to_lowercase(),
    };
    let namespace = match text(parent, "namespace") {
        "" => String::new(),
        namespace => format!("/{namespace}"),
    };
    row![name(object), format!("{resource}{namespace}/{}", text(parent, "name")), age(object, now)]
}
