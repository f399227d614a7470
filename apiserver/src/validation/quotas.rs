//! Limits of namespaces: how much one object may ask for, and all together.

use std::cmp::Ordering;

use serde_json::Value;

use crate::protocol::names::qualified_name_errors;

use super::{Checks, Findings, NONE, Spot, resources};

pub(super) const LIMIT_RANGES: Checks =
    Checks { create: limit_range, update: |out, new, _| limit_range(out, new), ..NONE };
pub(super) const QUOTAS: Checks = Checks {
    create: quota,
    update: |out, new, old| {
        quota(out, new);
        let (scopes, before) = (new.get("spec.scopes"), old.get("spec.scopes"));
        let sorted = |spot: &Spot<'_>| {
            let mut all: Vec<String> = spot.each().map(|scope| scope.str().to_owned()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        if sorted(&scopes) != sorted(&before) {
            out.invalid(&scopes, super::IMMUTABLE);
        }
    },
    status: |out, new, _| {
        for list in ["status.hard", "status.used"] {
            amounts(out, new, list);
        }
    },
};

const SCOPES: &[&str] = &[
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "PriorityClass",
    "VolumeAttributesClass",
    "CrossNamespacePodAffinity",
];
const OF_PODS: &[&str] =
    &["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];

fn limit_range(out: &mut Findings, object: &Spot<'_>) {
    let mut types: Vec<String> = Vec::new();
    for limit in object.items("spec.limits") {
        let kind = limit.get("type");
        limit_type(out, &kind);
        if types.iter().any(|taken| taken == kind.str()) {
            out.duplicate_as(&kind, kind.str());
        }
        types.push(kind.str().to_owned());
        limits(out, &limit, kind.str());
    }
}

fn limit_type(out: &mut Findings, kind: &Spot<'_>) {
    let before = out.count();
    for error in qualified_name_errors(kind.str()) {
        out.invalid_as(kind, kind.str(), error);
    }
    let known = ["Pod", "Container", "PersistentVolumeClaim"].contains(&kind.str());
    if before == out.count() && !kind.str().contains('/') && !known {
        out.invalid(kind, "must be a standard limit type or fully qualified");
    }
}

fn limits(out: &mut Findings, limit: &Spot<'_>, kind: &str) {
    let rule = match kind {
        "Pod" | "Container" => resources::container_resource_name,
        _ => resources::resource_name,
    };
    let mut names: Vec<&str> = Vec::new();
    for list in ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] {
        if kind == "Pod" && list.starts_with("default") {
            if limit.count(list) > 0 {
                out.forbidden(&limit.get(list), "may not be specified when `type` is 'Pod'");
            }
            continue;
        }
        if list == "maxLimitRequestRatio" && kind == "PersistentVolumeClaim" {
            let either = limit.entry("min", "storage").is_set() || limit.entry("max", "storage").is_set();
            if !either {
                let why = "either minimum or maximum storage value is required, but neither was provided";
                out.required(&limit.get("limits"), why);
            }
        }
        for (name, amount) in limit.entries(list) {
            rule(out, &amount, name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    for name in names {
        relations(out, limit, name, kind);
    }
}

fn relations(out: &mut Findings, limit: &Spot<'_>, name: &str, kind: &str) {
    let of = |list: &'static str| {
        let hidden = kind == "Pod" && list.starts_with("default");
        Some(limit.entry(list, name)).filter(|amount| amount.is_set() && !hidden)
    };
    let (min, max) = (of("min"), of("max"));
    let (default, request) = (of("default"), of("defaultRequest"));
    let mut ordered = |low: &Option<Spot<'_>>,
                       high: &Option<Spot<'_>>,
                       told: (&Option<Spot<'_>>, &str),
                       words: (&str, &str)| {
        let (Some(low), Some(high), Some(at)) = (low, high, told.0) else { return };
        if resources::compare(low, high) == Ordering::Greater {
            let why =
                format!("{} value {} is greater than {} value {}", words.0, low.str(), words.1, high.str());
            out.invalid_as(at, told.1, why);
        }
    };
    let text = |spot: &Option<Spot<'_>>| spot.map_or(String::new(), |spot| spot.str().to_owned());
    let (shown_min, shown_max, shown_request) = (text(&min), text(&max), text(&request));
    ordered(&min, &max, (&min, &shown_min), ("min", "max"));
    ordered(&min, &request, (&request, &shown_request), ("min", "default request"));
    ordered(&request, &max, (&request, &shown_request), ("default request", "max"));
    ordered(&request, &default, (&request, &shown_request), ("default request", "default limit"));
    ordered(&min, &default, (&default, &shown_min), ("min", "default"));
    ordered(&default, &max, (&default, &shown_max), ("default", "max"));
    if let Some(ratio) = of("maxLimitRequestRatio") {
        self::ratio(out, &ratio, min.as_ref(), max.as_ref());
    }
}

fn ratio(out: &mut Findings, ratio: &Spot<'_>, min: Option<&Spot<'_>>, max: Option<&Spot<'_>>) {
    let Some(value) = resources::amount(ratio).map(crate::schema::Amount::as_f64) else { return };
    if value < 1.0 {
        out.invalid(ratio, format!("ratio {} is less than 1", ratio.str()));
    }
    let number =
        |spot: Option<&Spot<'_>>| spot.and_then(resources::amount).map(crate::schema::Amount::as_f64);
    if let (Some(min), Some(max)) = (number(min), number(max)) {
        let most = max / min;
        if value > most {
            out.invalid(ratio, format!("ratio {} is greater than max/min = {most:.6}", ratio.str()));
        }
    }
}

fn amounts(out: &mut Findings, object: &Spot<'_>, list: &'static str) {
    for (name, amount) in object.entries(list) {
        resources::quota_resource_name(out, &amount, name);
        resources::resource_amount(out, &amount, name);
    }
}

fn quota(out: &mut Findings, object: &Spot<'_>) {
    amounts(out, object, "spec.hard");
    let spec = object.get("spec");
    let scopes = spec.get("scopes");
    let hard: Vec<&str> =
        spec.get("hard").members().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    for scope in scopes.each() {
        if !SCOPES.contains(&scope.str()) {
            out.invalid(&scopes, "unsupported scope");
        }
        for _ in hard.iter().filter(|name| !may_scope(scope.str(), name)) {
            out.invalid(&scopes, "unsupported scope applied to resource");
        }
    }
    let has = |list: &Spot<'_>, name: &str| list.each().any(|scope| scope.str() == name);
    for (one, other) in [("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating")] {
        if has(&scopes, one) && has(&scopes, other) {
            out.invalid(&scopes, "conflicting scopes");
        }
    }
    scope_selector(out, &spec, &hard);
}

fn scope_selector(out: &mut Findings, spec: &Spot<'_>, hard: &[&str]) {
    const EXISTS: &str = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, \
                          ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    let list = spec.get("scopeSelector.matchExpressions");
    for requirement in list.each() {
        let (scope, operator) = (requirement.text("scopeName"), requirement.text("operator"));
        if !SCOPES.contains(&scope) {
            out.invalid_as(&list.get("scopeName"), scope, "unsupported scope");
        }
        for _ in hard.iter().filter(|name| !may_scope(scope, name)) {
            out.invalid_printed(&list, printed(&list), "unsupported scope applied to resource");
        }
        if !["PriorityClass", "VolumeAttributesClass"].contains(&scope)
            && SCOPES.contains(&scope)
            && operator != "Exists"
        {
            out.invalid_as(&list.get("operator"), operator, EXISTS);
        }
        let values = requirement.get("values").value();
        let told = list.get("values");
        match operator {
            "In" | "NotIn" if requirement.count("values") == 0 => {
                out.required(
                    &told,
                    "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
                );
            }
            "Exists" | "DoesNotExist" if requirement.count("values") > 0 => {
                let why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
                out.invalid_as(&told, values.clone(), why);
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
            other => out.invalid_as(&list.get("operator"), other, "not a valid selector operator"),
        }
    }
}

/// The selector as a real server's own type prints it.
fn printed(list: &Spot<'_>) -> String {
    let part = |item: Spot<'_>| {
        let values = item.get("values");
        let of = |name: &str| Value::from(item.text(name));
        format!(
            "{{\"ScopeName\":{},\"Operator\":{},\"Values\":{}}}",
            of("scopeName"),
            of("operator"),
            values.value()
        )
    };
    let parts: Vec<String> = list.each().map(part).collect();
    format!("{{\"MatchExpressions\":[{}]}}", parts.join(","))
}

/// Whether a quota of these resources may be narrowed to a scope.
fn may_scope(scope: &str, resource: &str) -> bool {
    let mut probe = Findings::default();
    let nothing = Value::Null;
    resources::quota_resource_name(&mut probe, &Spot::root(&nothing), resource);
    if probe.count() > 0 || resource.contains('/') {
        return true;
    }
    match scope {
        "BestEffort" => resource == "pods",
        "Terminating"
        | "NotTerminating"
        | "NotBestEffort"
        | "PriorityClass"
        | "CrossNamespacePodAffinity" => OF_PODS.contains(&resource),
        "VolumeAttributesClass" => ["persistentvolumeclaims", "requests.storage"].contains(&resource),
        _ => true,
    }
}
