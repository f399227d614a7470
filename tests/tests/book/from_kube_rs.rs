//! The code of the guide for those who come from kube-rs.

#[tokio::test]
async fn plain_kube() {
    // ANCHOR: plain_kube
    use k8s_openapi::api::core::v1::ConfigMap;
    use kube::api::{Api, ListParams};
    use kube_codegen_apiserver::ApiServer;

    let client: kube::Client = ApiServer::builder().build().client();
    let maps: Api<ConfigMap> = Api::default_namespaced(client);
    assert!(maps.list(&ListParams::default()).await.unwrap().items.is_empty());
    // ANCHOR_END: plain_kube
}
