//! Ingresses, network policies, and what addresses services get.

use crate::protocol::{
    FieldError,
    names::{dns_label_errors, dns_subdomain_errors, path_segment_errors},
};

use super::{Checks, Findings, NONE, Spot, formats, jobs, labels, services};

pub(super) fn checks(plural: &str) -> Checks {
    match plural {
        "ingresses" => Checks {
            create: |out, object| {
                ingress(out, object);
                let class = object.entry("metadata.annotations", "kubernetes.io/ingress.class");
                let named = object.get("spec.ingressClassName");
                if class.is_set() && named.is_set() && class.str() != named.str() {
                    let why = "must match `ingressClassName` when both are specified";
                    out.push(FieldError::invalid(
                        "annotations.kubernetes.io/ingress.class",
                        class.value(),
                        why,
                    ));
                }
            },
            update: |out, new, _| ingress(out, new),
            status: |out, new, _| {
                for ingress in new.items("status.loadBalancer.ingress") {
                    if !ingress.text("ip").is_empty() {
                        formats::ip(out, &ingress.get("ip"));
                    }
                    services::host_name(out, &ingress.get("hostname"));
                }
            },
        },
        "ingressclasses" => Checks {
            create: class,
            update: |out, new, old| {
                out.immutable(&new.get("spec.controller"), &old.get("spec.controller"));
                class(out, new);
            },
            ..NONE
        },
        "networkpolicies" => Checks { create: policy, update: |out, new, _| policy(out, new), ..NONE },
        "ipaddresses" => Checks {
            create: address,
            update: |out, new, old| {
                address(out, new);
                out.declared(|out| out.immutable(&new.get("spec.parentRef"), &old.get("spec.parentRef")));
            },
            ..NONE
        },
        "servicecidrs" => Checks { create: ranges, update: ranges_kept, ..NONE },
        _ => NONE,
    }
}

fn ingress(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    let (rules, default) = (spec.get("rules"), spec.get("defaultBackend"));
    if rules.is_empty() && !default.is_set() {
        let value = if rules.is_set() { "[]" } else { "null" };
        out.invalid_printed(&spec, value, "either `defaultBackend` or `rules` must be specified");
    }
    if default.is_set() {
        backend(out, &default);
    }
    for rule in rules.each() {
        host(out, &rule);
        let http = rule.get("http");
        if http.is_set() && http.count("paths") == 0 {
            out.required(&http.get("paths"), "");
        }
        for path in http.items("paths") {
            self::path(out, &path);
        }
    }
    for tls in spec.items("tls") {
        for host in tls.items("hosts") {
            let wild = host.str().contains('*');
            let errors =
                if wild { formats::wildcard_errors(host.str()) } else { dns_subdomain_errors(host.str()) };
            out.all(&host, errors);
        }
        let secret = tls.get("secretName");
        if !secret.is_empty() {
            out.all(&secret, dns_subdomain_errors(secret.str()));
        }
    }
    let class = spec.get("ingressClassName");
    if class.is_set() {
        out.all(&class, dns_subdomain_errors(class.str()));
    }
}

fn host(out: &mut Findings, rule: &Spot<'_>) {
    let host = rule.get("host");
    if host.is_empty() {
        return;
    }
    if formats::parse_ip(host.str()).is_some() {
        out.invalid(&host, "must be a DNS name, not an IP address");
    }
    let wild = host.str().contains('*');
    out.all(
        &host,
        if wild { formats::wildcard_errors(host.str()) } else { dns_subdomain_errors(host.str()) },
    );
}

fn path(out: &mut Findings, place: &Spot<'_>) {
    let (kind, path) = (place.get("pathType"), place.get("path"));
    if !kind.is_set() {
        return out.required(&kind, "pathType must be specified");
    }
    let text = path.str();
    let absolute = text.starts_with('/');
    match kind.str() {
        "Exact" | "Prefix" => {
            if !absolute {
                out.invalid_as(&path, text, "must be an absolute path");
            }
            for part in ["//", "/./", "/../", "%2f", "%2F"] {
                if text.contains(part) {
                    out.invalid(&path, format!("must not contain '{part}'"));
                }
            }
            for end in ["/..", "/."] {
                if text.ends_with(end) {
                    out.invalid(&path, format!("cannot end with '{end}'"));
                }
            }
        }
        "ImplementationSpecific" if !text.is_empty() && !absolute => {
            out.invalid(&path, "must be an absolute path");
        }
        "ImplementationSpecific" => {}
        _ => out.not_supported(&kind, &["Exact", "ImplementationSpecific", "Prefix"]),
    }
    backend(out, &place.get("backend"));
}

fn backend(out: &mut Findings, backend: &Spot<'_>) {
    let (resource, service) = (backend.get("resource"), backend.get("service"));
    match (resource.is_set(), service.is_set()) {
        (true, true) => out.invalid_as(backend, "", "cannot set both resource and service backends"),
        (false, false) => out.invalid_as(backend, "", "resource or service backend is required"),
        (true, false) => {
            let group = resource.get("apiGroup");
            if group.is_set() {
                out.all(&group, dns_subdomain_errors(group.str()));
            }
            for name in ["kind", "name"] {
                segment(out, &resource.get(name));
            }
        }
        (false, true) => {
            let name = service.get("name");
            if name.is_empty() {
                out.required(&name, "");
            } else {
                out.all(&name, dns_label_errors(name.str()));
            }
            let (port, number) = (service.get("port.name"), service.get("port.number"));
            match (port.is_empty(), number.int().unwrap_or_default() == 0) {
                (false, false) => out.invalid_as(backend, "", "cannot set both port name & port number"),
                (false, true) => out.all(&port, formats::port_name_errors(port.str())),
                (true, false) => formats::port(out, &number),
                (true, true) => out.required(backend, "port name or number is required"),
            }
        }
    }
}

/// A text that must be there and fit into a path.
fn segment(out: &mut Findings, spot: &Spot<'_>) {
    if spot.is_empty() {
        out.required(spot, "");
    } else {
        out.all(spot, path_segment_errors(spot.str()));
    }
}

fn class(out: &mut Findings, object: &Spot<'_>) {
    let controller = object.get("spec.controller");
    if controller.str().len() > 250 {
        out.too_long(&controller, 250);
    }
    jobs::prefixed_path(out, &controller);
    let parameters = object.get("spec.parameters");
    if !parameters.is_set() {
        return;
    }
    let group = parameters.get("apiGroup");
    if group.is_set() {
        out.all(&group, dns_subdomain_errors(group.str()));
    }
    for name in ["kind", "name"] {
        let part = parameters.get(name);
        if part.is_empty() {
            out.declared(|out| out.required(&part, ""));
        } else {
            out.all(&part, path_segment_errors(part.str()));
        }
    }
    let (scope, namespace) = (parameters.get("scope"), parameters.get("namespace"));
    match scope.str() {
        "Namespace" if !namespace.is_set() => {
            out.required(&namespace, "`parameters.scope` is set to 'Namespace'");
        }
        "Namespace" => out.all(&namespace, dns_label_errors(namespace.str())),
        "Cluster" if namespace.is_set() => {
            out.forbidden(&namespace, "`parameters.scope` is set to 'Cluster'");
        }
        "Cluster" => {}
        _ => out.not_supported(&scope, &["Cluster", "Namespace"]),
    }
}

fn policy(out: &mut Findings, object: &Spot<'_>) {
    let spec = object.get("spec");
    labels::selector(out, &spec.get("podSelector"));
    for (rules, peers) in [("ingress", "from"), ("egress", "to")] {
        for rule in spec.items(rules) {
            for port in rule.items("ports") {
                policy_port(out, &port);
            }
            for peer in rule.items(peers) {
                self::peer(out, &peer);
            }
        }
    }
    let types = spec.get("policyTypes");
    if spec.count("policyTypes") > 2 {
        return out.invalid(&types, "may not specify more than two policyTypes");
    }
    for kind in types.each() {
        out.maybe_one_of(&kind, &["Ingress", "Egress"]);
    }
}

fn policy_port(out: &mut Findings, place: &Spot<'_>) {
    let (port, end) = (place.get("port"), place.get("endPort"));
    out.maybe_one_of(&place.get("protocol"), &["TCP", "UDP", "SCTP"]);
    match (port.int(), end.int()) {
        (Some(start), last) => {
            formats::port(out, &port);
            if last.is_some_and(|last| last < start) {
                out.invalid(&end, "must be greater than or equal to `port`");
            }
            formats::port(out, &end);
        }
        (None, last) if port.is_set() => {
            if last.is_some() {
                out.invalid(&end, "may not be specified when `port` is non-numeric");
            }
            out.all(&port, formats::port_name_errors(port.str()));
        }
        (None, Some(_)) => out.invalid(&end, "may not be specified when `port` is not specified"),
        (None, None) => {}
    }
}

fn peer(out: &mut Findings, peer: &Spot<'_>) {
    let mut count = 0;
    for name in ["podSelector", "namespaceSelector"] {
        if peer.has(name) {
            count += 1;
            labels::selector(out, &peer.get(name));
        }
    }
    let block = peer.get("ipBlock");
    if block.is_set() {
        count += 1;
        self::block(out, &block);
    }
    if count == 0 {
        out.required(peer, "must specify a peer");
    } else if count > 1 && block.is_set() {
        out.forbidden(peer, "may not specify both ipBlock and another peer");
    }
}

fn block(out: &mut Findings, block: &Spot<'_>) {
    let cidr = block.get("cidr");
    if cidr.is_empty() {
        return out.declared(|out| out.required(&cidr, ""));
    }
    formats::cidr(out, &cidr);
    let Some(outer) = formats::parse_cidr(cidr.str()) else { return };
    for except in block.items("except") {
        formats::cidr(out, &except);
        let Some(inner) = formats::parse_cidr(except.str()) else { continue };
        if outer.1 >= inner.1 || formats::network(inner.0, outer.1) != formats::network(outer.0, outer.1) {
            out.invalid(&except, "must be a strict subset of `cidr`");
        }
    }
}

fn address(out: &mut Findings, object: &Spot<'_>) {
    let parent = object.get("spec.parentRef");
    if !parent.is_set() {
        return out.declared(|out| out.required(&parent, ""));
    }
    let group = parent.get("group");
    if !group.is_empty() {
        out.all(&group, dns_subdomain_errors(group.str()));
    }
    for name in ["resource", "name"] {
        let part = parent.get(name);
        if part.is_empty() {
            out.declared(|out| out.required(&part, ""));
        } else {
            out.all(&part, path_segment_errors(part.str()));
        }
    }
    let namespace = parent.get("namespace");
    if !namespace.is_empty() {
        out.all(&namespace, path_segment_errors(namespace.str()));
    }
}

fn ranges(out: &mut Findings, object: &Spot<'_>) {
    let list = object.get("spec.cidrs");
    if list.is_empty() {
        return out.required(&list, "at least one CIDR required");
    }
    let count = object.count("spec.cidrs");
    let families: Vec<bool> = list
        .each()
        .filter_map(|range| formats::parse_cidr(range.str()))
        .map(|(address, _)| address.is_ipv4())
        .collect();
    if count > 2 {
        return out.invalid(&list, "may only hold up to 2 values");
    }
    if count == 2 && families.len() == 2 && families.iter().all(|four| families.first() == Some(four)) {
        out.invalid(
            &list,
            "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64",
        );
    }
    for range in list.each() {
        if formats::parse_cidr(range.str()).is_none() {
            out.invalid(&range, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
    }
}

fn ranges_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let (now, before) = (new.get("spec.cidrs"), old.get("spec.cidrs"));
    if now.value() == before.value() {
        return;
    }
    let counts = (before.each().count(), now.each().count());
    if !matches!(counts, (1, 2)) && counts.0 != counts.1 {
        return out.invalid(&now, super::IMMUTABLE);
    }
    for (range, was) in now.each().zip(before.each()) {
        if range.str() != was.str() {
            out.invalid_as(&range, range.str(), super::IMMUTABLE);
        }
    }
    if counts == (1, 2) {
        ranges(out, new);
    }
}
