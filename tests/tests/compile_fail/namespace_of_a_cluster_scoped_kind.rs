//! Namespaces are in no namespace.

use sample_client::Clientset;

async fn example(clientset: Clientset) {
    let _ = clientset.core_v1().namespaces().get("default").await;
    let _ = clientset.core_v1().namespaces("default").get("default").await;
}

fn main() {}
