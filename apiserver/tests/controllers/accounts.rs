//! The service account controller, step by step.

use k8s_openapi::api::core::v1::{Namespace, ServiceAccount};
use kube::{Api, api::DeleteParams};
use kube_codegen_apiserver::{ApiServer, Controllers};
use serde_json::json;

#[tokio::test]
async fn every_namespace_has_an_account_and_gets_it_back() {
    let server = ApiServer::builder().controllers(Controllers::Stepped).service_accounts().build();
    server.settle();
    let client = server.client();
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let namespace = serde_json::from_value(json!({"metadata": {"name": "team"}})).unwrap();
    namespaces.create(&kube::api::PostParams::default(), &namespace).await.unwrap();
    server.settle();
    for name in ["default", "kube-system", "team"] {
        let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), name);
        let before = accounts.get("default").await.unwrap().metadata.uid;
        accounts.delete("default", &DeleteParams::default()).await.unwrap();
        server.settle();
        assert_ne!(accounts.get("default").await.unwrap().metadata.uid, before, "{name}");
    }
}

#[tokio::test]
async fn a_namespace_that_goes_away_gets_no_account_back() {
    let server = ApiServer::builder().controllers(Controllers::Stepped).service_accounts().build();
    let client = server.client();
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let namespace = serde_json::from_value(json!({"metadata": {"name": "team"}})).unwrap();
    namespaces.create(&kube::api::PostParams::default(), &namespace).await.unwrap();
    server.settle();
    namespaces.delete("team", &DeleteParams::default()).await.unwrap();
    server.settle();
    assert!(namespaces.get_opt("team").await.unwrap().is_none());
    let accounts: Api<ServiceAccount> = Api::namespaced(client, "team");
    assert!(accounts.get_opt("default").await.unwrap().is_none());
}
