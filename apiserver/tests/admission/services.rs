//! What services are given: addresses, node ports, families.

use http::Method;
use serde_json::{Value, json};

use super::Client;

const SERVICES: &str = "/api/v1/namespaces/default/services";

fn service(name: &str, spec: Value) -> Value {
    let mut whole = json!({"ports": [{"port": 80}]});
    super::merge(&mut whole, spec);
    json!({"metadata": {"name": name}, "spec": whole})
}

/// What is wrong with a service: one line a cause.
async fn refused(client: &Client, spec: Value) -> String {
    let answer = client.post(SERVICES, &service("refused", spec)).await;
    assert!(answer.code >= 400, "{answer:?}");
    let causes = answer.body["details"]["causes"].as_array().unwrap();
    let line = |cause: &Value| {
        format!("{}: {}", cause["field"].as_str().unwrap_or_default(), cause["message"].as_str().unwrap())
    };
    causes.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn an_address_is_given_once() {
    let client = Client::new();
    let made = client.make(SERVICES, &service("a", json!({}))).await;
    let address = made["spec"]["clusterIP"].as_str().unwrap().to_owned();
    assert!(address.starts_with("10."), "{address}");
    let taken = format!(
        "spec.clusterIPs: Invalid value: [\"{address}\"]: failed to allocate IP {address}: provided IP is already allocated"
    );
    assert_eq!(refused(&client, json!({"clusterIP": address})).await, taken);
    // With the service its address goes.
    client.send(Method::DELETE, &format!("{SERVICES}/a"), &Value::Null).await;
    client.make(SERVICES, &service("b", json!({"clusterIP": address}))).await;
}

#[tokio::test]
async fn addresses_elsewhere_and_of_another_family_are_refused() {
    let client = Client::new();
    let cases = [
        (
            json!({"clusterIP": "1.2.3.4"}),
            "spec.clusterIPs: Invalid value: [\"1.2.3.4\"]: failed to allocate IP 1.2.3.4: the provided network does not match the \
             current range",
        ),
        (
            json!({"clusterIP": "fd00::1"}),
            "spec.clusterIPs[0]: Invalid value: [\"fd00::1\"]: IPv6 is not configured on this cluster",
        ),
        (
            json!({"clusterIP": "10.0.5.5", "clusterIPs": ["10.0.5.5", "fd00::5"], "ipFamilyPolicy": "PreferDualStack"}),
            "spec.clusterIPs[1]: Invalid value: [\"10.0.5.5\",\"fd00::5\"]: IPv6 is not configured on this cluster",
        ),
        (
            json!({"ipFamilies": ["IPv6"]}),
            "spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster",
        ),
        (
            json!({"ipFamilyPolicy": "RequireDualStack"}),
            "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": this cluster is not configured for dual-stack services",
        ),
        (
            json!({"clusterIP": "None", "selector": {"a": "b"}, "ipFamilies": ["IPv6"]}),
            "spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster",
        ),
    ];
    for (spec, why) in cases {
        assert_eq!(refused(&client, spec).await, why);
    }
    let headless = client.make(SERVICES, &service("h", json!({"clusterIP": "None"}))).await;
    assert_eq!(headless["spec"]["ipFamilyPolicy"], "RequireDualStack");
}

#[tokio::test]
async fn node_ports_have_a_range_and_one_owner() {
    let client = Client::new();
    let ports = |port: u64| json!({"type": "NodePort", "ports": [{"port": 80, "nodePort": port}]});
    let range = "provided port is not in the valid range. The range of valid ports is 30000-32767";
    assert_eq!(
        refused(&client, ports(1)).await,
        format!("spec.ports[0].nodePort: Invalid value: 1: {range}")
    );
    client.make(SERVICES, &service("a", ports(30123))).await;
    let taken = "spec.ports[0].nodePort: Invalid value: 30123: provided port is already allocated";
    assert_eq!(refused(&client, ports(30123)).await, taken);
    // One service may have a port for two protocols.
    let both = json!({"type": "NodePort", "ports": [
        {"port": 80, "nodePort": 30124, "name": "a"}, {"port": 80, "nodePort": 30124, "name": "b", "protocol": "UDP"},
    ]});
    client.make(SERVICES, &service("b", both)).await;
    let health =
        json!({"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30123});
    let why = ": failed to allocate requested HealthCheck NodePort 30123: provided port is already allocated";
    assert_eq!(refused(&client, health).await, why);
}

#[tokio::test]
async fn what_a_service_has_follows_its_type() {
    let client = Client::new();
    let path = format!("{SERVICES}/a");
    let address = client.make(SERVICES, &service("a", json!({}))).await["spec"]["clusterIP"].clone();
    let change = async |spec: Value| client.send(Method::PATCH, &path, &json!({"spec": spec})).await;
    let external = change(json!({"type": "ExternalName", "externalName": "x.y"})).await;
    assert_eq!(external.body["spec"].get("clusterIP"), None, "{external:?}");
    client.make(SERVICES, &service("b", json!({"clusterIP": address}))).await;
    let back = json!({"type": "ClusterIP", "externalName": null});
    let mut taken = back.clone();
    taken["clusterIP"] = address.clone();
    assert_eq!(change(taken).await.code, 422);
    let other = change(back).await;
    assert_eq!(other.code, 200, "{other:?}");
    assert_ne!(other.body["spec"]["clusterIP"], address);
    let numbered = change(json!({"type": "NodePort"})).await;
    assert!(numbered.body["spec"]["ports"][0]["nodePort"].as_u64().is_some_and(|port| port >= 30000));
}

#[tokio::test]
async fn ports_run_out() {
    let client = Client::new();
    let ports: Vec<Value> =
        (0..1384).map(|port| json!({"name": format!("p{port}"), "port": port + 1})).collect();
    let many = json!({"type": "NodePort", "ports": ports});
    for name in ["a", "b"] {
        client.make(SERVICES, &service(name, many.clone())).await;
    }
    let why = refused(&client, json!({"type": "NodePort"})).await;
    assert!(why.ends_with("range is full"), "{why}");
}
