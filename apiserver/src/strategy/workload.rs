//! Pods and what is made of their templates: the values that are filled in where a client says nothing.

use serde_json::{Value, json};

use crate::protocol::{FieldError, Fields};

use super::{Strategy, at, child, text};

/// The strategy of deployments.
#[derive(Debug)]
pub(super) struct Deployments;

/// The strategy of replica sets and replication controllers.
#[derive(Debug)]
pub(super) struct ReplicaSets;

/// The strategy of stateful sets.
#[derive(Debug)]
pub(super) struct StatefulSets;

/// The strategy of daemon sets.
#[derive(Debug)]
pub(super) struct DaemonSets;

impl Strategy for Deployments {
    fn default(&self, object: &mut Fields) {
        let Some(spec) = child(object, "spec") else { return };
        fill(spec, "replicas", json!(1));
        fill(spec, "revisionHistoryLimit", json!(10));
        fill(spec, "progressDeadlineSeconds", json!(600));
        if let Some(strategy) = child(spec, "strategy") {
            fill(strategy, "type", json!("RollingUpdate"));
            if strategy.get("type") == Some(&json!("RollingUpdate"))
                && let Some(rolling) = child(strategy, "rollingUpdate")
            {
                fill(rolling, "maxUnavailable", json!("25%"));
                fill(rolling, "maxSurge", json!("25%"));
            }
        }
        template(spec);
    }

    fn validate(&self, object: &Fields) -> Vec<FieldError> {
        let mut errors =
            not_negative(object, &["spec.replicas", "spec.minReadySeconds", "spec.revisionHistoryLimit"]);
        if text(object, "spec.strategy.type") == "Recreate"
            && at(object, "spec.strategy.rollingUpdate").is_some()
        {
            let why = "may not be specified when strategy `type` is 'Recreate'";
            errors.push(FieldError::forbidden("spec.strategy.rollingUpdate", why));
        }
        errors.extend(volumes(object));
        errors.extend(counts(object));
        errors
    }

    fn validate_update(&self, object: &Fields, old: &Fields) -> Vec<FieldError> {
        kept(object, old, "spec.selector")
    }
}

/// A volume has one source.
fn volumes(object: &Fields) -> Vec<FieldError> {
    let mut errors = Vec::new();
    let volumes = at(object, "spec.template.spec.volumes").and_then(Value::as_array);
    for (index, volume) in volumes.into_iter().flatten().enumerate() {
        // A real server looks for sources in the order of its type, where those with a path come first.
        let order = |name: &str| if name == "emptyDir" { 0 } else { 1 };
        let members = volume.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let mut sources: Vec<&str> = members.filter(|name| *name != "name").collect();
        sources.sort_by_key(|name| order(name));
        for source in sources.iter().skip(1) {
            errors.push(FieldError::forbidden(
                format!("spec.template.spec.volumes[{index}].{source}"),
                "may not specify more than 1 volume type",
            ));
        }
    }
    errors
}

/// Of the replicas that there are, no more can be up to date, ready or available.
fn counts(object: &Fields) -> Vec<FieldError> {
    let number =
        |name: &str| at(object, &format!("status.{name}")).and_then(Value::as_i64).unwrap_or_default();
    let mut errors = Vec::new();
    for (name, most) in [
        ("updatedReplicas", "replicas"),
        ("readyReplicas", "replicas"),
        ("availableReplicas", "replicas"),
        ("availableReplicas", "readyReplicas"),
    ] {
        if number(name) > number(most) {
            let why =
                format!("cannot be greater than {}{most}", if most == "replicas" { "status." } else { "" });
            errors.push(FieldError::invalid(format!("status.{name}"), &number(name).into(), why));
        }
    }
    errors
}

impl Strategy for ReplicaSets {
    fn default(&self, object: &mut Fields) {
        if let Some(spec) = child(object, "spec") {
            fill(spec, "replicas", json!(1));
            template(spec);
        }
    }

    fn validate(&self, object: &Fields) -> Vec<FieldError> {
        not_negative(object, &["spec.replicas", "spec.minReadySeconds"])
    }
}

impl Strategy for StatefulSets {
    fn default(&self, object: &mut Fields) {
        let Some(spec) = child(object, "spec") else { return };
        fill(spec, "podManagementPolicy", json!("OrderedReady"));
        fill(spec, "replicas", json!(1));
        fill(spec, "revisionHistoryLimit", json!(10));
        fill(
            spec,
            "persistentVolumeClaimRetentionPolicy",
            json!({"whenDeleted": "Retain", "whenScaled": "Retain"}),
        );
        if let Some(strategy) = child(spec, "updateStrategy") {
            fill(strategy, "type", json!("RollingUpdate"));
            if strategy.get("type") == Some(&json!("RollingUpdate"))
                && let Some(rolling) = child(strategy, "rollingUpdate")
            {
                fill(rolling, "partition", json!(0));
            }
        }
        template(spec);
    }

    fn validate(&self, object: &Fields) -> Vec<FieldError> {
        not_negative(object, &["spec.replicas"])
    }
}

impl Strategy for DaemonSets {
    fn default(&self, object: &mut Fields) {
        let Some(spec) = child(object, "spec") else { return };
        fill(spec, "revisionHistoryLimit", json!(10));
        if let Some(strategy) = child(spec, "updateStrategy") {
            fill(strategy, "type", json!("RollingUpdate"));
            if strategy.get("type") == Some(&json!("RollingUpdate"))
                && let Some(rolling) = child(strategy, "rollingUpdate")
            {
                fill(rolling, "maxUnavailable", json!(1));
                fill(rolling, "maxSurge", json!(0));
            }
        }
        template(spec);
    }

    fn validate_update(&self, object: &Fields, old: &Fields) -> Vec<FieldError> {
        kept(object, old, "spec.selector")
    }
}

fn not_negative(object: &Fields, paths: &[&str]) -> Vec<FieldError> {
    let broken = paths.iter().filter_map(|path| {
        let number = at(object, path)?.as_i64().filter(|number| *number < 0)?;
        let why = "must be greater than or equal to 0";
        Some(FieldError::invalid(*path, &number.into(), why))
    });
    broken.collect()
}

fn kept(object: &Fields, old: &Fields, path: &str) -> Vec<FieldError> {
    let (new, old) = (at(object, path), at(old, path));
    if new == old {
        return Vec::new();
    }
    let value = new.cloned().unwrap_or_default();
    vec![FieldError::invalid(path, &value, "field is immutable")]
}

/// Sets a member that is not there.
pub(super) fn fill(members: &mut Fields, name: &str, value: Value) {
    if !members.contains_key(name) {
        members.insert(name.to_owned(), value);
    }
}

fn template(spec: &mut Fields) {
    let pod = spec.get_mut("template").and_then(|template| template.get_mut("spec"));
    if let Some(pod) = pod.and_then(Value::as_object_mut) {
        pod_spec(pod);
    }
}

/// Fills in what a pod's spec leaves open.
pub(super) fn pod_spec(spec: &mut Fields) {
    fill(spec, "restartPolicy", json!("Always"));
    fill(spec, "dnsPolicy", json!("ClusterFirst"));
    fill(spec, "schedulerName", json!("default-scheduler"));
    fill(spec, "securityContext", json!({}));
    fill(spec, "terminationGracePeriodSeconds", json!(30));
    for list in ["initContainers", "containers", "ephemeralContainers"] {
        let containers = spec.get_mut(list).and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten().filter_map(Value::as_object_mut) {
            self::container(container);
        }
    }
    let volumes = spec.get_mut("volumes").and_then(Value::as_array_mut);
    for volume in volumes.into_iter().flatten().filter_map(Value::as_object_mut) {
        self::volume(volume);
    }
}

fn container(container: &mut Fields) {
    fill(container, "terminationMessagePath", json!("/dev/termination-log"));
    fill(container, "terminationMessagePolicy", json!("File"));
    let image = container.get("image").and_then(Value::as_str).unwrap_or_default();
    let name = image.rsplit('/').next().unwrap_or_default();
    let latest = !name.contains('@') && name.split_once(':').is_none_or(|(_, tag)| tag == "latest");
    let policy = if latest { "Always" } else { "IfNotPresent" };
    fill(container, "imagePullPolicy", json!(policy));
    let ports = container.get_mut("ports").and_then(Value::as_array_mut);
    for port in ports.into_iter().flatten().filter_map(Value::as_object_mut) {
        fill(port, "protocol", json!("TCP"));
    }
    for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(probe) = container.get_mut(probe).and_then(Value::as_object_mut) {
            self::probe(probe);
        }
    }
    let resources = container.get_mut("resources").and_then(Value::as_object_mut);
    if let Some(resources) = resources
        && let Some(Value::Object(limits)) = resources.get("limits").cloned()
        && let Some(requests) = child(resources, "requests")
    {
        for (name, amount) in limits {
            fill(requests, &name, amount);
        }
    }
}

fn probe(probe: &mut Fields) {
    fill(probe, "timeoutSeconds", json!(1));
    fill(probe, "periodSeconds", json!(10));
    fill(probe, "successThreshold", json!(1));
    fill(probe, "failureThreshold", json!(3));
    if let Some(get) = probe.get_mut("httpGet").and_then(Value::as_object_mut) {
        fill(get, "path", json!("/"));
        fill(get, "scheme", json!("HTTP"));
    }
}

fn volume(volume: &mut Fields) {
    for (source, mode) in [("secret", 420), ("configMap", 420), ("projected", 420), ("downwardAPI", 420)] {
        if let Some(source) = volume.get_mut(source).and_then(Value::as_object_mut) {
            fill(source, "defaultMode", json!(mode));
        }
    }
    if let Some(host) = volume.get_mut("hostPath").and_then(Value::as_object_mut) {
        fill(host, "type", json!(""));
    }
}
