//! Pods are in a namespace.

use sample_client::Clientset;

async fn example(clientset: Clientset) {
    let _ = clientset.core_v1().pods("default").get("a").await;
    let _ = clientset.core_v1().pods().get("a").await;
}

fn main() {}
