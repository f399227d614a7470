//! Services, endpoints, network policies, ingresses and nodes.
//!
//! In: an object of these kinds. Out: what a client is told of it.

use serde_json::Value;

use crate::protocol::Fields;

use super::{
    addresses::{address, range},
    annotation, at, items, listed, text, word,
};

pub(super) fn service(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    let kind = text(object, "spec.type");
    let headless = kind == "ClusterIP" && text(object, "spec.clusterIP") == "None";
    let outside = listed(object, "spec.externalIPs").next().is_some();
    if annotation(object, "service.kubernetes.io/topology-aware-hints").is_some() {
        out.push(
            "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode \
             instead"
                .to_owned(),
        );
    }
    if !matches!(text(object, "spec.clusterIP"), "" | "None") {
        each(object, "spec.clusterIPs", &mut out, address);
    }
    let balancer = text(object, "spec.loadBalancerIP");
    if headless {
        let affinity = text(object, "spec.sessionAffinity") != "None";
        let ignored = [
            (!balancer.is_empty(), "spec.loadBalancerIP"),
            (outside, "spec.externalIPs"),
            (affinity, "spec.SessionAffinity"),
        ];
        for (_, name) in ignored.iter().filter(|(there, _)| *there) {
            out.push(format!("{name} is ignored for headless services"));
        }
    }
    each(object, "spec.externalIPs", &mut out, address);
    if outside && !headless && kind != "ExternalName" {
        out.push(
            "spec.externalIPs is deprecated and may no longer be implemented in some clusters".to_owned(),
        );
    }
    if !balancer.is_empty() {
        address("spec.loadBalancerIP", balancer, &mut out);
    }
    each(object, "spec.loadBalancerSourceRanges", &mut out, range);
    if kind == "ExternalName" && outside {
        out.push("spec.externalIPs is ignored when spec.type is \"ExternalName\"".to_owned());
    }
    if kind != "ExternalName" && !text(object, "spec.externalName").is_empty() {
        out.push("spec.externalName is ignored when spec.type is not \"ExternalName\"".to_owned());
    }
    if text(object, "spec.trafficDistribution") == "PreferClose" {
        let why = "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"";
        out.push(why.to_owned());
    }
    out
}

fn each(object: &Fields, path: &str, out: &mut Vec<String>, look: fn(&str, &str, &mut Vec<String>)) {
    for (index, one) in listed(object, path) {
        look(&format!("{path}[{index}]"), one.as_str().unwrap_or_default(), out);
    }
}

/// The addresses that a load balancer gives.
pub(super) fn balancer(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    for (index, one) in listed(object, "status.loadBalancer.ingress") {
        let given = word(one, "ip");
        if !given.is_empty() {
            address(&format!("status.loadBalancer.ingress[{index}]"), given, &mut out);
        }
    }
    out
}

/// Whether an object was made by one of these controllers, which make no such mistakes.
fn is_made_by(object: &Fields, label: &str, makers: &[&str]) -> bool {
    let maker = at(object, "metadata.labels").and_then(|labels| labels.get(label)).and_then(Value::as_str);
    maker.is_some_and(|maker| makers.contains(&maker))
}

pub(super) fn endpoints(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    if is_made_by(object, "endpoints.kubernetes.io/managed-by", &["endpoint-controller"]) {
        return out;
    }
    for (index, subset) in listed(object, "subsets") {
        for list in ["addresses", "notReadyAddresses"] {
            for (number, one) in items(subset, list) {
                address(&format!("subsets[{index}].{list}[{number}].ip"), word(one, "ip"), &mut out);
            }
        }
    }
    out
}

pub(super) fn slice(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    const MAKERS: &[&str] = &["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];
    let mut out = Vec::new();
    if old.is_none() && text(object, "addressType") == "FQDN" {
        out.push("spec.addressType: FQDN endpoints are deprecated".to_owned());
    }
    if is_made_by(object, "endpointslice.kubernetes.io/managed-by", MAKERS) {
        return out;
    }
    for (index, endpoint) in listed(object, "endpoints") {
        for (number, one) in items(endpoint, "addresses") {
            let path = format!("endpoints[{index}].addresses[{number}]");
            address(&path, one.as_str().unwrap_or_default(), &mut out);
        }
    }
    out
}

pub(super) fn policy(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    for (list, peers) in [("ingress", "from"), ("egress", "to")] {
        for (index, rule) in listed(object, &format!("spec.{list}")) {
            for (number, peer) in items(rule, peers) {
                let block = &peer["ipBlock"];
                let path = format!("spec.{list}[{index}].{peers}[{number}].ipBlock");
                if block.is_null() {
                    continue;
                }
                range(&format!("{path}.cidr"), word(block, "cidr"), &mut out);
                for (place, one) in items(block, "except") {
                    range(&format!("{path}.except[{place}]"), one.as_str().unwrap_or_default(), &mut out);
                }
            }
        }
    }
    out
}

pub(super) fn ingress(object: &Fields, old: Option<&Fields>) -> Vec<String> {
    let class = at(object, "spec.ingressClassName").filter(|class| !class.is_null());
    if old.is_some() || class.is_some() || annotation(object, "kubernetes.io/ingress.class").is_none() {
        return Vec::new();
    }
    let why = "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead";
    vec![why.to_owned()]
}

pub(super) fn node(object: &Fields, _old: Option<&Fields>) -> Vec<String> {
    let mut out = Vec::new();
    if at(object, "spec.configSource").is_some_and(|source| !source.is_null()) {
        out.push("spec.configSource: the feature is removed".to_owned());
    }
    if !text(object, "spec.externalID").is_empty() {
        out.push("spec.externalID: this field is deprecated, and is unused by Kubernetes".to_owned());
    }
    each(object, "spec.podCIDRs", &mut out, range);
    out
}
