//! The smaller groups.

use serde_json::{Value, json};

use super::{Object, existing, has, items, number, object, set as put, set_absent, text};

const RBAC: &str = "rbac.authorization.k8s.io";

pub(super) fn set(package: &str, kind: &str, members: &mut Object) {
    match (package, kind) {
        ("autoscaling.v1" | "autoscaling.v2", "HorizontalPodAutoscalerSpec") => autoscaler(package, members),
        ("networking.v1", "NetworkPolicySpec") => network_policy(members),
        ("networking.v1", "IngressClassParametersReference") => set_absent(members, "scope", "Cluster"),
        ("networking.v1", "NetworkPolicyPort") => set_absent(members, "protocol", "TCP"),
        ("rbac.v1", "RoleRef") => put(members, "apiGroup", RBAC),
        ("rbac.v1", "Subject") if text(members, "kind") != "ServiceAccount" => put(members, "apiGroup", RBAC),
        ("storage.v1", "StorageClass") => {
            set_absent(members, "reclaimPolicy", "Delete");
            set_absent(members, "volumeBindingMode", "Immediate");
        }
        ("storage.v1", "CSIDriverSpec") => csi_driver(members),
        ("discovery.v1", "EndpointSlice") => items(members, "ports").for_each(endpoint_port),
        ("scheduling.v1", "PriorityClass") => {
            set_absent(members, "preemptionPolicy", "PreemptLowerPriority");
        }
        ("resource.v1", "ExactDeviceRequest" | "DeviceSubRequest") => device_request(members),
        ("flowcontrol.v1", _) => flow(kind, members),
        ("certificates.v1", "CertificateSigningRequestCondition") => put(members, "status", "True"),
        _ => {}
    }
}

fn autoscaler(package: &str, members: &mut Object) {
    put(members, "minReplicas", 1);
    if package == "autoscaling.v1" {
        put(members, "targetCPUUtilizationPercentage", 80);
    } else {
        if let Some(behavior) = existing(members, "behavior") {
            scaling_rules(behavior);
        }
        let average = json!([{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}]);
        put(members, "metrics", average);
    }
}

fn scaling_rules(behavior: &mut Object) {
    if let Some(up) = object(behavior, "scaleUp") {
        put(up, "stabilizationWindowSeconds", 0);
        set_absent(up, "selectPolicy", "Max");
        put(
            up,
            "policies",
            json!([{"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}]),
        );
    }
    if let Some(down) = object(behavior, "scaleDown") {
        set_absent(down, "selectPolicy", "Max");
        put(down, "policies", json!([{"type": "Percent", "value": 100, "periodSeconds": 15}]));
    }
}

fn flow(kind: &str, members: &mut Object) {
    let mut unless_zero = |name: &str, value: i64| {
        if number(members, name) == 0 {
            members.insert(name.into(), value.into());
        }
    };
    match kind {
        "FlowSchemaSpec" => unless_zero("matchingPrecedence", 1000),
        "QueuingConfiguration" => {
            for (name, value) in [("handSize", 8), ("queues", 64), ("queueLengthLimit", 50)] {
                unless_zero(name, value);
            }
        }
        "ExemptPriorityLevelConfiguration" => {
            set_absent(members, "nominalConcurrencyShares", 0);
            set_absent(members, "lendablePercent", 0);
        }
        "LimitedPriorityLevelConfiguration" => {
            set_absent(members, "nominalConcurrencyShares", 30);
            set_absent(members, "lendablePercent", 0);
        }
        _ => {}
    }
}

fn network_policy(members: &mut Object) {
    let egress = members.get("egress").and_then(Value::as_array).is_some_and(|rules| !rules.is_empty());
    let types = if egress { json!(["Ingress", "Egress"]) } else { json!(["Ingress"]) };
    put(members, "policyTypes", types);
}

fn csi_driver(members: &mut Object) {
    put(members, "attachRequired", true);
    put(members, "podInfoOnMount", false);
    put(members, "preventPodSchedulingIfMissing", false);
    put(members, "storageCapacity", false);
    set_absent(members, "fsGroupPolicy", "ReadWriteOnceWithFSType");
    put(members, "requiresRepublish", false);
    put(members, "volumeLifecycleModes", json!(["Persistent"]));
    put(members, "seLinuxMount", false);
}

fn device_request(members: &mut Object) {
    put(members, "allocationMode", "ExactCount");
    if text(members, "allocationMode") == "ExactCount" && number(members, "count") == 0 {
        members.insert("count".into(), 1.into());
    }
}

fn endpoint_port(port: &mut Object) {
    if !has(port, "name") {
        port.insert("name".into(), "".into());
    }
    set_absent(port, "protocol", "TCP");
}
