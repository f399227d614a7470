//! `+genclient:skipVerbs=deleteCollection`: namespaces are deleted one by one.

use kube_codegen_runtime::client::ListParams;
use sample_client::Clientset;

async fn example(clientset: Clientset) {
    let _ = clientset.core_v1().namespaces().list().await;
    let _ = clientset.core_v1().namespaces().delete_collection(&ListParams::default()).await;
}

fn main() {}
