//! What becomes of a namespace that is deleted.

use kube_codegen_apiserver::ApiServer;
use serde_json::{Value, json};

use crate::{
    http::{get, patch, send},
    stepped,
};

const PATH: &str = "/api/v1/namespaces/box";

fn boxed() -> ApiServer {
    let server = stepped();
    assert_eq!(send(&server, "POST", "/api/v1/namespaces", &json!({"metadata": {"name": "box"}})).0, 201);
    server
}

fn put_in(server: &ApiServer, resource: &str, object: &Value) {
    let (code, answer) = send(server, "POST", &format!("{PATH}/{resource}"), object);
    assert_eq!(code, 201, "{answer}");
}

fn conditions(server: &ApiServer) -> Vec<(String, String, String, String)> {
    let (_, namespace) = get(server, PATH);
    let text = |condition: &Value, name: &str| condition[name].as_str().unwrap().to_owned();
    let conditions = namespace["status"]["conditions"].as_array().unwrap();
    conditions
        .iter()
        .map(|c| (text(c, "type"), text(c, "status"), text(c, "reason"), text(c, "message")))
        .collect()
}

#[test]
fn c092_it_is_emptied_and_goes() {
    let server = boxed();
    for index in 0..50 {
        let resource = ["configmaps", "secrets", "serviceaccounts"][index % 3];
        put_in(&server, resource, &json!({"metadata": {"name": format!("x{index}")}}));
    }
    let (code, answer) = send(&server, "DELETE", PATH, &Value::Null);
    assert_eq!((code, &answer["status"]["phase"]), (200, &json!("Terminating")));
    assert_eq!(get(&server, PATH).0, 200);
    let (code, refused) =
        send(&server, "POST", &format!("{PATH}/configmaps"), &json!({"metadata": {"name": "late"}}));
    assert_eq!((code, &refused["details"]["causes"][0]["reason"]), (403, &json!("NamespaceTerminating")));
    server.settle();
    assert_eq!(get(&server, PATH).0, 404);
    assert_eq!(get(&server, &format!("{PATH}/secrets")).1["items"], json!([]));
}

#[test]
fn a_finalizer_inside_holds_it_and_the_conditions_say_which() {
    let server = boxed();
    put_in(&server, "configmaps", &json!({"metadata": {"name": "held", "finalizers": ["example.com/hold"]}}));
    put_in(&server, "secrets", &json!({"metadata": {"name": "free"}}));
    send(&server, "DELETE", PATH, &Value::Null);
    server.settle();
    let row = |kind: &str, status: &str, reason: &str, message: &str| {
        (kind.to_owned(), status.to_owned(), reason.to_owned(), message.to_owned())
    };
    assert_eq!(
        conditions(&server),
        [
            row(
                "NamespaceDeletionDiscoveryFailure",
                "False",
                "ResourcesDiscovered",
                "All resources successfully discovered"
            ),
            row(
                "NamespaceDeletionGroupVersionParsingFailure",
                "False",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed"
            ),
            row(
                "NamespaceDeletionContentFailure",
                "False",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization"
            ),
            row(
                "NamespaceContentRemaining",
                "True",
                "SomeResourcesRemain",
                "Some resources are remaining: configmaps. has 1 resource instances"
            ),
            row(
                "NamespaceFinalizersRemaining",
                "True",
                "SomeFinalizersRemain",
                "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances"
            ),
        ]
    );
    assert_eq!(get(&server, &format!("{PATH}/secrets/free")).0, 404);
    patch(&server, &format!("{PATH}/configmaps/held"), &json!({"metadata": {"finalizers": null}}));
    server.settle();
    assert_eq!(get(&server, PATH).0, 404);
}

#[test]
fn everything_else_waits_for_the_pods() {
    let server = boxed();
    let pod = json!({"metadata": {"name": "p"}, "spec": {
        "nodeName": "node-1", "terminationGracePeriodSeconds": 20,
        "containers": [{"name": "one", "image": "busybox"}],
    }});
    put_in(&server, "pods", &pod);
    put_in(&server, "configmaps", &json!({"metadata": {"name": "settings"}}));
    send(&server, "DELETE", PATH, &Value::Null);
    for _ in 0..3 {
        server.step();
    }
    let (_, pod) = get(&server, &format!("{PATH}/pods/p"));
    assert_eq!(pod["metadata"]["deletionGracePeriodSeconds"], 20);
    assert_eq!(get(&server, &format!("{PATH}/configmaps/settings")).0, 200);
    assert_eq!(conditions(&server).len(), 5);
    send(&server, "DELETE", &format!("{PATH}/pods/p"), &json!({"gracePeriodSeconds": 0}));
    server.settle();
    assert_eq!(get(&server, PATH).0, 404);
}

#[test]
fn a_finalizer_of_its_own_holds_it_when_it_is_empty() {
    let server = stepped();
    let namespace = json!({"metadata": {"name": "box", "finalizers": ["example.com/hold"]}});
    send(&server, "POST", "/api/v1/namespaces", &namespace);
    send(&server, "DELETE", PATH, &Value::Null);
    server.settle();
    let (code, namespace) = get(&server, PATH);
    assert_eq!((code, &namespace["spec"]), (200, &json!({})));
    patch(&server, PATH, &json!({"metadata": {"finalizers": null}}));
    assert_eq!(get(&server, PATH).0, 404);
    server.settle();
}
