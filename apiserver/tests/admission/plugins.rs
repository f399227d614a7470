//! What admission does by itself, without being configured: the plugins that a real server has by default.

use http::Method;
use kube_codegen_apiserver::{ApiServer, Controllers};
use serde_json::{Value, json};

use crate::Client;

const PODS: &str = "/api/v1/namespaces/default/pods";
const CLAIMS: &str = "/api/v1/namespaces/default/persistentvolumeclaims";
const SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
const FLOW: &str = "/apis/flowcontrol.apiserver.k8s.io/v1";

/// A request for a certificate whose subject is in the group `system:masters`.
const MASTERS: &str = concat!(
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZ01JR0hBZ0VBTUNVeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRw",
    "dFlYTjBaWEp6TVFvd0NBWURWUVFEREFGNApNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVEVlJGZ1E2SFVIeDRx",
    "T05FbU1wdkovekREWDFjCjQzdWt5SE8wTlI1ci9kREpyUTZuaWpKK0RhS3dkaENrTXNNWk02SUlXNno3NGQ3Nm1lSjhsTXBDQ3FB",
    "QU1Bb0cKQ0NxR1NNNDlCQU1DQTBnQU1FVUNJUURjdU11Q3BYdS9majNHYmZIQVFTWnBQV3ZhbTRjZDk2UFJTUlNiSS9YRAo0d0ln",
    "V1NXQUVOM0RpdGpHWVF5YW1WTnpKbUpYZjhNMitvblV5SEUzMyt4M3hwdz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0t",
    "LS0tCg==",
);

fn pod(name: &str, mut spec: Value) -> Value {
    spec["containers"] = json!([{"name": "c", "image": "i"}]);
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec})
}

async fn patch(client: &Client, path: &str, change: Value) -> (u16, Value) {
    let answer = client.send(Method::PATCH, path, &change).await;
    (answer.code, answer.body)
}

async fn get(client: &Client, path: &str) -> Value {
    client.send(Method::GET, path, &Value::Null).await.body
}

#[tokio::test]
async fn a_pod_gets_what_its_runtime_class_says() {
    let client = Client::new();
    let class = json!({
        "metadata": {"name": "slow"},
        "handler": "h",
        "overhead": {"podFixed": {"cpu": "100m"}},
        "scheduling": {
            "nodeSelector": {"x": "y"},
            "tolerations": [{"key": "k", "operator": "Exists", "effect": "NoSchedule"}],
        },
    });
    client.make("/apis/node.k8s.io/v1/runtimeclasses", &class).await;
    let made = client.make(PODS, &pod("a", json!({"runtimeClassName": "slow"}))).await;
    assert_eq!(made["spec"]["overhead"], json!({"cpu": "100m"}));
    assert_eq!(made["spec"]["nodeSelector"], json!({"x": "y"}));
    let keys = made["spec"]["tolerations"].as_array().unwrap().iter().map(|one| one["key"].clone());
    let wanted = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "k"];
    assert_eq!(keys.collect::<Vec<_>>(), wanted);
    let refused = [
        (json!({"runtimeClassName": "none"}), "pod rejected: RuntimeClass \"none\" not found"),
        (
            json!({"runtimeClassName": "slow", "nodeSelector": {"x": "z"}}),
            "conflict: runtimeClass.scheduling.nodeSelector[x] = y; pod.spec.nodeSelector[x] = z",
        ),
        (
            json!({"runtimeClassName": "slow", "overhead": {"cpu": "1"}}),
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        ),
        (
            json!({"overhead": {"cpu": "1"}}),
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
        ),
    ];
    for (spec, why) in refused {
        let answer = client.post(PODS, &pod("b", spec)).await;
        assert_eq!((answer.code, answer.message()), (403, &*format!("pods \"b\" is forbidden: {why}")));
    }
}

#[tokio::test]
async fn a_claim_grows_where_its_class_lets_it() {
    let client = Client::new();
    for (name, grows) in [("rubber", true), ("stone", false)] {
        let class = json!({"metadata": {"name": name}, "provisioner": "p", "allowVolumeExpansion": grows});
        client.make("/apis/storage.k8s.io/v1/storageclasses", &class).await;
        let claim = json!({
            "metadata": {"name": name},
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": name,
                "resources": {"requests": {"storage": "1Gi"}},
            },
        });
        client.make(CLAIMS, &claim).await;
        let path = format!("{CLAIMS}/{name}");
        let status = json!({"status": {"phase": "Bound", "capacity": {"storage": "1Gi"}}});
        assert_eq!(patch(&client, &format!("{path}/status"), status).await.0, 200);
        let larger = json!({"spec": {"resources": {"requests": {"storage": "2Gi"}}}});
        let (code, body) = patch(&client, &path, larger).await;
        assert_eq!(code, if grows { 200 } else { 403 }, "{body}");
    }
}

#[tokio::test]
async fn a_pod_is_labelled_with_the_place_of_its_node() {
    let client = Client::new();
    let labels = json!({"topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r", "o": "p"});
    client.make("/api/v1/nodes", &json!({"metadata": {"name": "n", "labels": labels}})).await;
    let made = client.make(PODS, &pod("a", json!({"nodeName": "n"}))).await;
    let wanted = json!({"topology.kubernetes.io/zone": "z", "topology.kubernetes.io/region": "r"});
    assert_eq!(made["metadata"]["labels"], wanted);
    client.make(PODS, &pod("b", json!({}))).await;
    let binding = json!({"metadata": {"name": "b"}, "target": {"kind": "Node", "name": "n"}});
    client.make(&format!("{PODS}/b/binding"), &binding).await;
    assert_eq!(get(&client, &format!("{PODS}/b")).await["metadata"]["labels"], wanted);
}

#[tokio::test]
async fn a_flow_schema_says_whether_its_level_is_there() {
    let client = Client::new();
    let schema = json!({
        "metadata": {"name": "s"},
        "spec": {"priorityLevelConfiguration": {"name": "p"}, "matchingPrecedence": 500},
    });
    client.make(&format!("{FLOW}/flowschemas"), &schema).await;
    let path = format!("{FLOW}/flowschemas/s");
    let condition = async || get(&client, &path).await["status"]["conditions"][0].clone();
    let missing = condition().await;
    assert_eq!((&missing["type"], &missing["status"]), (&json!("Dangling"), &json!("True")));
    let limited = json!({"nominalConcurrencyShares": 1, "limitResponse": {"type": "Reject"}});
    let level = json!({"metadata": {"name": "p"}, "spec": {"type": "Limited", "limited": limited}});
    client.make(&format!("{FLOW}/prioritylevelconfigurations"), &level).await;
    let found = condition().await;
    assert_eq!((&found["status"], &found["reason"]), (&json!("False"), &json!("Found")));
    client.send(Method::DELETE, &format!("{FLOW}/prioritylevelconfigurations/p"), &Value::Null).await;
    assert_eq!(condition().await["reason"], "NotFound");
}

#[tokio::test]
async fn what_another_server_would_answer_is_said_to_be_out_of_reach() {
    let client = Client::new();
    let service = json!({
        "metadata": {"name": "v1.far.example.com"},
        "spec": {
            "group": "far.example.com", "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 10,
            "service": {"name": "s", "namespace": "default"}, "insecureSkipTLSVerify": true,
        },
    });
    client.make(SERVICES, &service).await;
    let path = format!("{SERVICES}/v1.far.example.com");
    let condition = async || get(&client, &path).await["status"]["conditions"][0].clone();
    assert_eq!(condition().await["reason"], "ServiceNotFound");
    assert_eq!(client.send(Method::GET, "/apis/far.example.com/v1/foos", &Value::Null).await.code, 503);
    assert_eq!(get(&client, "/apis/far.example.com").await["preferredVersion"]["version"], "v1");
    let ports = json!({"metadata": {"name": "s"}, "spec": {"ports": [{"port": 443}]}});
    client.make("/api/v1/namespaces/default/services", &ports).await;
    assert_eq!(condition().await["reason"], "EndpointsNotFound");
    client.send(Method::DELETE, &path, &Value::Null).await;
    assert_eq!(client.send(Method::GET, "/apis/far.example.com/v1/foos", &Value::Null).await.code, 404);
}

#[tokio::test]
async fn custom_kinds_have_api_services_as_long_as_they_are_served() {
    let server = ApiServer::builder().system_objects().controllers(Controllers::Stepped).build();
    let client = Client::of(&server);
    let version = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}},
    });
    let definition = json!({
        "metadata": {"name": "foos.own.example.com"},
        "spec": {
            "group": "own.example.com", "scope": "Namespaced", "versions": [version],
            "names": {"kind": "Foo", "plural": "foos"},
        },
    });
    let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    client.make(definitions, &definition).await;
    let path = format!("{SERVICES}/v1.own.example.com");
    assert_eq!(get(&client, &path).await["status"]["conditions"][0]["reason"], "Local");
    let one = format!("{definitions}/foos.own.example.com");
    client.send(Method::DELETE, &one, &Value::Null).await;
    let going = get(&client, &one).await;
    let conditions = going["status"]["conditions"].as_array().unwrap().clone();
    assert!(conditions.iter().any(|one| one["reason"] == "InstanceDeletionInProgress"), "{going}");
    server.settle();
    assert_eq!(get(&client, &one).await["code"], 404);
    assert_eq!(get(&client, &path).await["code"], 404);
}

#[tokio::test]
async fn who_decides_about_a_certificate_needs_a_right_for_its_signer() {
    let mut client = Client::of(&ApiServer::builder().rbac().build());
    let group = "rbac.authorization.k8s.io";
    let rbac = format!("/apis/{group}/v1");
    let requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    let rule = json!({
        "apiGroups": ["certificates.k8s.io"],
        "resources": ["certificatesigningrequests", "certificatesigningrequests/approval"],
        "verbs": ["get", "update", "patch"],
    });
    let role = |rules: Value| json!({"metadata": {"name": "r"}, "rules": rules});
    client.make(&format!("{rbac}/clusterroles"), &role(json!([rule]))).await;
    let binding = json!({
        "metadata": {"name": "r"},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": "r"},
        "subjects": [{"apiGroup": group, "kind": "User", "name": "jane"}],
    });
    client.make(&format!("{rbac}/clusterrolebindings"), &binding).await;
    let wanted = |signer: &str| {
        json!({
            "metadata": {"name": "c"},
            "spec": {"request": MASTERS, "signerName": signer, "usages": ["client auth"]},
        })
    };
    let refused = client.post(requests, &wanted("kubernetes.io/kube-apiserver-client")).await;
    assert!(refused.message().ends_with("signer with system:masters group is not allowed"), "{refused:?}");
    client.make(requests, &wanted("example.com/own")).await;
    let yes = json!({"type": "Approved", "status": "True", "reason": "r", "message": "m"});
    let decision = json!({"status": {"conditions": [yes]}});
    let path = format!("{requests}/c/approval");
    client.user = Some("jane".to_owned());
    let (code, body) = patch(&client, &path, decision.clone()).await;
    let why = "user not permitted to approve requests with signerName \"example.com/own\"";
    assert_eq!(code, 403);
    assert!(body["message"].as_str().unwrap().ends_with(why), "{body}");
    client.user = None;
    let signers = json!({
        "apiGroups": ["certificates.k8s.io"], "resources": ["signers"],
        "resourceNames": ["example.com/*"], "verbs": ["approve"],
    });
    assert_eq!(patch(&client, &format!("{rbac}/clusterroles/r"), role(json!([rule, signers]))).await.0, 200);
    client.user = Some("jane".to_owned());
    assert_eq!(patch(&client, &path, decision).await.0, 200);
}

#[tokio::test]
async fn sizes_of_a_whole_pod_change_where_its_node_says_that_it_can() {
    let client = Client::new();
    let room = json!({"cpu": "8", "memory": "16Gi", "pods": "10"});
    let node = json!({"metadata": {"name": "n"}, "status": {"allocatable": room, "capacity": room}});
    client.make("/api/v1/nodes", &node).await;
    let sizes = json!({"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "2Gi"}});
    client.make(PODS, &pod("a", json!({"nodeName": "n", "resources": sizes}))).await;
    let resize = json!({"spec": {"resources": {"requests": {"cpu": "1500m"}}}});
    let path = format!("{PODS}/a/resize");
    let (code, body) = patch(&client, &path, resize.clone()).await;
    let why = "pods \"a\" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on \
               node \"n\"";
    assert_eq!((code, body["message"].as_str()), (403, Some(why)));
    let declared = json!({"status": {"declaredFeatures": ["InPlacePodLevelResourcesVerticalScaling"]}});
    assert_eq!(patch(&client, "/api/v1/nodes/n/status", declared).await.0, 200);
    assert_eq!(patch(&client, &path, resize).await.0, 200);
}
