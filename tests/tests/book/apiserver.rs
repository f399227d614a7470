//! The code of the page about the API server.

#[tokio::test(start_paused = true)]
async fn as_a_library() {
    // ANCHOR: library
    use kube_codegen_apiserver::{ApiServer, Controllers, Kubelet};

    let server = ApiServer::builder().controllers(Controllers::Stepped).kubelet(Kubelet::simulated()).build();
    let client = server.client();
    // ANCHOR_END: library
    assert_eq!(client.default_namespace(), "default");
    server.settle();
}
