//! The spec of a pod as a whole.

use crate::{
    protocol::{FieldError, names::dns_subdomain_errors},
    validation::{Findings, Spot, formats, labels, resources},
};

use super::{
    containers::{self, Around},
    images, scheduling, security, selectors, volumes,
};

/// A pod with its metadata.
pub(super) fn pod(out: &mut Findings, pod: &Spot<'_>) {
    let spec = pod.get("spec");
    self::spec(out, &spec, &pod.get("metadata"), Whole::Pod);
    if spec.text("serviceAccountName").is_empty() {
        for volume in spec.items("volumes") {
            for source in volume.items("projected.sources") {
                if source.has("serviceAccountToken") {
                    let why = "must not be specified when serviceAccountName is not set";
                    out.forbidden(&source.get("serviceAccountToken"), why);
                }
            }
        }
    }
    out.not_negative(&spec.get("terminationGracePeriodSeconds"));
    for list in ["containers", "initContainers"] {
        for container in spec.items(list) {
            images::unpadded(out, &container);
        }
    }
}

/// A template that pods are made from.
pub(crate) fn template(out: &mut Findings, template: &Spot<'_>) {
    labels::labels(out, &template.alias("metadata.labels", "labels"));
    labels::annotations(out, &template.alias("metadata.annotations", "annotations"));
    spec(out, &template.get("spec"), &template.get("metadata"), Whole::Template);
    let ephemeral = template.get("spec.ephemeralContainers");
    if !ephemeral.is_empty() {
        out.forbidden(&ephemeral, "ephemeral containers not allowed in pod template");
    }
}

/// What a spec is part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Pod,
    Template,
}

fn spec(out: &mut Findings, spec: &Spot<'_>, metadata: &Spot<'_>, whole: Whole) {
    let grace = spec.get("terminationGracePeriodSeconds");
    if !grace.is_set() {
        out.required(&grace, "");
    }
    let list = spec.get("volumes");
    let name = if whole == Whole::Pod { metadata.text("name") } else { "" };
    let volumes = volumes::volumes(out, &list, name);
    claims(out, spec);
    let claims = spec.get("resourceClaims");
    let around = Around {
        spec,
        volumes: &volumes,
        claims: claims.each().map(|claim| claim.text("name")).filter(|name| !name.is_empty()).collect(),
        grace: grace.int(),
        host_users: spec.get("hostUsers").value() != &serde_json::Value::Bool(false),
    };
    containers::containers(out, &around);
    containers::init_containers(out, &around);
    containers::ephemeral_containers(out, &around);
    whole_resources(out, spec, &around.claims);
    if spec.is_true("hostNetwork") {
        host_network(out, spec, whole);
    }
    out.one_of(&spec.get("restartPolicy"), &["Always", "OnFailure", "Never"]);
    out.one_of(&spec.get("dnsPolicy"), &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]);
    labels::labels(out, &spec.get("nodeSelector"));
    security::of_pod(out, spec);
    let shares = spec.get("shareProcessNamespace");
    if spec.is_true("hostPID") && spec.is_true("shareProcessNamespace") {
        out.invalid(&shares, "ShareProcessNamespace and HostPID cannot both be enabled");
    }
    scheduling::affinity(out, &spec.get("affinity"));
    dns(out, spec);
    gates(out, spec);
    scheduling::spread(out, spec);
    host_users(out, spec);
    host_name(out, spec);
    names(out, spec);
    rest(out, spec);
    containers::file_keys(out, spec);
}

fn claims(out: &mut Findings, spec: &Spot<'_>) {
    let mut seen: Vec<String> = Vec::new();
    for claim in spec.items("resourceClaims") {
        let name = claim.get("name");
        if name.is_empty() {
            out.required(&name, "");
        } else if seen.iter().any(|seen| seen == name.str()) {
            out.duplicate(&name);
        } else {
            formats::label(out, &name);
            seen.push(name.str().to_owned());
        }
        let (direct, template) = (claim.get("resourceClaimName"), claim.get("resourceClaimTemplateName"));
        let printed = || {
            let (name, direct, template) = (name.value(), direct.value(), template.value());
            format!(
                "{{\"Name\":{name},\"ResourceClaimName\":{direct},\"ResourceClaimTemplateName\":{template}}}"
            )
        };
        match (direct.is_set(), template.is_set()) {
            (true, true) => {
                let why =
                    "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
                out.invalid_printed(&claim, printed(), why);
            }
            (false, false) => {
                let why = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
                out.invalid_printed(&claim, printed(), why);
            }
            _ => {}
        }
        for name in [direct, template].iter().filter(|name| name.is_set()) {
            formats::subdomain(out, name);
        }
    }
}

fn whole_resources(out: &mut Findings, spec: &Spot<'_>, claims: &[&str]) {
    let own = spec.get("resources");
    if !own.is_set() {
        return;
    }
    if own.has("claims") {
        out.forbidden(&own.get("claims"), "claims may not be set for Resources at pod-level");
    }
    resources::requirements(out, &own, resources::pod_resource_name, claims);
    for (name, request) in own.entries("requests") {
        let each: Vec<_> = spec
            .items("containers")
            .filter_map(|container| resources::amount(&container.entry("resources.requests", name)))
            .collect();
        let asked = !each.is_empty();
        let sum = each.into_iter().fold(crate::schema::Amount::default(), crate::schema::Amount::plus);
        if asked && resources::amount(&request).is_some_and(|request| sum > request) {
            let text = sum.whole();
            let why = format!("must be greater than or equal to aggregate container requests of {text}");
            out.invalid_as(&request, request.str(), why);
        }
    }
    for container in spec.items("containers") {
        for (name, limit) in container.entries("resources.limits") {
            let most = own.entry("limits", name);
            if resources::compare(&limit, &most) == std::cmp::Ordering::Greater {
                let index = container.path();
                let index = index.rsplit('.').next().unwrap_or_default();
                let field = format!("{}.{index}[{name}].limits", own.path());
                let why = format!("must be less than or equal to pod limits of {}", most.str());
                out.push(FieldError::invalid_text(field, limit.str(), why));
            }
        }
    }
}

fn host_network(out: &mut Findings, spec: &Spot<'_>, whole: Whole) {
    for container in spec.items("containers") {
        for port in container.items("ports") {
            let host = port.number("hostPort").unwrap_or_default();
            let own = port.number("containerPort").unwrap_or_default();
            if (whole == Whole::Pod || host != 0) && host != own {
                let why = "must match `containerPort` when `hostNetwork` is true";
                out.invalid_as(&port.get("hostPort"), host, why);
            }
        }
    }
}

fn dns(out: &mut Findings, spec: &Spot<'_>) {
    let config = spec.get("dnsConfig");
    let servers = config.get("nameservers");
    if spec.text("dnsPolicy") == "None" {
        if !config.is_set() {
            return out.required(&config, "must provide `dnsConfig` when `dnsPolicy` is None");
        }
        if servers.is_empty() {
            return out
                .required(&servers, "must provide at least one DNS nameserver when `dnsPolicy` is None");
        }
    }
    if config.count("nameservers") > 3 {
        out.invalid(&servers, "must not have more than 3 nameservers");
    }
    for server in servers.each() {
        formats::ip(out, &server);
    }
    let searches = config.get("searches");
    if config.count("searches") > 32 {
        out.invalid(&searches, "must not have more than 32 search paths");
    }
    let length: usize = searches.each().map(|search| search.str().len() + 1).sum();
    if length > 2049 {
        out.invalid(
            &searches,
            "must not have more than 2048 characters (including spaces) in the search list",
        );
    }
    for search in searches.each().filter(|search| search.str() != ".") {
        let text = search.str().strip_suffix('.').unwrap_or(search.str());
        for error in formats::dns_underscore_errors(text) {
            out.invalid_as(&search, text, error);
        }
    }
    for option in config.items("options") {
        if option.text("name").is_empty() {
            out.required(&option, "must not be empty");
        }
    }
}

fn gates(out: &mut Findings, spec: &Spot<'_>) {
    for gate in spec.items("readinessGates") {
        formats::qualified(out, &gate.get("conditionType"));
    }
    let mut seen: Vec<String> = Vec::new();
    for gate in spec.items("schedulingGates") {
        let name = gate.text("name");
        for error in crate::protocol::names::qualified_name_errors(name) {
            out.invalid_as(&gate, name, error);
        }
        if seen.iter().any(|seen| seen == name) {
            out.duplicate_as(&gate, name);
        }
        seen.push(name.to_owned());
    }
}

fn host_users(out: &mut Findings, spec: &Spot<'_>) {
    const WHY: &str = "when `hostUsers` is false";
    if spec.get("hostUsers").value() != &serde_json::Value::Bool(false) {
        return;
    }
    for (name, told) in [("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")] {
        if spec.is_true(name) {
            out.forbidden(&spec.alias(name, told), WHY);
        }
    }
    for container in containers::all(spec) {
        if container.count("volumeDevices") > 0 {
            out.forbidden(&container.get("volumeDevices"), WHY);
        }
    }
}

fn host_name(out: &mut Findings, spec: &Spot<'_>) {
    let name = spec.get("hostnameOverride");
    if !name.is_set() {
        return;
    }
    for other in ["setHostnameAsFQDN", "hostNetwork"] {
        if spec.is_true(other) {
            out.forbidden(&name, format!("may not be specified when {other} is true"));
        }
    }
    if name.str().len() > 64 {
        out.too_long(&name, 64);
    }
    formats::subdomain(out, &name);
}

fn names(out: &mut Findings, spec: &Spot<'_>) {
    let named = |name: &'static str| spec.get(name);
    let account = named("serviceAccountName");
    if !account.is_empty() {
        out.all(&account, dns_subdomain_errors(account.str()));
    }
    if spec.text("serviceAccount") != account.str() {
        let told = spec.alias("serviceAccount", "deprecatedServiceAccount");
        let why = format!("must be the same as serviceAccountName: {:?}", account.str());
        out.invalid_as(&told, told.str(), why);
    }
    let node = named("nodeName");
    if !node.is_empty() {
        out.all(&node, dns_subdomain_errors(node.str()));
    }
    let deadline = named("activeDeadlineSeconds");
    out.within(&deadline, 1, i64::from(i32::MAX));
    for name in ["hostname", "subdomain"] {
        let name = spec.get(name);
        if !name.is_empty() {
            formats::label(out, &name);
        }
    }
}

fn rest(out: &mut Findings, spec: &Spot<'_>) {
    selectors::tolerations(out, &spec.get("tolerations"));
    for alias in spec.items("hostAliases") {
        formats::ip(out, &alias.get("ip"));
        for name in alias.items("hostnames") {
            formats::subdomain(out, &name);
        }
    }
    let class = spec.get("priorityClassName");
    if !class.is_empty() {
        out.all(&class, dns_subdomain_errors(class.str()));
    }
    let class = spec.get("runtimeClassName");
    if class.is_set() {
        out.all(&class, dns_subdomain_errors(class.str()));
    }
    let policy = spec.get("preemptionPolicy");
    if policy.is_set() {
        out.one_of(&policy, &["PreemptLowerPriority", "Never"]);
    }
    for (name, amount) in spec.entries("overhead") {
        let told = format!("overhead.limits[{name}]");
        let told = spec.get(&told);
        let amount = amount.moved(&told);
        resources::container_resource_name(out, &amount, name);
        resources::resource_amount(out, &amount, name);
    }
    os(out, spec);
}

fn os(out: &mut Findings, spec: &Spot<'_>) {
    let os = spec.get("os");
    if !os.is_set() {
        return;
    }
    let name = os.get("name");
    if name.is_empty() {
        return out.required(&name, "");
    }
    out.maybe_one_of(&name.moved(&os), &["linux", "windows"]);
    if name.str() == "linux" {
        let options = spec.get("securityContext.windowsOptions");
        if options.is_set() {
            out.forbidden(&options, "windows options cannot be set for a linux pod");
        }
        for container in containers::all(spec) {
            let options = container.get("securityContext.windowsOptions");
            if options.is_set() {
                out.forbidden(&options, "windows options cannot be set for a linux pod");
            }
        }
    }
    if name.str() == "windows" {
        super::windows::windows(out, spec);
    }
}
