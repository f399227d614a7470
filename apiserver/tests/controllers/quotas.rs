//! The quota controller.

use kube_codegen_apiserver::{ApiServer, Controllers};
use serde_json::{Value, json};

use crate::http::{get, patch, send};

const NAMESPACE: &str = "/api/v1/namespaces/default";

fn counting() -> ApiServer {
    ApiServer::builder().controllers(Controllers::Stepped).count_quotas().build()
}

fn make(server: &ApiServer, plural: &str, object: &Value) -> (u16, Value) {
    let made = send(server, "POST", &format!("{NAMESPACE}/{plural}"), object);
    server.settle();
    made
}

fn used(server: &ApiServer) -> Value {
    get(server, &format!("{NAMESPACE}/resourcequotas/q")).1["status"]["used"].clone()
}

fn quota(server: &ApiServer, spec: &Value) {
    let (code, answer) = make(server, "resourcequotas", &json!({"metadata": {"name": "q"}, "spec": spec}));
    assert_eq!(code, 201, "{answer}");
}

#[test]
fn what_is_there_is_counted_and_what_goes_is_given_back() {
    let server = counting();
    let map = |name: &str| json!({"metadata": {"name": name}});
    make(&server, "configmaps", &map("before"));
    quota(
        &server,
        &json!({"hard": {"count/configmaps": "2", "configmaps": "5", "count/deployments.apps": "1"}}),
    );
    assert_eq!(
        used(&server),
        json!({"configmaps": "1", "count/configmaps": "1", "count/deployments.apps": "0"})
    );
    assert_eq!(make(&server, "configmaps", &map("a")).0, 201);
    let (code, refused) = make(&server, "configmaps", &map("b"));
    let why = "configmaps \"b\" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=2, limited: \
               count/configmaps=2";
    assert_eq!((code, refused["message"].as_str()), (403, Some(why)));
    send(&server, "DELETE", &format!("{NAMESPACE}/configmaps/a"), &Value::Null);
    server.settle();
    assert_eq!(used(&server)["count/configmaps"], "1");
    assert_eq!(make(&server, "configmaps", &map("b")).0, 201);
}

#[test]
fn pods_claims_and_services_are_counted_by_what_they_ask_for() {
    let server = counting();
    quota(
        &server,
        &json!({"hard": {
            "pods": "9", "requests.cpu": "4", "limits.memory": "8Gi", "services.nodeports": "3", "services.loadbalancers": "1",
            "persistentvolumeclaims": "2", "requests.storage": "10Gi", "fast.storageclass.storage.k8s.io/requests.storage": "5Gi",
        }}),
    );
    let resources = json!({"requests": {"cpu": "500m"}, "limits": {"cpu": "1", "memory": "1Gi"}});
    let pod = json!({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "a", "image": "b", "resources": resources}]}});
    assert_eq!(make(&server, "pods", &pod).0, 201);
    let service =
        json!({"metadata": {"name": "s"}, "spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}});
    assert_eq!(make(&server, "services", &service).0, 201);
    let claim = json!({"metadata": {"name": "c"}, "spec": {
        "accessModes": ["ReadWriteOnce"], "storageClassName": "fast", "resources": {"requests": {"storage": "2Gi"}},
    }});
    assert_eq!(make(&server, "persistentvolumeclaims", &claim).0, 201);
    let expected = json!({
        "pods": "1", "requests.cpu": "500m", "limits.memory": "1Gi", "services.nodeports": "1", "services.loadbalancers": "1",
        "persistentvolumeclaims": "1", "requests.storage": "2Gi", "fast.storageclass.storage.k8s.io/requests.storage": "2Gi",
    });
    assert_eq!(used(&server), expected);
    // A pod that has ended asks for nothing any more.
    let ended = json!({"status": {"phase": "Succeeded"}});
    patch(&server, &format!("{NAMESPACE}/pods/p/status"), &ended);
    server.settle();
    assert_eq!((&used(&server)["pods"], &used(&server)["requests.cpu"]), (&json!("0"), &json!("0")));
}

#[test]
fn scopes_say_which_pods_are_counted() {
    let server = counting();
    quota(&server, &json!({"hard": {"pods": "5"}, "scopes": ["BestEffort"]}));
    let pod = |name: &str, resources: Value| json!({"metadata": {"name": name}, "spec": {"containers": [{"name": "a", "image": "b", "resources": resources}]}});
    make(&server, "pods", &pod("a", json!({})));
    make(&server, "pods", &pod("b", json!({"requests": {"cpu": "1"}})));
    assert_eq!(used(&server), json!({"pods": "1"}));
}
