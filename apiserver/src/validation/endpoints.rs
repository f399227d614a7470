//! Endpoints and slices of them.

use crate::protocol::names::{dns_subdomain_errors, label_value_errors};

use super::{Checks, Findings, NONE, Spot, formats, labels};

pub(super) const ENDPOINTS: Checks = Checks {
    create: endpoints,
    update: |out, new, old| {
        if new.get("subsets").value() != old.get("subsets").value() {
            endpoints(out, new);
        }
    },
    ..NONE
};
pub(super) const SLICES: Checks = Checks {
    create: |out, object| slice(out, object, true),
    update: |out, new, old| {
        slice(out, new, new.get("endpoints").value() != old.get("endpoints").value());
        out.declared(|out| out.immutable(&new.get("addressType"), &old.get("addressType")));
    },
    ..NONE
};

const PROTOCOLS: &[&str] = &["SCTP", "TCP", "UDP"];

fn endpoints(out: &mut Findings, object: &Spot<'_>) {
    for subset in object.items("subsets") {
        if subset.count("addresses") == 0 && subset.count("notReadyAddresses") == 0 {
            out.required(&subset, "must specify `addresses` or `notReadyAddresses`");
        }
        for list in ["addresses", "notReadyAddresses"] {
            for address in subset.items(list) {
                self::address(out, &address);
            }
        }
        let several = subset.count("ports") > 1;
        for port in subset.items("ports") {
            let name = port.get("name");
            if several && name.is_empty() {
                out.required(&name, "");
            } else if !name.is_empty() {
                formats::label(out, &name);
            }
            formats::port(out, &port.get("port"));
            out.one_of(&port.get("protocol"), PROTOCOLS);
            if port.has("appProtocol") {
                formats::qualified(out, &port.get("appProtocol"));
            }
        }
    }
}

fn address(out: &mut Findings, address: &Spot<'_>) {
    let ip = address.get("ip");
    formats::ip(out, &ip);
    if !address.text("hostname").is_empty() {
        formats::label(out, &address.get("hostname"));
    }
    let node = address.get("nodeName");
    if node.is_set() {
        out.all(&node, dns_subdomain_errors(node.str()));
    }
    formats::endpoint_ip(out, &ip);
}

fn slice(out: &mut Findings, object: &Spot<'_>, looks: bool) {
    let kind = object.get("addressType");
    out.declared(|out| out.one_of(&kind, &["FQDN", "IPv4", "IPv6"]));
    slice_ports(out, object);
    let list = object.get("endpoints");
    if !looks {
        return;
    }
    let count = object.count("endpoints");
    if count > 1000 {
        return out.too_many(&list, count, 1000);
    }
    for endpoint in list.each() {
        slice_endpoint(out, &endpoint, kind.str());
    }
}

fn slice_ports(out: &mut Findings, object: &Spot<'_>) {
    let mut names: Vec<String> = Vec::new();
    for port in object.items("ports") {
        let name = port.get("name");
        if !name.is_empty() {
            formats::label(out, &name);
        }
        if names.iter().any(|taken| taken == name.str()) {
            out.duplicate_as(&name, name.str());
        } else {
            names.push(name.str().to_owned());
        }
        let protocol = port.get("protocol");
        if !protocol.is_set() {
            out.required(&protocol, "");
        }
        out.maybe_one_of(&protocol, PROTOCOLS);
        if port.has("appProtocol") {
            formats::qualified(out, &port.get("appProtocol"));
        }
    }
}

fn slice_endpoint(out: &mut Findings, endpoint: &Spot<'_>, kind: &str) {
    let list = endpoint.get("addresses");
    let count = endpoint.count("addresses");
    out.declared(|out| {
        if count == 0 {
            out.required(&list, "");
        } else if count > 100 {
            out.too_many(&list, count, 100);
        }
    });
    for address in list.each() {
        slice_address(out, &address, &list, kind);
    }
    let node = endpoint.get("nodeName");
    if node.is_set() {
        out.all(&node, dns_subdomain_errors(node.str()));
    }
    labels::labels(out, &endpoint.get("deprecatedTopology"));
    if endpoint.has("hostname") {
        formats::label(out, &endpoint.get("hostname"));
    }
    let mut zones: Vec<String> = Vec::new();
    for zone in endpoint.items("hints.forZones") {
        let name = zone.get("name");
        if zones.iter().any(|taken| taken == name.str()) {
            out.duplicate(&name);
        }
        zones.push(name.str().to_owned());
        out.all(&name, label_value_errors(name.str()));
    }
    let mut nodes: Vec<String> = Vec::new();
    for node in endpoint.items("hints.forNodes") {
        let name = node.get("name");
        if nodes.iter().any(|taken| taken == name.str()) {
            out.duplicate(&name);
        }
        nodes.push(name.str().to_owned());
        out.all(&name, dns_subdomain_errors(name.str()));
    }
}

fn slice_address(out: &mut Findings, address: &Spot<'_>, list: &Spot<'_>, kind: &str) {
    let text = address.str();
    match (kind, formats::parse_ip(text)) {
        ("IPv4", None) => formats::ip(out, address),
        ("IPv6", None) => {
            out.invalid(address, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
        ("IPv4" | "IPv6", Some(found)) => {
            if (kind == "IPv4") != found.is_ipv4() {
                out.invalid_as(list, text, format!("must be an {kind} address"));
            }
            formats::endpoint_ip(out, address);
        }
        ("FQDN", _) => full_name(out, address),
        _ => {}
    }
}

/// A name with a domain.
fn full_name(out: &mut Findings, spot: &Spot<'_>) {
    let text = spot.str().strip_suffix('.').unwrap_or(spot.str());
    if text.is_empty() {
        return out.required(spot, "");
    }
    let errors = dns_subdomain_errors(text);
    if !errors.is_empty() {
        for error in errors {
            out.invalid_as(spot, text, error);
        }
    } else if !text.contains('.') {
        out.invalid_as(spot, text, "should be a domain with at least two segments separated by dots");
    }
}
