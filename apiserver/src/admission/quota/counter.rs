//! `Counter`: how objects of a kind are counted.
//!
//! In: an object. Out: which limits are about it, and how much it uses of each. It knows no quotas.

use serde_json::Value;

use crate::{
    admission::{
        Attempt, Operation,
        amount::{Amount, Amounts, add},
        pod_resources::{Part, containers, is_finished, of_container, with_overhead},
    },
    protocol::{Fields, LabelSelector},
    registry::Resource,
    strategy::{at, text},
};

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

const DEVICE_CLAIMS: &str = "count/resourceclaims.resource.k8s.io";
const DEVICES_OF_CLASS: &str = ".deviceclass.resource.k8s.io/devices";
/// How many devices a request gets at most that asks for all.
const MOST_DEVICES: i64 = 32;

/// How a kind is counted.
pub(super) enum Counter {
    Pods,
    Services,
    Claims,
    /// Claims of devices.
    Devices,
    /// By number only.
    Objects(String),
}

impl Counter {
    pub(super) fn of(attempt: &Attempt<'_>) -> Self {
        Self::named(attempt.resource)
    }

    pub(super) fn named(resource: &Resource) -> Self {
        match (resource.group.as_str(), resource.plural.as_str()) {
            ("", "pods") => Self::Pods,
            ("", "services") => Self::Services,
            ("", "persistentvolumeclaims") => Self::Claims,
            ("resource.k8s.io", "resourceclaims") => Self::Devices,
            _ => Self::Objects(resource.name().to_string()),
        }
    }

    /// Whether a write of this kind changes any count.
    pub(super) fn counts(&self, attempt: &Attempt<'_>, object: &Fields) -> bool {
        let create = attempt.operation == Operation::Create;
        match (self, attempt.subresource) {
            (Self::Pods, "") => {
                create || attempt.old.is_some_and(|old| is_terminating(old) != is_terminating(object))
            }
            (Self::Pods, "resize") => !create,
            (Self::Services | Self::Claims | Self::Devices, "") => true,
            (Self::Objects(_), "") => create,
            _ => false,
        }
    }

    /// Whether a quota's limit of this name is about the kind.
    pub(super) fn measures(&self, name: &str) -> bool {
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
            Self::Devices => name == DEVICE_CLAIMS || name.ends_with(DEVICES_OF_CLASS),
            Self::Objects(plural) => {
                name.strip_prefix("count/") == Some(plural)
                    || (LEGACY.contains(&name) && name == plural.as_str())
            }
        }
    }

    pub(super) fn is_in(&self, scope: &Value, object: &Fields) -> bool {
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
    pub(super) fn unstated(&self, names: &[String], pod: &Fields) -> Option<String> {
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

    pub(super) fn usage(&self, object: &Fields) -> Amounts {
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
            Self::Devices => device_usage(object, &mut usage),
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

/// Devices are counted by their class, as many as a claim may get at most.
fn device_usage(claim: &Fields, usage: &mut Amounts) {
    usage.insert(DEVICE_CLAIMS.to_owned(), Amount::whole(1));
    let requests = at(claim, "spec.devices.requests").and_then(Value::as_array);
    for request in requests.into_iter().flatten() {
        let alternatives = request.get("firstAvailable").and_then(Value::as_array);
        // One device or several stand by themselves, in older versions in the request.
        let one = request.get("exactly").unwrap_or(request);
        let mut most = Amounts::new();
        for wish in alternatives.map_or(std::slice::from_ref(one), Vec::as_slice) {
            let Some(class) = wish.get("deviceClassName").and_then(Value::as_str) else { continue };
            let count = match wish.get("allocationMode").and_then(Value::as_str) {
                None | Some("ExactCount") => wish.get("count").and_then(Value::as_i64).unwrap_or(1),
                Some("All") => MOST_DEVICES,
                Some(_) => 0,
            };
            let amount = most.entry(format!("{class}{DEVICES_OF_CLASS}")).or_default();
            *amount = Amount::whole(count).max(*amount);
        }
        add(usage, &most);
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
