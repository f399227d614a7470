//! What a fresh server has of itself.

use kube_codegen_apiserver::ApiServer;

use super::Client;

#[tokio::test]
async fn a_cluster_begins_with_its_roles_classes_and_services() {
    let client = Client::new(&ApiServer::builder().rbac().system_objects().build());
    let counts = [
        ("/apis/rbac.authorization.k8s.io/v1/clusterroles", 73),
        ("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", 54),
        ("/apis/rbac.authorization.k8s.io/v1/roles", 7),
        ("/apis/rbac.authorization.k8s.io/v1/rolebindings", 7),
        ("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", 11),
        ("/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations", 8),
        ("/apis/scheduling.k8s.io/v1/priorityclasses", 2),
        ("/apis/networking.k8s.io/v1/servicecidrs", 1),
        ("/apis/apiregistration.k8s.io/v1/apiservices", 22),
        ("/api/v1/services", 1),
    ];
    for (path, count) in counts {
        let (_, list) = client.get(path).await;
        assert_eq!(list["items"].as_array().unwrap().len(), count, "{path}");
    }
}

#[tokio::test]
async fn a_server_in_a_process_begins_empty() {
    let client = Client::new(&ApiServer::new());
    let (_, list) = client.get("/api/v1/services").await;
    assert!(list["items"].as_array().unwrap().is_empty());
}
