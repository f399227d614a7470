//! Resource quotas: what a namespace may use, counted when objects are admitted.
//!
//! In: the quotas of a namespace, and an object for it. Out: the counts that the quotas have once the object is stored, or the refusal.
//! Only what a quota's status says is held against it: hard limits and usage get there by whoever runs quotas.

use serde_json::Value;

use crate::{
    protocol::{Fields, LabelSelector, Status},
    registry::Resource,
    strategy::{at, set, text},
};

use super::{
    Attempt, Cluster, Operation,
    amount::{Amount, Amounts, add, amounts, to_value},
    pod_resources::{Part, containers, is_finished, of_container, with_overhead},
};

/// A quota with its new count.
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    pub name: String,
    pub quota: Fields,
}

/// What is not counted.
const IGNORED: [&str; 2] = ["bindings", "events"];
/// What a pod has to state where a quota counts it.
const STATED: [&str; 6] = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];
const POD: [&str; 11] = [
    "count/pods",
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
];
const SERVICE: [&str; 4] = ["count/services", "services", "services.nodeports", "services.loadbalancers"];
const CLAIM: [&str; 3] = ["count/persistentvolumeclaims", "persistentvolumeclaims", "requests.storage"];
const BY_CLASS: &str = ".storageclass.storage.k8s.io/";

/// Holds an object against the quotas of its namespace.
pub(super) fn validate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &Fields,
) -> Result<Vec<Charge>, Status> {
    let plural = attempt.resource.plural.as_str();
    if attempt.namespace.is_empty() || IGNORED.contains(&plural) {
        return Ok(Vec::new());
    }
    let quotas = cluster.list("", "resourcequotas", attempt.namespace);
    let counter = Counter::of(attempt);
    if quotas.is_empty() || !counter.counts(attempt, object) {
        return Ok(Vec::new());
    }
    let mut interesting = Vec::new();
    for quota in quotas {
        let hard = amounts(at(&quota, "status.hard"));
        let names: Vec<String> = hard.keys().filter(|name| counter.measures(name)).cloned().collect();
        if names.is_empty() || !scopes(&quota).iter().all(|scope| counter.is_in(scope, object)) {
            continue;
        }
        let name = text(&quota, "metadata.name");
        if let Some(missing) = counter.unstated(&names, object) {
            return Err(attempt.forbidden(&format!("failed quota: {name}: must specify {missing}")));
        }
        let used = amounts(at(&quota, "status.used"));
        if names.iter().any(|name| !used.contains_key(name)) {
            let names = names.join(",");
            return Err(attempt.forbidden(&format!("status unknown for quota: {name}, resources: {names}")));
        }
        interesting.push(quota);
    }
    let usage = counter.usage(object);
    let negative: Vec<&str> =
        usage.iter().filter(|(_, amount)| amount.is_negative()).map(|(name, _)| name.as_str()).collect();
    if !negative.is_empty() {
        let why = format!("quota usage is negative for resource(s): {}", negative.join(","));
        return Err(attempt.forbidden(&why));
    }
    let mut charges = Vec::new();
    for quota in interesting {
        charges.extend(charge(attempt, &counter, quota, &usage)?);
    }
    Ok(charges)
}

/// A quota with the usage added; none where nothing changes.
fn charge(
    attempt: &Attempt<'_>,
    counter: &Counter,
    mut quota: Fields,
    usage: &Amounts,
) -> Result<Option<Charge>, Status> {
    let hard = amounts(at(&quota, "status.hard"));
    let mut used = amounts(at(&quota, "status.used"));
    let mut requested = usage.clone();
    let before = attempt.old.filter(|old| scopes(&quota).iter().all(|scope| counter.is_in(scope, old)));
    if let Some(old) = before {
        let old = counter.usage(old);
        for (name, amount) in &mut requested {
            let difference = amount.minus(old.get(name).copied().unwrap_or_default());
            *amount = if difference.is_negative() { Amount::default() } else { difference };
        }
    }
    requested.retain(|name, amount| !amount.is_zero() && hard.contains_key(name));
    if requested.is_empty() {
        return Ok(None);
    }
    let limited = used.clone();
    add(&mut used, &requested);
    let exceeded = |name: &&String| {
        let after = used.get(*name).copied().unwrap_or_default();
        hard.get(*name).is_some_and(|hard| after > *hard)
    };
    let names: Vec<&String> = requested.keys().filter(exceeded).collect();
    let name = text(&quota, "metadata.name").to_owned();
    if !names.is_empty() && attempt.subresource != "status" {
        let shown = |amounts: &Amounts| {
            let texts = names.iter().filter_map(|name| Some(format!("{name}={}", amounts.get(*name)?)));
            texts.collect::<Vec<_>>().join(",")
        };
        return Err(attempt.forbidden(&format!(
            "exceeded quota: {name}, requested: {}, used: {}, limited: {}",
            shown(&requested),
            shown(&limited),
            shown(&hard)
        )));
    }
    set(&mut quota, "status.used", to_value(&used));
    Ok(Some(Charge { name, quota }))
}

/// The conditions under which a quota is about an object.
fn scopes(quota: &Fields) -> Vec<Value> {
    let list = |path: &str| at(quota, path).and_then(Value::as_array).cloned().unwrap_or_default();
    let plain = list("spec.scopes")
        .into_iter()
        .map(|scope| serde_json::json!({"scopeName": scope, "operator": "Exists"}));
    plain.chain(list("spec.scopeSelector.matchExpressions")).collect()
}

/// The status of a quota: what it limits, and what the objects of its namespace use of it.
pub(crate) fn count_quota(cluster: &Cluster<'_>, quota: &Fields) -> Value {
    let hard = amounts(at(quota, "spec.hard"));
    let (namespace, scopes) = (text(quota, "metadata.namespace"), scopes(quota));
    let mut used: Amounts = hard.keys().map(|name| (name.clone(), Amount::default())).collect();
    for resource in cluster.registry.preferred() {
        let counter = Counter::named(resource);
        let prefix = format!("{namespace}/");
        if !resource.namespaced || !hard.keys().any(|name| counter.measures(name)) {
            continue;
        }
        for object in cluster.store.all(resource.table, &prefix) {
            let object = object.fields();
            if !scopes.iter().all(|scope| counter.is_in(scope, &object)) {
                continue;
            }
            let mut usage = counter.usage(&object);
            usage.retain(|name, _| hard.contains_key(name));
            add(&mut used, &usage);
        }
    }
    serde_json::json!({"hard": to_value(&hard), "used": to_value(&used)})
}

/// How a kind is counted.
enum Counter {
    Pods,
    Services,
    Claims,
    /// By number only.
    Objects(String),
}

impl Counter {
    fn of(attempt: &Attempt<'_>) -> Self {
        Self::named(attempt.resource)
    }

    fn named(resource: &Resource) -> Self {
        match (resource.group.as_str(), resource.plural.as_str()) {
            ("", "pods") => Self::Pods,
            ("", "services") => Self::Services,
            ("", "persistentvolumeclaims") => Self::Claims,
            _ => Self::Objects(resource.name().to_string()),
        }
    }

    /// Whether a write of this kind changes any count.
    fn counts(&self, attempt: &Attempt<'_>, object: &Fields) -> bool {
        let create = attempt.operation == Operation::Create;
        match (self, attempt.subresource) {
            (Self::Pods, "") => {
                create || attempt.old.is_some_and(|old| is_terminating(old) != is_terminating(object))
            }
            (Self::Pods, "resize") => !create,
            (Self::Services | Self::Claims, "") => true,
            (Self::Objects(_), "") => create,
            _ => false,
        }
    }

    /// Whether a quota's limit of this name is about the kind.
    fn measures(&self, name: &str) -> bool {
        match self {
            Self::Pods => {
                let extended = name.strip_prefix("requests.").is_some_and(|name| name.contains('/'));
                POD.contains(&name)
                    || name.starts_with("hugepages-")
                    || name.starts_with("requests.hugepages-")
                    || extended
            }
            Self::Services => SERVICE.contains(&name),
            Self::Claims => {
                CLAIM.contains(&name)
                    || name.split_once(BY_CLASS).is_some_and(|(_, what)| CLAIM.contains(&what))
            }
            Self::Objects(plural) => {
                name.strip_prefix("count/") == Some(plural)
                    || (LEGACY.contains(&name) && name == plural.as_str())
            }
        }
    }

    fn is_in(&self, scope: &Value, object: &Fields) -> bool {
        let part = |name: &str| scope.get(name).and_then(Value::as_str).unwrap_or_default();
        let Self::Pods = self else {
            let class = text(object, "spec.volumeAttributesClassName");
            return matches!(self, Self::Claims)
                && part("scopeName") == "VolumeAttributesClass"
                && selects(scope, class);
        };
        match part("scopeName") {
            "Terminating" => is_terminating(object),
            "NotTerminating" => !is_terminating(object),
            "BestEffort" => is_best_effort(object),
            "NotBestEffort" => !is_best_effort(object),
            "PriorityClass" => selects(scope, text(object, "spec.priorityClassName")),
            "CrossNamespacePodAffinity" => crosses_namespaces(object),
            _ => false,
        }
    }

    /// What containers leave open though a quota counts it, as text.
    fn unstated(&self, names: &[String], pod: &Fields) -> Option<String> {
        if !matches!(self, Self::Pods)
            || at(pod, "spec.resources").is_some_and(|resources| *resources != serde_json::json!({}))
        {
            return None;
        }
        let mut names: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| STATED.contains(name)).collect();
        names.sort_unstable();
        let texts: Vec<String> = names
            .into_iter()
            .filter_map(|name| {
                let (part, resource) = match name.split_once('.') {
                    Some(("limits", resource)) => (Part::Limits, resource),
                    Some((_, resource)) => (Part::Requests, resource),
                    None => (Part::Requests, name),
                };
                let all = containers(pod, "containers").chain(containers(pod, "initContainers"));
                let silent = all.filter(|container| !of_container(container, part).contains_key(resource));
                let mut silent: Vec<&str> =
                    silent.filter_map(|container| container.get("name")?.as_str()).collect();
                silent.sort_unstable();
                silent.dedup();
                (!silent.is_empty()).then(|| format!("{name} for: {}", silent.join(",")))
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    fn usage(&self, object: &Fields) -> Amounts {
        let mut usage = Amounts::new();
        let mut count = |name: &str, number: i64| usage.insert(name.to_owned(), Amount::whole(number));
        match self {
            Self::Objects(plural) => {
                count(&format!("count/{plural}"), 1);
                if LEGACY.contains(&plural.as_str()) {
                    count(plural, 1);
                }
            }
            Self::Services => {
                count("count/services", 1);
                count("services", 1);
                let (nodes, balancers) = service_ports(object);
                count("services.nodeports", nodes);
                count("services.loadbalancers", balancers);
            }
            Self::Claims => claim_usage(object, &mut usage),
            Self::Pods => {
                count("count/pods", 1);
                if !is_finished(object) {
                    count("pods", 1);
                    pod_usage(object, &mut usage);
                }
            }
        }
        usage
    }
}

/// What may be counted under its bare name, too.
const LEGACY: [&str; 5] = ["configmaps", "secrets", "resourcequotas", "replicationcontrollers", "services"];

fn service_ports(service: &Fields) -> (i64, i64) {
    let ports = at(service, "spec.ports").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let all = i64::try_from(ports.len()).unwrap_or(i64::MAX);
    match text(service, "spec.type") {
        "NodePort" => (all, 0),
        "LoadBalancer" => {
            let allocates = at(service, "spec.allocateLoadBalancerNodePorts") != Some(&Value::Bool(false));
            let explicit = ports.iter().filter(|port| port.get("nodePort").is_some()).count();
            (if allocates { all } else { i64::try_from(explicit).unwrap_or(i64::MAX) }, 1)
        }
        _ => (0, 0),
    }
}

fn claim_usage(claim: &Fields, usage: &mut Amounts) {
    let mut add = |name: String, amount: Amount| usage.insert(name, amount);
    let one = Amount::whole(1);
    add("count/persistentvolumeclaims".to_owned(), one);
    add("persistentvolumeclaims".to_owned(), one);
    let annotated = at(claim, "metadata.annotations")
        .and_then(|annotations| annotations.get("volume.beta.kubernetes.io/storage-class"))
        .and_then(Value::as_str);
    let class = annotated.unwrap_or_else(|| text(claim, "spec.storageClassName"));
    let storage = at(claim, "spec.resources.requests.storage").map(|value| Amount::read(value).rounded_up());
    if let Some(storage) = storage {
        add("requests.storage".to_owned(), storage);
    }
    if !class.is_empty() {
        add(format!("{class}{BY_CLASS}persistentvolumeclaims"), one);
        if let Some(storage) = storage {
            add(format!("{class}{BY_CLASS}requests.storage"), storage);
        }
    }
}

fn pod_usage(pod: &Fields, usage: &mut Amounts) {
    for (name, amount) in with_overhead(pod, Part::Requests) {
        match name.as_str() {
            "cpu" | "memory" | "ephemeral-storage" => {
                usage.insert(format!("requests.{name}"), amount);
                usage.insert(name, amount);
            }
            _ if name.starts_with("hugepages-") => {
                usage.insert(format!("requests.{name}"), amount);
                usage.insert(name, amount);
            }
            _ if name.contains('/') => {
                usage.insert(format!("requests.{name}"), amount);
            }
            _ => {}
        }
    }
    for (name, amount) in with_overhead(pod, Part::Limits) {
        if ["cpu", "memory", "ephemeral-storage"].contains(&name.as_str()) {
            usage.insert(format!("limits.{name}"), amount);
        }
    }
}

fn is_terminating(pod: &Fields) -> bool {
    at(pod, "spec.activeDeadlineSeconds").and_then(Value::as_i64).is_some_and(|seconds| seconds >= 0)
}

fn is_best_effort(pod: &Fields) -> bool {
    let mut all = containers(pod, "containers").chain(containers(pod, "initContainers"));
    all.all(|container| {
        [Part::Requests, Part::Limits].into_iter().all(|part| {
            let amounts = of_container(container, part);
            ["cpu", "memory"].iter().all(|name| amounts.get(*name).is_none_or(|amount| amount.is_zero()))
        })
    })
}

/// Whether a scope with an operator selects a class (empty: none).
fn selects(scope: &Value, class: &str) -> bool {
    let key = scope.get("scopeName").cloned().unwrap_or_default();
    let selector = serde_json::json!({
        "matchExpressions": [{"key": key, "operator": scope.get("operator"), "values": scope.get("values")}],
    });
    let label = |_: &str| (!class.is_empty()).then_some(class);
    LabelSelector::of_object(&selector).is_ok_and(|selector| selector.matches(label))
}

fn crosses_namespaces(pod: &Fields) -> bool {
    let crosses = |term: &Value| {
        let named = term.get("namespaces").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        named || term.get("namespaceSelector").is_some_and(|selector| !selector.is_null())
    };
    ["podAffinity", "podAntiAffinity"].iter().any(|kind| {
        let terms = |list: &str| {
            let terms = at(pod, &format!("spec.affinity.{kind}.{list}")).and_then(Value::as_array);
            terms.cloned().unwrap_or_default()
        };
        terms("requiredDuringSchedulingIgnoredDuringExecution").iter().any(crosses)
            || terms("preferredDuringSchedulingIgnoredDuringExecution")
                .iter()
                .any(|weighted| weighted.get("podAffinityTerm").is_some_and(crosses))
    })
}
