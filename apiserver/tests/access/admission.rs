//! What a namespace's settings do to what is created in it.

use http::Method;
use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use super::{Client, message};

const NAMESPACE: &str = "/api/v1/namespaces/default";

fn pod(name: &str, container: Value) -> Value {
    let mut container = container;
    container["name"] = "main".into();
    container["image"] = "app:1".into();
    json!({"metadata": {"name": name}, "spec": {"containers": [container]}})
}

async fn quota(client: &Client, name: &str, spec: Value, status: Value) {
    client
        .make(&format!("{NAMESPACE}/resourcequotas"), &json!({"metadata": {"name": name}, "spec": spec}))
        .await;
    let (code, answer) =
        client.patch(&format!("{NAMESPACE}/resourcequotas/{name}/status"), &json!({"status": status})).await;
    assert_eq!(code, 200, "{answer}");
}

#[tokio::test]
async fn a_limit_range_fills_in_and_refuses() {
    let client = Client::new(&ApiServer::new());
    let limits = json!([{
        "type": "Container",
        "default": {"cpu": "500m"},
        "defaultRequest": {"cpu": "100m", "memory": "64Mi"},
        "max": {"cpu": "1"},
        "maxLimitRequestRatio": {"cpu": "10"},
    }]);
    client
        .make(
            &format!("{NAMESPACE}/limitranges"),
            &json!({"metadata": {"name": "l"}, "spec": {"limits": limits}}),
        )
        .await;
    let made = client.make(&format!("{NAMESPACE}/pods"), &pod("a", json!({}))).await;
    assert_eq!(
        made["spec"]["containers"][0]["resources"],
        json!({"limits": {"cpu": "500m"}, "requests": {"cpu": "100m", "memory": "64Mi"}})
    );
    assert_eq!(made["status"]["qosClass"], "Burstable");
    assert_eq!(
        made["metadata"]["annotations"]["kubernetes.io/limit-ranger"],
        "LimitRanger plugin set: cpu, memory request for container main; cpu limit for container main"
    );
    let (code, answer) = client
        .post(&format!("{NAMESPACE}/pods"), &pod("b", json!({"resources": {"limits": {"cpu": "2"}}})))
        .await;
    assert_eq!(code, 403);
    assert_eq!(
        message(&answer),
        "pods \"b\" is forbidden: maximum cpu usage per Container is 1, but limit is 2"
    );
}

#[tokio::test]
async fn a_quota_counts_and_refuses_what_is_too_much() {
    let client = Client::new(&ApiServer::new());
    let hard = json!({"pods": "2", "requests.memory": "1Gi"});
    quota(
        &client,
        "q",
        json!({"hard": hard}),
        json!({"hard": hard, "used": {"pods": "0", "requests.memory": "0"}}),
    )
    .await;
    let with = |memory: &str| json!({"resources": {"requests": {"memory": memory}}});
    client.make(&format!("{NAMESPACE}/pods"), &pod("a", with("512Mi"))).await;
    client.post(&format!("{NAMESPACE}/pods?dryRun=All"), &pod("dry", with("1Mi"))).await;
    let (_, counted) = client.get(&format!("{NAMESPACE}/resourcequotas/q")).await;
    assert_eq!(counted["status"]["used"], json!({"pods": "1", "requests.memory": "512Mi"}));
    let (code, answer) = client.post(&format!("{NAMESPACE}/pods"), &pod("b", with("600Mi"))).await;
    assert_eq!(code, 403);
    assert_eq!(
        message(&answer),
        "pods \"b\" is forbidden: exceeded quota: q, requested: requests.memory=600Mi, used: requests.memory=512Mi, limited: \
         requests.memory=1Gi"
    );
}

#[tokio::test]
async fn a_quota_with_a_scope_counts_only_what_is_in_it() {
    let client = Client::new(&ApiServer::new());
    let hard = json!({"pods": "0"});
    let spec = json!({"hard": hard, "scopes": ["BestEffort"]});
    quota(&client, "q", spec, json!({"hard": hard, "used": {"pods": "0"}})).await;
    let (code, _) = client.post(&format!("{NAMESPACE}/pods"), &pod("a", json!({}))).await;
    assert_eq!(code, 403);
    let better = json!({"resources": {"requests": {"cpu": "1"}}});
    client.make(&format!("{NAMESPACE}/pods"), &pod("b", better)).await;
}

#[tokio::test]
async fn services_are_counted_by_their_type() {
    let client = Client::new(&ApiServer::new());
    let hard = json!({"services.nodeports": "1"});
    quota(&client, "q", json!({"hard": hard}), json!({"hard": hard, "used": {"services.nodeports": "0"}}))
        .await;
    let service = |name: &str, kind: &str| json!({"metadata": {"name": name}, "spec": {"type": kind, "ports": [{"port": 80}]}});
    client.make(&format!("{NAMESPACE}/services"), &service("a", "ClusterIP")).await;
    client.make(&format!("{NAMESPACE}/services"), &service("b", "NodePort")).await;
    let (code, answer) = client.post(&format!("{NAMESPACE}/services"), &service("c", "NodePort")).await;
    assert_eq!(code, 403, "{answer}");
}

#[tokio::test]
async fn a_pod_has_the_priority_of_its_class() {
    let client = Client::new(&ApiServer::new());
    let class = json!({"metadata": {"name": "usual"}, "value": 7, "globalDefault": true});
    client.make("/apis/scheduling.k8s.io/v1/priorityclasses", &class).await;
    let made = client.make(&format!("{NAMESPACE}/pods"), &pod("a", json!({}))).await;
    assert_eq!(made["spec"]["priority"], 7);
    assert_eq!(made["spec"]["priorityClassName"], "usual");
    let mut critical = pod("b", json!({}));
    critical["spec"]["priorityClassName"] = "system-node-critical".into();
    assert_eq!(client.make(&format!("{NAMESPACE}/pods"), &critical).await["spec"]["priority"], 2_000_001_000);
    let second = json!({"metadata": {"name": "other"}, "value": 8, "globalDefault": true});
    let (code, answer) = client.post("/apis/scheduling.k8s.io/v1/priorityclasses", &second).await;
    assert_eq!(code, 403);
    assert!(
        message(&answer)
            .ends_with("PriorityClass usual is already marked as default. Only one default can exist")
    );
}

#[tokio::test]
async fn a_stricter_level_is_enforced_and_told_of_pods_that_are_there() {
    let client = Client::new(&ApiServer::new());
    let root = json!({"securityContext": {"privileged": true, "capabilities": {"add": ["SYS_ADMIN"]}}});
    client.make(&format!("{NAMESPACE}/pods"), &pod("a", root.clone())).await;
    let labels = json!({"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "baseline"}}});
    let (code, _) = client.patch(NAMESPACE, &labels).await;
    assert_eq!(code, 200);
    let (code, answer) = client.post(&format!("{NAMESPACE}/pods"), &pod("b", root)).await;
    assert_eq!(code, 403);
    assert_eq!(
        message(&answer),
        "pods \"b\" is forbidden: violates PodSecurity \"baseline:latest\": non-default capabilities (container \"main\" must not \
         include \"SYS_ADMIN\" in securityContext.capabilities.add), privileged (container \"main\" must not set \
         securityContext.privileged=true)"
    );
}

#[tokio::test]
async fn claims_are_kept_as_long_as_they_are_used() {
    let client = Client::new(&ApiServer::new());
    let class = json!({
        "metadata": {"name": "fast", "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}},
        "provisioner": "example.com/fast",
    });
    client.make("/apis/storage.k8s.io/v1/storageclasses", &class).await;
    let claim = json!({
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
    });
    let made = client.make(&format!("{NAMESPACE}/persistentvolumeclaims"), &claim).await;
    assert_eq!(made["spec"]["storageClassName"], "fast");
    assert_eq!(made["metadata"]["finalizers"], json!(["kubernetes.io/pvc-protection"]));
}

#[tokio::test]
async fn what_only_a_node_could_answer_says_that_no_node_does() {
    let client = Client::new(&ApiServer::new());
    let mut placed = pod("a", json!({}));
    placed["spec"]["nodeName"] = "n1".into();
    client.make(&format!("{NAMESPACE}/pods"), &placed).await;
    let exec = format!("{NAMESPACE}/pods/a/exec?command=ls");
    let (code, answer) = client.send(Method::POST, &exec, None).await;
    assert_eq!((code, message(&answer)), (404, "pods \"n1\" not found"));
    client.make("/api/v1/nodes", &json!({"metadata": {"name": "n1"}})).await;
    let (code, answer) = client.send(Method::POST, &exec, None).await;
    assert_eq!((code, message(&answer)), (500, "no preferred addresses found; known addresses: []"));
    let (code, answer) = client.get(&format!("{NAMESPACE}/services/s/proxy/path/below")).await;
    assert_eq!((code, message(&answer)), (503, "no endpoints available for service \"s\""));
    let (code, _) = client.get("/api/v1/componentstatuses/etcd-0").await;
    assert_eq!(code, 200);
}

#[tokio::test]
async fn devices_are_counted_by_class_as_many_as_a_claim_may_get() {
    let client = Client::new(&ApiServer::new());
    let hard = json!({"count/resourceclaims.resource.k8s.io": "2", "gold.deviceclass.resource.k8s.io/devices": "40"});
    let none =
        json!({"count/resourceclaims.resource.k8s.io": "0", "gold.deviceclass.resource.k8s.io/devices": "0"});
    quota(&client, "q", json!({"hard": hard}), json!({"hard": hard, "used": none})).await;
    let claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
    let claim = |name: &str, requests: Value| json!({"metadata": {"name": name}, "spec": {"devices": {"requests": requests}}});
    let all = json!({"deviceClassName": "gold", "allocationMode": "All"});
    let some = json!({"name": "s", "deviceClassName": "gold", "allocationMode": "ExactCount", "count": 3});
    let other = json!({"name": "t", "deviceClassName": "silver", "allocationMode": "ExactCount", "count": 9});
    let one = json!({"name": "u", "deviceClassName": "gold"});
    let requests =
        json!([{"name": "a", "exactly": all}, {"name": "b", "firstAvailable": [some, other, one]}]);
    client.make(claims, &claim("a", requests)).await;
    let (_, counted) = client.get(&format!("{NAMESPACE}/resourcequotas/q")).await;
    let used = json!({"count/resourceclaims.resource.k8s.io": "1", "gold.deviceclass.resource.k8s.io/devices": "35"});
    assert_eq!(counted["status"]["used"], used);
    let request = json!([{"name": "a", "exactly": {"deviceClassName": "gold", "count": 6}}]);
    let (status, refused) = client.send(Method::POST, claims, Some(&claim("b", request))).await;
    assert_eq!(status, 403, "{refused}");
}
