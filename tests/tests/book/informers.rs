//! The code of the page about informers.

use std::time::Duration;

use kube_codegen_apiserver::ApiServer;
use kube_codegen_runtime::CancellationToken;
use serde_json::json;

fn server() -> ApiServer {
    let server = ApiServer::builder().build();
    for node in ["node-1", "node-2"] {
        let container = json!({ "name": "main", "image": "busybox" });
        let spec = json!({ "nodeName": node, "containers": [container] });
        let metadata = json!({ "name": node, "namespace": "default", "labels": { "on": node } });
        server
            .import(json!({ "apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec }))
            .unwrap();
    }
    server
}

#[tokio::test(start_paused = true)]
async fn less_is_kept() {
    let client = server().client();
    // ANCHOR: settings
    use k8s_openapi::api::core::v1::Pod;
    use kube_codegen_runtime::{client::ResourceClient, informer::SharedInformer, store::Storage};

    let pods = ResourceClient::<Pod>::namespaced(client, "");
    let informer = SharedInformer::builder(pods)
        .field_selector("spec.nodeName=node-1") // ask for less
        .drop_managed_fields() // keep less of each object
        .storage(Storage::Packed) // keep it small
        .build();
    // ANCHOR_END: settings
    let stop = CancellationToken::new();
    informer.start(&stop);
    informer.wait_for_sync().await.unwrap();
    assert_eq!(informer.lister().list().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn metadata_alone() {
    use k8s_openapi::api::core::v1::Pod;
    use kube_codegen_runtime::{client::ResourceClient, informer::SharedInformer};

    let client = server().client();
    // ANCHOR: metadata
    use kube::core::PartialObjectMeta;

    let pods = ResourceClient::<PartialObjectMeta<Pod>>::namespaced(client, "");
    let informer = SharedInformer::builder(pods).build();
    // ANCHOR_END: metadata
    let stop = CancellationToken::new();
    informer.start(&stop);
    tokio::time::timeout(Duration::from_secs(60), informer.wait_for_sync()).await.unwrap().unwrap();
    let pods = informer.store().list();
    assert!(pods.iter().all(|pod| pod.metadata.labels.is_some()) && pods.len() == 2);
}
