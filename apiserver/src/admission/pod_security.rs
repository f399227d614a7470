//! Pod security: the levels that labels of a namespace ask of its pods.
//!
//! In: the labels of a namespace, and a pod or what makes pods. Out: a refusal where the level is enforced, a warning where it is told.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    protocol::{FieldError, Fields, Status, quoted},
    strategy::{at, text},
};

use super::{
    Attempt, Cluster, Operation,
    security_checks::{Level, breaches},
};

const PREFIX: &str = "pod-security.kubernetes.io/";

/// A level, and the version of Kubernetes that says what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Policy {
    level: Level,
    version: String,
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let level = match self.level {
            Level::Privileged => "privileged",
            Level::Baseline => "baseline",
            Level::Restricted => "restricted",
        };
        write!(f, "{level}:{}", self.version)
    }
}

/// Refuses what breaks the enforced level; warns of what breaks the other.
pub(super) fn validate(
    attempt: &Attempt<'_>,
    cluster: &Cluster<'_>,
    object: &Fields,
) -> Result<Vec<String>, Status> {
    if attempt.is_core("namespaces") && attempt.subresource.is_empty() {
        return namespace(attempt, cluster, object);
    }
    if !["", "ephemeralcontainers"].contains(&attempt.subresource) || attempt.namespace.is_empty() {
        return Ok(Vec::new());
    }
    let labels: BTreeMap<String, String> = cluster
        .labels("namespaces", attempt.namespace)
        .filter(|(label, _)| label.starts_with(PREFIX))
        .collect();
    if labels.is_empty() {
        return Ok(Vec::new());
    }
    let Some(pod) = pod_of(attempt, object) else { return Ok(Vec::new()) };
    let enforces = attempt.is_core("pods");
    if enforces && attempt.old.is_some_and(|old| !matters(old, object)) {
        return Ok(Vec::new());
    }
    let enforced = policy(&labels, "enforce");
    if enforces && let Some(details) = breaches(enforced.level, &pod) {
        let policy = quoted(&enforced.to_string());
        return Err(attempt.forbidden(&format!("violates PodSecurity {policy}: {details}")));
    }
    let told = policy(&labels, "warn");
    let warning = breaches(told.level, &pod);
    Ok(warning
        .map(|details| format!("would violate PodSecurity {}: {details}", quoted(&told.to_string())))
        .into_iter()
        .collect())
}

/// Checks the labels of a namespace, and its pods against a stricter level.
fn namespace(attempt: &Attempt<'_>, cluster: &Cluster<'_>, object: &Fields) -> Result<Vec<String>, Status> {
    let new = labels(object);
    let errors = label_errors(&new);
    let old = attempt.old.map(labels).unwrap_or_default();
    if !errors.is_empty() && (attempt.operation == Operation::Create || errors != label_errors(&old)) {
        return Err(Status::invalid(attempt.resource.kind_name(), attempt.name, &errors));
    }
    let (before, after) = (policy(&old, "enforce"), policy(&new, "enforce"));
    let looser = after.level <= before.level && after.version == before.version;
    if attempt.operation == Operation::Create || after.level == Level::Privileged || looser {
        return Ok(Vec::new());
    }
    let name = text(object, "metadata.name");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for pod in cluster.list("", "pods", name) {
        if let Some(details) = breaches(after.level, &pod) {
            let reasons: Vec<&str> = reasons(&details).collect();
            found.entry(reasons.join(", ")).or_default().push(text(&pod, "metadata.name").to_owned());
        }
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let mut warnings: Vec<String> = found
        .into_iter()
        .map(|(reasons, pods)| {
            let first = pods.first().map(String::as_str).unwrap_or_default();
            match pods.len() {
                1 => format!("{first}: {reasons}"),
                2 => format!("{first} (and 1 other pod): {reasons}"),
                many => format!("{first} (and {} other pods): {reasons}", many - 1),
            }
        })
        .collect();
    warnings.sort();
    let head = format!(
        "existing pods in namespace {} violate the new PodSecurity enforce level {}",
        quoted(name),
        quoted(&after.to_string())
    );
    warnings.insert(0, head);
    Ok(warnings)
}

/// The reasons alone, without what stands in brackets after them.
fn reasons(details: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let parts = details.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.split(" (").next().unwrap_or(part).trim())
}

fn labels(object: &Fields) -> BTreeMap<String, String> {
    let labels = at(object, "metadata.labels").and_then(Value::as_object).into_iter().flatten();
    labels.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned())).collect()
}

fn policy(labels: &BTreeMap<String, String>, mode: &str) -> Policy {
    let label = |name: &str| labels.get(&format!("{PREFIX}{name}")).map(String::as_str).unwrap_or_default();
    let level = match label(mode) {
        "" | "privileged" => Level::Privileged,
        "baseline" => Level::Baseline,
        // What nobody understands is taken for the strictest where it is enforced.
        "restricted" => Level::Restricted,
        _ if mode == "enforce" => Level::Restricted,
        _ => Level::Privileged,
    };
    let version = label(&format!("{mode}-version"));
    let version = if is_version(version) { version } else { "latest" };
    Policy { level, version: version.to_owned() }
}

fn is_version(text: &str) -> bool {
    let minor = text.strip_prefix("v1.").unwrap_or_default();
    text == "latest"
        || (minor == "0" || (!minor.starts_with('0') && !minor.is_empty()))
            && minor.bytes().all(|byte| byte.is_ascii_digit())
}

fn label_errors(labels: &BTreeMap<String, String>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    for mode in ["enforce", "audit", "warn"] {
        let field = |label: &str| format!("metadata.labels[{label}]");
        let label = format!("{PREFIX}{mode}");
        if let Some(level) = labels.get(&label)
            && !["privileged", "baseline", "restricted"].contains(&level.as_str())
        {
            let why = "must be one of privileged, baseline, restricted";
            errors.push(FieldError::invalid_text(field(&label), level, why));
        }
        let label = format!("{PREFIX}{mode}-version");
        if let Some(version) = labels.get(&label).filter(|version| !is_version(version)) {
            let why = "must be \"latest\" or \"v1.x\"";
            errors.push(FieldError::invalid_text(field(&label), version, why));
        }
    }
    errors
}

/// The pod that an object is, or makes.
fn pod_of(attempt: &Attempt<'_>, object: &Fields) -> Option<Fields> {
    let resource = attempt.resource;
    let path = match (resource.group.as_str(), resource.plural.as_str()) {
        ("", "pods") => return Some(object.clone()),
        ("", "podtemplates") => "template",
        ("", "replicationcontrollers")
        | ("apps", "deployments" | "daemonsets" | "replicasets" | "statefulsets")
        | ("batch", "jobs") => "spec.template",
        ("batch", "cronjobs") => "spec.jobTemplate.spec.template",
        _ => return None,
    };
    at(object, path).and_then(Value::as_object).cloned()
}

/// Whether an update of a pod changes what the checks look at.
fn matters(old: &Fields, new: &Fields) -> bool {
    let profiles = |pod: &Fields| -> Vec<(String, Value)> {
        let annotations = at(pod, "metadata.annotations").and_then(Value::as_object).into_iter().flatten();
        let wanted = |name: &str| name.contains("apparmor.security") || name.contains("seccomp.security");
        annotations
            .filter(|(name, _)| wanted(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    };
    at(old, "spec") != at(new, "spec") || profiles(old) != profiles(new)
}
