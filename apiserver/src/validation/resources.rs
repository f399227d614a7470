//! Amounts of resources: which names there are, what they may be, how they are compared.

use std::cmp::Ordering;

use crate::{protocol::names::qualified_name_errors, schema::Amount};

use super::{Findings, Spot, formats};

const STANDARD: &[&str] = &[
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "storage",
    "requests.storage",
    "services.nodeports",
    "services.loadbalancers",
];
const OF_CONTAINERS: &[&str] = &["cpu", "memory", "ephemeral-storage"];
const OF_QUOTAS: &[&str] = &[
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.storage",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "persistentvolumeclaims",
    "configmaps",
    "services.nodeports",
    "services.loadbalancers",
];
const WHOLE: &[&str] = &[
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
];
const HUGE: &str = "hugepages-";

/// The amount at a place; nothing where it is none.
pub(crate) fn amount(spot: &Spot<'_>) -> Option<Amount> {
    match spot.value() {
        serde_json::Value::Number(number) => Amount::parse(&number.to_string()),
        _ => Amount::parse(spot.str()),
    }
}

/// How two amounts compare; amounts that are none are equal to everything.
pub(crate) fn compare(left: &Spot<'_>, right: &Spot<'_>) -> Ordering {
    match (amount(left), amount(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => Ordering::Equal,
    }
}

/// Whether requests may be smaller than limits: true of everything that is not counted in pieces.
fn may_overcommit(name: &str) -> bool {
    is_native(name) && !name.starts_with(HUGE)
}

fn is_native(name: &str) -> bool {
    !name.contains('/') || name.contains("kubernetes.io/")
}

fn is_standard(name: &str) -> bool {
    STANDARD.contains(&name) || is_quota_prefixed(name) || name.starts_with(HUGE)
}

fn is_quota_prefixed(name: &str) -> bool {
    name.starts_with(HUGE) || name.starts_with("requests.hugepages-")
}

/// The name of any resource.
pub(crate) fn resource_name(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    let before = out.count();
    for error in qualified_name_errors(name) {
        out.invalid_as(spot, name, error);
    }
    if before == out.count() && !name.contains('/') && !is_standard(name) {
        out.invalid_as(spot, name, "must be a standard resource type or fully qualified");
    }
}

/// The name of a resource that containers may ask for.
pub(crate) fn container_resource_name(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    resource_name(out, spot, name);
    if !name.contains('/') {
        if !OF_CONTAINERS.contains(&name) && !name.starts_with(HUGE) {
            out.invalid_as(spot, name, "must be a standard resource for containers");
        }
    } else if !is_native(name) {
        let extended =
            !name.starts_with("requests.") && qualified_name_errors(&format!("requests.{name}")).is_empty();
        if !extended {
            out.invalid_as(spot, name, "doesn't follow extended resource name standard");
        }
    }
}

/// The name of a resource that a quota may count.
pub(crate) fn quota_resource_name(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    resource_name(out, spot, name);
    if !name.contains('/') && !OF_QUOTAS.contains(&name) && !is_quota_prefixed(name) {
        out.invalid_as(spot, name, "must be a standard resource for quota");
    }
}

/// An amount that is not below nothing, and whole where only whole ones make sense.
pub(crate) fn resource_amount(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    not_negative(out, spot);
    let counted = WHOLE.contains(&name) || !is_native(name);
    if counted && amount(spot).is_some_and(|amount| !amount.is_whole()) {
        out.invalid(spot, "must be an integer");
    }
}

/// An amount that is not below nothing.
pub(crate) fn not_negative(out: &mut Findings, spot: &Spot<'_>) {
    if amount(spot).is_some_and(|amount| amount.is_negative()) {
        out.invalid(spot, super::NOT_NEGATIVE);
    }
}

/// Which names of resources a list of amounts may have.
pub(crate) type NameRule = fn(&mut Findings, &Spot<'_>, &str);

/// The names that a whole pod may set.
pub(crate) fn pod_resource_name(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    let before = out.count();
    resource_name(out, spot, name);
    if before == out.count() && !["cpu", "memory"].contains(&name) && !name.starts_with(HUGE) {
        out.push(crate::protocol::FieldError::not_supported(spot.path(), &name.into(), &["cpu", "memory"]));
    }
}

/// Requests and limits, and the claims of the pod (by name) that are used.
pub(crate) fn requirements(out: &mut Findings, spot: &Spot<'_>, name_rule: NameRule, claims: &[&str]) {
    let mut computes = false;
    let mut huge = false;
    for (name, limit) in spot.entries("limits") {
        name_rule(out, &limit, name);
        resource_amount(out, &limit, name);
        huge_pages(out, &limit, name);
        huge |= name.starts_with(HUGE);
        computes |= ["cpu", "memory"].contains(&name);
    }
    let limits = spot.get("limits");
    let requests = spot.get("requests");
    for (name, request) in spot.entries("requests") {
        name_rule(out, &request, name);
        resource_amount(out, &request, name);
        let limit = spot.entry("limits", name);
        if limit.is_set() {
            let order = compare(&request, &limit);
            let limit = limit.str();
            if order != Ordering::Equal && !may_overcommit(name) {
                out.invalid_as(&requests, request.str(), format!("must be equal to {name} limit of {limit}"));
            } else if order == Ordering::Greater {
                let why = format!("must be less than or equal to {name} limit of {limit}");
                out.invalid_as(&requests, request.str(), why);
            }
        } else if !may_overcommit(name) {
            out.required(&limits, "Limit must be set for non overcommitable resources");
        }
        huge_pages(out, &request, name);
        huge |= name.starts_with(HUGE);
        computes |= ["cpu", "memory"].contains(&name);
    }
    if huge && !computes {
        out.forbidden(spot, "HugePages require cpu or memory");
    }
    self::claims(out, spot, claims);
}

fn huge_pages(out: &mut Findings, spot: &Spot<'_>, name: &str) {
    let Some(size) = name.strip_prefix(HUGE).and_then(Amount::parse) else { return };
    if amount(spot).is_some_and(|amount| !amount.is_multiple_of(&size)) {
        out.invalid(spot, format!("{} is not positive integer multiple of {name}", spot.str()));
    }
}

fn claims(out: &mut Findings, spot: &Spot<'_>, known: &[&str]) {
    let mut seen: Vec<String> = Vec::new();
    for claim in spot.items("claims") {
        let (name, request) = (claim.text("name"), claim.text("request"));
        if name.is_empty() {
            out.required(&claim, "");
            continue;
        }
        let mut key = name.to_owned();
        if seen.iter().any(|seen| seen == name) {
            out.duplicate_as(&claim, name);
        } else {
            if !request.is_empty() {
                formats::label(out, &claim.get("request"));
                key = format!("{name}/{request}");
            }
            let same =
                |seen: &String| *seen == key || request.is_empty() && seen.starts_with(&format!("{name}/"));
            if seen.iter().any(same) {
                out.duplicate_as(&claim, key.as_str());
            }
            seen.push(key);
        }
        if !known.contains(&name) {
            let mut known = known.to_vec();
            known.sort_unstable();
            let rest = if known.is_empty() {
                " which is empty".to_owned()
            } else {
                format!(": {}", known.join(", "))
            };
            let mut error = crate::protocol::FieldError::not_found(claim.path(), &name.into());
            error.detail = format!("must be one of the names in pod.spec.resourceClaims{rest}");
            out.push(error);
        }
    }
}
