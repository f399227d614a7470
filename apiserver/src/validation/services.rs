//! Services.

use std::net::IpAddr;

use serde_json::{Value, json};

use crate::protocol::FieldError;

use super::{Checks, Findings, Spot, formats, labels};

pub(super) const CHECKS: Checks = Checks {
    create: |out, service| self::service(out, service, None),
    update,
    status: |out, new, _| status(out, new),
};

/// What is wrong with the addresses of a service and their families, by themselves.
pub(crate) fn address_errors(service: &Value) -> Vec<FieldError> {
    let mut out = Findings::about(service);
    addresses(&mut out, &Spot::root(service).get("spec"));
    out.into_errors()
}

const ONCE: &str = "may not change once set";
const PROTOCOLS: &[&str] = &["SCTP", "TCP", "UDP"];

fn is_headless(spec: &Spot<'_>) -> bool {
    spec.count("clusterIPs") == 1 && first_address(spec) == "None"
}

fn first_address<'a>(spec: &'a Spot<'_>) -> &'a str {
    spec.items("clusterIPs").next().map_or("", |address| address.value().as_str().unwrap_or_default())
}

fn update(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let (spec, before) = (new.get("spec"), old.get("spec"));
    addresses_kept(out, &spec, &before);
    families_kept(out, &spec, &before);
    if spec.text("type") == "LoadBalancer" && before.text("type") == "LoadBalancer" {
        let class = spec.get("loadBalancerClass");
        if class.value() != before.get("loadBalancerClass").value() {
            out.invalid(&class, ONCE);
        }
    }
    class(out, &spec);
    if needs_health_check(&spec) && needs_health_check(&before) {
        let port = spec.get("healthCheckNodePort");
        if port.value() != before.get("healthCheckNodePort").value() {
            out.forbidden(&port, super::IMMUTABLE);
        }
    }
    service(out, new, Some(old));
}

fn addresses_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let external = |spec: &Spot<'_>| spec.text("type") == "ExternalName";
    if external(new) || external(old) || (is_headless(new) && is_headless(old)) {
        return;
    }
    let list = new.get("clusterIPs");
    let (now, before) = (new.count("clusterIPs"), old.count("clusterIPs"));
    let mut changed = |index: usize, why: &str| {
        let field = format!("{}[{index}]", list.path());
        let value = if list.is_set() { list.value().clone() } else { json!(null) };
        out.push(FieldError::invalid(field, &value, why));
    };
    if now == before {
        for (index, (now, before)) in new.items("clusterIPs").zip(old.items("clusterIPs")).enumerate() {
            if now.str() != before.str() {
                changed(index, ONCE);
            }
        }
        return;
    }
    if before > now && now == 0 {
        changed(0, "primary clusterIP can not be unset");
    }
    if before > 0 && now > 0 && first_address(new) != first_address(old) {
        changed(0, ONCE);
    }
    let policy = new.get("ipFamilyPolicy");
    if before > now && now == 1 && policy.str() != "SingleStack" {
        out.invalid(&policy, "must be set to 'SingleStack' when releasing the secondary clusterIP");
    }
}

fn families_kept(out: &mut Findings, new: &Spot<'_>, old: &Spot<'_>) {
    let external = |spec: &Spot<'_>| spec.text("type") == "ExternalName";
    if external(new) || external(old) || is_headless(new) || is_headless(old) {
        return;
    }
    let list = new.get("ipFamilies");
    let (now, before) = (new.count("ipFamilies"), old.count("ipFamilies"));
    let field = format!("{}[0]", list.path());
    if now == before {
        for (now, before) in new.items("ipFamilies").zip(old.items("ipFamilies")) {
            if now.str() != before.str() {
                out.push(FieldError::invalid(field.clone(), list.value(), ONCE));
            }
        }
        return;
    }
    let first = |spec: &Spot<'_>| spec.items("ipFamilies").next().map(|family| family.str().to_owned());
    if before > 0 && now > 0 && first(new) != first(old) {
        out.push(FieldError::invalid(field, new.get("clusterIPs").value(), ONCE));
    }
    let policy = new.get("ipFamilyPolicy");
    if before > now && now == 1 && policy.str() != "SingleStack" {
        out.invalid(&policy, "must be set to 'SingleStack' when releasing the secondary ipFamily");
    }
}

fn service(out: &mut Findings, service: &Spot<'_>, old: Option<&Spot<'_>>) {
    let spec = service.get("spec");
    let kind = spec.text("type");
    if spec.count("ports") == 0 && !is_headless(&spec) && kind != "ExternalName" {
        out.required(&spec.get("ports"), "");
    }
    match kind {
        "LoadBalancer" | "NodePort" if is_headless(&spec) => {
            let field = format!("{}[0]", spec.get("clusterIPs").path());
            let why = format!("may not be set to 'None' for {kind} services");
            out.push(FieldError::invalid_text(field, "None", why));
        }
        "ExternalName" => external_name(out, &spec),
        _ => {}
    }
    ports(out, &spec);
    labels::labels(out, &spec.get("selector"));
    affinity(out, &spec);
    addresses(out, &spec);
    for address in spec.items("externalIPs") {
        if formats::parse_ip(address.str()).is_none() {
            formats::ip(out, &address);
        } else {
            formats::endpoint_ip(out, &address);
        }
    }
    out.one_of(&spec.get("type"), &["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]);
    if kind == "ClusterIP" {
        for port in spec.items("ports").filter(|port| port.number("nodePort").unwrap_or_default() != 0) {
            out.forbidden(&port.get("nodePort"), "may not be used when `type` is 'ClusterIP'");
        }
    }
    duplicate_ports(out, &spec);
    source_ranges(out, &spec, service);
    load_balancer(out, &spec);
    let _ = old;
    class(out, &spec);
    traffic(out, &spec);
}

fn external_name(out: &mut Findings, spec: &Spot<'_>) {
    const WHY: &str = "may not be set for ExternalName services";
    for name in ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
        let part = spec.get(name);
        if !part.is_empty() || (name == "ipFamilyPolicy" && part.is_set()) {
            out.forbidden(&part, WHY);
        }
    }
    let name = spec.get("externalName");
    let text = name.str().strip_suffix('.').unwrap_or(name.str());
    if text.is_empty() {
        return out.required(&name, "");
    }
    for error in crate::protocol::names::dns_subdomain_errors(text) {
        out.invalid_as(&name, text, error);
    }
}

fn ports(out: &mut Findings, spec: &Spot<'_>) {
    let several = spec.count("ports") > 1;
    let mut names: Vec<String> = Vec::new();
    for port in spec.items("ports") {
        let name = port.get("name");
        if several && name.is_empty() {
            out.required(&name, "");
        } else if !name.is_empty() {
            formats::label(out, &name);
            if names.iter().any(|taken| taken == name.str()) {
                out.duplicate(&name);
            } else {
                names.push(name.str().to_owned());
            }
        }
        let number = port.get("port");
        if number.is_set() {
            formats::port(out, &number);
        } else {
            out.invalid_as(&number, 0, "must be between 1 and 65535, inclusive");
        }
        out.one_of(&port.get("protocol"), PROTOCOLS);
        formats::port_or_name(out, &port.get("targetPort"));
        if port.has("appProtocol") {
            formats::qualified(out, &port.get("appProtocol"));
        }
    }
}

fn affinity(out: &mut Findings, spec: &Spot<'_>) {
    let kind = spec.get("sessionAffinity");
    out.one_of(&kind, &["ClientIP", "None"]);
    let config = spec.get("sessionAffinityConfig");
    if kind.str() == "None" && config.is_set() {
        out.forbidden(&config, "must not be set when session affinity is None");
    }
    if kind.str() != "ClientIP" {
        return;
    }
    for path in [
        "sessionAffinityConfig",
        "sessionAffinityConfig.clientIP",
        "sessionAffinityConfig.clientIP.timeoutSeconds",
    ] {
        if !spec.has(path) {
            return out.required(&spec.get(path), "when session affinity type is ClientIP");
        }
    }
    let seconds = config.get("clientIP.timeoutSeconds");
    if seconds.int().is_some_and(|seconds| seconds <= 0 || seconds > 86_400) {
        out.invalid(&seconds, "must be greater than 0 and less than 86400");
    }
}

fn addresses(out: &mut Findings, spec: &Spot<'_>) {
    if spec.text("type") == "ExternalName" {
        return;
    }
    let (list, single) = (spec.get("clusterIPs"), spec.text("clusterIP"));
    let count = spec.count("clusterIPs");
    if !single.is_empty() && count == 0 {
        out.required(&list, "");
    } else if !single.is_empty() && first_address(spec) != single {
        out.invalid(&list, "first value must match `clusterIP`");
    } else if single.is_empty() && count > 0 {
        out.invalid(&list, "must be empty when `clusterIP` is not specified");
    }
    families(out, spec);
    let mut broken = false;
    for (index, address) in list.each().enumerate() {
        if index == 0 && address.str() == "None" {
            if count > 1 {
                broken = true;
                out.invalid(&list, "'None' must be the first and only value");
            }
            continue;
        }
        broken |= formats::parse_ip(address.str()).is_none();
        formats::ip(out, &address);
    }
    if count > 2 {
        out.invalid(&list, "may only hold up to 2 values");
    }
    if broken {
        return;
    }
    let parsed: Vec<Option<IpAddr>> = list.each().map(|address| formats::parse_ip(address.str())).collect();
    let fours = parsed.iter().flatten().filter(|address| address.is_ipv4()).count();
    if count > 1 && (fours == 0 || fours == count) {
        out.invalid(&list, "may specify no more than one IP for each IP family");
    }
    if is_headless(spec) {
        return;
    }
    for (index, (address, family)) in list.each().zip(spec.items("ipFamilies")).enumerate() {
        let is_six = formats::parse_ip(address.str()).is_some_and(|address| address.is_ipv6());
        if matches!((family.str(), is_six), ("IPv4", true) | ("IPv6", false)) {
            let family = family.str();
            out.invalid(
                &address,
                format!("expected an {family} value as indicated by `ipFamilies[{index}]`"),
            );
        }
    }
}

fn families(out: &mut Findings, spec: &Spot<'_>) {
    let mut seen: Vec<String> = Vec::new();
    for family in spec.items("ipFamilies") {
        out.maybe_one_of(&family, &["IPv4", "IPv6"]);
        if seen.iter().any(|seen| seen == family.str()) {
            out.duplicate(&family);
        }
        seen.push(family.str().to_owned());
    }
    out.maybe_one_of(&spec.get("ipFamilyPolicy"), &["PreferDualStack", "RequireDualStack", "SingleStack"]);
}

fn duplicate_ports(out: &mut Findings, spec: &Spot<'_>) {
    let mut nodes: Vec<(String, i64)> = Vec::new();
    for port in spec.items("ports") {
        let number = port.number("nodePort").unwrap_or_default();
        let key = (port.text("protocol").to_owned(), number);
        if number != 0 && nodes.contains(&key) {
            out.duplicate(&port.get("nodePort"));
        }
        nodes.push(key);
    }
    let mut seen: Vec<(String, i64)> = Vec::new();
    for port in spec.items("ports") {
        let key = (port.text("protocol").to_owned(), port.number("port").unwrap_or_default());
        if seen.contains(&key) {
            let mut error = FieldError::duplicate(port.path(), &json!(null));
            error.value = format!(
                "{{\"Name\":\"\",\"Protocol\":{},\"AppProtocol\":null,\"Port\":{},\"TargetPort\":0,\"NodePort\":0}}",
                json!(key.0),
                key.1
            );
            out.push(error);
        }
        seen.push(key);
    }
}

fn source_ranges(out: &mut Findings, spec: &Spot<'_>, service: &Spot<'_>) {
    const WHY: &str = "may only be used when `type` is 'LoadBalancer'";
    let ranges = spec.alias("loadBalancerSourceRanges", "LoadBalancerSourceRanges");
    let balances = spec.text("type") == "LoadBalancer";
    if !ranges.is_empty() {
        if !balances {
            out.forbidden(&ranges, WHY);
        }
        for range in ranges.each() {
            formats::cidr(out, &range);
        }
        return;
    }
    let annotation =
        service.entry("metadata.annotations", "service.beta.kubernetes.io/load-balancer-source-ranges");
    if !annotation.is_set() {
        return;
    }
    if !balances {
        out.forbidden(&annotation, WHY);
    }
    for range in annotation.str().split(',').map(str::trim).filter(|range| !range.is_empty()) {
        if formats::parse_cidr(range).is_none() {
            out.invalid_as(
                &annotation,
                range,
                "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
            );
        }
    }
}

fn load_balancer(out: &mut Findings, spec: &Spot<'_>) {
    let allocates = spec.get("allocateLoadBalancerNodePorts");
    match (spec.text("type") == "LoadBalancer", allocates.is_set()) {
        (false, true) => out.forbidden(&allocates, "may only be used when `type` is 'LoadBalancer'"),
        (true, false) => out.push(FieldError::required("allocateLoadBalancerNodePorts", "")),
        _ => {}
    }
}

fn class(out: &mut Findings, spec: &Spot<'_>) {
    let class = spec.get("loadBalancerClass");
    if !class.is_set() {
        return;
    }
    if spec.text("type") == "LoadBalancer" {
        formats::qualified(out, &class);
    } else {
        out.forbidden(&class, "may only be used when `type` is 'LoadBalancer'");
    }
}

fn needs_health_check(spec: &Spot<'_>) -> bool {
    spec.text("type") == "LoadBalancer" && spec.text("externalTrafficPolicy") == "Local"
}

fn traffic(out: &mut Findings, spec: &Spot<'_>) {
    let kind = spec.text("type");
    let policy = spec.get("externalTrafficPolicy");
    let reachable =
        matches!(kind, "LoadBalancer" | "NodePort") || kind == "ClusterIP" && spec.count("externalIPs") > 0;
    if reachable {
        out.one_of(&policy, &["Cluster", "Local"]);
    } else if !policy.is_empty() {
        out.invalid(&policy, "may only be set for externally-accessible services");
    }
    let port = spec.get("healthCheckNodePort");
    let number = port.int().unwrap_or_default();
    if !needs_health_check(spec) {
        if number != 0 {
            let why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
            out.invalid(&port, why);
        }
    } else if number == 0 {
        out.required(&port, "");
    } else {
        formats::port(out, &port);
    }
    let inside = spec.get("internalTrafficPolicy");
    if !inside.is_set() && matches!(kind, "NodePort" | "LoadBalancer" | "ClusterIP") {
        out.required(&inside, "");
    }
    out.maybe_one_of(&inside, &["Cluster", "Local"]);
    let known = &["PreferClose", "PreferSameZone", "PreferSameNode"];
    out.maybe_one_of(&spec.get("trafficDistribution"), known);
}

fn status(out: &mut Findings, new: &Spot<'_>) {
    let list = new.get("status.loadBalancer.ingress");
    if new.text("spec.type") != "LoadBalancer" && !list.is_empty() {
        return out.forbidden(&list, "may only be used when `spec.type` is 'LoadBalancer'");
    }
    for ingress in list.each() {
        let (address, mode, host) = (ingress.get("ip"), ingress.get("ipMode"), ingress.get("hostname"));
        if !address.is_empty() {
            formats::ip(out, &address);
        }
        match (mode.is_set(), address.is_empty()) {
            (false, false) => out.required(&mode, "must be specified when `ip` is set"),
            (true, true) => out.forbidden(&mode, "may not be specified when `ip` is not set"),
            _ => out.maybe_one_of(&mode, &["Proxy", "VIP"]),
        }
        host_name(out, &host);
    }
}

/// The name of a host, which is no address.
pub(super) fn host_name(out: &mut Findings, host: &Spot<'_>) {
    if host.is_empty() {
        return;
    }
    formats::subdomain(out, host);
    if formats::parse_ip(host.str()).is_some() {
        out.invalid(host, "must be a DNS name, not an IP address");
    }
}
