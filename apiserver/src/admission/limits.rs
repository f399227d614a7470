//! Limit ranges: defaults for containers, and bounds for containers, pods and claims.
//!
//! In: the limit ranges of a namespace, and a pod or claim for it. Out: the pod with defaults, or the refusal.

use serde_json::{Value, json};

use crate::{
    protocol::{Fields, Status},
    strategy::{at, child, text},
};

use super::{
    Attempt, Cluster, Operation,
    amount::{Amount, Amounts, amounts},
    pod_resources::{Part, containers, of_container, of_pod},
};

const ANNOTATION: &str = "kubernetes.io/limit-ranger";

/// Gives containers the requests and limits that they leave open.
pub(super) fn mutate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &mut Fields) {
    let pod = attempt.is_core("pods") && attempt.operation == Operation::Create;
    if !pod || !attempt.subresource.is_empty() {
        return;
    }
    for range in cluster.list("", "limitranges", attempt.namespace) {
        let (mut requests, mut limits) = (Vec::new(), Vec::new());
        for limit in items(&range).filter(|limit| is_for(limit, "Container")) {
            requests.extend(members(limit, "defaultRequest"));
            limits.extend(members(limit, "default"));
        }
        let mut told = Vec::new();
        for (list, title) in [("containers", "container"), ("initContainers", "init container")] {
            let containers = child(object, "spec").and_then(|spec| spec.get_mut(list)?.as_array_mut());
            for container in containers.into_iter().flatten().filter_map(Value::as_object_mut) {
                let name = text(container, "name").to_owned();
                let set_limits = fill(container, "limits", &limits);
                let set_requests = fill(container, "requests", &requests);
                for (names, what) in [(set_requests, "request"), (set_limits, "limit")] {
                    if !names.is_empty() {
                        told.push(format!("{} {what} for {title} {name}", names.join(", ")));
                    }
                }
            }
        }
        if !told.is_empty()
            && let Some(meta) = child(object, "metadata")
            && let Some(annotations) = child(meta, "annotations")
        {
            let text = format!("LimitRanger plugin set: {}", told.join("; "));
            annotations.insert(ANNOTATION.to_owned(), text.into());
        }
    }
}

/// Puts defaults where a container has nothing; says which.
fn fill(container: &mut Fields, part: &str, defaults: &[(String, Value)]) -> Vec<String> {
    if defaults.is_empty() {
        return Vec::new();
    }
    let mut set = Vec::new();
    let there = child(container, "resources").and_then(|resources| child(resources, part));
    if let Some(there) = there {
        for (name, value) in defaults {
            if !there.contains_key(name) {
                there.insert(name.clone(), value.clone());
                set.push(name.clone());
            }
        }
    }
    set.sort();
    set
}

/// Checks a pod or claim against the bounds.
pub(super) fn validate(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<(), Status> {
    let (pod, claim) = (attempt.is_core("pods"), attempt.is_core("persistentvolumeclaims"));
    let resizes = pod && attempt.subresource == "resize";
    let applies = match attempt.subresource {
        "" => claim || (pod && attempt.operation == Operation::Create),
        _ => resizes,
    };
    let leaves = attempt.old.is_some_and(|old| at(old, "metadata.deletionTimestamp").is_some());
    if !applies || leaves {
        return Ok(());
    }
    for range in cluster.list("", "limitranges", attempt.namespace) {
        let errors: Vec<String> = items(&range)
            .flat_map(|limit| if claim { claim_errors(limit, object) } else { pod_errors(limit, object) })
            .collect();
        match errors.as_slice() {
            [] => {}
            [one] => return Err(attempt.forbidden(one)),
            many => {
                let mut told: Vec<&String> = Vec::new();
                many.iter().for_each(|error| {
                    if !told.contains(&error) {
                        told.push(error);
                    }
                });
                let told: Vec<&str> = told.into_iter().map(String::as_str).collect();
                let text = match told.as_slice() {
                    [one] => (*one).to_owned(),
                    many => format!("[{}]", many.join(", ")),
                };
                return Err(attempt.forbidden(&text));
            }
        }
    }
    Ok(())
}

fn claim_errors(limit: &Value, claim: &Fields) -> Vec<String> {
    const KIND: &str = "PersistentVolumeClaim";
    if !is_for(limit, KIND) {
        return Vec::new();
    }
    let bounded = Bounded {
        kind: KIND,
        requests: amounts(at(claim, "spec.resources.requests")),
        limits: Amounts::new(),
    };
    let mut errors = Vec::new();
    errors.extend(amounts(limit.get("min")).iter().filter_map(|(name, bound)| bounded.below(name, *bound)));
    for (name, bound) in amounts(limit.get("max")) {
        let start = format!("maximum {name} usage per {KIND} is {bound}");
        match bounded.requests.get(&name) {
            None => errors.push(format!("{start}.  No request is specified")),
            Some(request) if *request > bound => errors.push(format!("{start}, but request is {request}")),
            Some(_) => {}
        }
    }
    errors
}

fn pod_errors(limit: &Value, pod: &Fields) -> Vec<String> {
    if is_for(limit, "Container") {
        let all = containers(pod, "containers").chain(containers(pod, "initContainers"));
        return all
            .flat_map(|container| {
                let part = |part| of_container(container, part);
                Bounded { kind: "Container", requests: part(Part::Requests), limits: part(Part::Limits) }
                    .errors(limit)
            })
            .collect();
    }
    if is_for(limit, "Pod") {
        let part = |part| of_pod(pod, part);
        return Bounded { kind: "Pod", requests: part(Part::Requests), limits: part(Part::Limits) }
            .errors(limit);
    }
    Vec::new()
}

/// What is held against bounds.
struct Bounded {
    kind: &'static str,
    requests: Amounts,
    limits: Amounts,
}

impl Bounded {
    fn errors(&self, limit: &Value) -> Vec<String> {
        let bounds = |name: &str| amounts(limit.get(name));
        let mut errors: Vec<String> = Vec::new();
        errors.extend(bounds("min").iter().filter_map(|(name, bound)| self.below(name, *bound)));
        errors.extend(bounds("max").iter().filter_map(|(name, bound)| self.above(name, *bound)));
        let ratios = bounds("maxLimitRequestRatio");
        errors.extend(ratios.iter().filter_map(|(name, bound)| self.apart(name, *bound)));
        errors
    }

    fn below(&self, name: &str, bound: Amount) -> Option<String> {
        let start = format!("minimum {name} usage per {} is {bound}", self.kind);
        match (self.requests.get(name), self.limits.get(name)) {
            (None, _) => Some(format!("{start}.  No request is specified")),
            (Some(request), _) if *request < bound => Some(format!("{start}, but request is {request}")),
            (_, Some(limit)) if *limit < bound => Some(format!("{start}, but limit is {limit}")),
            _ => None,
        }
    }

    fn above(&self, name: &str, bound: Amount) -> Option<String> {
        let start = format!("maximum {name} usage per {} is {bound}", self.kind);
        match (self.limits.get(name), self.requests.get(name)) {
            (None, _) => Some(format!("{start}.  No limit is specified")),
            (Some(limit), _) if *limit > bound => Some(format!("{start}, but limit is {limit}")),
            (_, Some(request)) if *request > bound => Some(format!("{start}, but request is {request}")),
            _ => None,
        }
    }

    /// Whether limit and request are too far apart.
    fn apart(&self, name: &str, bound: Amount) -> Option<String> {
        let start = format!("{name} max limit to request ratio per {} is {bound}", self.kind);
        let there = |amounts: &Amounts| amounts.get(name).copied().filter(|amount| !amount.is_zero());
        let Some(request) = there(&self.requests) else {
            return Some(format!("{start}, but no request is specified or request is 0"));
        };
        let Some(limit) = there(&self.limits) else {
            return Some(format!("{start}, but no limit is specified or limit is 0"));
        };
        let ratio = limit.ratio(request);
        (ratio > bound.ratio(Amount::whole(1))).then(|| format!("{start}, but provided ratio is {ratio:.6}"))
    }
}

fn items(range: &Fields) -> impl Iterator<Item = &Value> {
    at(range, "spec.limits").and_then(Value::as_array).into_iter().flatten()
}

fn is_for(limit: &Value, kind: &str) -> bool {
    limit.get("type") == Some(&json!(kind))
}

fn members(limit: &Value, name: &str) -> Vec<(String, Value)> {
    let members = limit.get(name).and_then(Value::as_object).into_iter().flatten();
    members.map(|(name, value)| (name.clone(), value.clone())).collect()
}
