//! MyResource has no status to update.

use sample_apis::myresource::v1::MyResource;
use sample_client::Clientset;

async fn example(clientset: Clientset, object: MyResource) {
    let _ = clientset.trstringer_v1().my_resources("default").update(&object).await;
    let _ = clientset.trstringer_v1().my_resources("default").update_status(&object).await;
}

fn main() {}
